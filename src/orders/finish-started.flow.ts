import type { Caller } from '../accounts/account.ts';
import { findGatewayToken } from '../payments/payment-methods.db.ts';
import type { Order } from './order.ts';
import type { ResolveChargeDeps } from './order-deps.ts';
import { chargeAndFinish } from './place-order.flow.ts';
import { GIVE_UP_AFTER_MINUTES, resolveCharge } from './resolve-charge.flow.ts';

/**
 * Ends a placing that was interrupted during its charge; undefined where there is none, and the order must be placed
 * anew. An abandoned charge is resolved first, so that an old quote is not charged.
 */
export async function finishStarted(
  deps: ResolveChargeDeps,
  caller: Caller,
  started: Order,
): Promise<Order | undefined> {
  if (started.chargeState !== 'pending') return undefined;
  const ageMinutes = started.chargeStartedAt?.until(deps.clock.now()).total('minutes') ?? 0;
  const order = ageMinutes > GIVE_UP_AFTER_MINUTES ? await resolveCharge(deps, started.orderId) : started;
  if (order && order.status !== 'unplaced') return order;
  if (order?.chargeState !== 'pending') return undefined;
  const gateway = deps.gateways[order.mode];
  const cardToken = await findGatewayToken(deps.db, caller, order.request.paymentMethodId ?? '');
  return gateway && cardToken
    ? chargeAndFinish(deps, gateway, { order, cardToken, isNew: false, keyId: caller.keyId })
    : undefined;
}
