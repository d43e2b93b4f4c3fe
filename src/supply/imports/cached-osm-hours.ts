import { memoized } from '../../platform/lib/memo.ts';
import type { ReadOsmHours } from '../menus/feed-fields.ts';
import { type OsmDatedHours, readOsmDatedHours } from '../stores/osm-dated-hours.ts';
import { parseOsmHours } from '../stores/osm-hours.ts';

/** Maximum cached rules. The stores of a continent have about ten thousand distinct values of a kilobyte each. */
const MAX_RULES = 20_000;
/** Maximum length of cached rules; OpenStreetMap has no longer ones. */
const MAX_CACHED_LENGTH = 255;

/** Caches parsed rules, because feeds repeat them and each takes up to a third of a millisecond to parse. */
export function cacheOsmHours(): ReadOsmHours {
  return cacheReader(parseOsmHours);
}

/** Caches parsed rules that may include dates, as in open directories. */
export function cacheOsmDatedHours(): (rules: string) => OsmDatedHours {
  return cacheReader(readOsmDatedHours);
}

function cacheReader<Hours>(read: (rules: string) => Hours): (rules: string) => Hours {
  const readCached = memoized(read, MAX_RULES);
  return (rules) => (rules.length > MAX_CACHED_LENGTH ? read(rules) : readCached(rules));
}
