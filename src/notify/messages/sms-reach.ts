import type { OrderRequest } from '../../ordering/order/order.ts';
import { isInSmsReach } from '../../platform/lib/numbering-plan.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { e164Of } from '../../platform/lib/phone.ts';
import type { SmsSender } from '../outbox/messaging.ts';

/** Whether SMS are sent to an order's customer. */
export function isPhoneInReach(request: Pick<OrderRequest, 'customer'> | null, countries: readonly string[]): boolean {
  const phone = request?.customer.phone ?? null;
  return phone !== null && isInSmsReach(e164Of(phone), countries);
}

/** Why an SMS was not sent; shown to operators. */
export const OUT_OF_REACH = 'SMS do not go to this number';

/**
 * Limits an SMS sender to the allowed countries. Other numbers fail without a call, with an OutsideError that is not
 * retryable.
 */
export function limitSmsReach(smsSender: SmsSender, countries: readonly string[]): SmsSender {
  return {
    async sendText(text) {
      if (!isInSmsReach(text.to, countries)) throw new OutsideError('SMS', OUT_OF_REACH, { retryable: false });
      return smsSender.sendText(text);
    },
  };
}
