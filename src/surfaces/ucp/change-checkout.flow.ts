import { Type } from 'typebox';
import { ownerOf } from '../../access/accounts/account.ts';
import { findBranding } from '../../access/accounts/brandings.db.ts';
import { cancelOrder } from '../../ordering/money/cancel-order.flow.ts';
import { checkoutLinkDeps } from '../../ordering/order/checkout-link.ts';
import type { Order } from '../../ordering/order/order.ts';
import type { CreateOrderDeps, OrderDeps } from '../../ordering/order/order-deps.ts';
import { endCheckoutLink, findOrder } from '../../ordering/order/orders.db.ts';
import { TOKEN_FORM } from '../../ordering/payments/payment-method.ts';
import { finalizeOrder } from '../../ordering/place/place-order.flow.ts';
import { Refusal, retryAfter } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { isJsonObject, objectIn, objectsIn } from '../../platform/lib/json-object.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { createWorkInSlices } from '../../platform/load/share-event-loop.hook.ts';
import { findStore } from '../../supply/stores/stores.db.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { READ_ONLY } from '../agents/tool.ts';
import type { Call, Operation, Outcome } from './admit-platform.flow.ts';
import { hasEnded, type UcpCheckout } from './checkout.ts';
import { CheckoutBody, readCheckoutRequest, recoverable } from './checkout-request.ts';
import {
  findCheckout,
  insertCheckout,
  leaseCheckout,
  type OfPlatform,
  releaseCheckout,
  saveCheckout,
} from './checkouts.db.ts';
import type { Message } from './contract.ts';
import { presentCheckout, type ShownCheckout } from './present-checkout.ts';
import {
  loadCart,
  messagesOfRefusal,
  type Platform,
  priceCheckout,
  unorderableBecause,
  unrecoverable,
} from './price-checkout.flow.ts';
import { CHECKOUT, FULFILLMENT, paymentHandlers, TIP, TOKEN_HANDLER_ID } from './profile.ts';

/**
 * Checkouts of food (docs/ucp.md#ordering-food): each operation reads the checkout, has the order flows do what it asks, and
 * shows what came of it. One request at a time changes a checkout.
 */

export type CheckoutDeps = CreateOrderDeps & Pick<OrderDeps, 'trackingSites'>;

const PATHS = ['/ucp/checkouts', '/ucp/checkout-sessions'];
const below = (path: string) => PATHS.map((base) => `${base}/:id${path}`);
const ID = Type.String({ maxLength: 64, description: 'Of the checkout.' });
const CHANGES = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };
const ENDS = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true };
const OF_FOOD = { capability: CHECKOUT, isBound: true } as const;

const inSlices = createWorkInSlices();

export const CHECKOUT_OPERATIONS: readonly Operation<CheckoutDeps>[] = [
  {
    ...OF_FOOD,
    method: 'POST',
    paths: PATHS,
    tool: 'create_checkout',
    title: 'Create a checkout',
    description: 'Prices a cart of dishes of one location.',
    hints: CHANGES,
    idempotency: 'optional',
    input: Type.Object({ checkout: CheckoutBody }),
    bodyName: 'checkout',
    run: (deps, call) => answered(deps, call, createCheckout),
  },
  {
    ...OF_FOOD,
    method: 'GET',
    paths: below(''),
    tool: 'get_checkout',
    title: 'Read a checkout',
    description: 'The checkout as it is now.',
    hints: READ_ONLY,
    input: Type.Object({ id: ID }),
    run: (deps, call) => answered(deps, call, readCheckout),
  },
  {
    ...OF_FOOD,
    method: 'PUT',
    paths: below(''),
    tool: 'update_checkout',
    title: 'Update a checkout',
    description: 'Replaces the cart, the buyer and the fulfillment, and prices it again.',
    hints: CHANGES,
    idempotency: 'optional',
    input: Type.Object({ id: ID, checkout: CheckoutBody }),
    bodyName: 'checkout',
    run: (deps, call) => answered(deps, call, updateCheckout),
  },
  {
    ...OF_FOOD,
    method: 'POST',
    paths: below('/complete'),
    tool: 'complete_checkout',
    title: 'Complete a checkout',
    description: 'Places and charges the order.',
    hints: ENDS,
    idempotency: 'needed',
    input: Type.Object({ id: ID, checkout: Type.Object({}, { additionalProperties: true }) }),
    bodyName: 'checkout',
    run: (deps, call) => answered(deps, call, completeCheckout),
  },
  {
    ...OF_FOOD,
    method: 'POST',
    paths: below('/cancel'),
    tool: 'cancel_checkout',
    title: 'Cancel a checkout',
    description: 'Ends the checkout; an order that the location does not have yet is canceled and refunded.',
    hints: ENDS,
    idempotency: 'needed',
    input: Type.Object({ id: ID }),
    run: (deps, call) => answered(deps, call, cancelCheckout),
  },
];

