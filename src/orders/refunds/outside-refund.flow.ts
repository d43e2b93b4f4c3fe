import type { Sql } from '../../db/connect.ts';
import { OutsideError } from '../../lib/outside-error.ts';
import type { Order } from '../order.ts';
import { saveProgress } from '../orders.db.ts';
import { chargesOf } from './book-refund.flow.ts';
import type { Refund, RefundPart } from './refund.ts';
import { endPart, findPendingParts, insertRefund } from './refunds.db.ts';
import { bookRest, finishRefund } from './resolve-refunds.flow.ts';

/** A refund that was made at the gateway itself. */
export type OutsideRefund = { refundId: string; chargeId: string; cents: number };

/**
 * Counts a refund that was made at the gateway itself against its charge, at most what is left of the charge. The caller
 * has asked the gateway for every pending part before: what a canceled order has promised of the same cents was refused,
 * so it ends, and the order owes the rest anew. Any other promise is asked for again first, by a retry of the caller. A
 * charge that is none of the order's (it came too late, and was given back) is left alone.
 */
export async function countOutsideRefund(
  tx: Sql,
  locked: Order,
  outside: OutsideRefund,
  now: Temporal.Instant,
): Promise<void> {
  const charge = (await chargesOf(tx, locked)).find(({ chargeId }) => chargeId === outside.chargeId);
  if (!charge) return;
  const isPromised = outside.cents > charge.cents - charge.takenCents;
  if (isPromised && locked.status !== 'canceled') {
    const parts = (await findPendingParts(tx, locked.orderId)).filter(({ chargeId }) => chargeId === charge.chargeId);
    const sentence = 'has not answered to a refund of the same charge';
    if (parts.length > 0) throw new OutsideError('payment gateway', sentence, { retryable: true });
  }
  const freed = isPromised ? await endPromises(tx, locked, outside.chargeId, now) : locked;
  const left = isPromised ? await leftOf(tx, freed, outside.chargeId) : charge.cents - charge.takenCents;
  const cents = Math.min(outside.cents, left);
  const counted = cents > 0 ? await writeOutside(tx, freed, { ...outside, cents }, now) : freed;
  if (counted.status === 'canceled') await bookRest(tx, counted, now);
}

async function leftOf(tx: Sql, order: Order, chargeId: string): Promise<number> {
  const charge = (await chargesOf(tx, order)).find((one) => one.chargeId === chargeId);
  return charge ? charge.cents - charge.takenCents : 0;
}

/** Ends the pending parts that would take from a charge, and returns the order after that. */
async function endPromises(tx: Sql, locked: Order, chargeId: string, now: Temporal.Instant): Promise<Order> {
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
  const refund: Refund = {
    ...{ refundId, orderId: order.orderId, key: gatewayRefundId, kind: 'at_gateway', reason: '', items: [], cents },
    ...{ state: 'pending', refundedCents: 0, createdAt: now, endedAt: null, sequence: null },
  };
  const part: RefundPart = { refundId, part: 1, chargeId, cents, gatewayKey: refundId, state: 'done' };
  await insertRefund(tx, refund, [{ ...part, gatewayRefundId }]);
  const booked: Order = { ...order, refundingCents: order.refundingCents + cents };
  await saveProgress(tx, booked);
  return (await finishRefund(tx, booked, refundId, now)) ?? booked;
}
