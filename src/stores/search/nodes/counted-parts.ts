import type { UnitVector } from '../../../lib/geo/sphere.ts';
import { NONE, type SpatialTree } from '../spatial-tree.ts';
import { chordToBox, farthestChordToBox } from '../walk-tree.ts';
import { countOfNode, holdsOnly, mayHold, type NodeFilter } from './node-filter.ts';
import { RATING_BITS, slotFilterOf } from './slot-traits.ts';
import { visitSlotsUnder, visitTraitsUnder } from './visit-slots.ts';

/** Nodes of a tree that have all stores within reach between them. */
export type TreeParts = {
  nodes: number[];
  /** By part, the squared chords that no store of the part is nearer or farther than. */
  nearest: number[];
  farthest: number[];
};

/** `counts` has an array for each bucket of which some store is: by part, the stores of the bucket that meet the filter. */
export type CountedParts = TreeParts & { counts: (Uint32Array | undefined)[] };

/** The bucket, below `count`, of a store by the first word of its slot's traits. */
export type Buckets = {
  count: number;
  /** Bits of the word that tell. */
  mask: number;
  of(trait: number): number;
};

type Counted = { farthest: number; filter: NodeFilter; buckets: Buckets | null };
type CountTrait = (trait: number, stores: number) => void;

/** A larger node is divided: the parts between two bounds are a few hundred, and all parts a few thousand. */
const MAX_STORES_OF_PART = 512;

/** Nodes, and slots or words of tallies that are looked at, of one step of some 0.2 ms; a part counts as some words more. */
const NODES_OF_STEP = 2048;
const LOOKS_OF_STEP = 8192;
const LOOKS_OF_PART = 16;

/**
 * Counts the stores within a squared chord that meet the filter, part by part, in steps; without buckets all of them are of
 * bucket 0. Stores may change between two steps. The filter must have no rating and no cuisine, which slots tell only
 * roughly.
 */
export function* countParts(tree: SpatialTree, from: UnitVector, counted: Counted): Generator<void, CountedParts> {
  const { farthest, filter, buckets } = counted;
  const parts = yield* listParts(tree, from, counted);
  const counts: CountedParts['counts'] = new Array(buckets?.count ?? 1);
  let looks = 0;
  for (let part = 0; part < parts.nodes.length; part += 1) {
    const node = parts.nodes[part] as number;
    const count: CountTrait = (trait, stores) => {
      const bucket = buckets === null ? 0 : buckets.of(trait);
      counts[bucket] ??= new Uint32Array(parts.nodes.length);
      counts[bucket][part] = (counts[bucket][part] as number) + stores;
    };
    if ((parts.farthest[part] as number) > farthest) {
      parts.farthest[part] = farthest;
      visitSlotsUnder(tree, from, { node, low: -1, high: farthest, filter }, (trait) => count(trait, 1));
      looks += countOfNode(tree.summaries, node);
    } else looks += countPart(tree, node, counted, count);
    looks += LOOKS_OF_PART;
    if (looks < LOOKS_OF_STEP) continue;
    looks = 0;
    yield;
  }
  return { ...parts, counts };
}

function* listParts(
  tree: SpatialTree,
  from: UnitVector,
  { farthest: limit, filter }: Omit<Counted, 'buckets'>,
): Generator<void, TreeParts> {
  const parts: TreeParts = { nodes: [], nearest: [], farthest: [] };
  const waiting = [0];
  for (let node = waiting.pop(), visits = 1; node !== undefined; node = waiting.pop(), visits += 1) {
    if (visits % NODES_OF_STEP === 0) yield;
    if (!mayHold(tree.summaries, node, filter)) continue;
    const nearest = chordToBox(tree.boxes, node, from);
    if (nearest > limit) continue;
    const child = tree.firstChild[node] as number;
    if (child !== NONE && countOfNode(tree.summaries, node) > MAX_STORES_OF_PART) {
      waiting.push(child + 1, child);
      continue;
    }
    parts.nodes.push(node);
    parts.nearest.push(nearest);
    parts.farthest.push(farthestChordToBox(tree.boxes, node, from));
  }
  return parts;
}

/**
 * Counts all stores under a node that meet the filter, by a tally where one tells all that is asked of a store. Returns how
 * many slots or words of a tally were looked at, whether they met the filter or not.
 */
function countPart(tree: SpatialTree, node: number, { filter, buckets }: Counted, count: CountTrait): number {
  const meetAll = holdsOnly(tree.summaries, node, filter);
  const isByRating = buckets !== null && (buckets.mask & RATING_BITS) !== 0;
  const { kinds, prices } = slotFilterOf(filter);
  const stores = countOfNode(tree.summaries, node);
  if (meetAll && buckets === null) {
    count(0, stores);
    return 1;
  }
  if (tree.tallies === null || (isByRating && !meetAll)) {
    visitTraitsUnder(tree, node, (trait) => {
      if ((trait & kinds) !== 0 && (trait & prices) !== 0) count(trait, 1);
    });
    return stores;
  }
  const looksOfTally = tree.tallies.has(node) ? 0 : stores;
  const tally = tree.tallies.of(node);
  const words = isByRating ? tally.ratings : tally.kinds;
  for (let at = 0; at < words.length; at += 2) {
    const word = words[at] as number;
    if (meetAll || ((word & kinds) !== 0 && (word & prices) !== 0)) count(word, words[at + 1] as number);
  }
  return looksOfTally + words.length / 2;
}
