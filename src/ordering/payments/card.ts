import type { Fault } from '../../platform/http/refusal.ts';
import type { Card, CardBrand, ShownBrand } from './payment-gateway.ts';

/** A valid card for the gateway, with the stored brand and last digits. */
export type ReadCard = { card: Card; brand: CardBrand; last4: string };

/** The time zone where a month ends last; a card is valid until then. */
const LAST_TIME_ZONE = '-12:00';
const NAME = 'payment_method';

/**
 * Reads the card of a request: each field is an integer or a string of digits; spaces or hyphens may group a number.
 * All errors are reported at once, and none repeats a value of the request.
 */
export function readCard(fields: unknown, now: Temporal.Instant): ReadCard | { faults: Fault[] } {
  if (fields === undefined || fields === null) return { faults: [cardFault(undefined, 'is required')] };
  if (typeof fields !== 'object' || Array.isArray(fields))
    return { faults: [cardFault(undefined, 'must be an object')] };
  const given = fields as Record<string, unknown>;
  const faults: Fault[] = [];
  const report = (field: string, message: string) => {
    faults.push(cardFault(field, message));
    return undefined;
  };
  const number = readNumber(given.card_number, report);
  const brand = number === undefined ? undefined : cardBrand(number);
  const cvc = readCvc(given.cvc, brand, report);
  const expiry = readExpiry(given, now, report);
  if (number === undefined || brand === undefined || cvc === undefined || expiry === undefined) return { faults };
  return { card: { number, cvc, ...expiry }, brand, last4: number.slice(-4) };
}

/** Returns the digits of a card number, without grouping; undefined for any other value. */
export function cardDigits(value: unknown): string | undefined {
  if (typeof value !== 'string') return digits(value);
  const grouped = value.trim();
  return /^\d+(?:[ -]\d+)*$/.test(grouped) ? grouped.replace(/[ -]/g, '') : undefined;
}

type Report = (field: string, message: string) => undefined;

function readNumber(value: unknown, report: Report): string | undefined {
  if (isAbsent(value)) return report('card_number', 'is required');
  const number = cardDigits(value);
  if (number === undefined) return report('card_number', 'must be a whole number or a string of digits');
  if (number.length < 12 || number.length > 19) return report('card_number', 'must have 12 to 19 digits');
  const brand = cardBrand(number);
  if (brand === undefined) return report('card_number', 'is not of a known card brand');
  if (!hasBrandLength(brand, number)) return report('card_number', 'has too many or too few digits for its brand');
  if (!passesLuhn(number)) return report('card_number', 'has a mistyped digit (its check digit does not fit)');
  return number;
}

function readCvc(value: unknown, brand: CardBrand | undefined, report: Report): string | undefined {
  if (isAbsent(value)) return report('cvc', 'is required');
  const given = digits(value);
  if (given === undefined) return report('cvc', 'must be a whole number or a string of digits');
  const expected = brand === undefined ? undefined : cvcLengthOf(brand);
  // A JSON number cannot have the leading zeros of a code.
  const cvc = typeof value === 'number' ? given.padStart(expected ?? 3, '0') : given;
  if (expected === undefined ? cvc.length === 3 || cvc.length === 4 : cvc.length === expected) return cvc;
  return report('cvc', `must have ${expected ?? '3 or 4'} digits`);
}

type Expiry = Pick<Card, 'expirationMonth' | 'expirationYear'>;

function readExpiry(given: Record<string, unknown>, now: Temporal.Instant, report: Report): Expiry | undefined {
  const month = readPart(given.expiration_month, /^(0?[1-9]|1[0-2])$/);
  const year = readPart(given.expiration_year, /^[1-9]\d{3}$/);
  if (month === undefined) report('expiration_month', absentOr(given.expiration_month, 'must be a month from 1 to 12'));
  if (year === undefined) report('expiration_year', absentOr(given.expiration_year, 'must be a year of four digits'));
  if (month === undefined || year === undefined) return undefined;
  const today = now.toZonedDateTimeISO(LAST_TIME_ZONE);
  if (year < today.year) return report('expiration_year', 'is over: the card has expired');
  if (year === today.year && month < today.month) return report('expiration_month', 'is over: the card has expired');
  return { expirationMonth: month, expirationYear: year };
}

function readPart(value: unknown, pattern: RegExp): number | undefined {
  const text = digits(value);
  return text !== undefined && pattern.test(text) ? Number(text) : undefined;
}

/** Returns the digits of a nonnegative whole number, or of a string of digits. */
function digits(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined;
  return typeof value === 'string' && /^\d+$/.test(value) ? value : undefined;
}

/** Whether a field has no value: absent, null and '' are alike in a request to save a card. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function absentOr(value: unknown, message: string): string {
  return isAbsent(value) ? 'is required' : message;
}

function cardFault(field: string | undefined, message: string): Fault {
  return { in: 'body', name: field === undefined ? NAME : `${NAME}.${field}`, message };
}

type BrandRule = { brand: CardBrand; prefixes: RegExp; lengths: readonly number[] };

const SIXTEEN_TO_NINETEEN = [16, 17, 18, 19];

/**
 * Issuer ranges of ISO/IEC 7812, as published by the networks. The first match wins, because UnionPay's 622126–622925
 * also runs on Discover's network.
 */
const RULES: readonly BrandRule[] = [
  { brand: 'visa', prefixes: /^4/, lengths: [13, 16, 19] },
  { brand: 'mastercard', prefixes: /^(5[1-5]|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)/, lengths: [16] },
  { brand: 'amex', prefixes: /^3[47]/, lengths: [15] },
  { brand: 'discover', prefixes: /^(6011|64[4-9]|65)/, lengths: SIXTEEN_TO_NINETEEN },
  { brand: 'diners', prefixes: /^(30[0-5]|309|36|38|39)/, lengths: [14, 15, ...SIXTEEN_TO_NINETEEN] },
  { brand: 'jcb', prefixes: /^35(2[89]|[3-8]\d)/, lengths: SIXTEEN_TO_NINETEEN },
  { brand: 'unionpay', prefixes: /^(62|81)/, lengths: SIXTEEN_TO_NINETEEN },
  {
    brand: 'maestro',
    prefixes: /^(50|5[6-8]|6304|6759|676[1-3])/,
    lengths: [12, 13, 14, 15, ...SIXTEEN_TO_NINETEEN],
  },
];

/** Returns the brand by its name at a gateway. */
export function brandByName(word: string): ShownBrand {
  return RULES.find(({ brand }) => brand === word)?.brand ?? 'other';
}

/** Returns a card number's brand, given as digits; undefined if no brand matches. */
export function cardBrand(number: string): CardBrand | undefined {
  return RULES.find(({ prefixes }) => prefixes.test(number))?.brand;
}

/** Whether the brand has card numbers of this length. */
export function hasBrandLength(brand: CardBrand, number: string): boolean {
  return RULES.some((rule) => rule.brand === brand && rule.lengths.includes(number.length));
}

/** Returns the digits of the CVC: 4 for American Express, otherwise 3. */
export function cvcLengthOf(brand: CardBrand): number {
  return brand === 'amex' ? 4 : 3;
}

/** Tests the Luhn check digit of ISO/IEC 7812-1, annex B. */
export function passesLuhn(number: string): boolean {
  let sum = 0;
  for (let place = 0; place < number.length; place += 1) {
    const digit = Number(number[number.length - 1 - place]);
    const doubled = digit * 2;
    sum += place % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
