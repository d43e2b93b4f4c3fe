import { ownerOf } from '../../access/accounts/account.ts';
import { findBranding } from '../../access/accounts/brandings.db.ts';
import { takePlacing } from '../../access/customers/agent-actions.db.ts';
import { cancelOrder } from '../../ordering/money/cancel-order.flow.ts';
import { checkoutLinkDeps } from '../../ordering/order/checkout-link.ts';
import type { Order, OrderRequest } from '../../ordering/order/order.ts';
import type { CreateOrderDeps, OrderDeps } from '../../ordering/order/order-deps.ts';
import { endCheckoutLink, findOrder } from '../../ordering/order/orders.db.ts';
import { TOKEN_FORM } from '../../ordering/payments/payment-method.ts';
import { finalizeOrder } from '../../ordering/place/place-order.flow.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { Refusal, retryAfter } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { isJsonObject, objectIn, objectsIn } from '../../platform/lib/json-object.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { createWorkInSlices } from '../../platform/load/share-event-loop.hook.ts';
import { findStore } from '../../supply/stores/stores.db.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { uncountPlacing } from '../agents/tools/place-order.flow.ts';
import { paymentFault } from '../checkout/fault-words.ts';
import { type Call, idOf, type Outcome } from './admit-platform.flow.ts';
import { hasEnded, limitMessage, type UcpCheckout } from './checkout.ts';
import { checkoutOperations } from './checkout-operations.flow.ts';
import { CheckoutBody, readCheckoutRequest, recoverable } from './checkout-request.ts';
import { findCheckout, insertCheckout, leaseCheckout, releaseCheckout, saveCheckout } from './checkouts.db.ts';
import type { Message } from './contract.ts';
import { presentCheckout, type ShownCheckout } from './present-checkout.ts';
import {
  agentOf,
  loadCart,
  messagesOfRefusal,
  type Platform,
  type Priced,
  platformOf,
  priceCheckout,
  unorderableBecause,
  unrecoverable,
} from './price-checkout.flow.ts';
import { CHECKOUT, paymentHandlers, TOKEN_HANDLER_ID } from './profile.ts';

/**
 * Checkouts of food (docs/ucp.md#ordering-food): each operation reads the checkout, has the order flows do what it asks, and
 * shows what came of it. One request at a time changes a checkout.
 */

export type CheckoutDeps = CreateOrderDeps & Pick<OrderDeps, 'trackingSites'>;

const inSlices = createWorkInSlices();

export const CHECKOUT_OPERATIONS = checkoutOperations<CheckoutDeps>(
  { capability: CHECKOUT, isBound: true, paths: ['/checkouts', '/checkout-sessions'] },
  CheckoutBody,
  {
    create_checkout: operation('Prices a cart of dishes of one location.', createCheckout),
    get_checkout: operation('The checkout as it is now.', readCheckout),
    update_checkout: operation(
      'Replaces the cart, the buyer and the fulfillment, and prices it again.',
      updateCheckout,
    ),
    complete_checkout: operation('Places and charges the order.', completeCheckout),
    cancel_checkout: operation(
      'Ends the checkout; an order that the location does not have yet is canceled and refunded.',
      cancelCheckout,
    ),
  },
);

type CheckoutCall = { id: string; body: unknown };
type Work = (
  deps: CheckoutDeps,
  platform: Platform,
  input: CheckoutCall,
) => Promise<ShownCheckout | { failure: Message }>;

function operation(description: string, work: Work) {
  return { description, run: (deps: CheckoutDeps, call: Call) => answered(deps, call, work) };
}

async function answered(deps: CheckoutDeps, call: Call, work: Work): Promise<object> {
  const { admitted, body } = call;
  const { envelope, bound } = admitted;
  if (!bound) throw new Error('A platform that is not bound was admitted.');
  const platform = platformOf(call, bound.caller);
  const shown = await inSlices(ownerOf(bound.caller), () => work(deps, platform, { id: idOf(call), body }));
  if ('failure' in shown) {
    const outcome: Outcome = { ucp: { ...envelope, status: 'error' }, messages: [shown.failure] };
    return outcome;
  }
  const handlers = bound.orders === 'place' ? paymentHandlers(deps.config.baseUrl) : {};
  return { ucp: { ...envelope, payment_handlers: handlers }, ...shown.body };
}

