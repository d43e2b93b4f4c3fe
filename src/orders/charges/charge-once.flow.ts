import { setTimeout as delay } from 'node:timers/promises';
import { OutsideError } from '../../lib/outside-error.ts';
import type { Charge, ChargeRequest, Currency, PaymentGateway } from '../../payments/payment-gateway.ts';
import { chargeKeyOf, type Order } from '../order.ts';

/** Look-ups of a charge after a lost answer, before the charge is repeated under its key. */
const LOOK_UPS = 3;
const LOOK_UP_PAUSE_MS = 150;

/**
 * An attempt to charge; `isNew`: no earlier call can have reached the gateway with its key. `keyId` is the API key of the
 * request.
 */
export type ChargeAttempt = { order: Order; cardToken: string; isNew: boolean; keyId: string };

/** Charges the total of an order under the order's key. */
export function chargeOnce(
  gateway: PaymentGateway,
  { order, cardToken, isNew }: Omit<ChargeAttempt, 'keyId'>,
): Promise<Charge> {
  const request: ChargeRequest = {
    cardToken,
    amountCents: order.quote.totalWithTipCents,
    currency: currencyOf(order),
    key: chargeKeyOf(order),
    orderId: order.orderId,
    waitingChargeId: order.waitingChargeId ?? undefined,
  };
  return chargeUnderKey(gateway, request, isNew);
}

/**
 * Charges under a key. After a lost answer the charge is looked up, then repeated under the same key. A refusal of the
 * repeated call says nothing about the first call, so it is thrown as an unknown outcome.
 */
export async function chargeUnderKey(gateway: PaymentGateway, request: ChargeRequest, isNew: boolean): Promise<Charge> {
  try {
    return await gateway.charge(request);
  } catch (error) {
    if (!(error instanceof OutsideError) || (isNew && !error.retryable)) throw error;
  }
  for (let look = 0; look < LOOK_UPS; look += 1) {
    const found = await gateway.findCharge(request).catch(() => undefined);
    if (found) return found;
    await delay(LOOK_UP_PAUSE_MS);
  }
  return gateway.charge(request).catch((error) => {
    if (!(error instanceof OutsideError)) throw error;
    throw new OutsideError(error.party, error.message, { retryable: true, cause: error });
  });
}

/** The currency of an order's charges: that of its store's country. */
export function currencyOf({ quote }: Pick<Order, 'quote'>): Currency {
  return quote.store.country === 'CA' ? 'cad' : 'usd';
}
