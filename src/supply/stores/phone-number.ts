import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import metadata from 'libphonenumber-js/min/metadata';
import type { Country } from './store.ts';

/** Ten North American digits, with or without country code, in common notation. */
const USUAL_FORM = /^(?:\+?1[ .-]?)?(?:\(\d{3}\) ?|\d{3}[ .-]?)\d{3}[ .-]?\d{4}$/;
const NATIONAL_DIGITS = 10;
/** Indexes of a country's patterns in libphonenumber-js' metadata: number types, fixed lines first. */
const [TYPES, FIXED_LINES] = [11, 0];
const GEOGRAPHIC = [geographicNumbers('US'), geographicNumbers('CA')];

/**
 * Returns the digits with the country code, such as 12125550123; null without a valid number. Geographic US and
 * Canadian numbers are recognized by area code; the library reads others in ten microseconds.
 */
export function phoneNumberOf(text: string, country: Country): number | null {
  if (USUAL_FORM.test(text)) {
    const national = text.replaceAll(/\D/g, '').slice(-NATIONAL_DIGITS);
    if (GEOGRAPHIC.some((numbers) => numbers?.test(national))) return Number(`1${national}`);
  }
  const parsed = parsePhoneNumberFromString(text, country);
  return parsed?.isValid() ? Number(parsed.number.slice(1)) : null;
}

/** Returns a pattern of a country's geographic numbers, which also matches its mobile numbers. */
function geographicNumbers(country: Country): RegExp | null {
  const pattern: unknown = metadata.countries[country]?.[TYPES]?.[FIXED_LINES]?.[0];
  return typeof pattern === 'string' ? new RegExp(`^(?:${pattern})$`) : null;
}