const ofPlatform = ({ caller: { accountId, mode }, profileUrl, userId }: Platform) => ({
  accountId,
  mode,
  profileUrl,
  userId,
});

async function createCheckout(deps: CheckoutDeps, platform: Platform, { body }: CheckoutCall) {
  const input = readCheckoutRequest(body);
  const storeId = input.food_establishment?.id;
  if (storeId === undefined) throw invalid('food_establishment.id', 'is required');
  const now = deps.clock.now();
  const cart = await loadCart(deps, platform, { storeId, input });
  if (!cart) {
    const { unknown } = localeOf(platform.language, 'US').words.agent.place;
    return { failure: unrecoverable('not_found', '$.food_establishment.id', unknown) };
  }
  const failure = unorderableBecause(deps, platform, cart, input);
  if (failure) return { failure };
  const checkoutId = randomId('chk_', 18);
  const priced = await priceCheckout(deps, input, { platform, cart, checkout: { checkoutId, orderId: null }, now });
  return show(deps, platform, await insertPriced(deps, platform, { checkoutId, storeId, ...priced }));
}

/** Stores a new checkout of a platform. */
export async function insertPriced(
  { db, clock }: CheckoutDeps,
  platform: Platform,
  priced: Priced & Pick<UcpCheckout, 'checkoutId' | 'storeId'>,
  sql: Sql = db,
): Promise<UcpCheckout> {
  const checkout = { ...ofPlatform(platform), ...priced, isCanceled: false, changedAt: clock.now() };
  await insertCheckout(sql, checkout);
  return checkout;
}

export async function saveAndShow(
  deps: CheckoutDeps,
  platform: Platform,
  checkout: UcpCheckout,
  more: readonly Message[] = [],
): Promise<ShownCheckout> {
  await saveCheckout(deps.db, checkout);
  return show(deps, platform, checkout, more);
}

const invalid = (name: string, message: string) => invalidRequest([{ in: 'body', name, message }]);

export async function readCheckout(deps: CheckoutDeps, platform: Platform, { id }: CheckoutCall) {
  return show(deps, platform, await requireCheckout(deps, platform, id));
}

async function requireCheckout({ db }: CheckoutDeps, platform: Platform, id: string): Promise<UcpCheckout> {
  const checkout = await findCheckout(db, id, ofPlatform(platform));
  if (checkout) return checkout;
  throw new Refusal('not_found', 'There is no such checkout.');
}

async function loadOrder({ db }: CheckoutDeps, { caller }: Platform, { orderId }: UcpCheckout) {
  return orderId === null ? undefined : findOrder(db, caller, orderId);
}

export async function show(
  deps: CheckoutDeps,
  platform: Platform,
  checkout: UcpCheckout,
  more: readonly Message[] = [],
  found = loadOrder(deps, platform, checkout),
): Promise<ShownCheckout> {
  const { db } = deps;
  const [order, store, branding] = await Promise.all([
    found,
    findStore(db, checkout.storeId),
    findBranding(db, checkout.accountId),
  ]);
  if (!store) throw new Refusal('not_found', 'The location of this checkout is gone.');
  const locale = localeOf(platform.language, store.address.country);
  const link = checkoutLinkDeps(deps, platform.caller);
  return presentCheckout({ checkout, order, store, branding, link, platform, locale }, more);
}

/** A checkout while one request changes it, with its order and what is shown of it before the change. */
type Leased = { checkout: UcpCheckout; order: Order | undefined; before: ShownCheckout };

/**
 * Has one request at a time change a checkout that has not ended. A repeated request finds the `end` that it may have
 * brought about.
 */
export async function change(
  deps: CheckoutDeps,
  platform: Platform,
  id: string,
  work: (leased: Leased) => Promise<ShownCheckout>,
  end?: 'completed' | 'canceled',
): Promise<ShownCheckout> {
  const { db, clock } = deps;
  const found = (shown: ShownCheckout) => {
    if (hasEnded(shown.status) && !(platform.isRepeated && shown.status === end)) throw ended(shown);
    return shown;
  };
  const checkout = await leaseCheckout(db, id, ofPlatform(platform), clock.now());
  if (!checkout) {
    await requireCheckout(deps, platform, id);
    throw leased();
  }
  try {
    const order = loadOrder(deps, platform, checkout);
    const before = found(await show(deps, platform, checkout, [], order));
    if (hasEnded(before.status)) return before;
    return await work({ checkout, order: await order, before });
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'transition_not_allowed')) throw error;
    // A person has placed the order on its page.
    return found(await showBusy(deps, platform, checkout));
  } finally {
    await releaseCheckout(db, id);
  }
}

