import { basename, dirname } from 'node:path';
import { Type } from 'typebox';
import { trackingLinkOf } from '../../access/accounts/tracking-site.ts';
import { refuseCrossSite } from '../../access/sessions/console-cookie.ts';
import { checkoutMember, isCheckoutAlive } from '../../ordering/order/checkout-link.ts';
import type { Order } from '../../ordering/order/order.ts';
import { OrderRefused } from '../../ordering/order/order-faults.ts';
import { allowsReorder, placedAtOf } from '../../ordering/order/order-view.ts';
import { continueCheckout, repeatOrder } from '../../ordering/place/checkout.flow.ts';
import { contentAnswer, emptyAnswer } from '../../platform/http/content-answers.ts';
import { type FormAnswer, formPage, pageAnswer, sendForm } from '../../platform/http/form-page.ts';
import type { Http } from '../../platform/http/http.ts';
import { serveWebFiles } from '../../platform/http/send-web-file.ts';
import { staticAnswer } from '../../platform/http/static-answer.ts';
import { LANG } from '../../platform/languages/page-language.ts';
import { bundleOnce } from '../../platform/lib/bundle-once.cache.ts';
import { limitVisits } from '../../platform/load/rate-limit.ts';
import { DEFAULT_BRAND, formSecurity } from '../tracking/brand.ts';
import { LinkSchema } from '../tracking/find-tracked.flow.ts';
import { siteUrlOf } from '../tracking/site-frame.flow.ts';
import { cannotRepeatPage, expiredPage, placedPage, repeatPage, unknownPage } from './checkout.page.ts';
import { CheckoutForm } from './checkout-form.ts';
import {
  afterwards,
  beginOwn,
  beginVisit,
  checkoutFiles,
  checkoutRefusalPage,
  type Deps,
  FILES,
  type LiveVisit,
  returnTo,
  type Visit,
} from './checkout-visit.hook.ts';
import { answerPlacing, readPage, submit } from './submit-checkout.flow.ts';

/*
 * {tracking_url}/checkout/{link}: the page where a person finishes an unplaced order. The link grants access
 * and ends with the placing.
 */

/** Maximum visits and forms per link and minute. A person with a few cards needs ten. */
export const VISITS_PER_MINUTE = 40;

const PARAMS = Type.Object({ link: Type.String({ description: 'The token in the `checkout_url`.' }) });
const QUERY = Type.Object({
  ...LANG,
  status: Type.Optional(Type.String({ description: 'How the customer returned from the card page.' })),
});
const TO_PLACED = 'Redirects to `checkout_return_url`, or to the tracking page.';
const PLACED_LOCATION = {
  type: 'string',
  description: 'Contains `order_id` and `status` if the order has a `checkout_return_url`.',
};
const GONE = {
  404: pageAnswer('No order uses this link, and a page says so.'),
  410: pageAnswer('The order was placed, or the link has expired. A page says so.'),
};
const REFUSED = {
  402: pageAnswer('The card was declined, or its bank asks the customer to approve. A page says so.'),
  409: pageAnswer("The total has changed, or the order can't be placed as it is. The page shows the changes."),
  429: pageAnswer('Too many cards were declined. The page is shown again.'),
  503: pageAnswer("The charge's outcome isn't known yet. The page is shown again."),
};
const NOT_ENDED = { 404: pageAnswer('No ended order uses this link, and a page says so.') };

const approvedSchema = {
  operationId: 'continueCheckout',
  summary: 'Return from approving a payment at the bank',
  description: 'Completes the approved charge and places the order.',
  params: PARAMS,
  querystring: QUERY,
  response: {
    303: emptyAnswer(TO_PLACED, { Location: PLACED_LOCATION }),
    ...GONE,
    ...REFUSED,
  },
};

const APPLE_DOMAIN_PATH = '/.well-known/apple-developer-merchantid-domain-association';
const appleDomainSchema = {
  operationId: 'readAppleDomainFile',
  summary: "Get the file that verifies the checkout's domain for Apple Pay",
  description: 'Available if the payment gateway provides one.',
  response: { 200: contentAnswer('The file.', ['text/plain']) },
};

