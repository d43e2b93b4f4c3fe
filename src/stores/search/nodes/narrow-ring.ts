import type { UnitVector } from '../../../lib/geo/sphere.ts';
import { NONE, type SpatialTree } from '../spatial-tree.ts';
import { chordToBox, farthestChordToBox } from '../walk-tree.ts';
import { countOfNode } from './node-filter.ts';
import { isPart } from './node-tallies.ts';

/** Stores lie between these squared chords: farther than `low`, and no farther than `high`. */
export type Ring = { low: number; high: number };

/** A ring, the parts of the tree that reach into it, and how many counted stores lie in nodes nearer than the ring. */
export type NarrowRing = Ring & { parts: number[]; before: number };

/** `countUnder` is the number of counted stores under a node, at any distance. */
export type CountedWithin = { farthest: number; countUnder(node: number): number };

/** The first and the last of the ranks that are asked for, by distance from 0. */
export type Ranks = { first: number; last: number };

/** No squared chord of the unit sphere is longer, roundings included. */
export const WHOLE_EARTH = 4.000001;

/** Halvings of a ring each time its nodes are divided: to a 64th, far less than nodes shrink at once. */
const HALVINGS = 6;

/** Nodes of one step of some 0.2 ms. */
const NODES_OF_STEP = 1024;

/** A larger node is divided. */
const MAX_STORES_OF_UNDIVIDED = 128;

type Bounded = { node: number; nearest: number; farthest: number; count: number };

/**
 * The ring of the counted stores of these ranks, in steps. Nodes that reach into the ring are divided down to parts, and
 * the ring is narrowed before each division: only nodes near its bounds are looked at. `high` is at most `farthest`, and
 * stays there where no store has the last rank.
 */
export function* narrowRing(
  tree: SpatialTree,
  from: UnitVector,
  { farthest, countUnder }: CountedWithin,
  { first, last }: Ranks,
): Generator<void, NarrowRing> {
  let [low, high, before] = [-1, Math.min(farthest, WHOLE_EARTH), 0];
  let nodes = boundedOf([0]);
  for (let visits = 1; ; ) {
    [low, high] = [lowOf(nodes, low, high, first - before), highOf(nodes, low, high, last - before)];
    const within = nodes.filter((node) => node.farthest > low && node.nearest <= high);
    for (const node of nodes) if (node.farthest <= low) before += node.count;
    const divided = within.filter(({ node }) => !isUndivided(node));
    if (divided.length === 0) return { low, high, before, parts: within.map(({ node }) => node) };
    const parts = within.filter(({ node }) => isUndivided(node));
    nodes = parts.concat(boundedOf(divided.flatMap(({ node }) => childrenOf(node))));
    visits += nodes.length;
    if (visits < NODES_OF_STEP) continue;
    visits = 0;
    yield;
  }

  function isUndivided(node: number): boolean {
    return tree.firstChild[node] === NONE || countOfNode(tree.summaries, node) <= MAX_STORES_OF_UNDIVIDED;
  }

  function childrenOf(node: number): number[] {
    const child = tree.firstChild[node] as number;
    return [child, child + 1];
  }

  function boundedOf(some: readonly number[]): Bounded[] {
    const { boxes } = tree;
    const bounded: Bounded[] = [];
    for (const node of some) {
      const count = countUnder(node);
      if (count === 0) continue;
      const [nearest, end] = [chordToBox(boxes, node, from), farthestChordToBox(boxes, node, from)];
      bounded.push({ node, nearest, farthest: end, count });
    }
    return bounded;
  }
}

/** All counted stores within `farthest`: the ring and the parts that have a counted store, in steps. */
export function* wholeRing(
  tree: SpatialTree,
  from: UnitVector,
  { farthest, countUnder }: CountedWithin,
): Generator<void, NarrowRing> {
  const parts: number[] = [];
  const waiting = [0];
  for (let node = waiting.pop(), visits = 1; node !== undefined; node = waiting.pop(), visits += 1) {
    if (visits % NODES_OF_STEP === 0) yield;
    if (countUnder(node) === 0 || chordToBox(tree.boxes, node, from) > farthest) continue;
    const child = tree.firstChild[node] as number;
    if (isPart(tree, node)) parts.push(node);
    else waiting.push(child + 1, child);
  }
  return { low: -1, high: farthest, before: 0, parts };
}

/** A squared chord from `low` on, up to which are no more stores than the rank, as if each store lay at the nearest end. */
function lowOf(nodes: readonly Bounded[], low: number, high: number, rank: number): number {
  let [from, to] = [low, high];
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const middle = (from + to) / 2;
    let count = 0;
    for (const node of nodes) if (node.nearest <= middle) count += node.count;
    if (count <= rank) from = middle;
    else to = middle;
  }
  return from;
}

/** A squared chord up to `high`, up to which are more stores than the rank, as if each store lay at the farthest end. */
function highOf(nodes: readonly Bounded[], low: number, high: number, rank: number): number {
  let [from, to] = [low, high];
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const middle = (from + to) / 2;
    let count = 0;
    for (const node of nodes) if (node.farthest <= middle) count += node.count;
    if (count > rank) to = middle;
    else from = middle;
  }
  return to;
}
