import { cleanText } from '../../platform/lib/plain-text.ts';
import { FEED_LIMITS } from '../stores/feed-fields.ts';
import { type Country, currencyOf, type Mode } from '../stores/store.ts';

/**
 * Reads prices of other formats in whole cents, and splits the full prices of variants into a base price and extras.
 */

/** Whole cents, or the expected format. */
type PriceReading = { ok: true; cents: number } | { ok: false; expected: string };

/** Currency signs and codes next to an amount; a bare `$` is the dollar of the store's country. */
const MARKS: Readonly<Record<string, string>> = {
  US: 'USD',
  US$: 'USD',
  USD: 'USD',
  C$: 'CAD',
  CA$: 'CAD',
  CAD: 'CAD',
};
/** Digits after the cents of a sum of binary fractions, such as `32.970000000000006`. */
const BINARY_NOISE = /^(?:0{6}|9{6})/;
const MAX_PRICE_LENGTH = 40;
const AMOUNT = /^(\d{1,3}(?:,\d{3}){1,3}|\d{0,12})(?:\.(\d{1,20}))?$/;
const RANGE = /\d\s*(?:-|–|—|to)\s*(?:\$\s*)?\d/i;

/**
 * Reads a price (`12.5`, `"12.50"`, `"$1,250.00"`, `"12.50 USD"`) by its decimal digits. Amounts that are not whole
 * cents of the country's dollar, but for binary noise, are refused, so that a customer is never charged a guess.
 */
export function readPrice(value: unknown, country: Country): PriceReading {
  // For amounts of up to 15 digits, the shortest decimal of a double is the text in the JSON.
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? cleanText(value) : '';
  if (text === '' || text.length > MAX_PRICE_LENGTH) return invalidPrice('expected a price');
  if (/^\D{0,4}-/.test(text)) return invalidPrice('expected a price of at least 0');
  if (RANGE.test(text)) return invalidPrice('expected one price, not a range');
  const [, before = '', amount = '', after = ''] = /^([^\d.]{0,5}?)\s?([\d.,]+)\s?(\D{0,5})$/.exec(text) ?? [];
  const currencies = [before, after].map((mark) => markCurrency(mark.trim().toUpperCase(), country));
  const match = AMOUNT.exec(amount);
  if (!match || amount === '' || currencies.includes(null))
    return invalidPrice(`expected a price such as 12.50, not "${text}"`);
  if (currencies.some((currency) => currency !== currencyOf(country))) return invalidPrice(expectedCurrency(country));
  return wholeCents((match[1] ?? '').replaceAll(',', ''), match[2] ?? '');
}

/** An error text for a currency other than the store country's; null for the right one or none. */
export function currencyFault(value: unknown, country: Country): string | null {
  if (value === undefined || value === null || value === '') return null;
  const mark = typeof value === 'string' ? cleanText(value).toUpperCase() : '';
  return mark !== '' && markCurrency(mark, country) === currencyOf(country)
    ? null
    : `${expectedCurrency(country)}, not ${JSON.stringify(value).slice(0, 20)}`;
}

const expectedCurrency = (country: Country): string => `expected a price in ${currencyOf(country)}`;

function markCurrency(mark: string, country: Country): string | null {
  if (mark === '' || mark === '$') return currencyOf(country);
  return Object.hasOwn(MARKS, mark) ? (MARKS[mark] ?? null) : null;
}

function wholeCents(whole: string, fraction: string): PriceReading {
  const rest = fraction.slice(2);
  const isNoise = BINARY_NOISE.test(rest);
  if (/[1-9]/.test(rest) && !isNoise) return invalidPrice('expected a price of whole cents');
  const roundedUp = isNoise && rest.startsWith('9') ? 1 : 0;
  const cents = Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, '0')) + roundedUp;
  return cents <= FEED_LIMITS.priceCents
    ? { ok: true, cents }
    : invalidPrice(`expected at most ${FEED_LIMITS.priceCents} cents`);
}

const invalidPrice = (expected: string): PriceReading => ({ ok: false, expected });

export const PRICED_MODES: readonly Mode[] = ['delivery', 'pickup'];

/** A variant of a product, such as a size, with its full price in each mode that sells it. */
export type Variant = { prices: Readonly<Partial<Record<Mode, number>>> };

type PricedVariants = {
  /** Price and modes of the product. */
  price: { price: number; pickup_price: number; modes?: Mode[] };
  /** Each variant's price minus the cheapest one's, in the order of the variants. */
  extras: number[];
};

/**
 * Uses the cheapest variant's price as the product's price, and the differences as option prices. Null if impossible: a
 * variant is sold in one mode only, or the differences vary by mode.
 */
export function priceVariants(variants: readonly Variant[]): PricedVariants | null {
  const modes = PRICED_MODES.filter((mode) => variants.some(({ prices }) => prices[mode] !== undefined));
  const byMode = modes.map((mode) => variants.flatMap(({ prices }) => prices[mode] ?? []));
  if (byMode.length === 0 || byMode.some((prices) => prices.length < variants.length)) return null;
  const lowest = byMode.map((prices) => Math.min(...prices));
  const extras = byMode.map((prices) => {
    const min = Math.min(...prices);
    return prices.map((price) => price - min);
  });
  const [first = [], second = first] = extras;
  if (first.some((extra, at) => extra !== second[at])) return null;
  const [price = 0, pickupPrice = price] = lowest;
  return { price: { price, pickup_price: pickupPrice, ...(modes.length === 1 ? { modes } : {}) }, extras: first };
}
