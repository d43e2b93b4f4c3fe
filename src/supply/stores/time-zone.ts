import tzLookup from '@photostructure/tz-lookup';
import { memoized } from 'doorstep/collections';
import { readCountry, readRegion, readTerritory } from './region.ts';
import type { Country } from './store.ts';

/** A coordinate's time zone and country, and whether the service covers it. */

/** US and Canadian zones whose name in Intl differs from the current IANA name. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['America/Indianapolis', 'America/Indiana/Indianapolis'],
  ['America/Louisville', 'America/Kentucky/Louisville'],
  ['America/Coral_Harbour', 'America/Atikokan'],
]);

/** Returns the IANA names of the time zones of ISO 3166 regions, sorted. */
function zonesOfRegions(...regions: readonly string[]): string[] {
  const zones = regions.flatMap((region) => new Intl.Locale('und', { region }).getTimeZones() ?? []);
  return zones.map((zone) => RENAMED.get(zone) ?? zone).sort();
}

/** Every time zone of a country. Stores on the islands of United States territories count as US stores. */
export const ZONES_OF_COUNTRY: Readonly<Record<Country, readonly string[]>> = {
  US: zonesOfRegions('US', 'PR', 'VI', 'GU', 'AS', 'MP'),
  CA: zonesOfRegions('CA'),
};

/** Zones of regions that do not have all of their country; a name that ends with a slash is all of its zones. */
const ZONES_OF_REGION: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ['CT DC DE GA MA MD ME NC NH NJ NY OH PA RI SC VA VT WV', 'America/New_York'],
    ['FL TN', 'America/New_York America/Chicago'],
    ['MI', 'America/Detroit America/Menominee'],
    ['IN', 'America/Indiana/ America/Kentucky/ America/Chicago'],
    ['KY', 'America/New_York America/Kentucky/ America/Chicago'],
    ['AL AR IA IL LA MN MO MS OK WI', 'America/Chicago'],
    ['KS NE SD TX', 'America/Chicago America/Denver'],
    ['ND', 'America/Chicago America/North_Dakota/ America/Denver'],
    ['CO MT NM UT WY', 'America/Denver'],
    ['AZ', 'America/Phoenix America/Denver'],
    ['NV', 'America/Los_Angeles America/Denver America/Boise'],
    ['ID OR', 'America/Boise America/Denver America/Los_Angeles'],
    ['CA WA', 'America/Los_Angeles'],
    ['HI', 'Pacific/Honolulu'],
    ['NL', 'America/St_Johns America/Goose_Bay'],
    ['NB', 'America/Moncton'],
    ['NS PE', 'America/Halifax America/Glace_Bay'],
    ['QC', 'America/Toronto America/Halifax America/Blanc-Sablon'],
    ['ON', 'America/Toronto America/Atikokan America/Winnipeg'],
    ['MB', 'America/Winnipeg'],
    ['SK', 'America/Regina America/Swift_Current America/Edmonton'],
    ['AB', 'America/Edmonton'],
    ['NT', 'America/Edmonton America/Inuvik'],
    ['BC', 'America/Vancouver America/Fort_Nelson America/Dawson_Creek America/Creston America/Edmonton'],
    ['YT', 'America/Whitehorse America/Dawson'],
  ].flatMap(([regions = '', zones = '']) => regions.split(' ').map((region) => [region, zones.split(' ')] as const)),
);

