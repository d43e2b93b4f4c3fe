import { basename, dirname, join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { trackingLinkOf, trackingQuery } from '../../access/accounts/tracking-site.ts';
import type { TrackingSites } from '../../access/accounts/tracking-sites.cache.ts';
import { readCookie } from '../../access/customers/browser.ts';
import { type Customer, nameOf, namesIn } from '../../access/customers/customer.ts';
import { findSessionCustomer, renameCustomer } from '../../access/customers/customers.db.ts';
import { refuseCrossSite } from '../../access/sessions/console-cookie.ts';
import { centsIn } from '../../ordering/money/offered-tips.ts';
import { checkoutMember, isCheckoutAlive } from '../../ordering/order/checkout-link.ts';
import type { FrozenQuote, Order, OrderRequest } from '../../ordering/order/order.ts';
import type { CreateOrderDeps, OrderDeps } from '../../ordering/order/order-deps.ts';
import { type OrderFault, OrderRefused } from '../../ordering/order/order-faults.ts';
import { allowsReorder, placedAtOf } from '../../ordering/order/order-view.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { buildReturnUrl, type CheckoutStatus } from '../../ordering/payments/card-setup.ts';
import { methodsOf, type Wallets } from '../../ordering/payments/payment-gateway.ts';
import { chooseCash, chooseWallet, openCardSetup } from '../../ordering/payments/save-card.flow.ts';
import {
  continueCheckout,
  customerCaller,
  findCheckoutOrder,
  missingOnCheckout,
  placeCheckout,
  readCheckout,
  repeatOrder,
  reviewCheckout,
  saveCheckout,
  signInOn,
} from '../../ordering/place/checkout.flow.ts';
import { contentAnswer, emptyAnswer } from '../../platform/http/content-answers.ts';
import { type FormAnswer, formPage, pageAnswer, sendForm } from '../../platform/http/form-page.ts';
import type { Http, RefusalPage } from '../../platform/http/http.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { serveWebFiles } from '../../platform/http/send-web-file.ts';
import { staticAnswer } from '../../platform/http/static-answer.ts';
import { LANG } from '../../platform/languages/page-language.ts';
import { bundleOnce } from '../../platform/lib/bundle-once.cache.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { limitVisits } from '../../platform/load/rate-limit.ts';
import { saveAddress } from '../../supply/addresses/saved-addresses.db.ts';
import { writeAddress } from '../../supply/stores/street-address.ts';
import { type PageRefusal, reasonOf } from '../../texts/refusals.ts';
import { DEFAULT_BRAND, formSecurity, PAGE_HEADERS } from '../tracking/brand.ts';
import {
  findTracked,
  LinkSchema,
  type SiteVisit,
  unknownSite,
  type VisitHeaders,
  visitSite,
} from '../tracking/find-tracked.flow.ts';
import { signInSiteAt } from '../tracking/own-host.hook.ts';
import { basePathOf, homeUrlOf, siteFrame, siteUrlOf } from '../tracking/site-frame.flow.ts';
import {
  approvePage,
  CARD_BUTTON,
  CHOSEN_TIP,
  type CheckoutFrame,
  type CheckoutView,
  cannotRepeatPage,
  checkoutPage,
  expiredPage,
  placedPage,
  refusedPage,
  repeatPage,
  toCardPage,
  unknownPage,
} from './checkout.page.ts';
import { CheckoutForm, cartVersion, readCheckoutForm } from './checkout-form.ts';
import { paymentFault } from './fault-words.ts';

/*
 * {tracking_url}/checkout/{link}: the page where a person finishes an unplaced order. The link grants access
 * and ends with the placing.
 */

/** Maximum visits and forms per link and minute. A person with a few cards needs ten. */
export const VISITS_PER_MINUTE = 40;

const FOLDER = join(import.meta.dirname, '../../../web/checkout');
const checkoutFiles = bundleOnce(FOLDER, { script: 'page.ts', style: 'page.css', icon: '../tracking/icon.svg' });

/** The path of the page's files. */
const FILES = '/checkout/assets';

export type Deps = CreateOrderDeps &
  Pick<OrderDeps, 'trackingSites'> & {
    trackingSites: Pick<TrackingSites, 'ownHosts'>;
    /** The module of the gateway's wallets. */
    walletFiles?: ReturnType<typeof bundleOnce<'script'>> | undefined;
  };

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
    429: pageAnswer('Too many cards were declined. The page is shown again.'),
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
  const live = (
    visit: Visit,
    ended: (deps: Deps, visit: Visit) => FormAnswer,
    work: (visit: Visit & { order: Order }) => Promise<FormAnswer>,
  ) => {
    if (!hasLiveOrder(deps, visit)) return ended(deps, visit);
    count(visit.order.orderId);
    return work(visit);
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
        429: pageAnswer('Too many cards were declined. The page is shown again.'),
      },
    },
    async begin(request, reply) {
      const visit = await beginVisit(deps, request, reply);
      refuseCrossSite(request, siteUrlOf(config, visit), 'An order can only be placed from its own page.');
      return visit;
    },
    show: (begun, { status }) =>
      live(begun, endedPage, async (visit) => {
        const notice = noticeOf(visit, status);
        return { html: await readPage(deps, visit, visit.order, { notice }) };
      }),
    take: (begun, form) => live(begun, leave, (visit) => submit(deps, visit, visit.order, form)),
  });
  http.get(
    '/checkout/:link/approved',
    { schema: approvedSchema, config: { public: true, refuses, refusalPage }, security },
    async (request, reply) => {
      const answer = await live(await beginVisit(deps, request, reply), leave, (visit) => {
        const { order } = visit;
        const place = () => continueCheckout(deps, order);
        return answerPlacing(deps, visit, { order, place, totalCents: order.quote.totalWithTipCents });
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

/** The page of a request that was refused before its order was read. */
export const checkoutRefusalPage =
  (deps: Deps): RefusalPage =>
  async (request, reply, code) => {
    const visit = await refusedVisit(deps, request, reply, code);
    const backUrl = linkIn(request) === undefined ? undefined : visit.frame.ownPath;
    return refusedPage(visit.frame, code, backUrl);
  };

const linkIn = ({ params }: FastifyRequest) => (params as { link?: string } | undefined)?.link;

/**
 * The visit for the error page: the one already begun, otherwise the link's if the request was invalid. Skips the
 * look-up if the service is busy or unavailable.
 */
async function refusedVisit(deps: Deps, request: FastifyRequest, reply: FastifyReply, code: PageRefusal) {
  const begun = visits.get(reply);
  if (begun) return begun;
  const { headers } = request;
  const site = unknownSite(deps.trackingSites, request);
  const link = linkIn(request) ?? 'again';
  if (reasonOf(code) !== 'unreadable') return frameVisit(deps, site, undefined, link, reply);
  return beginVisit(deps, { query: { lang: site.lang }, headers, params: { link } }, reply);
}

export type Visit = SiteVisit & {
  order: Order | undefined;
  frame: CheckoutFrame;
  /** Where the order's customer can sign in, and who has; absent where no one can. */
  signIn?: { path: string; customer: Customer | undefined } | undefined;
};

/** Visits begun, by reply, so that a later error keeps the brand and language. */
const visits = new WeakMap<FastifyReply, Visit>();

type VisitRequest = { query: { lang?: string | undefined }; headers: VisitHeaders };

/** The order of a link, and the frame of its page. */
async function beginVisit(
  deps: Deps,
  { query, headers, params: { link } }: VisitRequest & { params: { link: string } },
  reply: FastifyReply,
): Promise<Visit> {
  const found = await findCheckoutOrder(deps, link);
  const site = await visitSite(deps.db, headers, found, query.lang);
  const order = site.orderId === undefined ? undefined : found;
  const visit = await frameVisit(deps, site, order, link, reply);
  visit.signIn =
    order && (await findSignIn(deps, headers, order, { checkout: link, ...(site.lang && { lang: site.lang }) }));
  return visit;
}

/** The sign-in of the order's account at the host of a visit, and the customer of the browser's session. */
async function findSignIn(
  { db, clock, config, trackingSites }: Deps,
  headers: VisitHeaders,
  order: Order,
  query: Record<string, string>,
) {
  const site = signInSiteAt(trackingSites, config, headers.host);
  if (site?.accountId !== order.accountId || site.mode !== order.mode) return undefined;
  const session = readCookie(headers.cookie, 'session', site.issuer);
  const found = await findSessionCustomer(db, session, site, clock.now());
  const who = signInOn(order, found);
  if (who === undefined) return undefined;
  const customer = who === 'anyone' || found?.userId === order.request.customer.userId ? found : undefined;
  return { path: `/profile?${new URLSearchParams(query)}`, customer };
}

/** The order of the customer's own tracking link. */
export async function beginOwn(
  deps: Deps,
  { query, headers }: VisitRequest,
  link: Static<typeof LinkSchema>,
  reply: FastifyReply,
  { page, isFor }: { page: string; isFor: (order: Order) => boolean },
) {
  const { tracked, key, ...site } = await findTracked(deps, headers, { ...link, lang: query.lang });
  const order = tracked && key !== null && isFor(tracked.order) ? tracked.order : undefined;
  const languageQuery = order ? `${trackingQuery(order.orderId, key)}&` : '';
  return { visit: await frameVisit(deps, site, order, page, reply, languageQuery), key };
}

/** Creates the page's frame, and sets the headers of its response. */
async function frameVisit(
  deps: Deps,
  site: SiteVisit,
  order: Order | undefined,
  page: string,
  reply: FastifyReply,
  languageQuery = '',
): Promise<Visit> {
  const path = `${basePathOf(deps.config, site)}/checkout/${page}`;
  const frame: CheckoutFrame = {
    ...siteFrame(deps.config, site, 'checkout', await checkoutFiles()),
    homeUrl: homeUrlOf(site, order),
    languageQuery,
    ownPath: site.lang ? `${path}?lang=${site.lang}` : path,
  };
  const visit = { ...site, order, frame };
  visits.set(reply, visit);
  secure(deps, visit, reply);
  reply.header('content-language', site.locale.language).type('text/html; charset=utf-8');
  return visit;
}

/**
 * Sets the security headers. Browsers apply `form-action` to the redirect after a form, so it lists where the customer
 * continues after placing. With wallets, the page may load their library, which opens a window of its own.
 */
function secure(deps: Deps, { order, frame }: Visit, reply: FastifyReply): void {
  const urls = order ? [afterwards(deps, order), deps.trackingSites.siteOf(order.accountId).siteUrl] : [];
  const wallets = walletsOf(deps, order);
  const security = formSecurity(
    deps.config,
    frame.brand,
    new Set(urls.map((url) => new URL(url).origin)),
    wallets?.sources,
  );
  reply.headers(PAGE_HEADERS);
  reply.setSecurity(security);
  if (!wallets) return;
  const frames = (wallets.sources['frame-src'] ?? []).map((source) => `"${source}"`);
  const permissions = String(PAGE_HEADERS['permissions-policy']);
  reply.header('permissions-policy', permissions.replace('payment=()', `payment=(${['self', ...frames].join(' ')})`));
  reply.setSecurity({ 'cross-origin-opener-policy': 'same-origin-allow-popups' });
}

/** The wallets that can pay an order; none once it is placed, or where it is placed without a charge. */
function walletsOf({ gateways }: Pick<Deps, 'gateways'>, order: Order | undefined): Wallets | undefined {
  return order?.status === 'unplaced' && order.request.chargeUser ? gateways[order.mode]?.wallets : undefined;
}

/** Whether the visit has an order whose link still works. */
function hasLiveOrder({ clock }: Deps, visit: Visit): visit is Visit & { order: Order } {
  return visit.order !== undefined && isCheckoutAlive(visit.order, clock.now());
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

/** Where the customer continues after placing: the client's return URL, otherwise the order's page. */
function afterwards({ trackingSites }: Deps, order: Order): string {
  const status = order.status === 'canceled' ? 'canceled' : 'placed';
  return returnTo(order, status) ?? trackingLinkOf(trackingSites.siteOf(order.accountId), order.orderId);
}

function returnTo({ orderId, request: { checkoutReturnUrl } }: Order, status: CheckoutStatus): string | undefined {
  return checkoutReturnUrl && buildReturnUrl(checkoutReturnUrl, { order_id: orderId, status });
}

/** The outcome that the card page reports in its return URL, as a sentence. */
function noticeOf({ order, frame }: Visit, status: string | undefined): string | undefined {
  const { card, payment } = frame.locale.words.checkout;
  if (order?.chargeState === 'pending') return payment.busy;
  if (status === 'canceled') return card.canceled;
  return status === 'pending' ? card.pending : undefined;
}

type Shown = Pick<CheckoutView, 'notice' | 'typed' | 'faulty' | 'cardFault'> & {
  /** The customer's last view; the stored quote when the page is opened. */
  was?: CheckoutView['was'];
  /** Why the order was refused; if absent, the page quotes it again. */
  faults?: readonly OrderFault[];
};

/** The page for an order as it would be placed now. */
async function readPage(deps: Deps, visit: Visit, order: Order, shown: Shown): Promise<string> {
  const { frame, branding, signIn } = visit;
  const checkout = await readCheckout(deps.db, order, signIn?.customer, shown.typed?.card);
  const review = shown.faults ? { faults: shown.faults } : await reviewCheckout(deps, checkout);
  const methods = methodsOf(deps.gateways, order.mode);
  const was = shown.was ?? { quote: order.quote, totalCents: order.quote.totalWithTipCents };
  return checkoutPage(frame, {
    ...shown,
    was,
    checkout,
    signIn,
    methods,
    wallet: await readWallet(deps, visit, order),
    quote: 'quote' in review ? review.quote : was.quote,
    faults: 'faults' in review ? review.faults : [],
    lacksAddress: missingOnCheckout(checkout.request).some((name) => ADDRESS.test(name)),
    links: {
      cancelUrl: returnTo(order, 'canceled'),
      changeUrl: returnTo(order, 'changed'),
      termsUrl: branding?.termsUrl ?? null,
      privacyUrl: branding?.privacyUrl ?? null,
    },
    now: deps.clock.now(),
  });
}

/** The wallets of an order's page, with the path of their module. */
async function readWallet(deps: Deps, visit: Visit, order: Order): Promise<CheckoutView['wallet']> {
  const wallets = walletsOf(deps, order);
  const files = wallets && (await deps.walletFiles?.());
  return (
    files && { publicKey: wallets.publicKey, module: `${basePathOf(deps.config, visit)}${FILES}/${files.script.name}` }
  );
}

/** Matches the address fields of an order's body. */
const ADDRESS = /^user_(street_num|street_name|city|state|zipcode|latitude|longitude)$/;

const lacksMethod = ({ chargeUser, paymentMethodId }: Order['request']) => chargeUser && paymentMethodId === null;

/** Stores the form's input, then performs its button's action. */
async function submit(deps: Deps, visit: Visit, order: Order, form: CheckoutForm): Promise<FormAnswer> {
  const { frame } = visit;
  // A typed code that isn't applied yet is shown with its total before the order is placed.
  const action = form.code?.trim() ? 'code' : (form.action ?? '');
  const checkout = await readCheckout(deps.db, order, visit.signIn?.customer, form.card);
  const { request, faulty } = readCheckoutForm({ request: checkout.request, quote: order.quote }, form);
  const acceptedCents = centsIn(form.total);
  const needsCard = action === 'place' && acceptedCents !== 0 && lacksMethod(request);
  const methods = methodsOf(deps.gateways, order.mode);
  const lacksCard = needsCard && methods.includes('card');
  if (faulty.length > 0 || lacksCard) {
    const cardFault = lacksCard ? frame.locale.words.checkout.card.missing : undefined;
    return { status: 422, html: await readPage(deps, visit, order, { typed: form, faulty, cardFault }) };
  }
  const token = walletToken(deps, order, { ...form, action });
  if ((action === 'place' || token) && acceptedCents !== undefined) {
    if (needsCard) await chooseCash(deps, setupOf(deps, visit, order, request));
    const place = async () => {
      const paid = await payByWallet(deps, visit, { ...order, request }, form, token);
      return placeCheckout(deps, order, (current) => enterForm(deps, visit, current, paid), acceptedCents);
    };
    return answerPlacing(deps, visit, { order, place, totalCents: acceptedCents, cart: form.cart });
  }
  const totalCents = acceptedCents ?? order.quote.totalWithTipCents;
  const saved = await refusedOr(() => saveCheckout(deps, order, request));
  if ('refusal' in saved) return answerRefusal(deps, visit, { order, totalCents, refusal: saved.refusal });
  if (saved.order.status !== 'unplaced') return { location: afterwards(deps, saved.order) };
  if (action === 'cash' && methods.includes('cash')) {
    await chooseCash(deps, setupOf(deps, visit, saved.order, request));
    return { location: `${frame.ownPath}#${CARD_BUTTON}` };
  }
  if (action !== 'card' || !methods.includes('card')) return { location: `${frame.ownPath}#${placeAfter(action)}` };
  return { status: 200, html: toCardPage(frame, await openCardPage(deps, visit, saved.order, request)) };
}

/** The token of the wallet that pays; undefined for another button. */
function walletToken(deps: Deps, order: Order, { action, payment_token: token = '' }: CheckoutForm) {
  return action === 'wallet' && token !== '' && walletsOf(deps, order) ? token : undefined;
}

/** The form with the card of a wallet, which pays like a card entered on the card page. */
async function payByWallet(deps: Deps, visit: Visit, order: Order, form: CheckoutForm, token: string | undefined) {
  if (!token) return form;
  const setup = setupOf(deps, visit, order, order.request);
  return { ...form, card: await chooseWallet(deps, customerCaller(order), setup, token) };
}

/** The element that has the focus after a button of the form, so that the customer continues where they were. */
function placeAfter(action: string): string {
  if (action === 'tip-amount') return 'tip_amount';
  if (action === 'code' || action.startsWith('remove-')) return 'code';
  return action.startsWith('tip-') ? CHOSEN_TIP : 'main';
}

/**
 * The request with the customer's entries. Refuses a cart that the customer has not seen; a running charge continues.
 */
async function enterForm({ db }: Deps, { signIn }: Visit, order: Order, form: CheckoutForm): Promise<OrderRequest> {
  const isOpen = order.status === 'unplaced' && order.chargeState !== 'pending';
  if (isOpen && isOtherCart(order, form.cart)) throw new Refusal('quote_changed', 'The cart was replaced.');
  const { request } = await readCheckout(db, order, signIn?.customer, form.card);
  return readCheckoutForm({ request, quote: order.quote }, form).request;
}

const isOtherCart = (order: Order, seen: string | undefined) => seen !== undefined && seen !== cartVersion(order);

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

/** Opens the gateway's card page, which sends its customer back to the checkout. */
async function openCardPage(deps: Deps, visit: Visit, order: Order, request: OrderRequest): Promise<string> {
  const { language } = visit.frame.locale;
  return openCardSetup(deps, { ...setupOf(deps, visit, order, request), language });
}

function setupOf(deps: Deps, visit: Visit, { accountId, mode, orderId }: Order, { customer, payerId }: OrderRequest) {
  const returnUrl = new URL(`${visit.frame.ownPath}#${CARD_BUTTON}`, siteUrlOf(deps.config, visit)).href;
  return { accountId, mode, orderId, userId: payerId ?? customer.userId, userEmail: customer.email, returnUrl };
}

type Placing = { order: Order; place: () => Promise<Order>; totalCents: number; cart?: string | undefined };

async function answerPlacing(deps: Deps, visit: Visit, { place, ...placing }: Placing): Promise<FormAnswer> {
  const placed = await refusedOr(place);
  if ('refusal' in placed) return answerRefusal(deps, visit, { ...placing, refusal: placed.refusal });
  if (placed.order.status === 'unplaced') return { location: visit.frame.ownPath };
  if (visit.signIn?.customer) await keepForNext(deps, visit.signIn.customer, placed.order);
  return { location: afterwards(deps, placed.order) };
}

/** Keeps the defaults of a signed-in customer's next order: name and address. */
async function keepForNext({ db, clock }: Deps, customer: Customer, { request }: Order): Promise<void> {
  const { name, latitude, longitude, ...parts } = request.customer;
  if (name.trim() !== nameOf(customer)) await renameCustomer(db, customer, namesIn(name));
  if (request.mode !== 'delivery' || latitude === null || longitude === null) return;
  const { streetNum, streetName, aptNum, city, state, zipcode } = parts;
  const door = { streetNum, streetName, aptNum, city, state, zipcode };
  await saveAddress(db, customer, { address: writeAddress(door), latitude, longitude, parts: door }, clock.now());
}

type Refused = Refusal | OutsideError;

async function refusedOr(work: () => Promise<Order>): Promise<{ order: Order } | { refusal: Refused }> {
  try {
    return { order: await work() };
  } catch (error) {
    if (error instanceof Refusal || error instanceof OutsideError) return { refusal: error };
    throw error;
  }
}

type RefusedPlacing = Omit<Placing, 'place'> & { refusal: Refused };

/** The page again, with the reason for the error. Errors that the customer cannot resolve are rethrown. */
async function answerRefusal(deps: Deps, visit: Visit, { order: before, totalCents, cart, refusal }: RefusedPlacing) {
  const { frame } = visit;
  const { payment, changes } = frame.locale.words.checkout;
  const order = (await findAnyOrder(deps.db, before.orderId)) ?? before;
  if (order.status !== 'unplaced') return { location: afterwards(deps, order) };
  const was = { quote: before.quote, totalCents };
  const again = async (status: number, shown: Shown): Promise<FormAnswer> => ({
    status,
    html: await readPage(deps, visit, order, { was: wasOf(order.quote, was), ...shown }),
  });
  if (refusal instanceof OutsideError) return again(503, { notice: payment.unreachable });
  if (refusal instanceof OrderRefused) {
    return again(refusal.code === 'invalid_request' ? 400 : 409, { faults: refusal.faults, was });
  }
  if (refusal.code === 'quote_changed') {
    return again(409, { was, notice: isOtherCart(order, cart) ? changes.cart : undefined });
  }
  if (refusal.code === 'idempotency_in_progress') return again(409, { notice: payment.busy });
  return approvalOf(frame, refusal, order.quote.totalWithTipCents) ?? againFor(frame, refusal, again);
}

/** The page before the customer's bank, if the bank asks for an approval. */
export function approvalOf(frame: CheckoutFrame, { extras }: Refusal, cents: number): FormAnswer | undefined {
  const url = extras.members?.authentication_url;
  return typeof url === 'string' ? { status: 402, html: approvePage(frame, url, cents) } : undefined;
}

/** The page again, with why the payment was refused. */
export function againFor<Answer>(
  { locale }: CheckoutFrame,
  refusal: Refusal,
  again: (status: number, shown: { cardFault: string }) => Answer,
): Answer {
  const fault = paymentFault(locale, refusal);
  if (!fault) throw refusal;
  return again(fault.status, fault);
}

/** An accepted and stored total is no longer shown as a change. */
function wasOf(stored: FrozenQuote, was: CheckoutView['was']): CheckoutView['was'] {
  return stored.totalWithTipCents === was.totalCents ? { quote: stored, totalCents: was.totalCents } : was;
}
