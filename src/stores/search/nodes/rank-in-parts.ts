import type { CountedParts, TreeParts } from './counted-parts.ts';

/** A bucket, and how many stores are in the buckets before it; null where there are no more stores than the rank. */
export type RankedBucket = { bucket: number | null; passed: number };

/** Squared chords between which a store lies: farther than `low`, and no farther than `high`. */
export type Ring = { low: number; high: number };

/** No squared chord of the unit sphere is longer, roundings included. */
const WHOLE_EARTH = 4.000001;
/** Halvings of the earth, the last of them to some ten metres around the start: parts are larger. */
const HALVINGS = 40;

/** The bucket of the store of that rank, from 0. */
export function bucketOfRank({ counts }: CountedParts, rank: number): RankedBucket {
  let passed = 0;
  for (let bucket = 0; bucket < counts.length; bucket += 1) {
    const total = counts[bucket]?.reduce((sum, count) => sum + count, 0) ?? 0;
    if (passed + total > rank) return { bucket, passed };
    passed += total;
  }
  return { bucket: null, passed };
}

/**
 * A ring that holds the store of that rank by distance, from 0: as if each store lay at the nearest end of its part, and
 * as if each lay at the farthest. `counts` has the stores of each part. Most parts lie outside of the ring as a whole.
 */
export function ringInParts({ nearest, farthest }: TreeParts, counts: Uint32Array, rank: number): Ring {
  return { low: ringOfRank(nearest, counts, rank).low, high: ringOfRank(farthest, counts, rank).high };
}

/** Squared chords near each other: up to `low` are no more stores than the rank, and up to `high` are more. */
function ringOfRank(chords: readonly number[], counts: Uint32Array, rank: number): Ring {
  let [low, high] = [-1, WHOLE_EARTH];
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const middle = (low + high) / 2;
    if (countUpTo(chords, counts, middle) > rank) high = middle;
    else low = middle;
  }
  return { low, high };
}

function countUpTo(chords: readonly number[], counts: Uint32Array, chordSquared: number): number {
  let count = 0;
  for (let part = 0; part < chords.length; part += 1) {
    if ((chords[part] as number) <= chordSquared) count += counts[part] as number;
  }
  return count;
}