type CheckoutCall = { id: string; body: unknown };
type Work = (
  deps: CheckoutDeps,
  platform: Platform,
  input: CheckoutCall,
) => Promise<ShownCheckout | { failure: Message }>;

async function answered(deps: CheckoutDeps, call: Call, work: Work): Promise<object> {
  const { admitted, body, given, asking } = call;
  const { envelope, negotiated, bound } = admitted;
  if (!bound) throw new Error('A platform that is not bound was admitted.');
  const { language, isLanguageGiven } = asking;
  const platform: Platform = {
    ...bound,
    isFulfillmentNegotiated: negotiated.has(FULFILLMENT),
    isTipNegotiated: negotiated.has(TIP),
    language,
    isLanguageGiven,
  };
  const shown = await inSlices(ownerOf(bound.caller), () => work(deps, platform, { id: String(given.id ?? ''), body }));
  if ('failure' in shown) {
    const outcome: Outcome = { ucp: { ...envelope, status: 'error' }, messages: [shown.failure] };
    return outcome;
  }
  const handlers = paymentHandlers(deps.config.baseUrl, bound.orders);
  return { ucp: { ...envelope, payment_handlers: handlers }, ...shown.body };
}

const ofPlatform = ({ caller: { accountId, mode }, profileUrl }: Platform): OfPlatform => ({
  accountId,
  mode,
  profileUrl,
});

async function createCheckout(deps: CheckoutDeps, platform: Platform, { body }: CheckoutCall) {
  const input = readCheckoutRequest(body);
  const storeId = input.food_establishment?.id;
  if (storeId === undefined) throw invalid('food_establishment.id', 'is required');
  const now = deps.clock.now();
  const cart = await loadCart(deps, platform, { storeId, input });
  if (!cart) return { failure: UNKNOWN_LOCATION };
  const failure = unorderableBecause(deps, platform, cart, input);
  if (failure) return { failure };
  const checkoutId = randomId('chk_', 18);
  const priced = await priceCheckout(deps, input, { platform, cart, checkout: { checkoutId, orderId: null }, now });
  const checkout: UcpCheckout = {
    checkoutId,
    ...ofPlatform(platform),
    storeId,
    ...priced,
    isCanceled: false,
    changedAt: now,
  };
  await insertCheckout(deps.db, checkout);
  return show(deps, platform, checkout);
}

const UNKNOWN_LOCATION = unrecoverable('not_found', '$.food_establishment.id', 'There is no such location.');
const invalid = (name: string, message: string) => invalidRequest([{ in: 'body', name, message }]);

