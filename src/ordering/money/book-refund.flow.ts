import type { Sql } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { awaitsSettlement, movementOf } from '../order/money-plan.ts';
import { type Order, refundableCents } from '../order/order.ts';
import { saveProgress } from '../order/orders.db.ts';
import {
  allocateRefund,
  newRefund,
  type OrderCharge,
  type Refund,
  type RefundPart,
  type RefundToBook,
  withRefund,
} from './refund.ts';
import { countRefunds, findRefundByKey, findRefundedAmounts, insertRefund, listRefunds } from './refunds.db.ts';
import { findTipCharges } from './tips.db.ts';

/**
 * Maximum refunds that an account may request per order, because finding a key scans the refunds of a charge, which is
 * fast up to about a thousand.
 */
const MAX_REFUND_REQUESTS = 1000;

export type RefundBooking = { order: Order; refund: Refund; isNew: boolean };

/**
 * Books a refund of a locked order in the caller's transaction. The gateway is called after the commit
 * (resolve-refunds.flow.ts): by the caller, an event, or a job within 90 seconds. Refuses more than
 * `refundableCents(order)` and the tip that it returns with `refund_not_allowed`.
 */
export async function bookRefund(
  tx: Sql,
  order: Order,
  wanted: RefundToBook,
  now: Temporal.Instant,
): Promise<RefundBooking> {
  const known = await findRefundByKey(tx, order.orderId, wanted.key);
  if (known) return { order, refund: known, isNew: false };
  refuseUnbookable(order, wanted);
  if (wanted.kind === 'requested' && (await countRefunds(tx, order.orderId)) >= MAX_REFUND_REQUESTS) {
    throw new Refusal('refund_not_allowed', `An order can be refunded up to ${MAX_REFUND_REQUESTS} times.`);
  }
  const refund = await writeRefund(tx, order, wanted, now);
  const booked = withRefund(order, refund);
  await saveProgress(tx, booked);
  return { order: booked, refund, isNew: true };
}

function refuseUnbookable(order: Order, { cents, tipCents = 0 }: RefundToBook): void {
  if (order.chargedCents === 0 || movementOf(order, 'refund') === 'refuse') {
    throw new Refusal('refund_not_allowed', 'No card was charged for this order.');
  }
  if (awaitsSettlement(order)) {
    throw new Refusal(
      'refund_not_allowed',
      'The customer pays for this order at handoff, so there is nothing to refund before then.',
    );
  }
  if (cents <= 0) throw new Refusal('refund_not_allowed', 'There is nothing to refund.');
  if (cents - tipCents > refundableCents(order)) {
    const sentence =
      "A refund is limited to the amount charged, minus earlier refunds and the driver's tip. To refund the tip, send refund_tip.";
    throw new Refusal('refund_not_allowed', sentence);
  }
}

/**
 * Writes a refund of a locked order to the ledger; the caller saves the order. `firstKey` is the gateway's key of its
 * first part.
 */
export async function writeRefund(
  tx: Sql,
  order: Order,
  wanted: RefundToBook,
  now: Temporal.Instant,
  firstKey?: string,
): Promise<Refund> {
  const refundId = randomId('rf_');
  const refunds = await listRefunds(tx, order);
  const refund = newRefund(refundId, { order, refunds }, wanted, now);
  const parts = allocateRefund(await loadCharges(tx, order), wanted.cents).map(
    ({ chargeId, cents: partCents }, index): RefundPart => ({
      refundId,
      part: index + 1,
      chargeId,
      cents: partCents,
      state: 'pending',
      gatewayKey: index === 0 && firstKey !== undefined ? firstKey : `${refundId}:${index + 1}`,
    }),
  );
  await insertRefund(tx, refund, parts);
  return refund;
}

/** An order's charges, oldest first, with the amount that refunds have taken from each. */
export async function loadCharges(tx: Sql, order: Order): Promise<OrderCharge[]> {
  const tips = await findTipCharges(tx, order.orderId);
  const taken = await findRefundedAmounts(tx, order.orderId);
  const cents = tips.reduce((rest, tip) => rest - tip.cents, order.chargedCents);
  const first = order.chargeId === null ? [] : [{ chargeId: order.chargeId, cents }];
  return [...first, ...tips].map((charge) => ({
    ...charge,
    takenCents: taken.get(charge.chargeId) ?? 0,
  }));
}
