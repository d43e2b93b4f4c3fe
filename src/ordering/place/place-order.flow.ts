import { type Caller, sandboxOf } from '../../access/accounts/account.ts';
import { budgetDay, budgetUsedUp } from '../../access/budgets/budget.ts';
import { spendBudget } from '../../access/budgets/spend-budget.db.ts';
import { REPLAY_HOURS } from '../../access/idempotency/idempotency.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Context } from '../../platform/db/context.ts';
import { type Fault, Refusal, retryAfter } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { doorAddress } from '../../supply/addresses/address-parameter.ts';
import { type LocatedAddress, partsOf } from '../../supply/addresses/geocoder.ts';
import type { PricedPromotions } from '../../supply/pricing/price-order.ts';
import type { Rejection } from '../../supply/pricing/promotion.ts';
import { guessersOf, wrongCodesOf } from '../../supply/promotions/code-guesses.flow.ts';
import { promotionUserOf } from '../../supply/promotions/promotion-user.ts';
import { presentRejectedCodes } from '../../supply/promotions/rejected-codes.ts';
import { NO_ADDRESS, partsOfMatch } from '../../supply/stores/street-address.ts';
import {
  abandonWaitingCharge,
  chargeOrder,
  continuedAttempt,
  GIVE_UP_AFTER_MINUTES,
  recordPlacing,
  resolveCharge,
} from '../money/charge-order.flow.ts';
import { CHECKOUT_KEY_BYTES, type CheckoutLink, nextCheckoutLink } from '../order/checkout-link.ts';
import { presentFinalQuote } from '../order/final-quote.ts';
import { handoverCodeFor } from '../order/handover-code.flow.ts';
import { placedState, planOf } from '../order/money-plan.ts';
import type { FrozenQuote, Order, OrderRequest } from '../order/order.ts';
import { PROGRESS_START } from '../order/order-columns.ts';
import type { CreateOrderDeps, OrderDeps, PlaceOrderDeps } from '../order/order-deps.ts';
import { PromotionGone, takeHolds } from '../order/order-holds.flow.ts';
import { type OrderStatements, singleOrderStatements } from '../order/order-statements.db.ts';
import { findOrderByIdempotencyKey, forgetIdempotencyKey, saveQuote } from '../order/orders.db.ts';
import { requireLockedOrder, requireOrder } from '../order/require-order.flow.ts';
import { holdCents } from '../order/weighed-order.ts';
import { tooManyDeclines } from '../payments/decline.ts';
import { requireGateway } from '../payments/payment-gateway.ts';
import { findCardIdentity } from '../payments/payment-methods.db.ts';
import { createPaymentMethod } from '../payments/save-card.flow.ts';
import {
  type Cart,
  contradictions,
  missingToFinalize,
  missingToPlace,
  missingToQuote,
  returnUrlFaults,
  sizeFaults,
  substitutionFaults,
} from './order-body.ts';
import { findDiscounts, type QuotedOrder, quoteOrder } from './quote-order.flow.ts';

/*
 * Places an order, all or nothing under any crash (docs/adr/0004-placing-an-order.md):
 *
 *   1. quoteOrder   loads the inputs; assessing and pricing them is pure
 *   2. placeOrder   transaction: the order with its slot and stock, charge pending
 *   3. chargeOrder  calls the gateway under the attempt's key (charge-order.flow.ts)
 *   4. endAttempt   transaction: `order.placed`, or the holds are released (charge-order.flow.ts)
 *
 * A charge that needs 3-D Secure leaves the order unplaced, its charge `waiting`; placing it again continues the
 * attempt. After a crash between 2 and 4, a retry (`finishStarted`) or a job looks the charge up; after 10 minutes
 * without one, the holds are released.
 */

/** How a cart is stored. */
type CartOptions = {
  /** The unplaced order that it replaces. */
  replaces?: string | null;
  idempotencyKey?: string | null;
  /** Refuses an address if only its postal code or city is found, in the sandbox too. */
  needsStreet?: boolean;
  /** Gets the doubts about the door; without this function a doubtful door is refused. */
  warn?: (doubts: readonly Fault[]) => void;
};