const ended = ({ status }: ShownCheckout) => new Refusal('session_ended', `The checkout is ${status}.`);

const leased = () =>
  new Refusal('idempotency_in_progress', 'Another request is changing this checkout.', retryAfter(1));

/** Shows a checkout that is being placed, and was not changed. */
export function showBusy(deps: CheckoutDeps, platform: Platform, checkout: UcpCheckout): Promise<ShownCheckout> {
  const content = localeOf(platform.language, 'US').words.checkout.payment.busy;
  return show(deps, platform, checkout, [{ type: 'info', code: 'complete_in_progress', content }]);
}

async function updateCheckout(deps: CheckoutDeps, platform: Platform, { id, body }: CheckoutCall) {
  const input = readCheckoutRequest(body);
  return change(deps, platform, id, async ({ checkout, before }) => {
    if (before.status === 'complete_in_progress') return showBusy(deps, platform, checkout);
    const { storeId } = checkout;
    if ((input.food_establishment?.id ?? storeId) !== storeId) {
      const message = 'must stay that of the checkout; create another one for another location';
      throw invalid('food_establishment.id', message);
    }
    const cart = await loadCart(deps, platform, { storeId, input });
    if (!cart) throw new Refusal('not_found', 'The location of this checkout is gone.');
    const now = deps.clock.now();
    const priced = await priceCheckout(deps, input, { platform, cart, checkout, now });
    return saveAndShow(deps, platform, { ...checkout, ...priced, changedAt: now });
  });
}

/** A token of a card, or a card that the customer of the platform's token has saved. */
type Paying = { payment: { payment_token: string } } | { paymentMethodId: string | null };

/** How the chosen instrument pays. Card numbers are not read, and no token is kept or shown. */
function readPaying(
  body: unknown,
  { wanted }: UcpCheckout['input'],
  { cards = [] }: Platform,
  { totalWithTipCents }: Order['quote'],
): Paying {
  if (totalWithTipCents === 0) return { paymentMethodId: null };
  const instruments = isJsonObject(body) ? objectsIn(objectIn(body, 'payment'), 'instruments') : [];
  const chosen = instruments.find(({ selected }) => selected === true) ?? instruments[0] ?? {};
  if (chosen.handler_id !== TOKEN_HANDLER_ID) {
    throw invalid('payment.instruments', `must have an instrument of the handler ${TOKEN_HANDLER_ID}`);
  }
  if (wanted && !('credential' in chosen)) {
    const card = cards.find(({ paymentMethodId }) => paymentMethodId === chosen.id);
    if (card) return { paymentMethodId: card.paymentMethodId };
  }
  const credential = objectIn(chosen, 'credential');
  if (wanted && 'number' in credential)
    throw new Refusal('unsupported_credential', 'Send a token of the card, never its number.');
  const { token } = credential;
  if (typeof token === 'string' && TOKEN_FORM.test(token)) return { payment: { payment_token: token } };
  throw invalid('payment.instruments[0].credential.token', 'must be a token of the card gateway');
}

export async function completeCheckout(deps: CheckoutDeps, platform: Platform, { id, body }: CheckoutCall) {
  const complete = async ({ checkout, order, before }: Leased) => {
    const isCharging = order?.status === 'unplaced' && order.chargeState === 'pending';
    if (!order || (before.status !== 'ready_for_complete' && !isCharging)) return before;
    const paying = readPaying(body, checkout.input, platform, order.quote);
    // The platform is called about the order if it has proven who it is at its last word.
    const isProvenNow = checkout.input.wanted && platform.isProven && !checkout.input.isProven;
    if (isProvenNow) await saveCheckout(deps.db, { ...checkout, input: { ...checkout.input, isProven: true } });
    const { caller, bearer } = platform;
    const { orderId, quote } = order;
    if (bearer && !(await takePlacing(deps.db, bearer, orderId, deps.clock.now()))) {
      const { words } = localeOf(platform.language, quote.store.country);
      const messages = [...checkout.shown.messages, limitMessage(words.agent.checkout.tooMany)];
      return saveAndShow(deps, platform, { ...checkout, shown: { ...checkout.shown, messages } });
    }
    try {
      const totalCents = checkout.shown.totalCents ?? undefined;
      await finalizeOrder(deps, caller, orderId, {
        totalCents,
        isPaidLast: true,
        ...('payment' in paying ? paying : {}),
        complete: (placed) => requestOfAgent(placed, platform, paying),
      });
      return await show(deps, platform, checkout);
    } catch (error) {
      if (error instanceof Refusal) await uncountPlacing(deps, caller, bearer, orderId);
      return answerRefusal(deps, platform, checkout, error);
    }
  };
  return change(deps, platform, id, complete, 'completed');
}

