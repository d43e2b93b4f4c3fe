import { sandboxOf } from '../../access/accounts/account.ts';
import { isNear } from '../../fulfillment/deliveries/position.ts';
import { moveDriver } from '../../fulfillment/deliveries/report-position.flow.ts';
import { bookRefund } from '../../ordering/money/book-refund.flow.ts';
import { isMomentReached, type OrderSimulation, takeStepInTime } from '../../ordering/money/order-timer.job.ts';
import { doorOf, isOnTheWay } from '../../ordering/order/arrival.ts';
import { RESOLVE_CHARGE, timeOutOf } from '../../ordering/order/dispatch-events.flow.ts';
import { type Order, refundableCents } from '../../ordering/order/order.ts';
import type { OrderDeps } from '../../ordering/order/order-deps.ts';
import type { LoggedEvent } from '../../ordering/order/order-events.db.ts';
import { lockOrder, saveProgress } from '../../ordering/order/orders.db.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { listStoreProducts } from '../../supply/catalog/store-products.db.ts';
import { simulateWeighing, tryChange } from './simulate-weighing.flow.ts';
import { approachPart, positionAlong, simulatedDetails, wayOf } from './simulated-courier.ts';
import { DELAY_MINUTES, planOf, type SimulationInput, type SimulationPlan } from './simulated-plan.ts';
import type { Street } from './street-route.ts';

/* Acts as store and courier of sandbox orders: at each timer, the next step that a real one would take. */

type SimulationDeps = Pick<OrderDeps, 'config' | 'clock' | 'db' | 'gateways' | 'jobs' | 'inventory' | 'tokens'> & {
  /** Streets for the driver; elsewhere the way is made up. */
  streets: readonly Street[];
  /** Whether a person acts as the store. */
  isStorePlayed: (order: Order) => Promise<boolean>;
};

/** Seconds between checks whether a person still acts as the store. */
const PLAYED_CHECK_SECONDS = 30;

/** Acts as store and courier of sandbox orders, at the pace of `SANDBOX_PACE`. */
export function simulateOrders(deps: SimulationDeps): OrderSimulation {
  const pace = deps.config.sandboxPace;
  return {
    plays: ({ mode }) => mode === 'sandbox' && pace !== 'manual',
    nextTimerAt: (input, now) => nextTimerTime(input, pace, now),
    play: (order, last) => play(deps, order, last),
  };
}

/** Takes the simulation's next step if it is due; the pace may have changed since the timer was set. */
async function play(deps: SimulationDeps, order: Order, last: LoggedEvent): Promise<Temporal.Instant | undefined> {
  const { clock, config } = deps;
  const input = { order: { ...order, eta: last.order.eta }, since: last.at };
  const plan = simulatedPlan(input, config.sandboxPace);
  const isDue = plan !== undefined && isMomentReached(clock.now(), plan.at);
  const waits = isDue && isStoreStep(order, plan) && (await deps.isStorePlayed(order));
  if (isDue && !waits) {
    await takePlannedStep(deps, order, plan);
    return undefined;
  }
  if (plan && !isDue) await simulateMove(deps, input.order, plan);
  const now = clock.now();
  if (waits) return earliest([now.add({ seconds: PLAYED_CHECK_SECONDS }), timeOutOf(order)]);
  return nextTimerTime(input, config.sandboxPace, now);
}

/** Whether the next step is the store's; the others are the courier's, and the refund. */
function isStoreStep({ request }: Order, { step }: SimulationPlan): boolean {
  return (
    ['confirm', 'cancel', 'adjust_item', 'weigh', 'ready'].includes(step) ||
    (step === 'complete' && request.mode === 'pickup')
  );
}

async function takePlannedStep(deps: SimulationDeps, order: Order, { step }: SimulationPlan): Promise<void> {
  if (step === 'refund') return simulateRefund(deps, order.orderId);
  if (step === 'adjust_item') return simulateAdjustment(deps, order);
  if (step === 'weigh') return void (await simulateWeighing(deps, order));
  const detailsOf = (locked: Order, now: Temporal.Instant) =>
    simulatedDetails(locked, step, { baseUrl: deps.config.baseUrl, streets: deps.streets, now });
  await takeStepInTime(deps, order, { event: step, detailsOf });
}

