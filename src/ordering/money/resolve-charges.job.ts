import type { Sql } from '../../platform/db/connect.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { readPages } from '../../platform/lib/read-pages.ts';
import { LATE_TIP, RESOLVE_CHARGE } from '../order/dispatch-events.flow.ts';
import { chargeKeyOf, type Order } from '../order/order.ts';
import type { OrderDeps, ResolveChargeDeps } from '../order/order-deps.ts';
import {
  findAnyOrder,
  findUnresolvedOrders,
  lockOrder,
  saveProgress,
  type UnresolvedOrder,
} from '../order/orders.db.ts';
import { insertGatewayEvent, saveOrderOfEvent } from '../payments/gateway-events.db.ts';
import { RECONCILE_CHARGE } from '../payments/gateway-jobs.ts';
import { type BookedCharge, type BookedRefund, requireGateway } from '../payments/payment-gateway.ts';
import { loadCharges } from './book-refund.flow.ts';
import {
  LATE_CHARGE,
  type LateCharge,
  MIN_ABANDONED_AGE_SECONDS,
  PLACE_APPROVED,
  refundLateCharge,
  resolveCharge,
} from './charge-order.flow.ts';
import { resolveTip } from './finish-tip.flow.ts';
import { replaceLostHold } from './keep-hold.job.ts';
import { newRefund, type RefundPart, withRefund } from './refund.ts';
import { endPart, findPendingParts, findUnfinishedRefunds, insertRefund, listRefunds } from './refunds.db.ts';
import { bookRemainder, finishRefund, resolveRefunds } from './resolve-refunds.flow.ts';
import { tipKeyOf } from './tip.ts';
import { findTips, findUnresolvedTips, type TipKey } from './tips.db.ts';

/** Maximum charges resolved concurrently, so that a silent gateway cannot take the connection pool from requests. */
const BATCH = 8;

type ReconcileDeps = ResolveChargeDeps & Pick<OrderDeps, 'log'>;

/** Resolves charges, refunds and tips that a crash or a silent gateway left open. Runs every minute and at start. */
export function resolveUnsettledCharges(deps: ReconcileDeps): Worker<object> {
  return {
    kind: { name: 'resolve-order-charges' },
    concurrency: 1,
    everyMinutes: 1,
    atStart: true,
    run: async () => {
      const { db, clock } = deps;
      const open = { before: clock.now().subtract({ seconds: MIN_ABANDONED_AGE_SECONDS }), limit: BATCH };
      for (const state of ['pending', 'capturing'] as const) {
        const orders = readPages<UnresolvedOrder>(BATCH, (after) =>
          findUnresolvedOrders(db, { ...open, state, after }),
        );
        await resolveAll(deps, orders, ({ orderId }) => resolveCharge(deps, orderId));
      }
      const refunds = readPages<{ orderId: string }>(BATCH, (after) => findUnfinishedRefunds(db, { ...open, after }));
      await resolveAll(deps, refunds, ({ orderId }) => resolveCharge(deps, orderId));
      const tips = readPages<TipKey>(BATCH, (after) => findUnresolvedTips(db, { ...open, after }));
      await resolveAll(deps, tips, (tip) => resolveTip(deps, tip));
    },
  };
}

/** Resolves each, a page at once. An unresolvable one delays no other. */
async function resolveAll<Found extends { orderId: string }>(
  { log }: Pick<OrderDeps, 'log'>,
  pages: AsyncIterable<readonly Found[]>,
  resolve: (found: Found) => Promise<unknown>,
): Promise<void> {
  for await (const page of pages) {
    const resolved = page.map((found) =>
      resolve(found).catch((error) => {
        log.warn({ err: error, orderId: found.orderId }, 'charge not resolved yet');
      }),
    );
    await Promise.all(resolved);
  }
}

/** Makes an order's booked refunds, retrying until the gateway has made them. */
export function resolveOneCharge(deps: ResolveChargeDeps): Worker<{ orderId: string }> {
  return {
    kind: RESOLVE_CHARGE,
    concurrency: 4,
    run: async ({ orderId }) => {
      await resolveCharge(deps, orderId);
    },
  };
}