/** The order of a cart, and the located delivery address, where it was looked up. */
export type QuotedCart = { order: Order; door: LocatedAddress | null };

/**
 * Quotes a cart and stores it as an unplaced order. Refuses with every error at once, and with rate_limited if the
 * account's budget is used up.
 */
export function quoteCart(deps: CreateOrderDeps, caller: Caller, cart: Cart, how: CartOptions): Promise<QuotedCart> {
  return takeCart(deps, caller, cart, { ...how, place: false });
}

/** Quotes a cart and places it at once, all or nothing. Refuses as quoting does, and with payment_declined. */
export function placeCart(deps: CreateOrderDeps, caller: Caller, cart: Cart, how: CartOptions): Promise<QuotedCart> {
  return takeCart(deps, caller, cart, { ...how, place: true });
}

async function takeCart(
  deps: CreateOrderDeps,
  caller: Caller,
  { request, address = null }: Cart,
  options: CartOptions & { place: boolean },
): Promise<QuotedCart> {
  const { replaces = null, idempotencyKey = null, needsStreet, warn = refuseDoubts, place } = options;
  const faults = [
    ...missingToQuote(request, address),
    ...sizeFaults(request),
    ...substitutionFaults(request),
    ...returnUrlFaults(request, caller.mode),
    ...(place ? missingToPlace(request, { address }) : []),
  ];
  if (faults.length > 0) throw invalidRequest(faults);

  const started = idempotencyKey === null ? undefined : await findStarted(deps, caller, idempotencyKey, replaces);
  if (started && (started.status !== 'unplaced' || !place)) return { order: started, door: null };
  const finished = started && (await finishStarted(deps, caller, started));
  if (finished) return { order: finished, door: null };

  const replaced = started ?? (replaces === null ? undefined : await findUnplaced(deps, caller, replaces));
  const located = await locateDoor(deps, caller, { request, address }, needsStreet);
  warn(contradictions(located.request, located.door !== null));
  const missing = place ? missingToPlace(located.request) : [];
  if (missing.length > 0) throw invalidRequest(missing);
  const quoted = await quoteCodes(deps, caller, located.request, replaced);
  const unpaid = place ? missingToPlace(quoted.request, { totalCents: quoted.quote.totalWithTipCents }) : [];
  if (unpaid.length > 0) throw invalidRequest(unpaid);
  if (place) refuseCodes(quoted.quote);
  const link = place
    ? replaced
    : nextCheckoutLink(replaced, { freshKey: randomId('', CHECKOUT_KEY_BYTES), now: deps.clock.now() });
  const draft = draftOrder(deps, caller, quoted, { idempotencyKey, replaces: replaced, link });
  const isStored = replaced !== undefined;
  const order = await (place
    ? placeQuoted(deps, caller, { order: draft, quoted, isStored })
    : storeUnplaced(deps, { order: draft, quoted, isStored }));
  const isOther = order.quote.quoteId !== draft.quote.quoteId;
  // A concurrent request stored another quote. A retry under its key gets that quote.
  if (isOther && !started) throw placedAlready();
  return { order, door: located.door };
}

function refuseDoubts(doubts: readonly Fault[]): void {
  if (doubts.length > 0) throw invalidRequest(doubts);
}

/** Looks up the door of a delivery without a coordinate. */
async function locateDoor(
  { geocoding }: Pick<OrderDeps, 'geocoding'>,
  caller: Caller,
  { request, address }: { request: OrderRequest; address: string | null },
  needsStreet?: boolean,
): Promise<{ request: OrderRequest; door: LocatedAddress | null }> {
  const { mode, customer } = request;
  const door = customer.latitude === null && mode === 'delivery' ? doorAddress(customer, address) : undefined;
  if (!door) return { request, door: null };
  const best = await geocoding.findDoor(caller, door, { in: 'body', needsStreet });
  const parts = door.name === 'address' ? partsOfMatch(door.typed, partsOf(best)) : NO_ADDRESS;
  const street = customer.streetName === '' ? parts : customer;
  const located = {
    ...customer,
    latitude: best.latitude,
    longitude: best.longitude,
    streetNum: street.streetNum,
    streetName: street.streetName,
    aptNum: customer.aptNum || parts.aptNum,
    city: customer.city || parts.city,
    state: customer.state || parts.state,
    zipcode: customer.zipcode || parts.zipcode,
  };
  return { request: { ...request, customer: located }, door: best };
}

