/**
 * The reader and the writer of phone numbers, for the service and its pages. Ten digits, or eleven that begin with 1,
 * are a US or Canadian number; any other begins with `+`. A number is kept as its digits with the country code, as in
 * the contract; an extension ('' without one) is kept apart, and shown but not dialed.
 */
export type Phone = { number: number; extension: string };

/** No notation of a phone number is longer. */
const MAX_CHARACTERS = 100;
/** Format characters (zero-width, text direction), spaces, dashes and other separators. */
const IGNORED = /[\p{Cf}\p{Cc}\p{Z}\p{Pd}().[\]/\u2212\u00b7\u2022\u2219]/gu;
const LABEL = /^(?:t[eé]l|phone|ph)(?:[eé]phone)?:?(?=[+\d])/iu;
/** `+44 (0)20 …`: the zero is dialed only within the country. */
const TRUNK_ZERO = '(0)';
/** The digits, then an extension: `x12`, `ext. 12`, `poste 12`, `;ext=12`, or the `,12` of masked numbers. */
const NUMBER = /^(\+?\d+)(?:(?:[,;]*(?:ext(?:ension|n)?|x|#|poste)|,+)[:=]?(\d{1,8})#?)?$/iu;
/** Area codes neither begin with 0 or 1, nor have a 9 in the middle, nor end in 11; exchanges begin as they do. */
const NORTH_AMERICAN = /^1?([2-9](?!11)[0-8]\d[2-9]\d{6})$/;
const INTERNATIONAL = /^[2-9]\d{7,14}$/;

/** Reads a phone number as people write it, or an integer of the contract; undefined for anything else. */
export function readPhone(given: unknown): Phone | undefined {
  if (typeof given === 'number') return phoneOf(String(given), String(given).length !== 10);
  if (typeof given !== 'string' || given.length > MAX_CHARACTERS) return undefined;
  const text = given.normalize('NFKC').replace(TRUNK_ZERO, '').replace(IGNORED, '').replace(LABEL, '');
  const [, dialed = '', extension = ''] = NUMBER.exec(text) ?? [];
  return phoneOf(dialed.replace('+', ''), dialed.startsWith('+'), extension);
}

function phoneOf(digits: string, hasCountryCode: boolean, extension = ''): Phone | undefined {
  const national = NORTH_AMERICAN.exec(digits)?.[1];
  if (national !== undefined && (digits.length === 11 || !hasCountryCode))
    return { number: Number(`1${national}`), extension };
  return hasCountryCode && INTERNATIONAL.test(digits) ? { number: Number(digits), extension } : undefined;
}

/** Reads a number for SMS, to E.164; undefined for any other text, and for an extension. */
export function readE164(text: string): string | undefined {
  const phone = readPhone(text);
  return phone?.extension === '' ? e164Of(phone.number) : undefined;
}

export const e164Of = (phone: number): string => `+${phone}`;

/** Returns the URL that dials a phone number. */
export const dialUrl = (phone: number | string): string => `tel:+${digitsOf(phone)}`;

/** Writes `(212) 555-0123` for numbers of the US and Canada, E.164 for others; then the extension, `ext. 12`. */
export function phoneInWords(phone: number | string, extension = ''): string {
  const [, area, exchange, line] = /^1(\d{3})(\d{3})(\d{4})$/.exec(digitsOf(phone)) ?? [];
  const shown = area === undefined ? `+${digitsOf(phone)}` : `(${area}) ${exchange}-${line}`;
  return extension === '' ? shown : `${shown} ext. ${extension}`;
}

/** As `phoneInWords`, for a page that must not break its line within the number. */
export const phoneOnOneLine = (phone: number | string, extension?: string): string =>
  phoneInWords(phone, extension).replaceAll(' ', '\u00a0').replaceAll('-', '\u2011');

const digitsOf = (phone: number | string): string => String(phone).replace('+', '');
