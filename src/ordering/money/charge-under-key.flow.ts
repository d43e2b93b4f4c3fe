import { setTimeout as delay } from 'node:timers/promises';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import type { Order } from '../order/order.ts';
import type { Charge, ChargeRequest, Currency, PaymentGateway } from '../payments/payment-gateway.ts';

/** Look-ups of a charge with a lost response before it is repeated under its key. */
const MAX_LOOK_UPS = 3;
const LOOK_UP_PAUSE_MS = 150;

/**
 * Charges under a key; holds the money instead where `isHold` and the gateway can. After a lost response the charge is
 * looked up, then repeated under the same key. If the repetition is refused, the outcome of the first call stays
 * unknown, and its error is thrown.
 */
export async function chargeUnderKey(
  gateway: PaymentGateway,
  request: ChargeRequest,
  { isNew, isHold }: { isNew: boolean; isHold: boolean },
): Promise<Charge> {
  const take = (isHold && gateway.authorize) || gateway.charge;
  try {
    return await take(request);
  } catch (error) {
    if (!(error instanceof OutsideError) || (isNew && isWithoutEffect(error, isNew))) throw error;
  }
  for (let look = 0; look < MAX_LOOK_UPS; look += 1) {
    const found = await gateway.findCharge(request).catch(() => undefined);
    if (found) return found;
    await delay(LOOK_UP_PAUSE_MS);
  }
  return take(request).catch((error) => {
    if (!(error instanceof OutsideError)) throw error;
    throw new OutsideError(error.party, error.message, { retryable: true, cause: error });
  });
}

/** Whether a failed call has charged nothing: it was refused, or its key never went out. */
export function isWithoutEffect(error: unknown, isNew: boolean): boolean {
  return error instanceof OutsideError && (!error.retryable || (isNew && error.isUnsent));
}

/** The currency of the store's country. */
export function chargeCurrency({ quote }: Pick<Order, 'quote'>): Currency {
  return quote.store.country === 'CA' ? 'cad' : 'usd';
}
