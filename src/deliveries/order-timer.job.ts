import { Refusal } from '../http/refusal.ts';
import type { Worker } from '../jobs/job-queue.ts';
import { ORDER_TIMER, timeOutOf } from '../orders/follow-ups.ts';
import type { Order } from '../orders/order.ts';
import type { OrderDeps } from '../orders/order-deps.ts';
import { findEvents, type LoggedEvent } from '../orders/order-events.db.ts';
import { findAnyOrder } from '../orders/orders.db.ts';
import { type StepCommand, takeStep } from '../orders/take-step.flow.ts';
import { earliest, nextTimerAt, simulatedPlan } from './next-timer.ts';
import { simulateAdjustment } from './simulate-adjustment.flow.ts';
import { simulateMove, simulateRefund } from './simulate-move.flow.ts';
import { simulateCourier } from './simulated-courier.ts';
import type { Plan } from './simulated-plan.ts';

type Needs = Pick<OrderDeps, 'config' | 'clock' | 'db' | 'jobs' | 'inventory' | 'tokens'> & {
  /** Whether somebody plays the store of a sandbox order by hand. */
  isStorePlayed: (order: Order) => Promise<boolean>;
};

/** Interval at which the simulated store checks whether a console still plays it. */
const PLAYED_CHECK_SECONDS = 30;

/** Cancels an order that its store did not confirm in time; plays the store and the courier of a sandbox order. */
export function runOrderTimers(deps: Needs): Worker<{ orderId: string; sequence: number }> {
  return {
    kind: ORDER_TIMER,
    concurrency: 4,
    isTimed: true,
    run: async ({ orderId, sequence }) => {
      const order = await findAnyOrder(deps.db, orderId);
      // Every step starts its own timer: a timer of an earlier step has nothing left to do.
      if (!order || order.lastSequence !== sequence) return;
      if (isPast(deps, timeOutOf(order))) return take(deps, order, TIME_OUT);
      const [last] = await findEvents(deps.db, [{ orderId, sequence }]);
      if (last) await play(deps, order, last);
    },
  };
}

const TIME_OUT: StepCommand = { event: 'cancel', detailsOf: () => ({ reason: 'store_did_not_confirm' }) };

/** The next of the simulation where it is due, or another look: the pace may have been another when the timer was set. */
async function play(deps: Needs, order: Order, last: LoggedEvent): Promise<void> {
  const { clock, config, db, jobs } = deps;
  const input = { order: { ...order, eta: last.order.eta }, since: last.at };
  const plan = simulatedPlan(input, config.sandboxPace);
  const isDue = plan !== undefined && isPast(deps, plan.at);
  const waits = isDue && isStoreStep(order, plan) && (await deps.isStorePlayed(order));
  if (isDue && !waits) return takePlanned(deps, order, plan);
  if (plan && !isDue) await simulateMove(deps, input.order, plan);
  const now = clock.now();
  const startAfter = waits
    ? earliest([now.add({ seconds: PLAYED_CHECK_SECONDS }), timeOutOf(order)])
    : nextTimerAt(input, config.sandboxPace, now);
  const timer = { orderId: order.orderId, sequence: order.lastSequence };
  if (startAfter) await jobs.enqueue(db, ORDER_TIMER, timer, { startAfter });
}

/** The store's own steps; the others are the courier's, and the refund. */
function isStoreStep({ request }: Order, { step }: Plan): boolean {
  return (
    ['confirm', 'cancel', 'adjust_item', 'ready'].includes(step) || (step === 'complete' && request.mode === 'pickup')
  );
}

async function takePlanned(deps: Needs, order: Order, { step }: Plan): Promise<void> {
  if (step === 'refund') return simulateRefund(deps, order.orderId);
  if (step === 'adjust_item') return simulateAdjustment(deps, order);
  const detailsOf = (locked: Order) => simulateCourier(locked, step, deps.config);
  await take(deps, order, { event: step, detailsOf });
}

/** A confirmation at the last moment and a timer race for one sequence number: exactly one of them wins. */
async function take(deps: Needs, { orderId, lastSequence }: Order, command: StepCommand): Promise<void> {
  await takeStep(deps, orderId, { ...command, atSequence: lastSequence }).catch((error) => {
    if (!(error instanceof Refusal)) throw error;
  });
}

function isPast({ clock }: Pick<OrderDeps, 'clock'>, moment: Temporal.Instant | undefined): boolean {
  return moment !== undefined && Temporal.Instant.compare(clock.now(), moment) >= 0;
}