/**
 * Places an unplaced order at its quoted price; a placed order is returned unchanged, a canceled one is refused. A new
 * total, a concurrent change, or a mismatch with the expected values is refused with `quote_changed`; the next call
 * with the new total accepts it.
 */
export async function finalizeOrder(
  deps: CreateOrderDeps,
  caller: Caller,
  orderId: string,
  expected: {
    totalCents?: number | undefined;
    quoteId?: string;
    /** Refuses a new total without storing it, because no customer sees it. */
    isUnattended?: boolean;
    /** Adds the order's missing fields; refuses differing ones. */
    complete?: (order: Order) => OrderRequest;
    /** A card to save for the customer and to pay with. */
    payment?: TokenPayment;
    /** Refuses a new total before the token is used, which may be good for one charge only. */
    isPaidLast?: boolean;
  } = {},
): Promise<Order> {
  const order = await requireOrder(deps.db, orderId, caller);
  refuseForgotten(order);
  const completed = expected.complete?.(order) ?? order.request;
  if (order.status !== 'unplaced') return refuseCanceled(order);
  if (expected.totalCents !== undefined && expected.totalCents !== order.quote.totalWithTipCents)
    throw quoteChanged("The order's quoted total differs from expected_total_cents.", order);
  if (expected.quoteId !== undefined && expected.quoteId !== order.quote.quoteId)
    throw quoteChanged("The order's quote differs from the expected quote.", order);
  const finished = await finishStarted(deps, caller, order);
  if (finished) return refuseCanceled(finished);
  if (expected.isPaidLast) await refuseNewTotal(deps, caller, order);
  const request = expected.payment ? await payWith(deps, caller, completed, expected.payment) : completed;
  const missing = missingToFinalize(request);
  if (missing.length > 0) throw invalidRequest(missing);

  const fresh = await quoteOrder(deps, caller, request, order.quote);
  const { quoteId } = order.quote;
  // With goods by weight, the most that it may come to was agreed too.
  const isSameTotal =
    fresh.quote.totalWithTipCents === order.quote.totalWithTipCents && holdCents(fresh.quote) <= holdCents(order.quote);
  // A quote keeps its id while its total stays the same.
  const quoted = isSameTotal ? { ...fresh, quote: { ...fresh.quote, quoteId } } : fresh;
  const draft = draftAgain(deps, caller, order, quoted);
  const unpaid = missingToFinalize(request, { totalCents: fresh.quote.totalWithTipCents });
  if (isSameTotal && unpaid.length > 0) throw invalidRequest(unpaid);
  if (isSameTotal) return refuseCanceled(await placeQuoted(deps, caller, draft, expected));
  return refuseCanceled(await refuseQuote(deps, draft, expected));
}

/** Stores and refuses a new total, unless it is `isUnattended`. An order that was placed meanwhile is returned. */
async function refuseQuote(deps: CreateOrderDeps, draft: Draft, { isUnattended = false }: { isUnattended?: boolean }) {
  const stored = isUnattended ? draft.order : await storeUnplaced(deps, draft, { isCounted: !draft.isStored });
  if (stored.status !== 'unplaced') return stored;
  const sentence = 'The total has changed since the order was quoted. Finalize it again to accept the new total.';
  throw quoteChanged(sentence, draft.order);
}

/** Maximum quotes before a promotion that others use up at the same moment is refused. */
const MAX_PLACINGS = 3;

/**
 * Places an order at its quote. If a promotion has run out since, the order is quoted again: at the same total it is
 * placed, otherwise stored and refused with `quote_changed`.
 */
