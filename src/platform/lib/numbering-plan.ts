/** Numbering plans by country: which countries have one, and which numbers SMS may go to. */

import {
  type CountryCode,
  isSupportedCountry,
  type NumberType,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';

/** Number types whose holder earns by each message or call, or that have no ordinary national rate. */
const PREMIUM_NUMBER_TYPES: ReadonlySet<NumberType> = new Set<NumberType>([
  'PREMIUM_RATE',
  'SHARED_COST',
  'PERSONAL_NUMBER',
  'UAN',
]);
/** Exchanges for paid services in area codes of the North American plan. */
const PAID_EXCHANGE = /^\+1\d{3}976\d{4}$/;

/** Whether a code of ISO 3166 has phone numbers. */
export const hasNumberingPlan = (country: string): boolean => isSupportedCountry(country);

/**
 * Whether SMS are sent to an E.164 number (docs/messages.md#sms-countries). Unknown North American area codes count as
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
