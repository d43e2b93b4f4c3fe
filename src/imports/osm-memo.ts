import { memoised } from '../lib/memo.ts';
import { parseOsmHours } from '../stores/osm-hours.ts';
import type { ReadOsmHours } from './feed/feed-fields.ts';

const MAX_RULES = 2000;
/** Longer rules are read each time: OpenStreetMap stores no such value. */
const MAX_KEPT_LENGTH = 255;

/** Keeps the hours of the rules that it reads: a feed repeats the same few rules, and each takes a third of a millisecond. */
export function createOsmMemo(): ReadOsmHours {
  const readKept = memoised(parseOsmHours, MAX_RULES);
  return (rules) => (rules.length > MAX_KEPT_LENGTH ? parseOsmHours(rules) : readKept(rules));
}
