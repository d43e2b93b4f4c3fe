import tzLookup from '@photostructure/tz-lookup';
import { countryNamed } from './country-name.ts';
import { ZONES_OF_COUNTRY } from './country-zones.ts';
import { isCovered } from './coverage.ts';
import type { Country } from './store.ts';
import { canonicalTimeZone } from './time-zone.ts';

const COUNTRY_OF_ZONE: ReadonlyMap<string, Country> = new Map([
  ...ZONES_OF_COUNTRY.US.map((zone) => [zone, 'US'] as const),
  ...ZONES_OF_COUNTRY.CA.map((zone) => [zone, 'CA'] as const),
]);

/** Zones of the sea, where the map of zones ends at the coast. */
const AT_SEA = /^Etc\//;
/** Degrees to search for land: enough for a pier or an island off the map, too few for another shore. */
const SHORE_DEGREES = [0.02, 0.05, 0.1];
const BEARINGS = Array.from({ length: 8 }, (_, n) => (n * Math.PI) / 4);

/**
 * The country of a coordinate by the time zone that the map has there; null outside of the US and Canada. Some hundred
 * metres coarse at borders, so a country that the record names has precedence.
 */
export function countryAt(latitude: number, longitude: number): Country | null {
  if (!isCovered(latitude, longitude)) return null;
  const zone = zoneOnMap(latitude, longitude);
  if (!AT_SEA.test(zone)) return COUNTRY_OF_ZONE.get(zone) ?? null;
  for (const degrees of SHORE_DEGREES) {
    for (const bearing of BEARINGS) {
      const shore = zoneOnMap(latitude + degrees * Math.cos(bearing), longitude + degrees * Math.sin(bearing));
      const country = COUNTRY_OF_ZONE.get(shore);
      if (country) return country;
    }
  }
  return null;
}

function zoneOnMap(latitude: number, longitude: number): string {
  const zone = tzLookup(Math.min(90, Math.max(-90, latitude)), ((longitude + 540) % 360) - 180);
  return canonicalTimeZone(zone) ?? zone;
}

/** The country that a record names; by its coordinate where it names none; null for any other country. */
export function countryOf(named: string, latitude: number, longitude: number): Country | null {
  if (named === '') return countryAt(latitude, longitude);
  return countryNamed(named) ?? null;
}
