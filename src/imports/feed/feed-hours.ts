import { CHANNELS, type Channel, completeHours, type StoreHours, type WeeklyHours } from '../../stores/hours.ts';
import { parseHours } from '../../stores/parse-hours.ts';
import { addFault, type FeedObject, type FeedPath, given, readObject, warnAt } from './feed-fields.ts';

/** The hours of every channel. An absent channel follows `operational`; without any hours all channels are unknown. */
export function readStoreHours(from: FeedObject): StoreHours {
  const byChannel: Partial<Record<Channel, WeeklyHours | null>> = {};
  const object = readObject(from, 'hours');
  for (const channel of object ? CHANNELS : []) {
    const hours = object && readHours(object, channel, 'left unknown');
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
