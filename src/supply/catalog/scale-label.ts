import type { Milli } from '../pricing/weight.ts';
import { hasCheckDigit } from './gtin.ts';

/*
 * Labels that a store's scale prints on weighed items (docs/weights.md#labels). A pattern has a letter per digit of
 * the code: `I` the item, `W` the weight in grams or `P` the price in cents, `V` GS1's check digit of a price of
 * four or five digits, otherwise ignored, `C` the check digit; a digit is itself.
 */

/** A label's item, without leading zeros, and its weight in thousandths of a kilogram, or its price in cents. */
export type ScaleLabel = { item: string; milli: Milli } | { item: string; cents: number };

/** The default patterns: a price as UPC-A, a weight as EAN-13. */
const DEFAULT_PATTERNS = ['2IIIIIVPPPPC', '21IIIIIWWWWWC'];
export const MAX_LABEL_PATTERNS = 10;
const MAX_LABEL = 14;
const PATTERN = /^(?=[^I]*I+[^I]*$)(?=[^WP]*(W+|P+)[^WP]*$)[0-9IVWP]{7,13}C$/;

/** Whether a text is a pattern, which has a code's item once, a weight or a price once, and a check digit at its end. */
export const isLabelPattern = (text: string): boolean => text.length <= MAX_LABEL && PATTERN.test(text);

/** An item of labels as it is compared: without the zeros that a label adds in front. */
export const plainItem = (digits: string): string => digits.replace(/^0+(?=\d)/, '');

/** Reads a label by the patterns of its store, null for the usual ones. */
export function readLabel(patterns: readonly string[] | null, text: string): ScaleLabel | { fault: string } {
  // A scanner may write a UPC-A as EAN-13.
  const codes = text.length === 13 && text.startsWith('0') ? [text, text.slice(1)] : [text];
  for (const pattern of patterns ?? DEFAULT_PATTERNS) {
    const code = codes.find((one) => fits(pattern, one));
    if (code === undefined) continue;
    if (!hasCheckDigit(code)) return { fault: 'must end with its check digit' };
    if (!hasPriceCheck(pattern, code)) return { fault: NO_PRICE_CHECK };
    const item = plainItem(partOf(pattern, code, 'I'));
    return pattern.includes('W')
      ? { item, milli: Number(partOf(pattern, code, 'W')) }
      : { item, cents: Number(partOf(pattern, code, 'P')) };
  }
  return { fault: "must be a label of the store's scale" };
}

const NO_PRICE_CHECK =
  'must have the check digit of its price; for a scale that prints none, set the pattern 2IIIII0PPPPC or 2IIIIIPPPPPC';

/** GS1's products of a digit with the weights of prices, as the General Specifications list them. */
const GS1_PRODUCTS = { '2-': '0246891357', '3': '0369258147', '5+': '0516273849', '5-': '0594837261' } as const;
type Weight = keyof typeof GS1_PRODUCTS;
const FOUR: readonly Weight[] = ['2-', '2-', '3', '5-'];
const FIVE: readonly Weight[] = ['5+', '2-', '5-', '5+', '2-'];

/** The check digit of a price of four or five digits; undefined for any other. */
export function priceCheckDigit(price: string): number | undefined {
  const weights = [FOUR, FIVE].find(({ length }) => length === price.length);
  if (!weights) return undefined;
  const sum = weights.reduce((total, weight, at) => total + Number(GS1_PRODUCTS[weight][Number(price[at])]), 0);
  return weights === FOUR ? (sum * 3) % 10 : GS1_PRODUCTS['5-'].indexOf(String((10 - (sum % 10)) % 10));
}

/** Whether a label has the check digit of its price, where its pattern has one such digit. */
function hasPriceCheck(pattern: string, code: string): boolean {
  const digit = pattern.replace(/[^V]/g, '') === 'V' ? priceCheckDigit(partOf(pattern, code, 'P')) : undefined;
  return digit === undefined || code[pattern.indexOf('V')] === String(digit);
}

const fits = (pattern: string, code: string): boolean =>
  pattern.length === code.length &&
  [...code].every((digit, at) => (/\d/.test(digit) && !/\d/.test(pattern[at] ?? '')) || digit === pattern[at]);

const partOf = (pattern: string, code: string, letter: string): string =>
  code.slice(pattern.indexOf(letter), pattern.lastIndexOf(letter) + 1);
