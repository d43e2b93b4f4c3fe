import type { Worker } from '../../platform/jobs/job-queue.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { KEEP_HOLD } from '../order/dispatch-events.flow.ts';
import type { Order } from '../order/order.ts';
import type { ResolveChargeDeps } from '../order/order-deps.ts';
import { findAnyOrder, lockOrder, saveProgress } from '../order/orders.db.ts';
import { requireGateway } from '../payments/payment-gateway.ts';
import { type HoldAgainDeps, holdAgain } from './hold-again.flow.ts';
import { holdDeadline, holdDueAt } from './hold-times.ts';
import { recordStep, takeStep } from './take-step.flow.ts';

/*
 * Keeps the money of placed orders held: before a later slot, and again before a hold expires. If the card declines, or its
 * bank wants the customer's approval, the customer gets a message; without a card that holds, the order is canceled.
 */

/** Minutes until a gateway that has not answered is called again. */
const AGAIN_MINUTES = 10;

/** `isLast`: the card has declined before, and the order is canceled if it does again. */
type HoldToKeep = { orderId: string; isLast?: boolean };

/** Each run does the due work and enqueues the next, as long as the order is held. */
export function keepHolds(deps: HoldAgainDeps): Worker<HoldToKeep> {
  return {
    kind: KEEP_HOLD,
    concurrency: 2,
    run: async (hold) => {
      const again = await keepHold(deps, hold).catch((error) => {
        if (!(error instanceof OutsideError)) throw error;
        return { ...hold, startAfter: deps.clock.now().add({ minutes: AGAIN_MINUTES }) };
      });
      if (!again) return;
      const { startAfter, ...payload } = again;
      await deps.jobs.enqueue(deps.db, KEEP_HOLD, payload, { startAfter });
    },
  };
}

async function keepHold(
  deps: HoldAgainDeps,
  { orderId, isLast }: HoldToKeep,
): Promise<(HoldToKeep & { startAfter: Temporal.Instant }) | undefined> {
  const order = await findAnyOrder(deps.db, orderId);
  if (order?.chargeState !== 'authorized') return undefined;
  // Placing only checked the card of an order for later.
  const isChecked = order.holdUntil === null && order.chargeAttempt === order.holdAttempt;
  if (isChecked) await requireGateway(deps.gateways, order.mode).cancelCharge(order.chargeId ?? '');
  const dueAt = holdDueAt(order);
  if (Temporal.Instant.compare(deps.clock.now(), dueAt) < 0) return { orderId, startAfter: dueAt };
  const kept = (await holdAgain(deps, order))?.order;
  if (kept?.chargeState !== 'authorized') return undefined;
  const now = deps.clock.now();
  if (Temporal.Instant.compare(now, holdDueAt(kept)) < 0) return { orderId, startAfter: holdDueAt(kept) };
  const deadline = holdDeadline(kept, now);
  const settlesAt = deps.clock.settlesAt?.();
  if (Temporal.Instant.compare(now, deadline) >= 0) {
    if (settlesAt) return { orderId, isLast: true, startAfter: settlesAt };
    return void (await cancelUnpaid(deps, kept));
  }
  if (!isLast) await askForCard(deps, kept, deadline);
  return { orderId, isLast: true, startAfter: deadline };
}

function askForCard({ db, clock }: ResolveChargeDeps, { orderId }: Order, until: Temporal.Instant): Promise<unknown> {
  return db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order?.chargeState !== 'authorized') return;
    const data = { until: epochSeconds(until) };
    await recordStep(tx, { order, event: { type: 'order.hold_declined', data } }, clock.now());
  });
}

async function cancelUnpaid(deps: ResolveChargeDeps, { orderId, lastSequence }: Order): Promise<void> {
  const details = { reason: 'payment_failed' };
  await takeStep(deps, orderId, { event: 'cancel', detailsOf: () => details, atSequence: lastSequence });
}

/** Has a hold that is gone at the gateway made again at once. */
export async function replaceLostHold(deps: ResolveChargeDeps, { orderId, chargeId }: Order): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const locked = await lockOrder(tx, orderId);
    if (locked?.chargeState !== 'authorized' || locked.chargeId !== chargeId || locked.holdUntil === null) return;
    await saveProgress(tx, { ...locked, holdUntil: deps.clock.now() });
    await deps.jobs.enqueue(tx, KEEP_HOLD, { orderId });
  });
}
