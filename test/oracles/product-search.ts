import { editDistance } from './store-search.ts';

/** Product search by plain loops over all products. Shares no code with the product index; both must find the same. */

export type OracleProduct = {
  productNo: number;
  name: readonly string[];
  category: readonly string[];
  /** Size words alongside the name. */
  size: readonly string[];
  deliveryCents: number;
  pickupCents: number;
  delivered: boolean;
  pickedUp: boolean;
};

/** Test words with their stems; a unit's stem is its first name. */
export const STEMS: Readonly<Record<string, string>> = Object.fromEntries(
  `milk:milk,milks mild:mild tomato:tomato,tomatoes,tomatos,tomatoe berry:berry,berries blueberry:blueberries
  loaf:loaf,loaves chocolate:chocolate organ:organ organic:organic gal:gal,gallon oz:oz,ounces 1:1 12:12 of:of the:the`
    .split(/\s+/)
    .flatMap((line) => {
      const [stem = '', words = ''] = line.split(':');
      return words.split(',').map((word) => [word, stem]);
    }),
);
const FOODS = new Set(['milk', 'tomato', 'berry', 'blueberry', 'loaf', 'chocolate']);
const UNITS = new Set(['gal', 'oz', 'g']);
const STOPS = new Set(['of', 'the']);

/**
 * By name 0, with a prefix 6, with a typo 9, plus 1 if a size is missing, 2 if all are. Only by category 3: an exact
 * shelf comes before a guessed name; 12 with a prefix, 13 with a typo.
 */
export type OracleMatch = { productNo: number; priceCents: number; guess: number };

/** A short food is never a misspelled word with another letter, and no food is another food. */
const replacesLetter = (one: string, other: string) =>
  one.length <= 5 && one.length === other.length && [...one].sort().join('') !== [...other].sort().join('');

/** 0 exact or the other grammatical number, 1 prefix, 2 typo, 3 no match. */
function guessOfWord(wanted: string, own: string, isLast: boolean): number {
  const stem = STEMS[wanted] ?? wanted;
  const ownStem = STEMS[own] as string;
  if (wanted === own || stem === ownStem) return 0;
  if (UNITS.has(stem) || /^[0-9]+$/.test(wanted)) return 3;
  if (isLast && wanted.length > 1 && own.startsWith(wanted)) return 1;
  if (FOODS.has(stem) && (FOODS.has(ownStem) || replacesLetter(stem, ownStem))) return 3;
  const isNear = (a: string, b: string) =>
    a[0] === b[0] && editDistance(a, b) <= (a.length < 4 ? 0 : a.length < 8 ? 1 : 2);
  return isNear(wanted, own) || isNear(stem, ownStem) ? 2 : 3;
}

const best = (wanted: string, words: readonly string[], isLast: boolean) =>
  Math.min(3, ...words.map((own) => guessOfWord(wanted, own, isLast)));

const isUnit = (word: string | undefined) => UNITS.has(STEMS[word ?? ''] ?? word ?? '');
const isNumber = (word: string) => /^[0-9]+$/.test(word);

/**
 * Word positions by size: a number before units, or units without a number except `g`. Empty if the query is only a
 * size.
 */
function sizesIn(words: readonly string[]): number[][] {
  const sizes: number[][] = [];
  for (let at = 0; at < words.length; at += 1) {
    const hasNumber = isNumber(words[at] as string) && isUnit(words[at + 1]);
    const isPart = (position: number) => isUnit(words[position]) && (hasNumber || words[position] !== 'g');
    if (!hasNumber && !isPart(at)) continue;
    const size = [at];
    while (isPart((size.at(-1) as number) + 1)) size.push((size.at(-1) as number) + 1);
    sizes.push(size);
    at = size.at(-1) as number;
  }
  const hasContent = words.some((word) => !isNumber(word) && !isUnit(word));
  return hasContent ? sizes : [];
}

/** A match's guess, as in `OracleMatch`; undefined if the product lacks a non-size word. */
function guessOf(
  product: OracleProduct,
  words: readonly string[],
  sizes: readonly (readonly number[])[],
): number | undefined {
  const everywhere = [...product.name, ...product.size, ...product.category];
  const isMissing = (nth: number) => best(words[nth] as string, everywhere, false) > 0;
  const missing = sizes.filter((size) => size.some(isMissing)).length;
  let worst = 0;
  let isNamed = false;
  let isOfCategory = false;
  for (const [nth, word] of words.entries()) {
    if (isMissing(nth) && sizes.some((size) => size.includes(nth))) continue;
    const isLast = nth === words.length - 1;
    const inName = best(word, product.name, isLast);
    const own = Math.min(inName, best(word, product.size, isLast));
    isNamed ||= (missing === 0 || !(isNumber(word) || isUnit(word))) && inName < 3 && inName === own;
    isOfCategory ||= own === 3 && !sizes.some((size) => size.includes(nth));
    worst = Math.max(worst, own < 3 ? own : best(word, product.category, isLast));
  }
  if (worst === 3 || !(isNamed || isOfCategory)) return undefined;
  if (!isNamed) return [3, 12, 13][worst];
  return ([0, 6, 9][worst] as number) + (missing === 0 ? 0 : missing < sizes.length ? 1 : 2);
}

/** Products that match every non-size word, by product number. */
export function expectedProducts(
  products: readonly OracleProduct[],
  text: readonly string[],
  mode: 'delivery' | 'pickup' | null,
): OracleMatch[] {
  const withoutStops = text.filter((word) => !STOPS.has(word));
  const words = withoutStops.length > 0 ? withoutStops : text;
  const sizes = sizesIn(words);
  const matches: OracleMatch[] = [];
  for (const product of products) {
    const isDelivered = product.delivered && mode !== 'pickup';
    if (!isDelivered && !(product.pickedUp && mode !== 'delivery')) continue;
    const guess = guessOf(product, words, sizes);
    if (guess === undefined) continue;
    const priceCents = isDelivered ? product.deliveryCents : product.pickupCents;
    matches.push({ productNo: product.productNo, priceCents, guess });
  }
  return matches.sort((a, b) => a.productNo - b.productNo);
}
