import { Refusal } from '../http/refusal.ts';
import { RESOLVE_CHARGE } from '../orders/follow-ups.ts';
import type { Order } from '../orders/order.ts';
import type { OrderDeps } from '../orders/order-deps.ts';
import { lockOrder, saveProgress } from '../orders/orders.db.ts';
import { bookRefund } from '../orders/refunds/book-refund.flow.ts';
import { leftToRefund } from '../orders/refunds/refund.ts';
import { doorOf, isOnTheWay } from './driver-whereabouts.ts';
import { moveDriver } from './move-driver.flow.ts';
import { isNear } from './position.ts';
import { DELAY_MINUTES, type Plan } from './simulated-plan.ts';
import { nearlyThere, placeOn, wayOf } from './simulated-way.ts';

/**
 * Does what is due between two steps of a sandbox order: the driver is further on the way, or a late driver's time of
 * arrival has moved. `order` is as it was right after its last step. Does nothing before the first moment of the plan,
 * and the same again when repeated.
 */
export async function simulateMove(
  deps: Pick<OrderDeps, 'clock' | 'db'>,
  order: Order,
  { between }: Plan,
): Promise<void> {
  const now = deps.clock.now();
  const passed = between.filter((moment) => Temporal.Instant.compare(moment, now) <= 0).length;
  if (passed === 0) return;
  if (!isOnTheWay(order)) return delayArrival(deps, order, passed);
  const way = wayOf(order);
  const nearly = nearlyThere(way);
  const [from, to] = order.driverStage === 'nearby' ? [nearly, 1] : [0, nearly];
  const place = placeOn(way, from + ((to - from) * passed) / (between.length + 1));
  // Coming near the door is the next step, which has its own time.
  const door = doorOf(order);
  if (order.driverStage === 'picked_up' && door && isNear(place, door)) return;
  await moveDriver(deps, order.orderId, place).catch((error) => {
    // A step by hand has ended the way.
    if (!(error instanceof Refusal)) throw error;
  });
}

async function delayArrival({ db }: Pick<OrderDeps, 'db'>, order: Order, times: number): Promise<void> {
  if (!order.eta) return;
  const eta = order.eta.add({ minutes: times * DELAY_MINUTES });
  await db.transaction().execute(async (tx) => {
    const locked = await lockOrder(tx, order.orderId);
    if (locked?.lastSequence === order.lastSequence) await saveProgress(tx, { ...locked, eta });
  });
}

/** Refunds a completed order in full, as an account would. */
export async function simulateRefund(
  { db, clock, jobs }: Pick<OrderDeps, 'clock' | 'db' | 'jobs'>,
  orderId: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const locked = await lockOrder(tx, orderId);
    if (locked?.status !== 'completed' || locked.chargeState !== 'charged') return;
    const cents = leftToRefund(locked);
    if (cents === 0) return;
    await bookRefund(tx, locked, { cents, kind: 'requested', key: 'refund_after' }, clock.now());
    await jobs.enqueue(tx, RESOLVE_CHARGE, { orderId });
  });
}
