import type { Rank, TopList } from './top-list.ts';

/** Up to this many stores moving the worse ones up is quicker than a heap, which guesses at every level. */
export const MOST_IN_SHORT_LIST = 128;

/** A top list for a page or less: always in order, best first. */
export function createShortList(isBefore: (a: number, b: number) => boolean): TopList {
  const keys = new Float64Array(MOST_IN_SHORT_LIST);
  const chords = new Float64Array(MOST_IN_SHORT_LIST);
  const ordinals = new Uint32Array(MOST_IN_SHORT_LIST);
  let size = 0;
  let most = 0;

  function isWorse(at: number, key: number, chordSquared: number, ordinal: number): boolean {
    const other = keys[at] as number;
    if (other !== key) return other > key;
    const chord = chords[at] as number;
    return chord === chordSquared ? isBefore(ordinal, ordinals[at] as number) : chord > chordSquared;
  }

  return {
    reset(limit) {
      size = 0;
      most = limit;
    },
    offer(key, chordSquared, ordinal) {
      if (size < most) size += 1;
      else if (most === 0 || !isWorse(most - 1, key, chordSquared, ordinal)) return;
      let at = size - 1;
      for (; at > 0 && isWorse(at - 1, key, chordSquared, ordinal); at -= 1) {
        keys[at] = keys[at - 1] as number;
        chords[at] = chords[at - 1] as number;
        ordinals[at] = ordinals[at - 1] as number;
      }
      keys[at] = key;
      chords[at] = chordSquared;
      ordinals[at] = ordinal;
    },
    isFull: () => size === most,
    worstKey: () => keys[size - 1] as number,
    worstChord: () => chords[size - 1] as number,
    drain() {
      const ranks: Rank[] = new Array(size);
      for (let at = 0; at < size; at += 1) {
        ranks[at] = { key: keys[at] as number, chordSquared: chords[at] as number, ordinal: ordinals[at] as number };
      }
      size = 0;
      return ranks;
    },
  };
}
