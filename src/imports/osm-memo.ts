import { type OsmHours, parseOsmHours } from '../stores/osm-hours.ts';
import type { ReadOsmHours } from './feed/feed-fields.ts';

const MOST_KEPT = 2000;
/** Rules up to this length are memoized: OpenStreetMap stores no longer values. */
const KEPT_CHARACTERS = 255;

/** Reads rules and keeps the answers: a feed repeats the same few, and each takes a third of a millisecond. */
export function createOsmMemo(): ReadOsmHours {
  const known = new Map<string, OsmHours>();
  return (rules) => {
    const kept = known.get(rules);
    if (kept) return kept;
    if (known.size >= MOST_KEPT) known.clear();
    const read = parseOsmHours(rules);
    if (rules.length <= KEPT_CHARACTERS) known.set(rules, read);
    return read;
  };
}
