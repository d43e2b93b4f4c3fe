import type { UnitVector } from '../../../lib/geo/sphere.ts';
import { BLOCK_SIZE, NONE, SLOT_BITS, SLOT_MASK, type SpatialTree } from '../spatial-tree.ts';
import { chordToBox, farthestChordToBox } from '../walk-tree.ts';
import { countOfNode, holdsOnly, mayHold, type NodeFilter } from './node-filter.ts';
import { slotFilterOf, WORDS_OF_SLOT } from './slot-traits.ts';
import { visitSlotsUnder } from './visit-slots.ts';

/** Nodes of a tree that have all stores within reach between them: how far the stores of each lie, and how many there are. */
export type CountedParts = {
  nodes: number[];
  /** By part, the squared chords that no store of the part is nearer or farther than. */
  nearest: number[];
  farthest: number[];
  /** By part, `buckets` numbers: the stores of each bucket that meet the filter. */
  counts: Uint32Array;
  buckets: number;
};

/** The bucket, below `count`, of a store by the first word of its slot's traits. */
export type Buckets = { count: number; of(trait: number): number };

type Counted = { farthest: number; filter: NodeFilter; buckets: Buckets | null };

/** A larger node is divided: the parts between two bounds are a few hundred, and all parts a few thousand. */
const MAX_STORES_OF_PART = 512;

/** Nodes, and leaves, of one step of some 0.2 ms. */
const NODES_OF_STEP = 2048;
const LEAVES_OF_STEP = 1024;

/**
 * Counts the stores within a squared chord that meet the filter, part by part, in steps; without buckets all of them are of
 * bucket 0. Stores may change between two steps. The filter must have no rating and no cuisine, which slots tell only
 * roughly.
 */
export function* countParts(
  tree: SpatialTree,
  from: UnitVector,
  { farthest, filter, buckets }: Counted,
): Generator<void, CountedParts> {
  const { nodes, nearest, farthest: ends } = yield* listParts(tree, from, { farthest, filter });
  const count = buckets?.count ?? 1;
  const counts = new Uint32Array(nodes.length * count);
  const scan = createScan(tree, filter, buckets, counts);
  for (let part = 0; part < nodes.length; part += 1) {
    const node = nodes[part] as number;
    const first = part * count;
    if ((ends[part] as number) > farthest) {
      ends[part] = farthest;
      visitSlotsUnder(tree, from, { node, low: -1, high: farthest, filter }, (trait) => {
        const at = first + (buckets === null ? 0 : buckets.of(trait));
        counts[at] = (counts[at] as number) + 1;
      });
    } else if (buckets === null && holdsOnly(tree.summaries, node, filter)) {
      counts[first] = countOfNode(tree.summaries, node);
    } else scan.add(node, first);
    if (scan.isStepOver()) yield;
  }
  return { nodes, nearest, farthest: ends, counts, buckets: count };
}

function* listParts(
  tree: SpatialTree,
  from: UnitVector,
  { farthest: limit, filter }: Omit<Counted, 'buckets'>,
): Generator<void, Pick<CountedParts, 'nodes' | 'nearest' | 'farthest'>> {
  const parts = { nodes: [] as number[], nearest: [] as number[], farthest: [] as number[] };
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

/** Counts the slots under nodes by their traits alone: no point is looked at. */
function createScan(tree: SpatialTree, filter: NodeFilter, buckets: Buckets | null, counts: Uint32Array) {
  const { kinds, prices } = slotFilterOf(filter);
  let [leaves, leavesOfSteps] = [0, LEAVES_OF_STEP];

  function addBlock(block: number, first: number): void {
    const start = block * BLOCK_SIZE;
    const traits = tree.traits[start >>> SLOT_BITS] as Uint32Array;
    const from = (start & SLOT_MASK) * WORDS_OF_SLOT;
    const end = from + (tree.blockSizes[block] as number) * WORDS_OF_SLOT;
    for (let at = from; at < end; at += WORDS_OF_SLOT) {
      const trait = traits[at] as number;
      if ((trait & kinds) === 0 || (trait & prices) === 0) continue;
      const counted = buckets === null ? first : first + buckets.of(trait);
      counts[counted] = (counts[counted] as number) + 1;
    }
  }

  return {
    /** Adds the stores under a node to the counts from `first` on. */
    add(top: number, first: number): void {
      const nodes = [top];
      for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
        const child = tree.firstChild[node] as number;
        if (child !== NONE) {
          nodes.push(child + 1, child);
          continue;
        }
        leaves += 1;
        for (let block = tree.firstBlock[node] as number; block !== NONE; block = tree.nextBlock[block] as number) {
          addBlock(block, first);
        }
      }
    },
    isStepOver(): boolean {
      if (leaves < leavesOfSteps) return false;
      leavesOfSteps = leaves + LEAVES_OF_STEP;
      return true;
    },
  };
}
