import { isOnTheWay } from '../../ordering/order/arrival.ts';
import type { Order, StepName } from '../../ordering/order/order.ts';
import { openWeights } from '../../ordering/order/weighed-order.ts';

/** Sandbox scenarios, by `metadata.sandbox_scenario` (docs/sandbox.md#sandbox-scenarios). */
export const SCENARIOS = [
  'store_silent',
  'store_cancels',
  'item_missing',
  'driver_late',
  'courier_lost',
  'refund_after',
  'weighs_more',
  'weighs_too_much',
  'hold_expires',
] as const;
export type Scenario = (typeof SCENARIOS)[number];

/** An order's scenario; unknown text counts as none. */
export function scenarioOf({ request }: Pick<Order, 'request'>): Scenario | undefined {
  const named = request.metadata.sandbox_scenario;
  return SCENARIOS.find((scenario) => scenario === named);
}

/** Input of the simulation: the order, the time of its last step, and the pace in seconds. */
export type SimulationInput = { order: Order; since: Temporal.Instant; paceS: number };

/** The steps of a sandbox order's life, including that the store lacks an item, and that it weighs the others. */
type SimulatedStep = StepName | 'adjust_item' | 'weigh';

/** The simulation's next step, its time, and the times before it when the driver moves or is delayed. */
export type SimulationPlan = {
  step: SimulatedStep | 'refund';
  at: Temporal.Instant;
  between: readonly Temporal.Instant[];
};

/** Number of driver moves between two steps, and their minimum interval. */
const MOVES = 4;
const MOVE_EVERY_MS = 2000;
/** Number of delays of a late driver, and their length. */
const DELAYS = 2;
export const DELAY_MINUTES = 10;

/** A sandbox order's remaining steps, by its scenario. */
export function remainingSteps(order: Order): SimulatedStep[] {
  const scenario = scenarioOf(order);
  const isAwaiting = order.status === 'awaiting_confirmation';
  if (isAwaiting && scenario === 'store_silent') return [];
  if (isAwaiting && scenario === 'store_cancels') return ['cancel'];
  if (!isAwaiting && order.status !== 'in_progress') return [];
  const { driverStage, isReady } = order;
  const isDelivery = order.request.mode === 'delivery';
  const isLost = scenario === 'courier_lost' && isDelivery;
  const isLeft = isOnTheWay(order);
  const lacksItem = scenario === 'item_missing' && order.adjustments.length === 0;
  const steps: [SimulatedStep, boolean][] = [
    ['confirm', isAwaiting],
    ['adjust_item', lacksItem && !isReady && !isLeft],
    ['weigh', openWeights(order).length > 0 && !isLeft],
    ['ready', !isReady && !isLeft],
    ['assign_driver', isDelivery && driverStage === 'none'],
    ['pick_up', isDelivery && !isLeft],
    ['courier_lost', isLost],
    ['approach', isDelivery && !isLost && driverStage !== 'nearby'],
    ['complete', !isLost],
  ];
  return steps.filter(([, comes]) => comes).map(([step]) => step);
}

/** The next step, or undefined if there is none. */
export function planOf({ order, since, paceS }: SimulationInput): SimulationPlan | undefined {
  const paceMs = paceS * 1000;
  const sinceMs = since.epochMilliseconds;
  if (order.status === 'completed') {
    const isRefunded = scenarioOf(order) === 'refund_after' && order.chargeState === 'charged';
    return isRefunded ? { step: 'refund', at: instantOfMs(sinceMs + paceMs), between: [] } : undefined;
  }
  const steps = remainingSteps(order);
  const [step] = steps;
  if (!step) return undefined;
  const fromMs =
    order.status === 'awaiting_confirmation' ? Math.max(sinceMs, order.offerAt?.epochMilliseconds ?? 0) : sinceMs;
  const dueMs = fromMs + waitMs(order, steps, fromMs, paceMs);
  return { step, at: instantOfMs(dueMs), between: moveTimes(order, step, fromMs, dueMs) };
}

/**
 * The wait before the next step. At any pace, a scheduled order completes in the middle of its slot and a store
 * confirms before its time-out.
 */
function waitMs(order: Order, steps: readonly SimulatedStep[], fromMs: number, paceMs: number): number {
  const paces = steps.map((step) => pacesOf(order, step));
  const [own = 1] = paces;
  const { scheduled } = order.quote;
  if (!scheduled) return own * paceMs;
  const leftMs = (scheduled.startEpochS + scheduled.endEpochS) * 500 - fromMs;
  const all = paces.reduce((sum, count) => sum + count, 0);
  const roomMs = Math.max(0, leftMs / all);
  if (order.status === 'awaiting_confirmation') {
    const confirmMs = Math.max(0, (order.confirmBy?.epochMilliseconds ?? Infinity) - fromMs);
    return Math.min(paceMs, roomMs, confirmMs / 2);
  }
  return roomMs > paceMs ? leftMs - (all - own) * paceMs : own * roomMs;
}

/** Number of pauses before a step. A late driver waits at the store for each delay. */
function pacesOf(order: Order, step: SimulatedStep): number {
  return step === 'pick_up' && scenarioOf(order) === 'driver_late' ? 1 + DELAYS : 1;
}

function moveTimes(order: Order, step: SimulatedStep, fromMs: number, dueMs: number): Temporal.Instant[] {
  const lastsMs = dueMs - fromMs;
  const count = movesBefore(order, step, lastsMs);
  return Array.from({ length: count }, (_, n) => instantOfMs(fromMs + ((n + 1) * lastsMs) / (count + 1)));
}

function movesBefore(order: Order, step: SimulatedStep, lastsMs: number): number {
  if (order.request.mode === 'pickup') return 0;
  if (step === 'pick_up') return order.driverStage === 'assigned' ? pacesOf(order, step) - 1 : 0;
  return isOnTheWay(order) ? Math.min(MOVES, Math.floor(lastsMs / MOVE_EVERY_MS)) : 0;
}

const instantOfMs = (epochMs: number): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(Math.round(epochMs));