/** North Dakota has Mountain Time only south of this latitude, which the map's border of Montana is too coarse for. */
const NORTH_DAKOTAS_MOUNTAIN_TIME_SOUTH_OF = 47.7;
/** Places whose zone differs from their surroundings, too small for the map: within so many degrees of a town. */
const TOWNS = [
  // Towns in Ontario west of 90° that keep Eastern Standard Time all year.
  { state: 'ON', zone: 'America/Atikokan', latitude: 48.757, longitude: -91.622, degrees: 0.15 },
  { state: 'ON', zone: 'America/Atikokan', latitude: 51.467, longitude: -90.183, degrees: 0.15 },
  // The Hopi Reservation keeps Standard Time; the Navajo Nation around it does not.
  ...[
    { latitude: 35.92, longitude: -110.67 }, // Hotevilla
    { latitude: 35.87, longitude: -110.62 }, // Kykotsmovi
    { latitude: 35.8, longitude: -110.5 }, // Second Mesa
    { latitude: 35.84, longitude: -110.38 }, // Polacca
    { latitude: 35.81, longitude: -110.22 }, // Keams Canyon
  ].map((town) => ({ ...town, state: 'AZ', zone: 'America/Phoenix', degrees: 0.07 })),
];

function hasZone(zone: string, { state, latitude, country }: { state: string; latitude: number; country: Country }) {
  if (!ZONES_OF_COUNTRY[country].includes(zone)) return false;
  if (state === 'ND' && zone === 'America/Denver') return latitude < NORTH_DAKOTAS_MOUNTAIN_TIME_SOUTH_OF;
  const zones = ZONES_OF_REGION.get(state);
  return zones?.some((known) => (known.endsWith('/') ? zone.startsWith(known) : zone === known)) ?? true;
}

/** Distances in degrees to search for a zone of the country, if a coordinate's zone is foreign or the sea's. */
const SEARCH_STEPS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28];
const DIRECTIONS = 16;

const EPOCH = Temporal.Instant.fromEpochMilliseconds(0);
/** Maximum cached names, more than the IANA database has. */
const MAX_NAMES = 5000;

/**
 * Returns the current IANA name of a zone in any letter case, such as `America/Los_Angeles` for `US/Pacific`; null if
 * unknown. A fixed offset (`-05:00`) is not accepted, because it has no daylight saving time.
 */
export const canonicalTimeZone = memoized(
  (name) => (/^[A-Za-z][\w+/-]{0,63}$/.test(name) ? nameByIntl(name) : null),
  MAX_NAMES,
);

/**
 * Returns the zone for a store of this country and region (its code, or '' if unknown) at a coordinate. The map is
 * coarse at borders and coasts, so a zone that the region does not have is replaced by the nearest one within about a
 * degree that it has. Throws RangeError for invalid coordinates.
 */
export function timeZoneAt(latitude: number, longitude: number, country: Country, state: string): string {
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) {
    throw new RangeError(`No place on earth: ${latitude}, ${longitude}`);
  }
  const spot = { latitude, longitude };
  const town = TOWNS.find(
    (one) =>
      one.state === state &&
      Math.max(Math.abs(one.latitude - latitude), Math.abs(one.longitude - longitude)) < one.degrees,
  );
  if (town) return town.zone;
  const found = zoneOnMap(latitude, longitude);
  const isOwn = (zone: string, of: string) => hasZone(zone, { state: of, latitude, country });
  if (isOwn(found, state)) return found;
  const around = [...zonesAround(spot, SEARCH_STEPS, DIRECTIONS)];
  return around.find((zone) => isOwn(zone, state)) ?? [found, ...around].find((zone) => isOwn(zone, '')) ?? found;
}

/** Yields the zones on circles of these degrees around a coordinate, nearest first. */
function* zonesAround(
  { latitude, longitude }: { latitude: number; longitude: number },
  steps: readonly number[],
  directions: number,
): Generator<string, void> {
  for (const degrees of steps) {
    for (let nth = 0; nth < directions; nth += 1) {
      const bearing = (2 * Math.PI * nth) / directions;
      yield zoneOnMap(latitude + degrees * Math.cos(bearing), longitude + degrees * Math.sin(bearing));
    }
  }
}

/** Looks up a zone on the map. A latitude beyond a pole counts as the pole; a longitude past 180 wraps around. */
function zoneOnMap(latitude: number, longitude: number): string {
  const zone = tzLookup(Math.min(90, Math.max(-90, latitude)), ((longitude + 540) % 360) - 180);
  return canonicalTimeZone(zone) ?? zone;
}

