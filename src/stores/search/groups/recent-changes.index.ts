/** Changes that are remembered one by one. */
const REMEMBERED = 1024;

/** Which stores have come, changed or gone lately: what was made of the stores before stays of use with these beside. */
export type RecentChanges = {
  /** Number of changes so far. */
  readonly count: number;
  note(ordinal: number): void;
  /** Notes changes of more stores than are remembered. */
  noteMany(): void;
  /** Whether every change after the first `count` changes is remembered. */
  isKnownSince(count: number): boolean;
  /** The stores that changed after the first `count` changes, each once, where these changes are remembered. */
  storesSince(count: number): Iterable<number>;
  hasChangedSince(ordinal: number, count: number): boolean;
};

export function createRecentChanges(): RecentChanges {
  const ordinals = new Uint32Array(REMEMBERED);
  /** The number of the last change of each store that is remembered. */
  const lastOf = new Map<number, number>();
  let count = 0;
  /** Changes before this number are not remembered. */
  let knownFrom = 0;

  function forgetOldest(): void {
    const oldest = count - REMEMBERED;
    if (oldest < knownFrom) return;
    const ordinal = ordinals[oldest % REMEMBERED] as number;
    if (lastOf.get(ordinal) === oldest) lastOf.delete(ordinal);
    knownFrom = oldest + 1;
  }

  return {
    get count() {
      return count;
    },
    note(ordinal) {
      forgetOldest();
      ordinals[count % REMEMBERED] = ordinal;
      lastOf.set(ordinal, count);
      count += 1;
    },
    noteMany() {
      count += 1;
      knownFrom = count;
      if (lastOf.size > 0) lastOf.clear();
    },
    isKnownSince: (from) => from >= knownFrom,
    *storesSince(from) {
      for (let change = from; change < count; change += 1) {
        const ordinal = ordinals[change % REMEMBERED] as number;
        if (lastOf.get(ordinal) === change) yield ordinal;
      }
    },
    hasChangedSince: (ordinal, from) => (lastOf.get(ordinal) ?? -1) >= from,
  };
}
