import { sandboxOf } from '../accounts/account.ts';
import { listStoreProducts } from '../catalog/store-products.db.ts';
import { Refusal } from '../http/refusal.ts';
import type { Worker } from '../jobs/job-queue.ts';
import { adjustOrderItem, type ItemChange } from '../orders/adjustments/adjust-item.flow.ts';
import { type EventHandler, ORDER_TIMER, RESOLVE_CHARGE, timeOutOf } from '../orders/dispatch-events.flow.ts';
import type { Order } from '../orders/order.ts';
import type { OrderDeps } from '../orders/order-deps.ts';
import { findEvents, type LoggedEvent } from '../orders/order-events.db.ts';
import { findAnyOrder, lockOrder, saveProgress } from '../orders/orders.db.ts';
import { bookRefund } from '../orders/refunds/book-refund.flow.ts';
import { leftToRefund } from '../orders/refunds/refund.ts';
import { type StepCommand, takeStep } from '../orders/take-step.flow.ts';
import { doorOf, isOnTheWay } from './driver-location.ts';
import { isNear } from './position.ts';
import { moveDriver } from './report-position.flow.ts';
import { nearlyThere, placeOn, simulateCourier, wayOf } from './simulated-courier.ts';
import { DELAY_MINUTES, type Plan, planOf, type SimulationInput } from './simulated-plan.ts';

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

/** Enqueues the next timer of each order: its time-out, or what the simulation does next with a sandbox order. */
export function timerEvents({ jobs, config }: Pick<OrderDeps, 'jobs' | 'config'>): EventHandler {
  return async (tx, events) => {
    // After a later event, that event brings the next timer.
    const last = events.filter(({ current, sequence }) => current.lastSequence === sequence);
    const pace = config.sandboxPace;
    const isSimulated = ({ mode }: (typeof last)[number]) => pace !== 'manual' && mode === 'sandbox';
    const simulated = await findEvents(tx, last.filter(isSimulated));
    const timers = [
      ...simulated.map(({ order, sequence, at }) => ({
        orderId: order.orderId,
        sequence,
        startAfter: nextTimerAt({ order, since: at }, pace, at),
      })),
      ...last
        .filter((event) => !isSimulated(event))
        .map(({ orderId, sequence, current }) => ({ orderId, sequence, startAfter: timeOutOf(current) })),
    ];
    const traces = new Map(last.map(({ orderId, traceparent }) => [orderId, traceparent]));
    const jobsDue = timers.flatMap(({ orderId, sequence, startAfter }) =>
      startAfter ? [{ payload: { orderId, sequence }, startAfter, traceparent: traces.get(orderId) ?? null }] : [],
    );
    await jobs.enqueueMany(tx, ORDER_TIMER, jobsDue);
  };
}

type Pace = number | 'manual';

/** The plan of an order; undefined for a live order, and where the sandbox waits for steps by hand. */
function simulatedPlan(input: Omit<SimulationInput, 'paceS'>, pace: Pace): Plan | undefined {
  if (input.order.mode !== 'sandbox' || pace === 'manual') return undefined;
  return planOf({ ...input, paceS: pace });
}

/** When the order's next timer runs, unless another step comes first; undefined without one. */
function nextTimerAt(
  input: Omit<SimulationInput, 'paceS'>,
  pace: Pace,
  now: Temporal.Instant,
): Temporal.Instant | undefined {
  const plan = simulatedPlan(input, pace);
  const moves = plan?.between.filter((moment) => Temporal.Instant.compare(moment, now) > 0) ?? [];
  return earliest([...moves, plan?.at, timeOutOf(input.order)]);
}

function earliest(moments: readonly (Temporal.Instant | undefined)[]): Temporal.Instant | undefined {
  return moments.filter((moment) => moment !== undefined).sort(Temporal.Instant.compare)[0];
}

/** Products of a store that the simulation tries as a substitute. */
const MAX_TRIED = 20;

/**
 * The simulated store lacks one unit of the first item: it hands over a substitute for all units where the customer wants
 * one and a product of the store can be one, else one unit less. Does nothing once the order has taken another step.
 */
async function simulateAdjustment(deps: Needs, order: Order): Promise<void> {
  const { quantity = 0 } = order.quote.items[0] ?? {};
  for (const substitute of await substitutesOf(deps, order)) {
    if (await tryChange(deps, order, { index: 0, quantity, substitute })) return;
  }
  await tryChange(deps, order, { index: 0, quantity: quantity - 1, substitute: null });
}

/** The products that the customer wants in place of the first item: named products, or any of the store. */
async function substitutesOf({ db }: Pick<Needs, 'db'>, order: Order): Promise<readonly string[]> {
  const { request, storeId } = order;
  const substitution = request.items[0]?.substitution;
  if (substitution?.preference === 'specific') return substitution.productIds;
  if (substitution?.preference !== 'store_choice') return [];
  const limits = { maxProducts: MAX_TRIED, maxOptions: 1000 };
  const filter = { sandbox: sandboxOf(order), words: [], offSale: false, afterNo: 0 };
  const { products } = await listStoreProducts(db, storeId, filter, limits);
  return products.map(({ externalId }) => externalId);
}

/** Makes a change; false where it is refused, or changes nothing. */
async function tryChange(deps: Needs, order: Order, change: ItemChange): Promise<boolean> {
  const guard = async (_tx: unknown, locked: Order) => {
    if (locked.lastSequence === order.lastSequence) return;
    throw new Refusal('transition_not_allowed', 'The order has taken another step.');
  };
  try {
    const changed = await adjustOrderItem(deps, order.orderId, { change, by: 'simulation', guard });
    return changed.lastSequence > order.lastSequence;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/**
 * Does what is due between two steps of a sandbox order: the driver is further on the way, or a late driver's time of
 * arrival has moved. `order` is as it was right after its last step. Does nothing before the first moment of the plan,
 * and the same again when repeated.
 */
async function simulateMove(deps: Pick<OrderDeps, 'clock' | 'db'>, order: Order, { between }: Plan): Promise<void> {
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
async function simulateRefund(
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
