import { type Caller, sandboxOf } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Context } from '../../platform/db/context.ts';
import { activeTraceparent } from '../../platform/lib/tracing.ts';
import { advanceOrder, type OrderStep, type StepDetails } from '../order/advance-order.ts';
import { deletePosition } from '../order/driver-positions.db.ts';
import { movementOf } from '../order/money-plan.ts';
import { type ChargeState, hasEnded, hasLeftTheStore, type Order, refundKeyOf, type StepName } from '../order/order.ts';
import type { OrderDeps } from '../order/order-deps.ts';
import { lowerOrderUses, releaseHolds, releaseUses } from '../order/order-holds.flow.ts';
import { saveStep } from '../order/orders.db.ts';
import { requireLockedOrder } from '../order/require-order.flow.ts';
import { isWeighedOrder } from '../order/weighed-order.ts';
import { writeRefund } from './book-refund.flow.ts';
import type { Refund } from './refund.ts';

/*
 * Takes a step of an order: the pure rule (advance-order.ts), then the row, its event and the released holds, in one
 * transaction. It belongs to this module because a cancellation books its refund with the step.
 */

/** A process without cached inventories passes a no-op `evict`. */
type TakeStepDeps = Context & { inventory: Pick<OrderDeps['inventory'], 'evict'> };

/** A change of a locked order; `after` includes the money that the gateway has yet to move. */
export type OrderChange = { before: Order; after: Order; refund?: Refund };

/** Runs after a change, in its transaction; throwing undoes the change. */
export type Alongside = (tx: Sql, change: OrderChange, now: Temporal.Instant) => Promise<void>;

/**
 * A step to take. `detailsOf` gets the locked order. With `atSequence` the step applies only to an order without later
 * events; any other order is returned unchanged.
 */
export type StepCommand = {
  event: StepName;
  detailsOf?: (order: Order, now: Temporal.Instant) => StepDetails;
  atSequence?: number;
  alongside?: Alongside | undefined;
};

/**
 * Takes one step of an order atomically. A caller can do so only for its own orders. Refuses with order_not_found and
 * transition_not_allowed.
 */
export async function takeStep(
  deps: TakeStepDeps,
  orderId: string,
  command: StepCommand,
  caller?: Caller,
): Promise<Order> {
  const now = deps.clock.now();
  const order = await deps.db.transaction().execute(async (tx) => {
    const locked = await requireLockedOrder(tx, orderId, caller);
    if (command.atSequence !== undefined && command.atSequence !== locked.lastSequence) return locked;
    const step = advanceOrder(locked, command.event, now, command.detailsOf?.(locked, now));
    const after = await recordStep(tx, step, now);
    await command.alongside?.(tx, { before: locked, after }, now);
    return after;
  });
  if (order.status === 'canceled') deps.inventory.evict(order.storeId, sandboxOf(order));
  return order;
}

/**
 * Writes a step of a locked order and its event in the caller's transaction; dispatch-events.flow.ts then writes the
 * event's consequences.
 */
export async function recordStep(tx: Sql, step: OrderStep, now: Temporal.Instant): Promise<Order> {
  // Items that have left the store do not return to stock, and the slot was used.
  const isCanceled = step.order.status === 'canceled';
  const isFree = isCanceled && !hasLeftTheStore(step.order);
  const freed = isFree ? await releaseHolds(tx, step.order) : step.order;
  if (isCanceled && !isFree) await releaseUses(tx, step.order);
  // The capture of a held card settles its order instead.
  const isUncaptured = step.event.type === 'order.completed' && movementOf(step.order, 'leave') === 'nothing';
  if (isUncaptured && isWeighedOrder(step.order.quote)) await lowerOrderUses(tx, step.order);
  const order: Order = {
    ...freed,
    lastSequence: freed.lastSequence + 1,
    chargeStartedAt: IS_MOVING.has(freed.chargeState) ? now : freed.chargeStartedAt,
  };
  const cents = step.refundCents ?? 0;
  // Booked under the row lock, so that every process uses the same gateway key.
  if (cents > 0) await writeRefund(tx, order, { cents, ...cancelation(order) }, now, refundKeyOf(order));
  await saveStep(tx, { order, event: step.event, at: now, traceparent: activeTraceparent() });
  if (hasEnded(order) && order.driverStage !== 'none') await deletePosition(tx, order.orderId);
  return order;
}

/** Charge states where the gateway is to move money, from the step on. */
const IS_MOVING: ReadonlySet<ChargeState> = new Set(['refund_pending', 'capturing']);

const cancelation = ({ cancelReason }: Order) =>
  ({ kind: 'canceled', key: 'canceled', reason: cancelReason ?? '' }) as const;
