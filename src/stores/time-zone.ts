import tzLookup from '@photostructure/tz-lookup';
import { memoised } from '../lib/memo.ts';
import { ZONES_OF_COUNTRY } from './country-zones.ts';
import type { Country } from './store.ts';

/** Zones of the US and Canada that Intl still calls by a name older than the one in the IANA database. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['America/Indianapolis', 'America/Indiana/Indianapolis'],
  ['America/Louisville', 'America/Kentucky/Louisville'],
  ['America/Coral_Harbour', 'America/Atikokan'],
]);

/** Degrees around a coordinate whose zone is another country's or the sea's, nearest first. */
const SEARCH_STEPS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28];
const BEARINGS = Array.from({ length: 16 }, (_, n) => (n * Math.PI) / 8);

const EPOCH = Temporal.Instant.fromEpochMilliseconds(0);
/** More names than the IANA database has. */
const MAX_NAMES = 5000;

/**
 * The current IANA name of a zone, such as `America/Los_Angeles` for `US/Pacific`, in any letter case; null for a name
 * that the database does not have. A fixed offset (`-05:00`) is no zone: it has no summer time.
 */
export const canonicalTimeZone = memoised(
  (name) => (/^[A-Za-z][\w+/-]{0,63}$/.test(name) ? nameByIntl(name) : null),
  MAX_NAMES,
);

/**
 * The zone of a store of this country at a coordinate. The zone map is some hundred metres coarse at borders and ends at
 * the coast: where it gives a zone that the country does not have, the result is the country's nearest zone within about
 * a degree, or else the zone of the map. A coordinate out of range is a RangeError.
 */
export function timeZoneAt(latitude: number, longitude: number, country: Country): string {
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) {
    throw new RangeError(`No place on earth: ${latitude}, ${longitude}`);
  }
  const ours = ZONES_OF_COUNTRY[country];
  const found = zoneOnMap(latitude, longitude);
  if (ours.includes(found)) return found;
  for (const degrees of SEARCH_STEPS) {
    for (const bearing of BEARINGS) {
      const zone = zoneOnMap(latitude + degrees * Math.cos(bearing), longitude + degrees * Math.sin(bearing));
      if (ours.includes(zone)) return zone;
    }
  }
  return found;
}

/** A latitude past a pole is the pole; a longitude past the 180th meridian continues on its other side. */
function zoneOnMap(latitude: number, longitude: number): string {
  const zone = tzLookup(Math.min(90, Math.max(-90, latitude)), ((longitude + 540) % 360) - 180);
  return canonicalTimeZone(zone) ?? zone;
}

/** Intl still takes abbreviations (`IST`, `SystemV/PST8`) that Temporal, which computes with the zone, refuses. */
function nameByIntl(name: string): string | null {
  try {
    EPOCH.toZonedDateTimeISO(name);
    const resolved = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
    return RENAMED.get(resolved) ?? resolved;
  } catch {
    return null;
  }
}
