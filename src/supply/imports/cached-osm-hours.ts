import { memoized } from '../../platform/lib/memo.ts';
import { type OsmDatedHours, readOsmDatedHours } from '../stores/osm-dated-hours.ts';
import { parseOsmHours } from '../stores/osm-hours.ts';
import type { ReadOsmHours } from './feed/feed-fields.ts';

/** A continent of stores has some ten thousand distinct values, of about a kilobyte each. */
const MAX_RULES = 20_000;
/** Longer rules are read each time: OpenStreetMap stores no such value. */
const MAX_KEPT_LENGTH = 255;

/** Keeps the hours of the rules that it reads: a feed repeats the same rules, and each takes up to a third of a millisecond. */
export function cacheOsmHours(): ReadOsmHours {
  return keeping(parseOsmHours);
}

/** The same of values whose rules for dates count, as open directories have them. */
export function cacheOsmDatedHours(): (rules: string) => OsmDatedHours {
  return keeping(readOsmDatedHours);
}

function keeping<Hours>(read: (rules: string) => Hours): (rules: string) => Hours {
  const readKept = memoized(read, MAX_RULES);
  return (rules) => (rules.length > MAX_KEPT_LENGTH ? read(rules) : readKept(rules));
}
