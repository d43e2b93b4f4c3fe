import { Refusal } from '../../platform/http/refusal.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import { type EventHandler, ORDER_TIMER, timeOutOf } from '../order/dispatch-events.flow.ts';
import type { Order } from '../order/order.ts';
import type { OrderDeps } from '../order/order-deps.ts';
import { findEvents, type LoggedEvent } from '../order/order-events.db.ts';
import { findAnyOrder } from '../order/orders.db.ts';
import { type StepCommand, takeStep } from './take-step.flow.ts';

/** Acts as the store and courier of sandbox orders. */
export type OrderSimulation = {
  /** Whether an order is simulated, unlike live orders and sandbox orders that are advanced by hand. */
  plays: (order: Pick<Order, 'mode'>) => boolean;
  /**
   * When an order's next timer is due, unless another step is taken first. `order` is its state after the step at
   * `since`.
   */
  nextTimerAt: (
    input: { order: Order; since: Temporal.Instant },
    now: Temporal.Instant,
  ) => Temporal.Instant | undefined;
  /**
   * Takes the step that is due after an order's last event. Returns when the next timer is due; undefined if it took a
   * step.
   */
  play: (order: Order, last: LoggedEvent) => Promise<Temporal.Instant | undefined>;
};

type OrderTimerDeps = Parameters<typeof takeStep>[0] & Pick<OrderDeps, 'jobs'> & { simulation: OrderSimulation };

/** Cancels an order whose store did not confirm in time, and runs the simulation of sandbox orders. */
export function runOrderTimers(deps: OrderTimerDeps): Worker<{ orderId: string; sequence: number }> {
  const { db, clock, jobs, simulation } = deps;
  return {
    kind: ORDER_TIMER,
    concurrency: 4,
    run: async ({ orderId, sequence }) => {
      const order = await findAnyOrder(db, orderId);
      // Every step starts its own timer, so timers of earlier steps do nothing.
      if (!order || order.lastSequence !== sequence) return;
      const isLate = isMomentReached(clock.now(), timeOutOf(order));
      const settlesAt = isLate ? clock.settlesAt?.() : undefined;
      if (isLate && !settlesAt) return takeStepInTime(deps, order, TIME_OUT);
      const [last] = !isLate && simulation.plays(order) ? await findEvents(db, [{ orderId, sequence }]) : [];
      const startAfter = settlesAt ?? (last ? await simulation.play(order, last) : timeOutOf(order));
      if (startAfter) await jobs.enqueue(db, ORDER_TIMER, { orderId, sequence }, { startAfter });
    },
  };
}

const TIME_OUT: StepCommand = { event: 'cancel', detailsOf: () => ({ reason: 'store_did_not_confirm' }) };

/** Takes a step unless another step was taken first. If a confirmation and a timer race, exactly one wins. */
export async function takeStepInTime(
  deps: Parameters<typeof takeStep>[0],
  { orderId, lastSequence }: Order,
  command: StepCommand,
): Promise<void> {
  await takeStep(deps, orderId, { ...command, atSequence: lastSequence }).catch((error) => {
    if (!(error instanceof Refusal)) throw error;
  });
}

export function isMomentReached(now: Temporal.Instant, moment: Temporal.Instant | undefined): boolean {
  return moment !== undefined && Temporal.Instant.compare(now, moment) >= 0;
}

/** Enqueues the next timer of each order: its confirmation time-out, or the next simulated step. */
export function timerEvents({
  jobs,
  simulation,
}: Pick<OrderDeps, 'jobs'> & { simulation: Omit<OrderSimulation, 'play'> }): EventHandler {
  return async (tx, events) => {
    // If there is a later event, that event starts the next timer.
    const last = events.filter(({ current, sequence }) => current.lastSequence === sequence);
    const simulated = await findEvents(
      tx,
      last.filter((event) => simulation.plays(event)),
    );
    const timers = [
      ...simulated.map(({ order, sequence, at }) => ({
        orderId: order.orderId,
        sequence,
        startAfter: simulation.nextTimerAt({ order, since: at }, at),
      })),
      ...last
        .filter((event) => !simulation.plays(event))
        .map(({ orderId, sequence, current }) => ({ orderId, sequence, startAfter: timeOutOf(current) })),
    ];
    const traces = new Map(last.map(({ orderId, traceparent }) => [orderId, traceparent]));
    const jobsDue = timers.flatMap(({ orderId, sequence, startAfter }) =>
      startAfter ? [{ payload: { orderId, sequence }, startAfter, traceparent: traces.get(orderId) ?? null }] : [],
    );
    await jobs.enqueueMany(tx, ORDER_TIMER, jobsDue);
  };
}
