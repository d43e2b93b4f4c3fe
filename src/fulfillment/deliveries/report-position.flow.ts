import { recordStep } from '../../ordering/money/take-step.flow.ts';
import { type DriverPosition, findTrips, savePositions } from '../../ordering/order/driver-positions.db.ts';
import type { DriverStage } from '../../ordering/order/order.ts';
import { requireLockedOrder } from '../../ordering/order/require-order.flow.ts';
import type { Context } from '../../platform/db/context.ts';
import { isRefusedStatement } from '../../platform/db/hot-statement.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { batchCalls } from '../../platform/lib/batch-calls.ts';
import { type DriverLink, isLinkAlive } from './driver-link.ts';
import { type DriverMove, driverMoved, isPlausiblePosition, moveOf, type PositionReport } from './driver-location.ts';

/** Maximum positions per statement. */
const MAX_BATCH = 100;

/** The outcome of a position report; `dead` if the link has expired. */
type PositionOutcome = { became: 'saved' | 'ignored'; stage: Exclude<DriverStage, 'none'> } | { became: 'dead' };

const DEAD = { became: 'dead' } as const;

type Report = DriverLink & { report: PositionReport };
/**
 * Receives positions from drivers' pages. Concurrent reports share a read and a write. Only a report that brings a
 * driver near the address, or that meets a step of its order, locks and writes the order.
 */
export function createPositionReports(deps: Context): (report: Report) => Promise<PositionOutcome> {
  return batchCalls({
    maxBatch: MAX_BATCH,
    didNothing: isRefusedStatement,
    run: (reports: readonly Report[]) => takeReports(deps, reports),
  });
}

async function takeReports(deps: Context, reports: readonly Report[]): Promise<PositionOutcome[]> {
  const now = deps.clock.now();
  const trips = new Map(await findTrips(deps.db, [...new Set(reports.map(({ orderId }) => orderId))]));
  const positions = new Map<string, DriverPosition>();
  const answers = reports.map((one): { one: Report; outcome?: PositionOutcome } => {
    const trip = trips.get(one.orderId);
    const stage = trip?.driverStage ?? 'none';
    if (!trip || stage === 'none' || !isLinkAlive(trip, one.link)) return { one, outcome: DEAD };
    const effect = isPlausiblePosition(trip, one.report, now) ? moveOf(trip, one.report, now) : undefined;
    if (!effect) return { one, outcome: { became: 'ignored', stage } };
    const { comesNear, ...move } = effect;
    if (comesNear) return { one };
    // Another report of the batch may be older than this one.
    trips.set(trip.orderId, { ...trip, driver: { ...trip.driver, ...move.moved }, eta: move.eta });
    positions.set(trip.orderId, { orderId: trip.orderId, lastSequence: trip.lastSequence, ...move });
    return { one, outcome: { became: 'saved', stage } };
  });
  const saved = positions.size > 0 ? await savePositions(deps.db, [...positions.values()]) : undefined;
  const finished: PositionOutcome[] = [];
  for (const { one, outcome } of answers) {
    const isDone = outcome && (outcome.became !== 'saved' || saved?.has(one.orderId));
    finished.push(isDone ? outcome : await moveLocked(deps, one));
  }
  return finished;
}

/**
 * Saves a move that an order's step belongs to: it comes near the address, or another step is being taken. If the order
 * ends between the read and its lock, only this report fails.
 */
async function moveLocked(deps: Context, { orderId, report }: Report): Promise<PositionOutcome> {
  try {
    const { driverStage: stage } = await moveDriver(deps, orderId, report);
    return stage === 'none' ? DEAD : { became: 'saved', stage };
  } catch (error) {
    if (error instanceof Refusal) return DEAD;
    throw error;
  }
}

/**
 * Saves the position (in degrees) of an order's driver, unless a newer one is known; open tracking pages show it within
 * a second. Refuses with order_not_found, and with transition_not_allowed if no driver is on the way.
 */
export async function moveDriver({ db, clock }: Context, orderId: string, move: DriverMove) {
  const now = clock.now();
  return db.transaction().execute(async (tx) => {
    const locked = await requireLockedOrder(tx, orderId);
    const { order, moved, step } = driverMoved(locked, move, now);
    if (step) return recordStep(tx, step, now);
    if (moved) await savePositions(tx, [{ orderId, lastSequence: order.lastSequence, moved, eta: order.eta }]);
    return order;
  });
}
