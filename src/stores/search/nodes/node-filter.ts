import {
  COUNT,
  CUISINES_HIGH,
  CUISINES_LOW,
  DOUBLES_OF_NODE,
  KINDS_AND_PRICES,
  type NodeSummaries,
  WORDS_OF_NODE,
} from './node-summaries.ts';

/** The conditions of a search that the summary of a node can rule out. */
export type NodeFilter = {
  /** Bits of the values of `flags` that a store may have. */
  kinds: number;
  /** Bits of the price levels that a store may have. */
  prices: number;
  minimumRating: number;
  /** Bits of the cuisine; null where any cuisine will do. */
  cuisine: { low: number; high: number } | null;
};

export const ANY_NODE: NodeFilter = { kinds: 0xffff, prices: 0xff, minimumRating: -Infinity, cuisine: null };

/** False where no store under the node can meet the conditions; an empty node has none. */
export function mayHold({ words, ratings }: NodeSummaries, node: number, filter: NodeFilter): boolean {
  const at = node * WORDS_OF_NODE;
  const kindsAndPrices = words[at + KINDS_AND_PRICES] as number;
  if ((kindsAndPrices & filter.kinds) === 0 || ((kindsAndPrices >>> 16) & filter.prices) === 0) return false;
  if ((ratings[node * DOUBLES_OF_NODE] as number) < filter.minimumRating) return false;
  const { cuisine } = filter;
  if (cuisine === null) return true;
  const low = (words[at + CUISINES_LOW] as number) & cuisine.low;
  return (low | ((words[at + CUISINES_HIGH] as number) & cuisine.high)) !== 0;
}

/** True only where every store under the node meets the conditions. */
export function holdsOnly({ words }: NodeSummaries, node: number, filter: NodeFilter): boolean {
  if (filter.minimumRating !== -Infinity || filter.cuisine !== null) return false;
  const kindsAndPrices = words[node * WORDS_OF_NODE + KINDS_AND_PRICES] as number;
  return (kindsAndPrices & 0xffff & ~filter.kinds) === 0 && ((kindsAndPrices >>> 16) & ~filter.prices) === 0;
}

export function countOfNode({ words }: NodeSummaries, node: number): number {
  return words[node * WORDS_OF_NODE + COUNT] as number;
}
