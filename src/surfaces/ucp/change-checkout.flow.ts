import { findBranding } from '../../access/accounts/brandings.db.ts';
import { takePlacing } from '../../access/customers/agent-actions.db.ts';
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
import { findStore } from '../../supply/stores/stores.db.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { uncountPlacing } from '../agents/tools/place-order.flow.ts';
import { paymentFault } from '../checkout/fault-words.ts';
import { hasEnded, limitMessage, PAYMENT_PATH, type UcpCheckout } from './checkout.ts';
import { recoverable } from './checkout-request.ts';
import { findCheckout, insertCheckout, leaseCheckout, releaseCheckout, saveCheckout } from './checkouts.db.ts';
import type { Message } from './contract.ts';
import { presentCheckout, type ShownCheckout } from './present-checkout.ts';
import { agentOf, messagesOfRefusal, type Platform, type Priced } from './price-checkout.flow.ts';
import { TOKEN_HANDLER_ID } from './profile.ts';

/**
 * Steps of a checkout (docs/ucp.md#checkouts-of-a-shop): each loads it, runs the order flows, and presents the result.
 * One request at a time changes a checkout.
 */

export type CheckoutDeps = CreateOrderDeps & Pick<OrderDeps, 'trackingSites'>;

type CheckoutCall = { id: string; body: unknown };

const ofPlatform = ({ caller: { accountId, mode }, profileUrl, userId }: Platform) => ({
  accountId,
  mode,
  profileUrl,
  userId,
});

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

/** A checkout while one request changes it, with its order and its presentation before the change. */
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

/** A token of a card, or a card that the customer of the platform's token has saved. */
type Paying = { payment: { payment_token: string } } | { paymentMethodId: string | null };

/** How the chosen instrument pays. Card numbers are not read, and no token is kept or shown. */
function readPaying(body: unknown, { cards = [] }: Platform, { totalWithTipCents }: Order['quote']): Paying {
  if (totalWithTipCents === 0) return { paymentMethodId: null };
  const instruments = isJsonObject(body) ? objectsIn(objectIn(body, 'payment'), 'instruments') : [];
  const chosen = instruments.find(({ selected }) => selected === true) ?? instruments[0] ?? {};
  if (chosen.handler_id !== TOKEN_HANDLER_ID) {
    throw invalid('payment.instruments', `must have an instrument of the handler ${TOKEN_HANDLER_ID}`);
  }
  if (!('credential' in chosen)) {
    const card = cards.find(({ paymentMethodId }) => paymentMethodId === chosen.id);
    if (card) return { paymentMethodId: card.paymentMethodId };
  }
  const credential = objectIn(chosen, 'credential');
  if ('number' in credential)
    throw new Refusal('unsupported_credential', 'Send a token of the card, never its number.');
  const { token } = credential;
  if (typeof token === 'string' && TOKEN_FORM.test(token)) return { payment: { payment_token: token } };
  throw invalid('payment.instruments[0].credential.token', 'must be a token of the card gateway');
}

export async function completeCheckout(deps: CheckoutDeps, platform: Platform, { id, body }: CheckoutCall) {
  const complete = async ({ checkout, order, before }: Leased) => {
    const isCharging = order?.status === 'unplaced' && order.chargeState === 'pending';
    if (!order || (before.status !== 'ready_for_complete' && !isCharging)) return before;
    const paying = readPaying(body, platform, order.quote);
    // The platform is called about the order if it has proven who it is at its last word.
    const isProvenNow = platform.isProven && !checkout.input.isProven;
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

/** The errors that kept an order from being placed, as messages. Other errors are thrown on. */
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
    const declined = { ...checkout, shown: { ...checkout.shown, declines: declines + 1 } };
    return saveAndShow(deps, platform, declined, [recoverable('payment_failed', PAYMENT_PATH, payment.cardFault)]);
  }
  const store = await findStore(deps.db, checkout.storeId);
  const faults = store && order && (await messagesOfRefusal(deps, { store, ordered: order.quote, locale }, error));
  if (!faults) throw error;
  const shown = { ...checkout.shown, messages: [...faults, ...checkout.shown.messages] };
  return saveAndShow(deps, platform, { ...checkout, shown, isQuoted: false });
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
    if (order) await endCheckoutLink(deps.db, order.orderId);
    return saveAndShow(deps, platform, { ...checkout, isCanceled: true });
  };
  return change(deps, platform, id, cancel, 'canceled');
}