/** The request of an order as the program of a token places it: for its customer, with a saved card or one for this once. */
function requestOfAgent({ orderId, request }: Order, { bearer }: Platform, paying: Paying): OrderRequest {
  if (!bearer) return request;
  const placed = { ...request, customer: { ...request.customer, userId: bearer.userId }, agent: agentOf(bearer) };
  if (!('paymentMethodId' in paying)) return { ...placed, payerId: orderId };
  return { ...placed, paymentMethodId: paying.paymentMethodId, payerId: bearer.userId };
}

/** What kept an order from being placed, as messages. Other errors are thrown on. */
async function answerRefusal(
  deps: CheckoutDeps,
  platform: Platform,
  checkout: UcpCheckout,
  error: unknown,
): Promise<ShownCheckout> {
  if (!(error instanceof Refusal)) throw error;
  const order = await loadOrder(deps, platform, checkout);
  const locale = localeOf(platform.language, order?.quote.store.country ?? 'US');
  if (error.code === 'quote_changed' && order) {
    const { totalWithTipCents: totalCents } = order.quote;
    const changed = { ...checkout, shown: { ...checkout.shown, totalCents } };
    const { format, words } = locale;
    const total = { before: format.money(checkout.shown.totalCents ?? 0), after: format.money(totalCents) };
    return saveAndShow(deps, platform, changed, [{ ...TOTALS_CHANGED, content: words.checkout.changes.total(total) }]);
  }
  // A charge that waits for the buyer's approval is shown as such, and an order that was canceled meanwhile.
  if (order?.chargeState === 'waiting' || order?.status === 'canceled') return show(deps, platform, checkout);
  const payment = paymentFault(locale, error);
  if (payment) {
    const { declines = 0 } = checkout.shown;
    const declined = checkout.input.wanted
      ? { ...checkout, shown: { ...checkout.shown, declines: declines + 1 } }
      : checkout;
    if (declined !== checkout) await saveCheckout(deps.db, declined);
    return show(deps, platform, declined, [recoverable('payment_failed', '$.payment', payment.cardFault)]);
  }
  const store = await findStore(deps.db, checkout.storeId);
  const faults = store && order && (await messagesOfRefusal(deps, { store, ordered: order.quote, locale }, error));
  if (!faults) throw error;
  const shown = { ...checkout.shown, messages: [...faults, ...checkout.shown.messages] };
  const changed = { ...checkout, shown, isQuoted: false };
  await saveCheckout(deps.db, changed);
  return show(deps, platform, changed);
}

/** Nothing was charged; completing again accepts the total. */
const TOTALS_CHANGED = {
  type: 'warning',
  code: 'totals_changed',
  path: '$.totals',
  presentation: 'disclosure',
} as const;

export async function cancelCheckout(deps: CheckoutDeps, platform: Platform, { id }: CheckoutCall) {
  const cancel = async ({ checkout, order }: Leased) => {
    if (order?.status === 'unplaced' && order.chargeState === 'pending') throw leased();
    if (order && order.status !== 'unplaced') {
      await cancelOrder(deps, { orderId: order.orderId, reason: '' }, platform.caller);
    } else if (order) {
      await endCheckoutLink(deps.db, order.orderId);
    }
    const canceled = { ...checkout, isCanceled: true };
    await saveCheckout(deps.db, canceled);
    return show(deps, platform, canceled);
  };
  return change(deps, platform, id, cancel, 'canceled');
}