async function placeQuoted(
  deps: CreateOrderDeps,
  caller: Caller,
  draft: Draft,
  expected: { isUnattended?: boolean } = {},
): Promise<Order> {
  const { quoteId, totalWithTipCents } = draft.order.quote;
  let next = draft;
  for (let placings = 1; ; placings += 1) {
    try {
      return await placeOrder(deps, next);
    } catch (error) {
      if (!(error instanceof PromotionGone)) throw error;
      const quoted = await quoteOrder(deps, caller, draft.order.request, draft.order.quote);
      const isSameTotal = quoted.quote.totalWithTipCents === totalWithTipCents && placings < MAX_PLACINGS;
      const quote = isSameTotal ? { ...quoted.quote, quoteId } : quoted.quote;
      next = {
        ...draft,
        order: { ...draft.order, quote, storeId: quoted.store.storeId, request: quoted.request },
        quoted,
      };
      if (!isSameTotal) return refuseQuote(deps, next, expected);
    }
  }
}

/** Quotes an order, and limits the guessing of codes that it did not have before. */
function quoteCodes(
  deps: CreateOrderDeps,
  caller: Caller,
  request: OrderRequest,
  before: Pick<Order, 'orderId' | 'request' | 'quote'> | undefined,
): Promise<QuotedOrder> {
  const known = new Set(before?.request.promotionCodes);
  const codes = [...new Set(request.promotionCodes)].filter((code) => !known.has(code));
  return deps.codeGuesses.try(
    guessing(deps, caller, request, before?.orderId),
    codes,
    () => quoteOrder(deps, caller, request, before?.quote),
    ({ quote }) => wrongCodesOf(quote.rejectedCodes),
  );
}

function guessing(
  { tokens }: Pick<OrderDeps, 'tokens'>,
  caller: Caller,
  request: OrderRequest,
  id: string | undefined,
) {
  const { accountId } = caller;
  return { accountId, guessers: guessersOf(caller, promotionUserOf(tokens, accountId, request.customer), id) };
}

/** Finds a cart's promotions, and limits guesses of codes it didn't have before (`known`). */
export function discountCart(
  deps: Pick<OrderDeps, 'db' | 'clock' | 'tokens' | 'inventory' | 'orderStatements' | 'codeGuesses'>,
  caller: Caller,
  request: OrderRequest,
  { cartId, known }: { cartId: string; known: readonly string[] },
): Promise<PricedPromotions> {
  return deps.codeGuesses.try(
    guessing(deps, caller, request, cartId),
    [...new Set(request.promotionCodes)].filter((code) => !known.includes(code)),
    () => findDiscounts(deps, caller, request),
    ({ rejectedCodes }) => wrongCodesOf(rejectedCodes),
  );
}

/** Reasons for a code that don't change the price of an order placed at once. */
const HARMLESS: readonly Rejection[] = ['better_offer_applied', 'duplicate'];

/** Refuses to place an order with a code that its customer expects to apply. */
function refuseCodes({ rejectedCodes = [] }: FrozenQuote): void {
  const refused = rejectedCodes.filter(({ reason }) => !HARMLESS.includes(reason));
  if (refused.length === 0) return;
  const sentence = `These codes do not apply: ${refused.map(({ code, reason }) => `${code} (${reason})`).join(', ')}.`;
  throw new Refusal('promotion_not_applied', sentence, {
    members: { rejected_codes: presentRejectedCodes(rejectedCodes) },
  });
}

/** A token of the gateway's client library, in place of a payment method. */
type TokenPayment = { payment_token?: string | undefined; payment_method_id?: string | undefined };

/** Saves the card of a token for the customer of the request, and pays with it. */
async function payWith(
  deps: Pick<OrderDeps, 'db' | 'clock' | 'gateways'>,
  caller: Caller,
  request: OrderRequest,
  { payment_token: paymentToken, payment_method_id: otherMethod }: TokenPayment,
): Promise<OrderRequest> {
  if (paymentToken === undefined) return request;
  const { userId, email: userEmail } = request.customer;
  const fault = (name: string, message: string) => ({ in: 'body' as const, name, message });
  const faults = [
    ...(otherMethod ? [fault('payment_token', 'must not come with payment_method_id')] : []),
    ...(userId === '' ? [fault('user_id', 'is required with payment_token')] : []),
    ...(userEmail === '' ? [fault('user_email', 'is required with payment_token')] : []),
  ];
  if (faults.length > 0) throw invalidRequest(faults);
  const owner = request.payerId ?? userId;
  const paymentMethodId = await createPaymentMethod(deps, caller, { paymentToken, userId: owner, userEmail });
  return { ...request, paymentMethodId };
}

