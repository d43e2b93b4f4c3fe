import type { SpatialTree } from '../spatial-tree.ts';
import { countOfNode } from './node-filter.ts';
import { createNodeMemo } from './node-memo.index.ts';
import { isPart, type NodeTallies, type NodeTally } from './node-tallies.ts';
import { fiftiethsOf, priceBitsOf } from './slot-traits.ts';
import { visitTraitsUnder } from './visit-slots.ts';

const PRICES = 8;
const KINDS_AND_PRICES = 16 * PRICES;
const RATINGS = 256;

/** Slots of one step of some 0.1 ms; tallies of two children that are added up count as some slots. */
const SLOTS_OF_STEP = 8192;
const SLOTS_OF_SUM = 256;

/** A tally is made of slots where the node is a part, otherwise of two children, and kept until its node is forgotten. */
export function createNodeTallies(tree: SpatialTree): NodeTallies {
  const memo = createNodeMemo(tallyOf);
  /** Scratch: number of stores by kind and price level, and by rating in fiftieths. */
  const kinds = new Uint32Array(KINDS_AND_PRICES);
  const ratings = new Uint32Array(RATINGS);

  function addSlots(node: number): void {
    visitTraitsUnder(tree, node, (trait) => {
      const [kind, rating] = [kindOf(trait), fiftiethsOf(trait)];
      kinds[kind] = (kinds[kind] as number) + 1;
      ratings[rating] = (ratings[rating] as number) + 1;
    });
  }

  function add(tally: NodeTally): void {
    addWords(kinds, tally.kinds, kindOf);
    addWords(ratings, tally.ratings, fiftiethsOf);
  }

  function tallyOf(node: number): NodeTally {
    const first = tree.firstChild[node] as number;
    const children = isPart(tree, node) ? [] : [memo.of(first), memo.of(first + 1)];
    kinds.fill(0);
    ratings.fill(0);
    if (children.length === 0) addSlots(node);
    for (const child of children) add(child);
    return { kinds: wordsOf(kinds, kindWord), ratings: wordsOf(ratings, ratingWord) };
  }

  return {
    ...memo,
    *make() {
      const waiting = [0];
      let slots = 0;
      for (let node = waiting.at(-1); node !== undefined; node = waiting.at(-1)) {
        const missing = missingChildren(tree, node, memo.knownOf);
        waiting.push(...missing);
        if (missing.length > 0) continue;
        memo.of(node);
        waiting.pop();
        slots += isPart(tree, node) ? countOfNode(tree.summaries, node) : SLOTS_OF_SUM;
        if (slots < SLOTS_OF_STEP) continue;
        slots = 0;
        yield;
      }
    },
  };
}

/** Children whose tallies are made before that of the node. */
function missingChildren(tree: SpatialTree, node: number, knownOf: (node: number) => NodeTally | undefined): number[] {
  if (isPart(tree, node) || knownOf(node) !== undefined) return [];
  const first = tree.firstChild[node] as number;
  return [first, first + 1].filter((child) => knownOf(child) === undefined);
}

function addWords(counts: Uint32Array, words: Uint32Array, numberOf: (word: number) => number): void {
  for (let at = 0; at < words.length; at += 2) {
    const nth = numberOf(words[at] as number);
    counts[nth] = (counts[nth] as number) + (words[at + 1] as number);
  }
}

function wordsOf(counts: Uint32Array, wordOf: (nth: number) => number): Uint32Array {
  let length = 0;
  for (let nth = 0; nth < counts.length; nth += 1) if (counts[nth] !== 0) length += 2;
  const words = new Uint32Array(length);
  for (let nth = 0, at = 0; at < length; nth += 1) {
    if (counts[nth] === 0) continue;
    words[at] = wordOf(nth);
    words[at + 1] = counts[nth] as number;
    at += 2;
  }
  return words;
}

const bitNumber = (bit: number): number => 31 - Math.clz32(bit);
const kindOf = (trait: number): number => bitNumber(trait & 0xffff) * PRICES + bitNumber(priceBitsOf(trait));
const kindWord = (nth: number): number => (1 << Math.floor(nth / PRICES)) | (1 << (16 + (nth % PRICES)));
const ratingWord = (fiftieths: number): number => (fiftieths << 24) >>> 0;
