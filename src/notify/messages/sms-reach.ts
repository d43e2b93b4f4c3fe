import { type CountryCode, type NumberType, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { OrderRequest } from '../../ordering/order/order.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { e164Of } from '../../platform/lib/phone.ts';
import type { SmsSender } from '../outbox/messaging.ts';

/** Number types whose holder earns by each message or call, or that have no ordinary national rate. */
const PREMIUM_NUMBER_TYPES: ReadonlySet<NumberType> = new Set<NumberType>([
  'PREMIUM_RATE',
  'SHARED_COST',
  'PERSONAL_NUMBER',
  'UAN',
]);
/** Exchanges for paid services in area codes of the North American plan. */
const PAID_EXCHANGE = /^\+1\d{3}976\d{4}$/;

/**
 * Whether SMS are sent to an E.164 number (docs/messages.md#where-sms-go). Unknown North American area codes count as
 * US: the US and Canada add several a year, other countries hardly any.
 */
export function isInSmsReach(number: string, countries: readonly string[]): boolean {
  if (PAID_EXCHANGE.test(number)) return false;
  const parsed = parsePhoneNumberFromString(number);
  const type = parsed?.getType();
  if (!parsed || (type !== undefined && PREMIUM_NUMBER_TYPES.has(type))) return false;
  const isOpen = (country: CountryCode) => countries.includes(country);
  if (parsed.country !== undefined) return isOpen(parsed.country);
  const possible = parsed.getPossibleCountries();
  return possible.includes('US') ? isOpen('US') : possible.length > 0 && possible.every(isOpen);
}

/** Whether SMS are sent to the customer of an order. */
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