/** Finds a zone's name by Intl, which accepts abbreviations (`IST`, `SystemV/PST8`) that Temporal refuses. */
function nameByIntl(name: string): string | null {
  try {
    EPOCH.toZonedDateTimeISO(name);
    const resolved = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
    return RENAMED.get(resolved) ?? resolved;
  } catch {
    return null;
  }
}

const COUNTRY_OF_ZONE: ReadonlyMap<string, Country> = new Map([
  ...ZONES_OF_COUNTRY.US.map((zone) => [zone, 'US'] as const),
  ...ZONES_OF_COUNTRY.CA.map((zone) => [zone, 'CA'] as const),
]);

/** Zones of the sea, because the map ends at the coast. */
const SEA_ZONE = /^Etc\//;
/** Distances in degrees to search for land, enough to reach the shore from a pier or an unmapped island. */
const SHORE_DEGREES = [0.02, 0.05, 0.1];
const SHORE_DIRECTIONS = 8;

/**
 * Returns the country whose time zone the map has at a coordinate; null outside of the US and Canada. Off by up to
 * hundreds of meters at borders, so a country that a record states takes precedence.
 */
function countryAt(latitude: number, longitude: number): Country | null {
  if (!isCovered(latitude, longitude)) return null;
  const zone = zoneOnMap(latitude, longitude);
  if (!SEA_ZONE.test(zone)) return COUNTRY_OF_ZONE.get(zone) ?? null;
  const shores = zonesAround({ latitude, longitude }, SHORE_DEGREES, SHORE_DIRECTIONS);
  return shores.map((shore) => COUNTRY_OF_ZONE.get(shore)).find((country) => country !== undefined) ?? null;
}

/** Returns the country that a record states, or its coordinate's; null for any other country. */
export function countryOf(named: string, latitude: number, longitude: number): Country | null {
  return named === '' ? countryAt(latitude, longitude) : (readCountry(named) ?? null);
}

/**
 * Reads the country and region of a record, which may state a territory of the US as its country. Without a country,
 * the coordinate's applies, or at a border the country with that region. A region is null if it is unknown, and empty
 * if none is stated.
 */
export function readLocality(
  stated: { country: string; region: string },
  { latitude, longitude }: { latitude: number; longitude: number },
): { country: Country | null; state: string | null } {
  const country = countryOf(stated.country, latitude, longitude);
  const territory = readTerritory(stated.country);
  if (territory !== null) return { country, state: territory };
  if (stated.region === '' || country === null) return { country, state: '' };
  const state = readRegion(stated.region, country);
  const neighbor = country === 'US' ? 'CA' : 'US';
  if (state !== null || stated.country !== '') return { country, state };
  const across = readRegion(stated.region, neighbor);
  return across === null ? { country, state } : { country: neighbor, state: across };
}

/** Degrees: south, north, west, east. */
type Box = readonly [south: number, north: number, west: number, east: number];

/** The United States with Alaska, Hawaii and its islands, and Canada (docs/feeds.md#where-a-store-may-lie). */
const BOXES: readonly Box[] = [
  [24.3, 49.5, -125.1, -66.8],
  [41.6, 83.2, -141.1, -52.5],
  [51, 71.6, -180, -129.9],
  [51, 71.6, 172, 180],
  [18.8, 28.5, -178.5, -154.7],
  [17.6, 18.6, -67.4, -64.4],
  [13.1, 20.6, 144.5, 146.2],
  [-14.7, -11, -171.2, -168],
];

/** Whether a coordinate is in a box of the two countries, edges included. */
export function isCovered(latitude: number, longitude: number): boolean {
  return BOXES.some(
    ([south, north, west, east]) => latitude >= south && latitude <= north && longitude >= west && longitude <= east,
  );
}
