import type { Sql } from '../../db/connect.ts';
import { Refusal } from '../../http/refusal.ts';
import type { WaitingCharge } from '../../payments/payment-gateway.ts';
import { APPROVE_WITHIN_MINUTES, LATE_CHARGE, lateChargeOf } from '../follow-ups.ts';
import type { Order } from '../order.ts';
import type { OrderDeps } from '../order-deps.ts';
import { saveProgress } from '../orders.db.ts';
import { releaseHolds } from '../record-step.flow.ts';

/** The part of an order that its present attempt to charge belongs to. */
type Attempt = Pick<Order, 'chargeState' | 'chargeAttempt' | 'chargeStartedAt' | 'waitingChargeId'>;

/**
 * The attempt of the stored order where its charge waits for the customer and is for the same total, the same card and the
 * same currency as the new quote: that charge is completed, and no second one is made. Undefined for any other order: the
 * next attempt is a new one.
 */
export function continuedAttempt(stored: Order, next: Order): Attempt | undefined {
  const isSame =
    stored.chargeState === 'waiting' &&
    stored.waitingChargeId !== null &&
    stored.quote.totalWithTipCents === next.quote.totalWithTipCents &&
    stored.quote.store.country === next.quote.store.country &&
    stored.request.paymentMethodId === next.request.paymentMethodId &&
    next.request.chargeUser;
  if (!isSame) return undefined;
  const { chargeState, chargeAttempt, chargeStartedAt, waitingChargeId } = stored;
  return { chargeState, chargeAttempt, chargeStartedAt, waitingChargeId };
}

/** 402: the customer approves the charge at `authentication_url`, then the order is finalized. */
export function authenticationRequired({ authenticationUrl }: WaitingCharge, orderId: string): Refusal {
  const sentence = 'The bank asks the customer to approve the payment; finalize the order afterwards.';
  const url = authenticationUrl === null ? {} : { authentication_url: authenticationUrl };
  return new Refusal('payment_declined', sentence, {
    members: { decline_code: 'authentication_required', ...url, order_id: orderId },
  });
}

/** A charge that waits for its customer is not completed once its order is charged anew: the gateway ends it. */
export async function giveUpWaiting({ jobs }: Pick<OrderDeps, 'jobs'>, sql: Sql, stored: Order): Promise<void> {
  if (stored.chargeState === 'waiting') await jobs.enqueue(sql, LATE_CHARGE, lateChargeOf(stored));
}

/**
 * Ends an attempt whose charge waits for the customer: the order is unplaced and holds nothing, and goes on with the charge
 * when it is finalized in time. Afterwards the gateway ends the charge.
 */
export async function holdForCustomer(
  { jobs, clock }: Pick<OrderDeps, 'jobs' | 'clock'>,
  tx: Sql,
  locked: Order,
  charge: WaitingCharge,
): Promise<Order> {
  const freed = await releaseHolds(tx, locked);
  const waiting: Order = { ...freed, chargeState: 'waiting', waitingChargeId: charge.chargeId };
  await saveProgress(tx, waiting);
  const startAfter = clock.now().add({ minutes: APPROVE_WITHIN_MINUTES });
  await jobs.enqueue(tx, LATE_CHARGE, lateChargeOf(waiting), { startAfter });
  return waiting;
}