/** Stores and refuses a new total. */
async function refuseNewTotal(deps: CreateOrderDeps, caller: Caller, order: Order): Promise<void> {
  const quoted = await quoteOrder(deps, caller, order.request, order.quote);
  if (quoted.quote.totalWithTipCents === order.quote.totalWithTipCents) return;
  const stored = await storeUnplaced(deps, draftAgain(deps, caller, order, quoted), { isCounted: false });
  throw quoteChanged('The total has changed.', stored);
}

/**
 * Quotes an unplaced order again for another request and stores it. Refuses with `quote_changed` if a concurrent
 * request stored another quote. An order that was placed in the meantime is returned unchanged.
 */
export async function changeCart(deps: CreateOrderDeps, caller: Caller, order: Order, request: OrderRequest) {
  const quoted = await quoteCodes(deps, caller, request, order);
  return storeUnplaced(deps, draftAgain(deps, caller, order, quoted), { isCounted: false });
}

/** A stored order with a new quote. */
function draftAgain(deps: Pick<OrderDeps, 'clock'>, caller: Caller, order: Order, quoted: QuotedOrder): Draft {
  const kept = { idempotencyKey: order.idempotencyKey, replaces: order, link: order };
  return { order: draftOrder(deps, caller, quoted, kept), quoted, isStored: true, quoteId: order.quote.quoteId };
}

/** A quoted order. `isStored`: the database has it, unplaced; with `quoteId`, still with that quote. */
type Draft = { order: Order; quoted: QuotedOrder; isStored: boolean; quoteId?: string };

/**
 * A quoted, unplaced order without charge or holds. An order that replaces another order keeps its age and its number
 * of charge attempts, so that no charge key is used twice.
 */
function draftOrder(
  { clock }: Pick<OrderDeps, 'clock'>,
  { accountId, mode }: Caller,
  { store, request, quote }: QuotedOrder,
  kept: Pick<Order, 'idempotencyKey'> & { replaces: Order | undefined; link: CheckoutLink | undefined },
): Order {
  const { idempotencyKey, replaces, link } = kept;
  return {
    ...PROGRESS_START,
    orderId: replaces?.orderId ?? randomId('ord_', 18),
    accountId,
    mode,
    storeId: store.storeId,
    request,
    quote,
    idempotencyKey,
    checkoutKey: link?.checkoutKey ?? null,
    checkoutUntil: link?.checkoutUntil ?? null,
    handoverCode: handoverCodeFor(request, replaces?.handoverCode),
    chargeAttempt: replaces?.chargeAttempt ?? 0,
    createdAt: replaces?.createdAt ?? clock.now(),
  };
}