async function readCheckout(deps: CheckoutDeps, platform: Platform, { id }: CheckoutCall) {
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

async function show(
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

/** Has one request at a time change a checkout that has not ended. */
async function change(
  deps: CheckoutDeps,
  platform: Platform,
  id: string,
  work: (leased: Leased) => Promise<ShownCheckout>,
): Promise<ShownCheckout> {
  const { db, clock } = deps;
  const checkout = await leaseCheckout(db, id, ofPlatform(platform), clock.now());
  if (!checkout) {
    await requireCheckout(deps, platform, id);
    throw leased();
  }
  try {
    const found = loadOrder(deps, platform, checkout);
    const before = await show(deps, platform, checkout, [], found);
    if (hasEnded(before.status)) throw new Refusal('session_ended', `The checkout is ${before.status}.`);
    return await work({ checkout, order: await found, before });
  } finally {
    await releaseCheckout(db, id);
  }
}

const leased = () =>
  new Refusal('idempotency_in_progress', 'Another request is changing this checkout.', retryAfter(1));

const IN_PROGRESS: Message = {
  type: 'info',
  code: 'complete_in_progress',
  content: 'The order is being placed; nothing was changed.',
};

async function updateCheckout(deps: CheckoutDeps, platform: Platform, { id, body }: CheckoutCall) {
  const input = readCheckoutRequest(body);
  return change(deps, platform, id, async ({ checkout, before }) => {
    if (before.status === 'complete_in_progress') return show(deps, platform, checkout, [IN_PROGRESS]);
    const { storeId } = checkout;
    if ((input.food_establishment?.id ?? storeId) !== storeId) {
      const message = 'must stay that of the checkout; create another one for another location';
      throw invalid('food_establishment.id', message);
    }
    const cart = await loadCart(deps, platform, { storeId, input });
    if (!cart) throw new Refusal('not_found', 'The location of this checkout is gone.');
    const now = deps.clock.now();
    const priced = await priceCheckout(deps, input, { platform, cart, checkout, now }).catch((error) => {
      // A person has placed the order on its page.
      if (error instanceof Refusal && error.code === 'transition_not_allowed') return undefined;
      throw error;
    });
    if (!priced) return show(deps, platform, checkout, [IN_PROGRESS]);
    const changed = { ...checkout, ...priced, changedAt: now };
    await saveCheckout(deps.db, changed);
    return show(deps, platform, changed);
  });
}

/** The token of the chosen instrument. Card numbers are not read, and no token is kept or shown. */
function readToken(body: unknown): string {
  const instruments = isJsonObject(body) ? objectsIn(objectIn(body, 'payment'), 'instruments') : [];
  const chosen = instruments.find(({ selected }) => selected === true) ?? instruments[0] ?? {};
  if (chosen.handler_id !== TOKEN_HANDLER_ID) {
    throw invalid('payment.instruments', `must have an instrument of the handler ${TOKEN_HANDLER_ID}`);
  }
  const { token } = objectIn(chosen, 'credential');
  if (typeof token === 'string' && TOKEN_FORM.test(token)) return token;
  throw invalid('payment.instruments[0].credential.token', 'must be a token of the card gateway');
}

async function completeCheckout(deps: CheckoutDeps, platform: Platform, { id, body }: CheckoutCall) {
  return change(deps, platform, id, async ({ checkout, order, before }) => {
    const isCharging = order?.status === 'unplaced' && order.chargeState === 'pending';
    if (!order || (before.status !== 'ready_for_complete' && !isCharging)) return before;
    const token = readToken(body);
    try {
      const totalCents = checkout.shown.totalCents ?? undefined;
      await finalizeOrder(deps, platform.caller, order.orderId, {
        totalCents,
        isPaidLast: true,
        payment: { payment_token: token },
      });
      return await show(deps, platform, checkout);
    } catch (error) {
      return answerRefusal(deps, platform, checkout, error);
    }
  });
}

/** What kept an order from being placed, as messages. Other errors are thrown on. */
async function answerRefusal(
  deps: CheckoutDeps,
  platform: Platform,
  checkout: UcpCheckout,
  error: unknown,
): Promise<ShownCheckout> {
  if (!(error instanceof Refusal)) throw error;
  const { code, message } = error;
  const order = await loadOrder(deps, platform, checkout);
  if (code === 'quote_changed' && order) {
    const { totalWithTipCents: totalCents, store } = order.quote;
    const changed = { ...checkout, shown: { ...checkout.shown, totalCents } };
    await saveCheckout(deps.db, changed);
    const { format, words } = localeOf(platform.language, store.country);
    const total = { before: format.money(checkout.shown.totalCents ?? 0), after: format.money(totalCents) };
    return show(deps, platform, changed, [{ ...TOTALS_CHANGED, content: words.checkout.changes.total(total) }]);
  }
  // A charge that waits for the buyer's approval is shown as such, and an order that was canceled meanwhile.
  if (order?.chargeState === 'waiting' || order?.status === 'canceled') return show(deps, platform, checkout);
  if (code === 'payment_declined' || code === 'payment_token_not_accepted') {
    return show(deps, platform, checkout, [recoverable('payment_failed', '$.payment', message)]);
  }
  const faults = await messagesOfRefusal(deps, checkout.storeId, error);
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

async function cancelCheckout(deps: CheckoutDeps, platform: Platform, { id }: CheckoutCall) {
  return change(deps, platform, id, async ({ checkout, order }) => {
    if (order?.status === 'unplaced' && order.chargeState === 'pending') throw leased();
    if (order && order.status !== 'unplaced') {
      await cancelOrder(deps, { orderId: order.orderId, reason: '' }, platform.caller);
    } else if (order) {
      await endCheckoutLink(deps.db, order.orderId);
    }
    const canceled = { ...checkout, isCanceled: true };
    await saveCheckout(deps.db, canceled);
    return show(deps, platform, canceled);
  });
}
