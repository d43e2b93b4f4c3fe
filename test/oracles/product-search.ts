import { editDistance } from './store-search.ts';

/** Product search by plain loops over all products: what shelves must agree with. Shares no code with them. */

export type OracleProduct = {
  productNo: number;
  name: readonly string[];
  category: readonly string[];
  /** Words that tell the size beside the name. */
  size: readonly string[];
  deliveryCents: number;
  pickupCents: number;
  delivered: boolean;
  pickedUp: boolean;
};

/** The words that tests use, with what each has in common with its other number; units by their first name. */
export const STEMS: Readonly<Record<string, string>> = {
  milk: 'milk',
  milks: 'milk',
  mild: 'mild',
  tomato: 'tomato',
  tomatoes: 'tomato',
  tomatos: 'tomato',
  tomatoe: 'tomato',
  berry: 'berry',
  berries: 'berry',
  blueberries: 'blueberry',
  loaf: 'loaf',
  loaves: 'loaf',
  chocolate: 'chocolate',
  organ: 'organ',
  organic: 'organic',
  gal: 'gal',
  gallon: 'gal',
  oz: 'oz',
  ounces: 'oz',
  '1': '1',
  '12': '12',
  of: 'of',
  the: 'the',
};
const UNITS = new Set(['gal', 'oz']);
const STOPS = new Set(['of', 'the']);

export type OracleMatch = { productNo: number; priceCents: number; guess: number };

/** 0 as it is or in the other number, 1 unfinished, 2 misspelt, 3 not at all. */
function guessOfWord(wanted: string, own: string, isLast: boolean): number {
  const stem = STEMS[wanted] ?? wanted;
  const ownStem = STEMS[own] as string;
  if (wanted === own || stem === ownStem) return 0;
  if (UNITS.has(stem) || /^[0-9]+$/.test(wanted)) return 3;
  if (isLast && wanted.length > 1 && own.startsWith(wanted)) return 1;
  const isNear = (a: string, b: string) => editDistance(a, b) <= (a.length < 4 ? 0 : a.length < 8 ? 1 : 2);
  return isNear(wanted, own) || isNear(stem, ownStem) ? 2 : 3;
}

const best = (wanted: string, words: readonly string[], isLast: boolean) =>
  Math.min(3, ...words.map((own) => guessOfWord(wanted, own, isLast)));

/** Products that have every word, in the order of their numbers. */
export function expectedProducts(
  products: readonly OracleProduct[],
  text: readonly string[],
  mode: 'delivery' | 'pickup' | null,
): OracleMatch[] {
  const telling = text.filter((word) => !STOPS.has(word));
  const words = telling.length > 0 ? telling : text;
  const matches: OracleMatch[] = [];
  for (const product of products) {
    const isDelivered = product.delivered && mode !== 'pickup';
    if (!isDelivered && !(product.pickedUp && mode !== 'delivery')) continue;
    let worst = 0;
    let isNamed = false;
    for (const [nth, word] of words.entries()) {
      const isLast = nth === words.length - 1;
      const inName = best(word, product.name, isLast);
      const own = Math.min(inName, best(word, product.size, isLast));
      isNamed ||= inName < 3 && inName === own;
      worst = Math.max(worst, own < 3 ? own : best(word, product.category, isLast));
    }
    if (worst === 3 || !isNamed) continue;
    const priceCents = isDelivered ? product.deliveryCents : product.pickupCents;
    matches.push({ productNo: product.productNo, priceCents, guess: worst });
  }
  return matches.sort((a, b) => a.productNo - b.productNo);
}