/** Stores the order with its holds of stock and slot, charges its total unless that is zero, and ends the attempt. */
async function placeOrder(deps: PlaceOrderDeps, draft: Draft): Promise<Order> {
  const { order, quoted } = draft;
  const now = deps.clock.now();
  const isCharged = order.request.chargeUser && order.quote.totalWithTipCents > 0;
  const gateway = isCharged ? requireGateway(deps.gateways, order.mode) : undefined;
  if (gateway && quoted.declineBlock) throw tooManyDeclines(quoted.declineBlock, now);

  const store = async (tx: Sql, statements = singleOrderStatements(tx)): Promise<Order> => {
    const before = draft.isStored ? await lockUnplaced(tx, draft) : order;
    if (before.status !== 'unplaced') return before;
    const continued = gateway && continuedAttempt(before, order);
    if (!continued) await abandonWaitingCharge(deps, tx, before);
    if (!gateway) await spendUnpaid(deps, tx, order, now);
    const pending: Order = {
      ...(await takeHolds(deps, tx, order, quoted, now)),
      // Counted from the locked row, because a concurrent attempt may already have used the next key.
      chargeAttempt: continued?.chargeAttempt ?? before.chargeAttempt + 1,
      waitingChargeId: continued?.waitingChargeId ?? null,
      chargeStartedAt: now,
      chargeState: gateway ? 'pending' : 'none',
    };
    await writeDraft(tx, statements, pending, draft, now);
    if (gateway) return pending;
    const moneyPlan = planOf(order);
    const uncharged: Order = { ...pending, moneyPlan, chargeState: placedState(moneyPlan) };
    const placed = await recordPlacing(deps, statements, uncharged, { chargeState: 'none' });
    if (!placed) throw new Error('A newly written order differs from the data that was written.');
    return placed;
  };
  const holdsNothing =
    order.quote.scheduled === null && quoted.stock.length === 0 && !quoted.room && !quoted.hasLimitedUses;
  // A new order without holds is one statement, which is batched with other orders and needs no transaction.
  const isOneStatement = gateway && holdsNothing && !draft.isStored;
  const stored = await (isOneStatement
    ? store(deps.db, deps.orderStatements)
    : deps.db.transaction().execute((tx) => store(tx)));

  const holds = stored.slotHeld || stored.roomHeld.length > 0 || stored.stockHeld.length > 0;
  if (holds) deps.inventory.evict(order.storeId, sandboxOf(order));
  // A pending charge always has a gateway and a card, because `missingToPlace` and the card checks run before.
  if (stored.chargeState !== 'pending' || !gateway || !quoted.paymentMethod) return stored;
  const isNew = stored.waitingChargeId === null;
  const payer = { card: quoted.paymentMethod, keyId: quoted.keyId };
  return chargeOrder(deps, gateway, { order: stored, payer, isNew });
}

/**
 * Stores a quoted order unplaced, within its account's budget, which includes its bytes if `isCounted`. An order that
 * was placed in the meantime is returned unchanged.
 */
async function storeUnplaced(deps: PlaceOrderDeps, draft: Draft, { isCounted } = { isCounted: true }): Promise<Order> {
  const { order, isStored } = draft;
  const now = deps.clock.now();
  return deps.db.transaction().execute(async (tx) => {
    const before = isStored ? await lockUnplaced(tx, draft) : order;
    if (before.status !== 'unplaced') return before;
    const continued = continuedAttempt(before, order);
    if (!continued) await abandonWaitingCharge(deps, tx, before);
    if (isCounted) await spendUnplaced(deps, tx, draft, now);
    const unplaced: Order = { ...order, chargeAttempt: before.chargeAttempt, ...continued };
    await writeDraft(tx, singleOrderStatements(tx), unplaced, draft, now);
    return unplaced;
  });
}

/**
 * Writes a new order, or rewrites a stored one. Of concurrent requests with one Idempotency-Key, only one stores an
 * order.
 */
async function writeDraft(
  tx: Sql,
  { insertOrder }: Pick<OrderStatements, 'insertOrder'>,
  order: Order,
  { isStored }: Draft,
  now: Temporal.Instant,
): Promise<void> {
  if (isStored) await saveQuote(tx, order, now);
  else if (!(await insertOrder(order))) throw beingPlaced();
}

/**
 * Locks a stored, unplaced order. A concurrent placing waits here and then finds the order placed. Refuses with
 * `quote_changed` if another request has replaced the order since its quote was read.
 */
async function lockUnplaced(tx: Sql, { order: { orderId }, quoteId }: Draft): Promise<Order> {
  const locked = await requireLockedOrder(tx, orderId);
  if (locked.status !== 'unplaced') return locked;
  if (locked.chargeState === 'pending') throw beingPlaced();
  if (quoteId !== undefined && locked.quote.quoteId !== quoteId)
    throw quoteChanged(
      'The order changed while it was being finalized. Finalize it again to accept the new quote.',
      locked,
    );
  return locked;
}

/** Counts a live order without a charge against its account's daily budget. */
async function spendUnpaid(
  { config }: Pick<OrderDeps, 'config'>,
  tx: Sql,
  { accountId, mode }: Order,
  now: Temporal.Instant,
): Promise<void> {
  if (mode === 'sandbox') return;
  const max = config.dailyBudgets.unpaid_orders;
  const spending = { accountId, mode, kind: 'unpaid_orders', day: budgetDay(now), used: 1, max } as const;
  if (!(await spendBudget(tx, spending))) throw budgetUsedUp(['unpaid_orders'], now);
}

