import type { Segment } from './segment.ts';

/** The segments of one version: what a search reads, unchanged while newer versions come. */
export class View {
  readonly version: number;
  readonly segments: readonly Segment[];

  constructor(version: number, segments: readonly Segment[]) {
    this.version = version;
    this.segments = segments;
  }

  /** The one slot of a store that is there at this version. */
  find(storeId: string): { segment: Segment; slot: number } | undefined {
    for (const segment of this.segments) {
      const slot = segment.ids.slotOf(storeId);
      if (slot !== -1 && segment.isAlive(slot, this.version)) return { segment, slot };
    }
    return undefined;
  }
}
