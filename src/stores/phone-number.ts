import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { Country } from './store.ts';

/** Digits with the country code first, such as 12125550123; null for a text without a valid number. */
export function phoneNumberOf(text: string, country: Country): number | null {
  const parsed = parsePhoneNumberFromString(text, country);
  return parsed?.isValid() ? Number(parsed.number.slice(1)) : null;
}
