import { CHANNELS, type Channel, completeHours, type StoreHours, type WeeklyHours } from '../../stores/hours.ts';
import { parseOsmHours } from '../../stores/osm-hours.ts';
import { parseHours } from '../../stores/parse-hours.ts';
import {
  addFault,
  type FeedObject,
  type FeedPath,
  faultAt,
  given,
  type LineFault,
  type LineReport,
  readObject,
  warnAt,
} from './feed-fields.ts';

/** The value of a feed's `hours` that a store sets itself. What a feed warns of is a fault here: no rule is left out. */
export function parseStoreHours(
  hours: object,
): { ok: true; hours: StoreHours } | { ok: false; faults: readonly LineFault[] } {
  const report: LineReport = { faults: [], warnings: [] };
  const from: FeedObject = { fields: { hours }, path: null, report, readOsmHours: parseOsmHours };
  const parsed = readStoreHours(from, 'nothing is changed');
  const channels = new Map<string, unknown>(Object.entries(hours));
  if (CHANNELS.every((channel) => (channels.get(channel) ?? null) === null))
    faultAt(from, 'hours', `expected at least one of ${CHANNELS.join(', ')}`);
  const faults = [...report.faults, ...report.warnings];
  return faults.length === 0 ? { ok: true, hours: parsed } : { ok: false, faults };
}

/** The hours of every channel. An absent channel follows `operational`; without any hours all channels are unknown. */
export function readStoreHours(from: FeedObject, outcome = 'left unknown'): StoreHours {
  const byChannel: Partial<Record<Channel, WeeklyHours | null>> = {};
  const object = readObject(from, 'hours');
  for (const channel of object ? CHANNELS : []) {
    const hours = object && readHours(object, channel, outcome);
    if (hours !== undefined) byChannel[channel] = hours;
  }
  return completeHours(byChannel);
}

/** The menu hours of a category or product; null means all hours. Unreadable rules give null and a warning. */
export function readMenuHours(from: FeedObject): WeeklyHours | null {
  return readHours(from, 'hours', 'left out, so sold at all hours') ?? null;
}

/** Undefined when absent; null, with a warning, for OpenStreetMap rules that a week cannot express. */
function readHours(from: FeedObject, key: string, outcome: string): WeeklyHours | null | undefined {
  const value = given(from, key);
  if (value === undefined) return undefined;
  if (typeof value === 'string') {
    const read = from.readOsmHours(value);
    if (!read.ok) warnAt(from, key, `expected regular weekly opening_hours: ${read.reason}; ${outcome}`);
    return read.ok ? read.hours : null;
  }
  const read = parseHours(value);
  if (read.ok) return read.hours;
  const path: FeedPath = { parent: from.path, key };
  for (const { weekday, message } of read.faults) {
    addFault(from.report, weekday === '' ? path : { parent: path, key: weekday }, message);
  }
  return null;
}
