import type { SpatialTree } from '../spatial-tree.ts';
import { createNodeMemo } from './node-memo.index.ts';
import type { NodeTallies, NodeTally } from './node-tallies.ts';
import { fiftiethsOf, priceBitsOf } from './slot-traits.ts';
import { visitTraitsUnder } from './visit-slots.ts';

const PRICES = 8;
const KINDS_AND_PRICES = 16 * PRICES;
const RATINGS = 256;

/** A tally is made when a count first asks for it, in some microseconds, and kept until its node is forgotten. */
export function createNodeTallies(tree: SpatialTree): NodeTallies {
  /** Scratch: number of stores by kind and price level, and by rating in fiftieths. */
  const kinds = new Uint32Array(KINDS_AND_PRICES);
  const ratings = new Uint32Array(RATINGS);

  function tallyOf(node: number): NodeTally {
    kinds.fill(0);
    ratings.fill(0);
    visitTraitsUnder(tree, node, (trait) => {
      const kind = bitNumber(trait & 0xffff) * PRICES + bitNumber(priceBitsOf(trait));
      kinds[kind] = (kinds[kind] as number) + 1;
      ratings[fiftiethsOf(trait)] = (ratings[fiftiethsOf(trait)] as number) + 1;
    });
    return { kinds: wordsOf(kinds, kindWord), ratings: wordsOf(ratings, ratingWord) };
  }

  return createNodeMemo(tallyOf);
}

function wordsOf(counts: Uint32Array, wordOf: (nth: number) => number): Uint32Array {
  const words: number[] = [];
  for (let nth = 0; nth < counts.length; nth += 1) {
    if (counts[nth] !== 0) words.push(wordOf(nth), counts[nth] as number);
  }
  return Uint32Array.from(words);
}

const bitNumber = (bit: number): number => 31 - Math.clz32(bit);
const kindWord = (nth: number): number => (1 << Math.floor(nth / PRICES)) | (1 << (16 + (nth % PRICES)));
const ratingWord = (fiftieths: number): number => (fiftieths << 24) >>> 0;