/** Counts a new unplaced order and its bytes, or only the bytes of a replaced one, against the daily budget. */
async function spendUnplaced(
  { config }: Pick<OrderDeps, 'config'>,
  tx: Sql,
  { order, isStored }: Draft,
  now: Temporal.Instant,
): Promise<void> {
  const { accountId, mode, request, quote } = order;
  const { unplaced_orders: max, unplaced_bytes: maxBytes } = config.dailyBudgets;
  const bytes = Buffer.byteLength(JSON.stringify(request)) + Buffer.byteLength(JSON.stringify(quote));
  const spending = { accountId, mode, kind: 'unplaced_orders', day: budgetDay(now), max, maxBytes } as const;
  if (await spendBudget(tx, { ...spending, used: isStored ? 0 : 1, bytes })) return;
  throw budgetUsedUp(isStored ? ['unplaced_bytes'] : ['unplaced_orders', 'unplaced_bytes'], now);
}

/**
 * The order that an earlier, unanswered request with the same Idempotency-Key stored. If the request
 * replaces the order, the key's age counts from the last charge attempt, because the order may be older than the key.
 */
async function findStarted(
  { db, clock }: Context,
  caller: Caller,
  key: string,
  replaces: string | null,
): Promise<Order | undefined> {
  const order = await findOrderByIdempotencyKey(db, caller, key);
  if (!order) return undefined;
  const keyedAt = (order.orderId === replaces && order.chargeStartedAt) || order.createdAt;
  const ageHours = keyedAt.until(clock.now()).total('hours');
  if (ageHours < REPLAY_HOURS) return order;
  await forgetIdempotencyKey(db, order.orderId);
  return undefined;
}

/**
 * Ends an attempt that was interrupted during its charge; undefined if there is none, so that the order must be placed
 * again. An abandoned charge is resolved first, so that an old quote is never charged.
 */
async function finishStarted(deps: PlaceOrderDeps, caller: Caller, started: Order): Promise<Order | undefined> {
  if (started.chargeState !== 'pending') return undefined;
  const ageMinutes = started.chargeStartedAt?.until(deps.clock.now()).total('minutes') ?? 0;
  const order = ageMinutes > GIVE_UP_AFTER_MINUTES ? await resolveCharge(deps, started.orderId) : started;
  if (order && order.status !== 'unplaced') return order;
  if (order?.chargeState !== 'pending') return undefined;
  const gateway = deps.gateways[order.mode];
  const card = await findCardIdentity(deps.db, caller, order.request.paymentMethodId ?? '');
  if (!gateway || !card) return undefined;
  return chargeOrder(deps, gateway, { order, payer: { card, keyId: caller.keyId }, isNew: false });
}

async function findUnplaced(deps: Pick<OrderDeps, 'db'>, caller: Caller, orderId: string): Promise<Order> {
  const order = await requireOrder(deps.db, orderId, caller);
  refuseForgotten(order);
  if (order.status !== 'unplaced') throw placedAlready();
  return order;
}

/** A forgotten order that was never placed is gone for its account. */
function refuseForgotten({ isForgotten, status }: Order): void {
  if (isForgotten && status === 'unplaced') throw new Refusal('order_not_found', 'There is no such order.');
}

function refuseCanceled(order: Order): Order {
  if (order.status === 'canceled') throw new Refusal('transition_not_allowed', 'The order was canceled.');
  return order;
}

const placedAlready = (): Refusal => new Refusal('transition_not_allowed', 'The order is already placed.');

/** A 409 with the order's current quote. */
function quoteChanged(sentence: string, order: Order): Refusal {
  return new Refusal('quote_changed', sentence, {
    members: {
      final_quote: presentFinalQuote({ ...order, addedTipCents: 0, waivedTipCents: 0 }),
      order_id: order.orderId,
    },
  });
}

/** A 409: another request is placing the order. */
function beingPlaced(): Refusal {
  const sentence = 'Another request is placing this order.';
  return new Refusal('idempotency_in_progress', sentence, retryAfter(5));
}