/** Refunds a charge that the gateway made after its attempt timed out. */
export function refundLateCharges(deps: Pick<OrderDeps, 'log' | 'db' | 'gateways'>): Worker<LateCharge> {
  return { kind: LATE_CHARGE, concurrency: 2, run: (late) => refundLateCharge(deps, late) };
}

/** Reconciles a charge with its order after an event of the gateway. */
export function reconcileCharges(deps: ReconcileDeps): Worker<{ chargeId: string; eventId?: string }> {
  return { kind: RECONCILE_CHARGE, concurrency: 2, run: (event) => reconcileCharge(deps, event) };
}

/** Refunds the charge of a tip that timed out. */
export function refundLateTips(deps: Pick<OrderDeps, 'clock' | 'db' | 'gateways' | 'jobs' | 'log'>): Worker<TipKey> {
  return { kind: LATE_TIP, concurrency: 2, run: (tip) => resolveTip(deps, tip) };
}

/**
 * Reconciles a live charge with its order after a gateway event. Reads the charge's current state, so repeated, late
 * and reordered events do no harm. Ignores charges of unknown orders, because the gateway account may be shared.
 */
export async function reconcileCharge(
  deps: ReconcileDeps,
  { chargeId, eventId }: { chargeId: string; eventId?: string },
): Promise<void> {
  const booked = await requireGateway(deps.gateways, 'live').readCharge(chargeId);
  const order = booked && (await findAnyOrder(deps.db, booked.orderId));
  if (!booked || order?.mode !== 'live') return;
  if (eventId !== undefined) await saveOrderOfEvent(deps.db, eventId, order.orderId);
  const isOutside = booked.refunds.some(({ isOurs, hasFailed }) => !isOurs && !hasFailed);
  if (isOutside && order.refundingCents > 0) await makePendingRefunds(deps, order);
  for (const refund of booked.refunds) await noteRefund(deps, order, chargeId, refund);
  if (order.waitingChargeId === chargeId && (order.chargeState === 'waiting' || order.chargeState === 'authorized'))
    return deps.jobs.enqueue(deps.db, PLACE_APPROVED, { orderId: order.orderId });
  const isHeld = order.chargeState === 'authorized' && order.chargeId === chargeId;
  if (isHeld && booked.outcome?.status === 'declined') return replaceLostHold(deps, order);
  if (booked.outcome?.status === 'succeeded') await reconcileSuccess(deps, order, chargeId, booked);
}

/** Makes booked refunds first, because only then is the remainder for an outside refund known. */
async function makePendingRefunds(deps: ReconcileDeps, { orderId }: Order): Promise<void> {
  await resolveRefunds(deps, orderId).catch((error) => {
    if (!(error instanceof OutsideError) || error.retryable) throw error;
  });
}

/** A charge that succeeded belongs to its order, places the order that waits for it, or is refunded. */
async function reconcileSuccess(
  deps: ReconcileDeps,
  order: Order,
  chargeId: string,
  { key, amountCents, refunds }: BookedCharge,
): Promise<void> {
  if (order.chargeId === chargeId) return;
  const tip = (await findTips(deps.db, order.orderId)).find((one) => tipKeyOf(one) === key);
  if (tip) return resolveTip(deps, tip);
  if (order.chargeState === 'capturing') return void (await resolveCharge(deps, order.orderId));
  if (chargeKeyOf(order) === key && order.chargeState === 'pending') {
    // A request or the attempt's jobs complete it, or refund it after its deadline.
    await resolveCharge(deps, order.orderId);
    return;
  }
  const stands = refunds.filter(({ hasFailed }) => !hasFailed);
  const left = stands.reduce((cents, refund) => cents - refund.amountCents, amountCents);
  if (left <= 0 || stands.some(({ isOurs }) => isOurs)) return;
  await requireGateway(deps.gateways, 'live').refund({ chargeId, amountCents: left, key: `${key}:refund` });
  deps.log.warn({ orderId: order.orderId, chargeId }, 'a charge came too late and was given back');
}