/** GET and POST {tracking_url}/checkout/{link}, the return from the bank, and the files of the page. */
export function checkoutRoutes(http: Http, checkoutDeps: Deps): void {
  const { config, clock, gateways } = checkoutDeps;
  const wallets = gateways.live?.wallets;
  const walletFiles = wallets && bundleOnce(dirname(wallets.script), { script: basename(wallets.script) });
  const deps = { ...checkoutDeps, walletFiles };
  const security = formSecurity(config, DEFAULT_BRAND);
  const count = limitVisits(VISITS_PER_MINUTE, clock);
  const outside = ['payment_gateway_not_configured', 'upstream_unavailable', 'tax_unavailable'] as const;
  const refuses = ['rate_limited', 'not_ready', ...outside] as const;
  const refusalPage = checkoutRefusalPage(deps);
  serveWebFiles(http, {
    folder: FILES,
    operationId: 'readCheckoutFile',
    page: 'the checkout',
    bundles: walletFiles ? [checkoutFiles, walletFiles] : [checkoutFiles],
    security,
  });
  if (wallets?.appleDomainFile !== undefined) {
    const { appleDomainFile } = wallets;
    const answer = staticAnswer('text/plain; charset=utf-8', () => appleDomainFile);
    http.get(APPLE_DOMAIN_PATH, { schema: appleDomainSchema, config: { public: true, conditional: true } }, answer);
  }
  const filed = { refuses, formRefuses: ['cross_site_request'], refusalPage, security } as const;
  /** Answers a visit whose order can still be placed; `ended` answers the others. */
  const live = (visit: Visit, ended: typeof leave, work: (visit: LiveVisit) => Promise<FormAnswer>) => {
    const { order } = visit;
    if (!order || !isCheckoutAlive(order, clock.now())) return ended(deps, visit);
    count(order.orderId);
    return work({ ...visit, order });
  };
  formPage(http, {
    ...filed,
    path: '/checkout/:link',
    params: PARAMS,
    shows: {
      operationId: 'readCheckout',
      summary: "Open an unplaced order's checkout",
      description:
        "Shows a page for browsers with the account's branding. The customer reviews, pays for and places the order. The link authorizes the request.",
      query: QUERY,
      answers: { 200: pageAnswer("The page, with the order's current price and availability."), ...GONE },
    },
    takes: {
      operationId: 'submitCheckout',
      summary: "Submit an unplaced order's checkout",
      description:
        "The page's form sends this request. Repeating it, such as with a double click, places and charges nothing more. If the current total differs from `total`, it's shown first and charged only after the customer accepts it.",
      example: { body: { action: 'update' } },
      query: QUERY,
      fields: CheckoutForm,
      next: TO_PLACED,
      location: PLACED_LOCATION,
      answers: {
        200: pageAnswer("A page that leads to the gateway's card page."),
        ...GONE,
        ...REFUSED,
        422: pageAnswer('A field is missing or invalid. The page is shown again with the errors.'),
      },
    },
    async begin(request, reply) {
      const visit = await beginVisit(deps, request, reply);
      refuseCrossSite(request, siteUrlOf(config, visit), 'An order can only be placed from its own page.');
      return visit;
    },
    show: (begun, { status }) =>
      live(begun, endedPage, async (visit) => {
        return { html: await readPage(deps, visit, visit.order, { notice: noticeOf(visit, status) }) };
      }),
    take: (begun, form) => live(begun, leave, (visit) => submit(deps, visit, form)),
  });
  http.get(
    '/checkout/:link/approved',
    { schema: approvedSchema, config: { public: true, refuses, refusalPage }, security },
    async (request, reply) => {
      const answer = await live(await beginVisit(deps, request, reply), leave, (visit) => {
        const { quote } = visit.order;
        const place = () => continueCheckout(deps, visit.order);
        return answerPlacing(deps, visit, { totalCents: quote.totalWithTipCents }, place);
      });
      return sendForm(reply, answer);
    },
  );
  formPage(http, {
    ...filed,
    path: '/checkout/again',
    shows: {
      operationId: 'readRepeatPage',
      summary: 'Open the page for repeating an ended order',
      description: 'The page of an ended order links here. Requires the `key` of `tracking_link`.',
      example: { query: { tracking_id: '{order_id}', key: '{key}' } },
      query: Type.Object({ ...LinkSchema.properties, ...LANG }),
      answers: NOT_ENDED,
    },
    takes: {
      operationId: 'submitRepeatPage',
      summary: 'Create an unplaced order with the same items',
      description:
        "The page's form sends this request. Items that are no longer sold are left out and listed on the new order's checkout.",
      example: { body: { tracking_id: '{order_id}', key: '{key}' } },
      query: Type.Object(LANG),
      fields: LinkSchema,
      next: "Redirects to the new order's checkout.",
      answers: { ...NOT_ENDED, 409: pageAnswer("The order can't be repeated now, and a page says why.") },
    },
    async begin(request, reply) {
      const own = { page: 'again', isFor: allowsReorder };
      const begun = await beginOwn(deps, request, request.body ?? request.query, reply, own);
      refuseCrossSite(request, siteUrlOf(config, begun.visit), 'An order can only be repeated from its own page.');
      const { order } = begun.visit;
      if (order && begun.key !== null) count(order.orderId);
      return begun;
    },
    show({ visit: { order, frame }, key }) {
      if (!order || key === null) return { status: 404, html: unknownPage(frame) };
      return { html: repeatPage(frame, order, { tracking_id: order.orderId, key }) };
    },
    take({ visit, key }) {
      if (!visit.order || key === null) return { status: 404, html: unknownPage(visit.frame) };
      return repeat(deps, visit, visit.order);
    },
  });
}

