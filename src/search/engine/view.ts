import type { Segment } from './segment.ts';

/** A store's place at a version. */
export type VersionSlot = { segment: Segment; slot: number };

/** The segments of one version: what a search reads, unchanged while newer versions come. */
export class View {
  readonly version: number;
  readonly segments: readonly Segment[];
  /** At least as many as there are stores. */
  readonly slots: number;

  constructor(version: number, segments: readonly Segment[]) {
    this.version = version;
    this.segments = segments;
    this.slots = segments.reduce((sum, { size }) => sum + size, 0);
  }

  /** The one slot of a store that is there at this version. */
  find(storeId: string): VersionSlot | undefined {
    for (const segment of this.segments) {
      const slot = segment.ids.slotOf(storeId);
      if (slot !== -1 && segment.isAlive(slot, this.version)) return { segment, slot };
    }
    return undefined;
  }

  visit(store: (segment: Segment, slot: number) => void): void {
    for (const segment of this.segments) {
      for (let slot = 0; slot < segment.size; slot += 1) {
        if (segment.isAlive(slot, this.version)) store(segment, slot);
      }
    }
  }
}
