import type { Caller } from '../accounts/account.ts';
import { REPLAY_HOURS } from '../accounts/idempotency.ts';
import { Refusal } from '../http/refusal.ts';
import { invalidRequest } from '../http/request-schema.ts';
import { randomId } from '../lib/random-id.ts';
import { draftOrder } from './draft-order.ts';
import { finishStarted } from './finish-started.flow.ts';
import type { Order, OrderRequest } from './order.ts';
import type { CreateOrderDeps, OrderDeps, PlaceOrderDeps } from './order-deps.ts';
import { orderNotFound } from './order-not-found.ts';
import { findOrder, findOrderByIdempotencyKey, forgetIdempotencyKey } from './orders.db.ts';
import { type OrderToPlace, placeOrder } from './place-order.flow.ts';
import { namedInputs, quoteNamed, quoteOrder } from './quote-order.flow.ts';
import { missingToPlace, missingToQuote, sizeFaults, substitutionFaults } from './read-order-body.ts';
import { placeRecalled } from './recall/place-recalled.flow.ts';
import { insertUnplacedOrder, requoteOrder } from './store-unplaced.flow.ts';

/** The request of order creation: the order, whether to place it, and the unplaced order that it replaces. */
export type OrderCommand = {
  request: OrderRequest;
  place: boolean;
  replaces: string | null;
  idempotencyKey: string | null;
};

/**
 * Quotes an order and stores it unplaced, or places it. Refuses with every fault at once, with payment_declined, and where
 * the account has no budget left.
 */
export async function createOrder(deps: CreateOrderDeps, caller: Caller, command: OrderCommand): Promise<Order> {
  const { request, place, replaces, idempotencyKey } = command;
  const faults = [
    ...missingToQuote(request),
    ...sizeFaults(request),
    ...substitutionFaults(request),
    ...(place ? missingToPlace(request) : []),
  ];
  if (faults.length > 0) throw invalidRequest(faults);
  const named = namedInputs(deps, caller, request);
  const recalled = place && replaces === null ? await placeRecalled(deps, named, idempotencyKey) : undefined;
  if (recalled) return recalled;
  // Most orders are new: their quote is read beside the look for an earlier one, whose refusals come first.
  const quoting = quoteNamed(deps, named);
  quoting.catch(() => {});
  const started = idempotencyKey === null ? undefined : await findStarted(deps, caller, idempotencyKey, replaces);
  if (started && (started.status !== 'unplaced' || !place)) return started;
  const finished = started && (await finishStarted(deps, caller, started));
  if (finished) return finished;
  const replaced = started ?? (replaces === null ? undefined : await findUnplaced(deps, caller, replaces));
  // A charge that was ended a moment ago has given back what its order held: the order is quoted anew.
  const quoted = await (started?.chargeState === 'pending' ? quoteOrder(deps, caller, request) : quoting);
  const order = draftOrder(caller, quoted, {
    orderId: replaced?.orderId ?? randomId('ord_', 18),
    idempotencyKey,
    replaces: replaced,
    now: deps.clock.now(),
  });
  const stored = await storeOrPlace(deps, { order, quoted, isStored: replaced !== undefined }, place);
  const isOther = stored.quote.quoteId !== order.quote.quoteId;
  if (isOther && !started) throw placedAlready();
  return stored;
}

async function storeOrPlace(deps: PlaceOrderDeps, toPlace: OrderToPlace, place: boolean): Promise<Order> {
  if (place) return placeOrder(deps, toPlace);
  if (toPlace.isStored) return requoteOrder(deps, toPlace.order, { isCounted: true });
  await insertUnplacedOrder(deps, toPlace.order);
  return toPlace.order;
}

/**
 * The order that an earlier, unanswered request with the same Idempotency-Key has left. The key of an order that the
 * request replaces is as old as the last attempt to place it: the order itself may be older.
 */
async function findStarted(
  { db, clock }: Pick<OrderDeps, 'clock' | 'db'>,
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

async function findUnplaced(deps: Pick<OrderDeps, 'db'>, caller: Caller, orderId: string): Promise<Order> {
  const order = await findOrder(deps.db, caller, orderId);
  if (!order) throw orderNotFound();
  if (order.status !== 'unplaced') throw placedAlready();
  return order;
}

function placedAlready(): Refusal {
  return new Refusal('transition_not_allowed', 'The order is placed already.');
}
