import type { Country } from '../../src/supply/stores/store.ts';
import { timeZoneAt } from '../../src/supply/stores/time-zone.ts';
import { METROS, type Metro } from './metros.ts';
import { townName } from './names.ts';
import { countryOf, postalOf, REGIONS, type Region } from './regions.ts';
import { type Chance, chanceOf, normal, weighted } from './seeded.ts';

/** A town, or one part of a metropolitan area, with stores scattered around its center. */
export type Town = {
  city: string;
  state: string;
  country: Country;
  postal: string;
  /** Thousands. */
  people: number;
  latitude: number;
  longitude: number;
  timeZone: string;
  /** Standard deviation of the stores' distance from the center. */
  miles: number;
};

const SEED = 1_497_521;
const MILES_PER_DEGREE = 69.1;
/** Thousands of people per center of a metropolitan area, and per rural town. */
const PART_PEOPLE = 55;
const TOWN_PEOPLE = 8;

/** The towns of the continent, identical in every run. */
export function townsOfContinent(): Town[] {
  const chance = chanceOf(SEED);
  return [
    ...METROS.flatMap((metro) => partsOf(metro, chance)),
    ...REGIONS.flatMap((region) => townsOf(region, chance)),
  ];
}

export const townBy = (towns: readonly Town[]) => weighted(towns, ({ people }) => people);

/** A third of the people live in the city itself, the others in its surroundings. */
function partsOf({ city, state, people, latitude, longitude }: Metro, chance: Chance): Town[] {
  const count = Math.max(1, Math.round(people / PART_PEOPLE));
  const spreadMiles = 2 + Math.sqrt(people) / 8;
  return Array.from({ length: count }, (_, nth) => {
    const isCity = nth < Math.ceil(count / 3);
    const away = nth === 0 ? 0 : spreadMiles * (isCity ? 0.45 : 1.15);
    const at = beside({ latitude, longitude }, away * normal(chance), away * normal(chance));
    return townAt(isCity ? city : townName(chance), state, {
      ...at,
      people: people / count,
      miles: 0.8 + 1.4 * chance(),
    });
  });
}

function townsOf({ state, people, box: [south, north, west, east] }: Region, chance: Chance): Town[] {
  return Array.from({ length: Math.round(people / TOWN_PEOPLE) }, () => {
    const latitude = south + (north - south) * chance();
    const longitude = west + (east - west) * chance();
    const size = TOWN_PEOPLE * (0.2 + 1.6 * chance() ** 2);
    return townAt(townName(chance), state, { latitude, longitude, people: size, miles: 0.5 + 3 * chance() });
  });
}

function townAt(
  city: string,
  state: string,
  at: { latitude: number; longitude: number; people: number; miles: number },
): Town {
  const country = countryOf(state);
  return {
    city,
    state,
    country,
    postal: postalOf(state),
    ...at,
    timeZone: timeZoneAt(at.latitude, at.longitude, country, state),
  };
}

/** Moves a coordinate some miles north and east. */
export function beside(
  { latitude, longitude }: { latitude: number; longitude: number },
  northMiles: number,
  eastMiles: number,
): { latitude: number; longitude: number } {
  const north = northMiles / MILES_PER_DEGREE;
  const east = eastMiles / (MILES_PER_DEGREE * Math.cos((latitude * Math.PI) / 180));
  return { latitude: rounded(latitude + north), longitude: rounded(longitude + east) };
}

/** Rounds to about a meter, the precision of most feeds. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}
