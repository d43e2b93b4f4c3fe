import type { Caller } from '../accounts/account.ts';
import { REPLAY_HOURS } from '../accounts/idempotency.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../lib/errors.ts';
import { randomId } from '../lib/random-id.ts';
import { invalidRequest } from '../lib/request-schema.ts';
import { findGatewayToken } from '../payments/payment-methods.db.ts';
import type { Order, OrderRequest } from './order.ts';
import { orderNotFound } from './order-not-found.ts';
import { findOrder, findOrderByIdempotencyKey, forgetIdempotencyKey } from './orders.db.ts';
import { chargeAndFinish, insertNewOrder, type OrderToPlace, placeOrder, requoteOrder } from './place-order.flow.ts';
import { presentFinalQuote } from './present-order.ts';
import { type QuotedOrder, quoteOrder } from './quote-order.flow.ts';
import { missingToPlace, missingToQuote } from './read-order-body.ts';
import { GIVE_UP_AFTER_MINUTES, settleOrder } from './settle-order.flow.ts';

/** What a client asks of order creation: the order, whether to place it, and which unplaced order it replaces. */
export type OrderCommand = {
  request: OrderRequest;
  place: boolean;
  replaces: string | null;
  idempotencyKey: string | null;
};

/** Quotes an order and stores it unplaced, or places it. Refuses with every fault at once, and payment_declined. */
export async function createOrder(deps: Deps, caller: Caller, command: OrderCommand): Promise<Order> {
  const { request, place, replaces, idempotencyKey } = command;
  const missing = [...missingToQuote(request), ...(place ? missingToPlace(request) : [])];
  if (missing.length > 0) throw invalidRequest(missing);
  const started = idempotencyKey === null ? undefined : await findStarted(deps, caller, idempotencyKey);
  const finished = started && (await finishStarted(deps, caller, started, place));
  if (finished) return finished;
  const replaced = started ?? (replaces === null ? undefined : await findUnplaced(deps, caller, replaces));
  const quoted = await quoteOrder(deps, caller, request);
  const order = orderOf(deps, caller, quoted, idempotencyKey, replaced);
  const stored = await storeOrPlace(deps, { order, quoted, isStored: replaced !== undefined }, place);
  const isOther = stored.quote.quoteId !== order.quote.quoteId;
  if (isOther && !started) throw placedAlready();
  return stored;
}

async function storeOrPlace(deps: Deps, toPlace: OrderToPlace, place: boolean): Promise<Order> {
  if (place) return placeOrder(deps, toPlace);
  if (toPlace.isStored) return requoteOrder(deps, toPlace.order);
  await insertNewOrder(deps.db, toPlace.order);
  return toPlace.order;
}

/** The order that an earlier, unanswered request with the same Idempotency-Key has left. */
async function findStarted({ db, clock }: Deps, caller: Caller, key: string): Promise<Order | undefined> {
  const order = await findOrderByIdempotencyKey(db, caller, key);
  if (!order) return undefined;
  const ageHours = order.createdAt.until(clock.now()).total('hours');
  if (ageHours < REPLAY_HOURS) return order;
  await forgetIdempotencyKey(db, order.orderId);
  return undefined;
}

/**
 * Its outcome, if it has one or its charge is still under way; undefined where it must be tried anew. A charge that
 * nobody waits for any more is settled first: an old quote, at an old time, is not charged.
 */
async function finishStarted(deps: Deps, caller: Caller, started: Order, place: boolean): Promise<Order | undefined> {
  if (started.status !== 'unplaced' || !place) return started;
  if (started.chargeState !== 'pending') return undefined;
  const ageMinutes = started.chargeStartedAt?.until(deps.clock.now()).total('minutes') ?? 0;
  const order = ageMinutes > GIVE_UP_AFTER_MINUTES ? await settleOrder(deps, started.orderId) : started;
  if (order && order.status !== 'unplaced') return order;
  if (order?.chargeState !== 'pending') return undefined;
  const gateway = deps.gateways[order.mode];
  const cardToken = await findGatewayToken(deps.db, caller, order.request.paymentMethodId ?? '');
  return gateway && cardToken ? chargeAndFinish(deps, gateway, { order, cardToken, isNew: false }) : undefined;
}

async function findUnplaced(deps: Deps, caller: Caller, orderId: string): Promise<Order> {
  const order = await findOrder(deps.db, caller, orderId);
  if (!order) throw orderNotFound();
  if (order.status !== 'unplaced') throw placedAlready();
  return order;
}

function placedAlready(): Refusal {
  return new Refusal('transition_not_allowed', 'The order is placed already.');
}

function orderOf({ clock }: Deps, caller: Caller, quoted: QuotedOrder, key: string | null, replaced?: Order): Order {
  const now = clock.now();
  return {
    orderId: replaced?.orderId ?? randomId('ord_', 18),
    accountId: caller.accountId,
    mode: caller.mode,
    storeId: quoted.store.storeId,
    status: 'unplaced',
    request: quoted.request,
    quote: quoted.quote,
    idempotencyKey: key,
    chargeState: 'none',
    chargeAttempt: replaced?.chargeAttempt ?? 0,
    chargeStartedAt: null,
    chargeId: null,
    chargedCents: 0,
    refundedCents: 0,
    stockHeld: [],
    slotHeld: false,
    isReady: false,
    driver: {},
    driverStage: 'none',
    cancelReason: null,
    eta: null,
    createdAt: replaced?.createdAt ?? now,
    placedAt: null,
    confirmBy: null,
    completedAt: null,
    canceledAt: null,
    lastSequence: 0,
  };
}

/**
 * Places an unplaced order at the price it was quoted. A total that has changed since is stored and refused with
 * quote_changed: the same call again accepts it. A placed order is answered as it was, and one whose placing was
 * interrupted is placed by the charge that was begun.
 */
export async function finalizeOrder(deps: Deps, caller: Caller, orderId: string): Promise<Order> {
  const order = await findOrder(deps.db, caller, orderId);
  if (!order) throw orderNotFound();
  const finished = order.chargeState === 'pending' ? await finishStarted(deps, caller, order, true) : undefined;
  if (finished) return finished;
  if (order.status !== 'unplaced') return order;
  const missing = missingToPlace(order.request);
  if (missing.length > 0) throw invalidRequest(missing);
  const quoted = await quoteOrder(deps, caller, order.request);
  const isSameTotal = quoted.quote.totalWithTipCents === order.quote.totalWithTipCents;
  // A quote keeps its id for as long as it comes to the same.
  const quote = isSameTotal ? { ...quoted.quote, quoteId: order.quote.quoteId } : quoted.quote;
  const renewed = orderOf(deps, caller, { ...quoted, quote }, order.idempotencyKey, order);
  if (!isSameTotal) {
    const stored = await requoteOrder(deps, renewed);
    if (stored.status !== 'unplaced') return stored;
    throw new Refusal(
      'quote_changed',
      'The total has changed since the order was quoted; finalize it again to accept.',
      {
        members: { final_quote: presentFinalQuote(quoted.quote), order_id: orderId },
      },
    );
  }
  return placeOrder(deps, { order: renewed, quoted: { ...quoted, quote }, isStored: true });
}
