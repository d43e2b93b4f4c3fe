import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { trackingQuery } from '../../access/accounts/tracking-site.ts';
import { refuseCrossSite } from '../../access/sessions/console-cookie.ts';
import { cardToHold, type HoldAgainDeps, holdWithCustomer } from '../../ordering/money/hold-again.flow.ts';
import { declinedInWords, needsHold } from '../../ordering/money/hold-times.ts';
import type { Order } from '../../ordering/order/order.ts';
import { findPaymentMethod } from '../../ordering/payments/payment-methods.db.ts';
import { openCardSetup } from '../../ordering/payments/save-card.flow.ts';
import { customerCaller, isOfSignIn } from '../../ordering/place/checkout.flow.ts';
import { emptyAnswer } from '../../platform/http/content-answers.ts';
import { type FormAnswer, formPage, pageAnswer, sendForm } from '../../platform/http/form-page.ts';
import type { Http } from '../../platform/http/http.ts';
import { limitVisits } from '../../platform/load/rate-limit.ts';
import { DEFAULT_BRAND, formSecurity } from '../tracking/brand.ts';
import { LinkSchema } from '../tracking/find-tracked.flow.ts';
import { basePathOf, siteUrlOf } from '../tracking/site-frame.flow.ts';
import { cardPage, toCardPage, unknownPage } from './checkout.page.ts';
import { VISITS_PER_MINUTE } from './checkout.route.ts';
import { beginOwn, type Deps as CheckoutDeps, checkoutRefusalPage, type Visit } from './checkout-visit.hook.ts';
import { answerPayment } from './submit-checkout.flow.ts';

/*
 * {tracking_url}/checkout/card: the page where the customer adds another card to a placed order, or approves the
 * payment at the bank, after the card has declined to hold the order's money. The link's `key` is the permission.
 */

type Deps = CheckoutDeps & HoldAgainDeps;

const QUERY = Type.Object({
  ...LinkSchema.properties,
  status: Type.Optional(Type.String({ description: 'How the customer returned from the card page.' })),
});
const LINK = { tracking_id: '{order_id}', key: '{key}' };
const TO_ORDER = "Redirects to the order's page. The card is authorized.";
const LOCATION = { type: 'string', description: 'The page.' };
const UNKNOWN = { 404: pageAnswer('No order uses this link, and a page says so.') };
const REFUSED = {
  402: pageAnswer('The card was declined, or its bank asks the customer to approve. A page says so.'),
  409: pageAnswer('The card was deleted. The page is shown again.'),
  429: pageAnswer('Too many cards were declined. The page is shown again.'),
  503: pageAnswer("The outcome isn't known yet. The page is shown again."),
};

/** A visit with an order; with the paths of its page and the order's page. */
type CardVisit = Visit & { order: Order; orderPath: string; backUrl: string };

