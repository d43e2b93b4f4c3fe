import { hash } from 'node:crypto';
import { cleanText } from '../lib/clean-text.ts';
import { FEED_LIMITS } from './feed/feed-limits.ts';

/** Ids given away so far, each once. */
export type PlacedIds = {
  readonly size: number;
  /**
   * An id for an entity of the source at this position. A shared entity has one id for each position: the first position
   * keeps the source's id, the others add their position, and a number where that is not unique.
   */
  place(sourceId: string, place: string): string;
};

/** An id of a source as a feed may carry it: itself, as long as an id may be that long, then its hash. */
export function feedId(sourceId: string): string {
  const id = cleanText(sourceId);
  return id.length <= FEED_LIMITS.idCharacters ? id : hash('sha256', id);
}

export function createPlacedIds(): PlacedIds {
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return {
    get size() {
      return used.size;
    },
    place(sourceId, place) {
      let id = feedId(sourceId);
      const placed = `${sourceId} @${place}`;
      while (used.has(id)) {
        const nth = (counts.get(placed) ?? 0) + 1;
        counts.set(placed, nth);
        id = feedId(nth === 1 ? placed : `${placed} ${nth}`);
      }
      used.add(id);
      return id;
    },
  };
}
