import type { StoreTraits } from '../store-columns.ts';

/**
 * What lies under each node of a tree, so that a search leaves out whole nodes: 32 bytes a node, in one line of the
 * processor's cache. `ratings` and `words` are two views of the same memory. `ratings[node * 4]` is the best rating, and
 * -Infinity where no store is rated; the words after the rating are named below.
 */
export type NodeSummaries = { words: Uint32Array; ratings: Float64Array };

export const WORDS_OF_NODE = 8;
export const DOUBLES_OF_NODE = 4;
/** Number of stores. */
export const COUNT = 2;
/** Low 16 bits: a bit for each value of `flags` that some store has. High 16 bits: one for each price level. */
export const KINDS_AND_PRICES = 3;
/** Bits of the cuisines, 64 in two words; several cuisines may share a bit. */
export const CUISINES_LOW = 4;
export const CUISINES_HIGH = 5;
/** Low 16 bits: the fewest minutes of pickup. High 16 bits: the fewest minutes of preparation for delivery. */
export const MINUTES = 6;

/** An unknown price level, 0xff, has bit 7. */
export function priceBit(level: number): number {
  return 1 << (level & 7);
}

export function newSummaries(nodes: number): NodeSummaries {
  const memory = new ArrayBuffer(nodes * WORDS_OF_NODE * 4);
  return { words: new Uint32Array(memory), ratings: new Float64Array(memory) };
}

/** A copy with room for `nodes`. */
export function grownSummaries(summaries: NodeSummaries, nodes: number): NodeSummaries {
  const grown = newSummaries(nodes);
  grown.words.set(summaries.words);
  return grown;
}

export function emptySummary({ words, ratings }: NodeSummaries, node: number): void {
  const at = node * WORDS_OF_NODE;
  ratings[node * DOUBLES_OF_NODE] = -Infinity;
  words.fill(0, at + COUNT, at + MINUTES);
  words[at + MINUTES] = 0xffffffff;
}

export function addToSummary(
  { words, ratings }: NodeSummaries,
  node: number,
  traits: StoreTraits,
  ordinal: number,
): void {
  const at = node * WORDS_OF_NODE;
  const rating = traits.ratings[ordinal] as number;
  const set = traits.cuisineSets[ordinal] as number;
  const kind = 1 << (traits.flags[ordinal] as number);
  const price = priceBit(traits.dollarSigns[ordinal] as number);
  if (rating > (ratings[node * DOUBLES_OF_NODE] as number)) ratings[node * DOUBLES_OF_NODE] = rating;
  words[at + COUNT] = (words[at + COUNT] as number) + 1;
  words[at + KINDS_AND_PRICES] = (words[at + KINDS_AND_PRICES] as number) | kind | (price << 16);
  words[at + CUISINES_LOW] = (words[at + CUISINES_LOW] as number) | (traits.cuisineBits[set * 2] as number);
  words[at + CUISINES_HIGH] = (words[at + CUISINES_HIGH] as number) | (traits.cuisineBits[set * 2 + 1] as number);
  words[at + MINUTES] = leastMinutes(
    words[at + MINUTES] as number,
    ((traits.deliveryMinutes[ordinal] as number) << 16) | (traits.pickupMinutes[ordinal] as number),
  );
}

/** Makes the summary of a node that of its two children, which follow each other. */
export function mergeSummaries({ words, ratings }: NodeSummaries, node: number, first: number): void {
  const [at, a, b] = [node * WORDS_OF_NODE, first * WORDS_OF_NODE, (first + 1) * WORDS_OF_NODE];
  ratings[node * DOUBLES_OF_NODE] = Math.max(
    ratings[first * DOUBLES_OF_NODE] as number,
    ratings[(first + 1) * DOUBLES_OF_NODE] as number,
  );
  words[at + COUNT] = (words[a + COUNT] as number) + (words[b + COUNT] as number);
  for (const bits of [KINDS_AND_PRICES, CUISINES_LOW, CUISINES_HIGH]) {
    words[at + bits] = (words[a + bits] as number) | (words[b + bits] as number);
  }
  words[at + MINUTES] = leastMinutes(words[a + MINUTES] as number, words[b + MINUTES] as number);
}

function leastMinutes(a: number, b: number): number {
  return (Math.min(a >>> 16, b >>> 16) << 16) | Math.min(a & 0xffff, b & 0xffff);
}