/** Notifies the operator of a failed refund, and counts a refund made at the gateway itself, each once. */
async function noteRefund(
  { db, clock }: Pick<ReconcileDeps, 'db' | 'clock'>,
  { orderId }: Order,
  chargeId: string,
  { refundId, amountCents, isOurs, hasFailed }: BookedRefund,
): Promise<void> {
  if (isOurs && !hasFailed) return;
  const now = clock.now();
  const kind = hasFailed ? 'refund_failed' : 'refund_outside';
  const event = { eventId: `${kind}:${refundId}`, kind, chargeId, orderId, amountCents, reason: '', at: now } as const;
  await db.transaction().execute(async (tx) => {
    const isNew = await insertGatewayEvent(tx, { ...event, status: hasFailed ? 'failed' : 'succeeded' }, now);
    const locked = isNew && !hasFailed ? await lockOrder(tx, orderId) : undefined;
    if (locked) await countOutsideRefund(tx, locked, { refundId, chargeId, cents: amountCents }, now);
  });
}

/** A refund that was made at the gateway and not by this service. */
type OutsideRefund = { refundId: string; chargeId: string; cents: number };

/**
 * Counts a refund made at the gateway itself, up to the rest of the charge. The caller has resolved pending parts;
 * parts refused for lack of funds end here. Ignores late charges that were already refunded.
 */
async function countOutsideRefund(
  tx: Sql,
  locked: Order,
  outside: OutsideRefund,
  now: Temporal.Instant,
): Promise<void> {
  const charge = (await loadCharges(tx, locked)).find(({ chargeId }) => chargeId === outside.chargeId);
  if (!charge) return;
  const isPromised = outside.cents > charge.cents - charge.takenCents;
  if (isPromised && locked.status !== 'canceled') {
    const parts = (await findPendingParts(tx, locked.orderId)).filter(({ chargeId }) => chargeId === charge.chargeId);
    const sentence = 'has not answered to a refund of the same charge';
    if (parts.length > 0) throw new OutsideError('payment gateway', sentence, { retryable: true });
  }
  const freed = isPromised ? await endPendingParts(tx, locked, outside.chargeId, now) : locked;
  const left = isPromised ? await unrefundedCents(tx, freed, outside.chargeId) : charge.cents - charge.takenCents;
  const cents = Math.min(outside.cents, left);
  const counted = cents > 0 ? await writeOutside(tx, freed, { ...outside, cents }, now) : freed;
  if (counted.status === 'canceled') await bookRemainder(tx, counted, now);
}

async function unrefundedCents(tx: Sql, order: Order, chargeId: string): Promise<number> {
  const charge = (await loadCharges(tx, order)).find((one) => one.chargeId === chargeId);
  return charge ? charge.cents - charge.takenCents : 0;
}

/** Ends the pending parts that would take from a charge; returns the order after that. */
async function endPendingParts(tx: Sql, locked: Order, chargeId: string, now: Temporal.Instant): Promise<Order> {
  const pending = await findPendingParts(tx, locked.orderId);
  let order = locked;
  for (const part of pending.filter((one) => one.chargeId === chargeId)) {
    await endPart(tx, part, { state: 'failed' });
    order = (await finishRefund(tx, order, part.refundId, now)) ?? order;
  }
  return order;
}

async function writeOutside(tx: Sql, order: Order, outside: OutsideRefund, now: Temporal.Instant): Promise<Order> {
  const { refundId: gatewayRefundId, chargeId, cents } = outside;
  const refundId = `rf_${gatewayRefundId}`;
  const refunds = await listRefunds(tx, order);
  const refund = newRefund(refundId, { order, refunds }, { cents, kind: 'at_gateway', key: gatewayRefundId }, now);
  const part: RefundPart = { refundId, part: 1, chargeId, cents, gatewayKey: refundId, state: 'done' };
  await insertRefund(tx, refund, [{ ...part, gatewayRefundId }]);
  const booked = withRefund(order, refund);
  await saveProgress(tx, booked);
  return (await finishRefund(tx, booked, refundId, now)) ?? booked;
}
