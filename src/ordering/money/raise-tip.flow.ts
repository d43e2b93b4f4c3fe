import type { Caller } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { Refusal, retryAfter } from '../../platform/http/refusal.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { movementOf } from '../order/money-plan.ts';
import type { Order } from '../order/order.ts';
import type { OrderDeps } from '../order/order-deps.ts';
import { payingMethodId } from '../order/order-view.ts';
import { requireLockedOrder } from '../order/require-order.flow.ts';
import { cardOf, tooManyDeclines } from '../payments/decline.ts';
import { findDeclineBlock } from '../payments/declines.db.ts';
import { CardDeclined, type ChargeRequest, minimumOf, requireGateway } from '../payments/payment-gateway.ts';
import type { PaymentMethod } from '../payments/payment-method.ts';
import { findPaymentMethod } from '../payments/payment-methods.db.ts';
import { chargeOrEnd } from './charge-order.flow.ts';
import { chargeCurrency } from './charge-under-key.flow.ts';
import { finishTip } from './finish-tip.flow.ts';
import { type Alongside, recordStep } from './take-step.flow.ts';
import { addTip, isTipWaived, refuseUntippable, type TipAttempt, tipKeyOf, tipRaiseOf } from './tip.ts';
import { findTips, insertTip } from './tips.db.ts';

/*
 * A customer raises the tip after placing: the tip is booked under the order's lock, then charged under a key of its
 * own.
 */

export type RaiseTipDeps = Pick<OrderDeps, 'clock' | 'db' | 'gateways' | 'jobs' | 'log'>;
type RequestedTip = { orderId: string; tipCents: number } & Partial<Pick<TipAttempt, 'requestedBy' | 'reason'>> & {
    alongside?: Alongside;
    /** Whether an attempt for the same tip that the gateway has not answered is not to be continued. */
    isPreview?: boolean;
  };

/** Maximum attempts to raise the tip of one order; each declined card uses one. */
const MAX_ATTEMPTS = 50;

/** A tip to charge. `isNew`: the gateway cannot have seen its key yet. */
type StartedTip = { order: Order; attempt?: TipAttempt; card?: PaymentMethod; isNew: boolean };

/**
 * Raises the tip and charges the difference under its own key: attempt, charge, tip, each committed; a job resolves
 * open tips. A lower or equal tip causes no second charge. Refuses a concurrent raise with `idempotency_in_progress`.
 */
export async function raiseTip(deps: RaiseTipDeps, caller: Caller, requested: RequestedTip): Promise<Order> {
  const begun = await deps.db.transaction().execute((tx) => beginTip(deps, tx, caller, requested));
  const { order, attempt, card, isNew } = begun;
  if (!attempt || !card) return order;
  const request: ChargeRequest = {
    cardToken: card.gatewayToken,
    amountCents: attempt.cents,
    currency: chargeCurrency(order),
    key: tipKeyOf(attempt),
    orderId: order.orderId,
  };
  const { keyId } = caller;
  const gateway = requireGateway(deps.gateways, order.mode);
  const { paymentMethodId } = attempt;
  const charge = await chargeOrEnd(deps.db, gateway, { order, request, isNew, paymentMethodId }, () =>
    finishTip(deps, attempt, undefined),
  );
  const ended = await finishTip(deps, attempt, { charge, payer: { card, keyId } });
  if (charge.status === 'declined') throw new CardDeclined(charge.declineCode);
  if (charge.status !== 'succeeded') throw new CardDeclined('authentication_required');
  if (ended.tip.state === 'charged') return ended.order;
  refuseUntippable(ended.order);
  throw new OutsideError('payment gateway', 'charged a tip whose attempt had timed out', { retryable: true });
}

async function beginTip(
  deps: RaiseTipDeps,
  tx: Sql,
  caller: Caller,
  { orderId, tipCents, requestedBy = null, reason = '', alongside, isPreview = false }: RequestedTip,
): Promise<StartedTip> {
  const order = await requireLockedOrder(tx, orderId, caller);
  const tips = await findTips(tx, orderId);
  const pending = tips.find(({ state }) => state === 'pending');
  if (pending && (isPreview || pending.tipCents !== tipCents)) throw anotherOnItsWay();
  // A job ends the attempt of a canceled order by the gateway's record, without charging.
  if (pending) refuseUntippable(order);
  if (pending) {
    return { order, attempt: pending, card: await findTipMethod(tx, caller, pending), isNew: false };
  }
  const now = deps.clock.now();
  const cents = tipRaiseOf(order, tipCents, now);
  if (cents === 0) return { order, isNew: false };
  const isByCard = movementOf(order, 'tip') === 'charge_tip';
  const isWaived = isByCard && isTipWaived(order, cents, minimumOf(deps.gateways, order.mode));
  const isCharged = isByCard && !isWaived;
  const tipped = addTip(order, cents, isCharged ? cents : 0, { requestedBy, reason, isWaived });
  if (!isCharged) {
    const after = await recordStep(tx, tipped, now);
    await alongside?.(tx, { before: order, after }, now);
    return { order: after, isNew: false };
  }
  if (tips.length >= MAX_ATTEMPTS) throw new Refusal('tip_not_allowed', 'This tip was attempted too many times.');
  requireGateway(deps.gateways, order.mode);
  const attempt: TipAttempt = {
    orderId,
    attempt: tips.length + 1,
    tipCents,
    cents,
    paymentMethodId: payingMethodId(order),
    reason,
    requestedBy,
    state: 'pending',
    chargeId: null,
    startedAt: now,
    endedAt: null,
  };
  const method = await findTipMethod(tx, caller, attempt);
  const paying = { ...caller, userId: order.request.customer.userId, card: cardOf(method) };
  const declineBlock = await findDeclineBlock(tx, paying, now);
  if (declineBlock) throw tooManyDeclines(declineBlock, now);
  await insertTip(tx, attempt);
  await alongside?.(tx, { before: order, after: tipped.order }, now);
  return { order, attempt, card: method, isNew: true };
}

async function findTipMethod(tx: Sql, caller: Caller, { paymentMethodId }: TipAttempt): Promise<PaymentMethod> {
  const method = await findPaymentMethod(tx, caller, paymentMethodId ?? '');
  if (!method) throw new Refusal('payment_method_not_found', 'The card that paid this order was deleted.');
  return method;
}

function anotherOnItsWay(): Refusal {
  const sentence = 'Another tip for this order is being charged.';
  return new Refusal('idempotency_in_progress', sentence, retryAfter(5));
}