/** GET and POST {tracking_url}/checkout/card, and the return from the gateway's card page and from the bank. */
export function cardRoutes(http: Http, deps: Deps): void {
  const { config, clock } = deps;
  const security = formSecurity(config, DEFAULT_BRAND);
  const refusalPage = checkoutRefusalPage(deps);
  const outside = ['payment_gateway_not_configured', 'upstream_unavailable'] as const;
  const refuses = ['rate_limited', 'not_ready', ...outside] as const;
  const count = limitVisits(VISITS_PER_MINUTE, clock);
  type Request = Parameters<typeof beginOwn>[1] & { query: Static<typeof LinkSchema> };
  const begin = async (request: Request, reply: FastifyReply): Promise<CardVisit | Visit> => {
    const isFor = ({ placedAt }: Order) => placedAt !== null;
    const { visit, key } = await beginOwn(deps, request, request.query, reply, { page: 'card', isFor });
    const { order, frame, lang } = visit;
    if (!order || key === null) return visit;
    count(order.orderId);
    const query = `${trackingQuery(order.orderId, key)}${lang ? `&lang=${lang}` : ''}`;
    const base = basePathOf(config, visit);
    const ownPath = `${base}/checkout/card?${query}`;
    const backUrl = `${siteUrlOf(config, visit)}/checkout/card/back?${query}`;
    return { ...visit, order, frame: { ...frame, ownPath }, orderPath: `${base}/tracking?${query}`, backUrl };
  };
  /** Answers a visit whose order needs a card; the others lead to the order. */
  const needing = (visit: CardVisit | Visit, work: (visit: CardVisit) => Promise<FormAnswer>) => {
    if (!('orderPath' in visit)) return { status: 404, html: unknownPage(visit.frame) };
    return needsHold(visit.order, clock.now()) ? work(visit) : { location: visit.orderPath };
  };
  formPage(http, {
    path: '/checkout/card',
    refuses,
    formRefuses: ['cross_site_request'],
    refusalPage,
    security,
    shows: {
      operationId: 'readCardPage',
      summary: "Open the page for replacing a placed order's card",
      description:
        'For an order with items sold by weight whose card declined the authorization. The message to the customer links here. Requires the `key` of `tracking_link`.',
      example: { query: LINK },
      query: LinkSchema,
      answers: {
        303: emptyAnswer("Redirects to the order's page, if no other card is needed.", { Location: LOCATION }),
        ...UNKNOWN,
      },
    },
    takes: {
      operationId: 'submitCardPage',
      summary: "Replace a placed order's card, or retry the same card",
      description: "The page's form sends this request. Repeating it authorizes the card only once.",
      example: { query: LINK, body: { action: 'again' } },
      query: LinkSchema,
      fields: Type.Object({ action: Type.Enum(['card', 'again'], { description: 'The button.' }) }),
      next: TO_ORDER,
      answers: { 200: pageAnswer("A page that leads to the gateway's card page."), ...UNKNOWN, ...REFUSED },
    },
    async begin(request, reply) {
      const visit = await begin(request, reply);
      refuseCrossSite(request, siteUrlOf(config, visit), "A card can only be replaced from its order's page.");
      return visit;
    },
    show: (begun) => needing(begun, (visit) => readPage(deps, visit)),
    take: (begun, { action }) =>
      needing(begun, (visit) => (action === 'card' ? openPage(deps, visit) : hold(deps, visit))),
  });
  const backSchema = {
    operationId: 'holdAgain',
    summary: 'Return from the card page, or from approving the payment at the bank',
    description: 'Authorizes the new card for the order.',
    example: { query: LINK },
    querystring: QUERY,
    response: {
      200: pageAnswer('No card was entered. The page is shown again.'),
      303: emptyAnswer(TO_ORDER, { Location: LOCATION }),
      ...UNKNOWN,
      ...REFUSED,
    },
  };
  http.get(
    '/checkout/card/back',
    { schema: backSchema, config: { public: true, refuses, refusalPage }, security },
    async (request, reply) => {
      const begun = await begin(request, reply);
      const answer = await needing(begun, (visit) => comeBack(deps, visit, request.query.status));
      return sendForm(reply, answer);
    },
  );
}

/** Tries the entered card once; a reload shows the page. */
async function comeBack(deps: Deps, visit: CardVisit, status: string | undefined): Promise<FormAnswer> {
  const { order, frame } = visit;
  const { card } = frame.locale.words.checkout;
  if (status === 'canceled' || status === 'pending') return readPage(deps, visit, { notice: card[status] });
  const isNew = (await cardToHold(deps, order)) !== order.request.paymentMethodId;
  return isNew || order.waitingChargeId !== null ? hold(deps, visit) : { location: frame.ownPath };
}

async function readPage(
  deps: Deps,
  { frame, order, orderPath }: CardVisit,
  { status = 200, ...shown }: { status?: number; notice?: string; cardFault?: string } = {},
): Promise<FormAnswer> {
  const card = await findPaymentMethod(deps.db, order, await cardToHold(deps, order));
  const lead = declinedInWords(order, frame.locale, deps.clock.now());
  return { status, html: cardPage(frame, { lead, card, orderPath, ...shown }) };
}

async function openPage(deps: Deps, { frame, order, backUrl }: CardVisit): Promise<FormAnswer> {
  const { accountId, mode, orderId, request } = order;
  const { userId, email: userEmail } = request.customer;
  const owner = { accountId, mode, orderId, userId: isOfSignIn(request) ? orderId : userId || orderId, userEmail };
  const url = await openCardSetup(deps, { ...owner, returnUrl: backUrl, language: frame.locale.language });
  return { html: toCardPage(frame, url) };
}

async function hold(deps: Deps, visit: CardVisit): Promise<FormAnswer> {
  const { frame, order, orderPath } = visit;
  const again = (status: number, shown: { notice?: string; cardFault?: string }) =>
    readPage(deps, visit, { status, ...shown });
  try {
    await holdWithCustomer(deps, order, customerCaller(order));
    return { location: orderPath };
  } catch (error) {
    return answerPayment(frame, error, order.authorizedCents ?? 0, again);
  }
}
