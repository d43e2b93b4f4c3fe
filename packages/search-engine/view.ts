import { MAX_SLOTS } from './columns.ts';
import type { Segment } from './segment.ts';
import type { Term } from './term-dictionary.ts';

/** A store's slot at a version. */
export type VersionSlot = { segment: Segment; slot: number };

/** The segments of one version. Immutable, so searches can continue on it while newer versions are published. */
export class IndexView {
  readonly version: number;
  readonly segments: readonly Segment[];
  /** Upper bound of the number of stores. */
  readonly slots: number;
  /** How many public stores have a term, once counted. */
  readonly counts = new Map<Term, number>();
  /** Splits of words into terms of public stores (`rewritesOf`). */
  readonly splits = new Map<string, string[][]>();
  /** Whether a text is a public store's whole name, once searched. */
  readonly wholeNames = new Map<string, boolean>();

  constructor(version: number, segments: readonly Segment[]) {
    this.version = version;
    this.segments = segments;
    this.slots = segments.reduce((sum, { size }) => sum + size, 0);
  }

  /** Finds the only live slot of a store at this version. */
  find(storeId: string): VersionSlot | undefined {
    for (const segment of this.segments) {
      const slot = segment.ids.slotOf(storeId);
      if (slot !== -1 && segment.isAlive(slot, this.version)) return { segment, slot };
    }
    return undefined;
  }

  /** Returns a store's id by its number (`MAX_SLOTS`). */
  idAt(ref: number): string {
    return (this.segments[Math.floor(ref / MAX_SLOTS)] as Segment).ids.at(ref % MAX_SLOTS);
  }

  visit(store: (segment: Segment, slot: number) => void): void {
    for (const segment of this.segments) {
      for (let slot = 0; slot < segment.size; slot += 1) {
        if (segment.isAlive(slot, this.version)) store(segment, slot);
      }
    }
  }
}
