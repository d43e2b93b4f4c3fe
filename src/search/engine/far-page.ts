import { type Ranked, SLOTS } from './top-k.ts';
import { LEAF_SLOTS } from './tree.ts';
import type { View } from './view.ts';
import { chordToBox, type Prepared, prepare, slotAccepted, type Wanted } from './walk.ts';

/** The store of a rank, undefined where there are fewer stores; `passed` is how many there are, or the rank. */
export type FoundRank = { found: Ranked | undefined; passed: number };

/** Leaves that are looked at between two yields, about a millisecond. */
const LEAVES_AT_ONCE = 1024;
const LISTED_AT_ONCE = LEAVES_AT_ONCE * LEAF_SLOTS;
/** Rings of equal width around the coordinate, in which stores are counted. */
const RINGS = 8192;
/** No chord of the unit sphere is longer. */
const LONGEST_CHORD = 2;

type Visit = (key: number, chordSquared: number, ref: number) => void;

/**
 * Finds the store of a rank far down a sort, without a walk from the first one: stores are counted by key, those of the
 * key that holds the rank by rings around the coordinate, and only those of one ring are sorted. Each is a pass over the
 * stores that match, in steps; the view is of one version all the while.
 */
export function* findRank(view: View, wanted: Wanted, rank: number): Generator<void, FoundRank> {
  const prepared = view.segments.map((segment) => prepare(segment, wanted));
  const pass = (visit: Visit) => visitMatching(view, prepared, wanted, visit);
  const { key, before, total } = wanted.sort.isByDistance
    ? { key: null, before: 0, total: Infinity }
    : yield* findKey(pass, rank);
  if (rank >= total) return { found: undefined, passed: total };
  const rings = new Uint32Array(RINGS + 1);
  yield* pass((own, chordSquared) => {
    if (key === null || own === key) rings[ringOf(chordSquared)] = (rings[ringOf(chordSquared)] as number) + 1;
  });
  let [ring, passed] = [0, before];
  while (ring <= RINGS && passed + (rings[ring] as number) <= rank) {
    passed += rings[ring] as number;
    ring += 1;
  }
  if (ring > RINGS) return { found: undefined, passed };
  const within: Ranked[] = [];
  yield* pass((own, chordSquared, ref) => {
    if ((key === null || own === key) && ringOf(chordSquared) === ring) within.push({ key: own, chordSquared, ref });
  });
  const idAt = (ref: number): string => view.segments[Math.floor(ref / SLOTS)]?.ids.at(ref % SLOTS) ?? '';
  within.sort((a, b) => a.chordSquared - b.chordSquared || (idAt(a.ref) < idAt(b.ref) ? -1 : 1));
  return { found: within[rank - passed], passed: rank };
}

function ringOf(chordSquared: number): number {
  return Math.floor((Math.sqrt(chordSquared) / LONGEST_CHORD) * RINGS);
}

/** The key of the store of the rank, how many stores have a better one, and how many stores there are. */
function* findKey(
  pass: (visit: Visit) => Generator<void, void>,
  rank: number,
): Generator<void, { key: number; before: number; total: number }> {
  const counts = new Map<number, number>();
  yield* pass((key) => void counts.set(key, (counts.get(key) ?? 0) + 1));
  let [before, total] = [0, 0];
  let found = Infinity;
  for (const [key, count] of [...counts].sort(([a], [b]) => (a === b ? 0 : a - b))) {
    if (total <= rank) [found, before] = [key, total];
    total += count;
  }
  return { key: found, before, total };
}

/** Visits all stores that meet the conditions, in no sequence. */
function* visitMatching(
  view: View,
  prepared: readonly Prepared[],
  wanted: Wanted,
  visit: Visit,
): Generator<void, void> {
  const { filter, sort } = wanted;
  const { x, y, z } = filter.from;
  for (const [nth, one] of prepared.entries()) {
    const { segment, slots } = one;
    const { points } = segment.columns;
    const step = slots === null ? LEAF_SLOTS : LISTED_AT_ONCE;
    const count = slots === null ? segment.size : slots.length;
    for (let from = 0; from < count; from += step) {
      if (from % LISTED_AT_ONCE === 0) yield;
      if (slots === null && !isLeafWanted(one, from / LEAF_SLOTS, wanted)) continue;
      const end = Math.min(count, from + step);
      for (let at = from; at < end; at += 1) {
        const slot = slots === null ? at : (slots[at] as number);
        const dx = (points[slot * 3] as number) - x;
        const dy = (points[slot * 3 + 1] as number) - y;
        const dz = (points[slot * 3 + 2] as number) - z;
        const chord = dx * dx + dy * dy + dz * dz;
        if (chord > filter.farthest || !slotAccepted(one, slot, chord, view.version)) continue;
        visit(sort.isByDistance ? chord : sort.keyOf(segment, slot, chord), chord, nth * SLOTS + slot);
      }
    }
  }
}

/** Leaves are the first nodes of a tree. */
function isLeafWanted({ segment, filter }: Prepared, leaf: number, wanted: Wanted): boolean {
  if (!filter.mayHold(leaf)) return false;
  const { farthest, delivers, from } = wanted.filter;
  if (farthest === Infinity && !delivers) return true;
  const chord = chordToBox(segment.columns.boxes, leaf, from);
  return chord <= farthest && !(delivers && chord > (segment.columns.reaches[leaf] as number));
}
