import type { Sql } from '../../platform/db/connect.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { type Order, refundableCents } from '../order/order.ts';
import type { OrderDeps } from '../order/order-deps.ts';
import { findAnyOrder, lockOrder, saveProgress } from '../order/orders.db.ts';
import { insertGatewayEvent } from '../payments/gateway-events.db.ts';
import { requireGateway } from '../payments/payment-gateway.ts';
import { loadCharges, writeRefund } from './book-refund.flow.ts';
import { endedShares, endRefund, type RefundPart } from './refund.ts';
import { endPart, findParts, findPendingParts, findRefund, saveRefundEnd } from './refunds.db.ts';
import { recordStep } from './take-step.flow.ts';

/*
 * Brings booked refunds to their end: calls the gateway for each pending part, then counts the refund in the order and
 * its events.
 */

export type ResolveRefundsDeps = Pick<OrderDeps, 'clock' | 'db' | 'gateways'>;
type Outcome = Parameters<typeof endPart>[2];

/**
 * Makes an order's booked refunds at the gateway, each part under its own key, so that repeated and concurrent runs are
 * safe. Throws OutsideError if the gateway does not answer; such parts stay pending.
 */
export async function resolveRefunds(deps: ResolveRefundsDeps, orderId: string): Promise<Order | undefined> {
  const order = await findAnyOrder(deps.db, orderId);
  if (!order) return undefined;
  const failures: unknown[] = [];
  for (const part of await findPendingParts(deps.db, orderId)) {
    await resolvePart(deps, order, part).catch((error) => failures.push(error));
  }
  // All parts are tried. An unknown outcome is thrown rather than an error.
  const [first] = failures;
  if (first !== undefined) throw failures.find((error) => !(error instanceof OutsideError) || error.retryable) ?? first;
  return findAnyOrder(deps.db, orderId);
}

async function resolvePart(deps: ResolveRefundsDeps, { orderId, mode }: Order, part: RefundPart): Promise<void> {
  const { chargeId, cents: amountCents, gatewayKey: key } = part;
  const end = (outcome: Outcome, cause?: OutsideError) =>
    deps.db.transaction().execute((tx) => finishPart(tx, { orderId, part, outcome, cause }, deps.clock.now()));
  try {
    const made = await requireGateway(deps.gateways, mode).refund({ chargeId, amountCents, key });
    await end({ state: 'done', gatewayRefundId: made.refundId });
  } catch (error) {
    if (!(error instanceof OutsideError) || error.retryable) throw error;
    await end({ state: 'failed' }, error);
  }
}

type EndedPart = { orderId: string; part: RefundPart; outcome: Outcome; cause: OutsideError | undefined };

/**
 * Writes a part's outcome once; the last part ends its refund. A canceled order's refused part is retried, or reduced
 * if someone has refunded at the gateway. Otherwise it fails for good and the operator is notified.
 */
async function finishPart(tx: Sql, { orderId, part, outcome, cause }: EndedPart, now: Temporal.Instant): Promise<void> {
  const locked = await lockOrder(tx, orderId);
  if (!locked || !(await endPart(tx, part, outcome))) return;
  if (cause && locked.status === 'canceled') {
    const charge = (await loadCharges(tx, locked)).find(({ chargeId }) => chargeId === part.chargeId);
    // The part has ended, so it no longer counts as taken.
    if (charge && charge.cents - charge.takenCents >= part.cents) throw cause;
  }
  if (cause) await notifyOperator(tx, orderId, part, cause, now);
  const ended = await finishRefund(tx, locked, part.refundId, now);
  if (ended?.status === 'canceled') await bookRemainder(tx, ended, now);
}

async function notifyOperator(
  tx: Sql,
  orderId: string,
  { chargeId, gatewayKey, cents: amountCents }: RefundPart,
  cause: OutsideError,
  now: Temporal.Instant,
): Promise<void> {
  const eventId = `refund_refused:${gatewayKey}`;
  const event = { eventId, kind: 'refund_failed', chargeId, orderId, amountCents, status: 'refused' } as const;
  await insertGatewayEvent(tx, { ...event, reason: cause.message, at: now }, now);
}

/** Ends a refund of a locked order whose parts have all ended, with its event; undefined while a part is pending. */
export async function finishRefund(
  tx: Sql,
  locked: Order,
  refundId: string,
  now: Temporal.Instant,
): Promise<Order | undefined> {
  const parts = await findParts(tx, refundId);
  const refund = await findRefund(tx, refundId);
  if (!refund || parts.some(({ state }) => state === 'pending')) return undefined;
  const done = parts.filter(({ state }) => state === 'done');
  const refundedCents = done.reduce((sum, { cents }) => sum + cents, 0);
  const order: Order = endRefund(locked, refund, refundedCents);
  const shares = endedShares(refund, refundedCents);
  const state = refundedCents > 0 ? 'done' : 'failed';
  const { kind, reason, requestedBy, items, tipCents } = refund;
  if (refundedCents === 0) {
    await saveProgress(tx, order);
    await saveRefundEnd(tx, refundId, { state, refundedCents, shares, endedAt: now, sequence: null });
    return order;
  }
  const by = requestedBy === null ? {} : { by: requestedBy };
  const tip = tipCents === 0 ? {} : { tip_cents: Math.min(tipCents, refundedCents) };
  const what = { kind, ...by, reason, items: [...items], shares };
  const data = { refund_id: refundId, refund_cents: refundedCents, ...tip, ...what };
  const reported = await recordStep(tx, { order, event: { type: 'order.refunded', data } }, now);
  await saveRefundEnd(tx, refundId, { state, refundedCents, shares, endedAt: now, sequence: reported.lastSequence });
  return reported;
}

/** Books the rest of a canceled order's refund after part of it was made elsewhere. */
export async function bookRemainder(tx: Sql, order: Order, now: Temporal.Instant): Promise<Order> {
  const cents = refundableCents(order);
  if (cents <= 0) return order;
  await writeRefund(tx, order, { cents, kind: 'canceled', key: `canceled:${order.lastSequence}` }, now);
  const chargeState = 'refund_pending';
  const booked: Order = { ...order, refundingCents: order.refundingCents + cents, chargeState, chargeStartedAt: now };
  await saveProgress(tx, booked);
  return booked;
}