type Pace = number | 'manual';

/** An order's plan; undefined for a live order, and if the sandbox waits for manual steps. */
function simulatedPlan(input: Omit<SimulationInput, 'paceS'>, pace: Pace): SimulationPlan | undefined {
  if (input.order.mode !== 'sandbox' || pace === 'manual') return undefined;
  return planOf({ ...input, paceS: pace });
}

/** When the order's next timer is due, unless another step is taken first; undefined if there is none. */
function nextTimerTime(input: Omit<SimulationInput, 'paceS'>, pace: Pace, now: Temporal.Instant) {
  const plan = simulatedPlan(input, pace);
  const moves = plan?.between.filter((moment) => Temporal.Instant.compare(moment, now) > 0) ?? [];
  return earliest([...moves, plan?.at, timeOutOf(input.order)]);
}

function earliest(moments: readonly (Temporal.Instant | undefined)[]): Temporal.Instant | undefined {
  return moments.filter((moment) => moment !== undefined).sort(Temporal.Instant.compare)[0];
}

/** Maximum products tried as a substitute. */
const MAX_TRIED_SUBSTITUTES = 20;

/**
 * Simulates a store that lacks one unit of the first item: it hands off an accepted substitute, otherwise one unit
 * less. Does nothing once the order has moved on.
 */
async function simulateAdjustment(deps: SimulationDeps, order: Order): Promise<void> {
  const { quantity = 0 } = order.quote.items[0] ?? {};
  for (const substitute of await findSubstitutes(deps, order)) {
    if (await tryChange(deps, order, { index: 0, quantity, substitute })) return;
  }
  await tryChange(deps, order, { index: 0, quantity: quantity - 1, substitute: null });
}

/** Substitutes that the customer accepts for the first item: named products, or any product of the store. */
async function findSubstitutes({ db }: Pick<SimulationDeps, 'db'>, order: Order): Promise<readonly string[]> {
  const { request, storeId } = order;
  const substitution = request.items[0]?.substitution;
  if (substitution?.preference === 'specific') return substitution.productIds;
  if (substitution?.preference !== 'store_choice') return [];
  const limits = { maxProducts: MAX_TRIED_SUBSTITUTES, maxOptions: 1000 };
  const filter = { sandbox: sandboxOf(order), words: [], offSale: false, afterNo: 0 };
  const { products } = await listStoreProducts(db, storeId, filter, limits);
  return products.map(({ externalId }) => externalId);
}

/**
 * Runs everything due between two steps of a sandbox order: the driver moves, or a late arrival is postponed. `order`
 * is as of its last step. Idempotent.
 */
async function simulateMove(
  deps: Pick<SimulationDeps, 'clock' | 'db' | 'streets'>,
  order: Order,
  { between }: SimulationPlan,
): Promise<void> {
  const now = deps.clock.now();
  const passed = between.filter((moment) => Temporal.Instant.compare(moment, now) <= 0).length;
  if (passed === 0) return;
  if (!isOnTheWay(order)) return delayArrival(deps, order, passed);
  const way = wayOf(order, deps.streets);
  const nearly = approachPart(way);
  const [from, to] = order.driverStage === 'nearby' ? [nearly, 1] : [0, nearly];
  const place = positionAlong(way, from + ((to - from) * passed) / (between.length + 1));
  // Being near the address is the next step, which has its own time.
  const door = doorOf(order);
  if (order.driverStage === 'picked_up' && door && isNear(place, door)) return;
  await moveDriver(deps, order.orderId, place).catch((error) => {
    // A manual step has ended the trip.
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

/** Refunds a completed order in full but for the tip, as an account would. */
async function simulateRefund({ db, clock, jobs }: Pick<OrderDeps, 'clock' | 'db' | 'jobs'>, orderId: string) {
  await db.transaction().execute(async (tx) => {
    const locked = await lockOrder(tx, orderId);
    if (locked?.status !== 'completed' || locked.chargeState !== 'charged') return;
    const cents = refundableCents(locked);
    if (cents === 0) return;
    await bookRefund(tx, locked, { cents, kind: 'requested', key: 'refund_after' }, clock.now());
    await jobs.enqueue(tx, RESOLVE_CHARGE, { orderId });
  });
}