function endedPage(deps: Deps, { order, frame }: Visit): FormAnswer {
  if (!order) return { status: 404, html: unknownPage(frame) };
  if (order.status === 'unplaced') return { status: 410, html: expiredPage(frame, returnTo(order, 'changed')) };
  const { siteUrl } = deps.trackingSites.siteOf(order.accountId);
  return { status: 410, html: placedPage(frame, trackingLinkOf({ siteUrl }, order.orderId)) };
}

/** Minutes after placing where a resubmitted form gets the link with the order's key. */
const RESUBMIT_MINUTES = 10;

/** A form resubmitted after placing, such as after a lost response, gets the same redirect as the first one. */
function leave(deps: Deps, visit: Visit): FormAnswer {
  const { order } = visit;
  if (!order || order.status === 'unplaced') return endedPage(deps, visit);
  const isJustPlaced = placedAtOf(order).until(deps.clock.now()).total('minutes') <= RESUBMIT_MINUTES;
  const isKeyless = order.request.checkoutReturnUrl !== undefined;
  return isJustPlaced || isKeyless ? { location: afterwards(deps, order) } : endedPage(deps, visit);
}

/** The outcome that the card page reports in its return URL, as a sentence. */
function noticeOf({ order, frame }: Visit, status: string | undefined): string | undefined {
  const { card, payment } = frame.locale.words.checkout;
  if (order?.chargeState === 'pending') return payment.busy;
  if (status === 'canceled') return card.canceled;
  return status === 'pending' ? card.pending : undefined;
}

/** Creates a new order with the cart of an ended one. */
async function repeat(deps: Deps, { frame }: Visit, order: Order): Promise<FormAnswer> {
  try {
    const repeated = await repeatOrder(deps, order);
    const site = deps.trackingSites.siteOf(order.accountId);
    const { checkout_url: url } = checkoutMember(repeated, { tokens: deps.tokens, site, now: deps.clock.now() });
    if (url === undefined) return { status: 409, html: cannotRepeatPage(frame, order, [], deps.clock.now()) };
    return { location: url + new URL(frame.ownPath, url).search };
  } catch (error) {
    if (!(error instanceof OrderRefused)) throw error;
    return { status: 409, html: cannotRepeatPage(frame, order, error.faults, deps.clock.now()) };
  }
}
