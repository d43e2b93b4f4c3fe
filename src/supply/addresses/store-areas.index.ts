import { type Coordinate, milesBetween } from 'doorstep/search-engine/geography';
import { splitWords } from 'doorstep/search-engine/text';
import { readAddressLine } from '../stores/address-line.ts';
import { readCountry, readRegion } from '../stores/region.ts';
import type { Country } from '../stores/store.ts';
import { COUNTRY_NAMES, NO_ADDRESS, writeAddress, writeStreet } from '../stores/street-address.ts';
import { STREET_TYPES, writeOutStreet } from '../stores/street-words.ts';
import type { LocatedAddress } from './geocoder.ts';
import { addressWords } from './house-number.ts';
import type { StoreArea } from './store-addresses.db.ts';

/** Index of the stores' postal codes and cities, which finds the area that an address names. */

/** A postal code or a city: the mean coordinate of its stores, and their bounding box. */
export type Area = Required<LocatedAddress> & Pick<StoreArea, 'stores' | 'south' | 'north' | 'west' | 'east'>;

/** The areas that an address names, largest first, and its words before the area. */
export type NamedAreas = { areas: readonly Area[]; street: readonly string[] };

type City = Area & { country: Country; region: string };
type Parts = ReturnType<typeof readAddressLine>;

const MAX_CITY_WORDS = 5;
const MAX_AREA_MILES = 3;

export class StoreAreas {
  private readonly postalCodes = new Map<string, Area>();
  private readonly cities = new Map<string, Map<string, City>>();

  constructor(rows: readonly StoreArea[]) {
    for (const row of rows) {
      this.addPostalCode(row);
      this.addCity(row);
    }
  }

  /** Finds the postal code or the cities at the end of an address; undefined if none is known. */
  find(text: string): NamedAreas | undefined {
    return this.findLeadingCode(text.trim().split(/[\s,]+/)) ?? this.findIn(text);
  }

  /** Returns the postal code whose middle is nearest to a coordinate, up to `MAX_AREA_MILES` away. */
  nearest(at: Coordinate): Area | undefined {
    let nearest: Area | undefined;
    let miles = MAX_AREA_MILES;
    for (const area of this.postalCodes.values()) {
      // A degree of latitude is 69 miles.
      if (Math.abs(area.latitude - at.latitude) > miles / 68) continue;
      const distance = milesBetween(area, at);
      if (distance > miles) continue;
      nearest = area;
      miles = distance;
    }
    return nearest;
  }

  /** Reads an address that names no place as if a country followed: then `Buffalo New York` ends in a region. */
  private findIn(text: string): NamedAreas | undefined {
    const typed = readAddressLine(text);
    const isPlaced = typed.state + typed.zipcode + typed.country !== '';
    const parts = isPlaced ? typed : { ...readAddressLine(`${text}, USA`), country: '' };
    const postal = this.postalCodes.get(codeOf(parts.zipcode));
    // Of `Toronto, CA` the country was read as California.
    const isCanada = readCountry(parts.state) === 'CA';
    const city =
      this.findCity(parts) ?? (isCanada ? this.findCity({ ...parts, state: '', country: parts.state }) : undefined);
    return postal ? { areas: [postal], street: city?.street ?? streetOf(parts) } : city;
  }

  /** Finds a postal code before its city: `60607 Chicago`. */
  private findLeadingCode(words: readonly string[]): NamedAreas | undefined {
    for (const length of [1, 2]) {
      const postal = this.postalCodes.get(codeOf(words.slice(0, length).join(' ')));
      const city = postal && this.findIn(words.slice(length).join(' '));
      if (postal && city?.street.length === 0) return { areas: [postal], street: [] };
    }
    return undefined;
  }

  /** Finds the cities of an address: as read, after a street without a comma, or in place of the region. */
  private findCity(parts: Parts): NamedAreas | undefined {
    const { city, state } = parts;
    const areas = this.citiesOf(splitWords(city), parts);
    if (areas.length > 0) return { areas, street: streetOf(parts) };
    const words = splitWords(city || writeStreet(parts));
    for (let length = Math.min(MAX_CITY_WORDS, words.length); length > 0; length -= 1) {
      const atEnd = this.citiesOf(words.slice(-length), parts);
      const street = writeOutStreet(words.slice(0, -length));
      if (atEnd.length > 0 && isStreet(street)) return { areas: atEnd, street };
    }
    const named = this.citiesOf(splitWords(state), { ...parts, state: '' });
    const street = writeOutStreet(words);
    return named.length > 0 && (city === '' || isStreet(street)) ? { areas: named, street } : undefined;
  }

  /** The cities of a name in a region and country, largest first. */
  private citiesOf(name: readonly string[], { state, country }: Parts): readonly City[] {
    const cities = this.cities.get(cityKey(name)) ?? this.cities.get(cityKey(withoutCity(name)));
    return [...(cities?.values() ?? [])]
      .filter((city) => (readCountry(country) ?? city.country) === city.country)
      .filter((city) => state === '' || readRegion(state, city.country) === city.region)
      .sort((a, b) => b.stores - a.stores);
  }

  private addPostalCode(row: StoreArea): void {
    const code = codeOf(row.zipcode);
    if (code === '') return;
    const known = this.postalCodes.get(code);
    this.postalCodes.set(code, known ? joined(known, row) : areaOf(row, row.zipcode, 'postal_code'));
  }

  private addCity(row: StoreArea): void {
    const name = cityKey(splitWords(row.city));
    if (name === '') return;
    const cities = this.cities.get(name) ?? new Map<string, City>();
    this.cities.set(name, cities);
    const { country } = row;
    const region = readRegion(row.state, country) ?? row.state;
    const key = `${country} ${region}`;
    const known = cities.get(key);
    cities.set(key, { ...(known ? joined(known, row) : areaOf(row, '', 'city')), country, region });
  }
}

function areaOf(row: StoreArea, zipcode: string, precision: 'postal_code' | 'city'): Area {
  const { stores, latitude, longitude, south, north, west, east, city, state } = row;
  const parts = { ...NO_ADDRESS, city, state, zipcode };
  const address = writeAddress(parts, COUNTRY_NAMES[row.country]);
  return { latitude, longitude, address, precision, parts, stores, south, north, west, east };
}

/** Adds a row's stores to the area; the coordinate is the mean of all stores. */
function joined(area: Area, row: StoreArea): Area {
  const stores = area.stores + row.stores;
  const mean = (one: number, other: number) => (one * area.stores + other * row.stores) / stores;
  return {
    ...area,
    stores,
    latitude: mean(area.latitude, row.latitude),
    longitude: mean(area.longitude, row.longitude),
    south: Math.min(area.south, row.south),
    north: Math.max(area.north, row.north),
    west: Math.min(area.west, row.west),
    east: Math.max(area.east, row.east),
  };
}

/** Abbreviations in names of cities. */
// biome-ignore format: short rows
const CITY_WORDS: Readonly<Record<string, string>> = {
  n: 'north', s: 'south', e: 'east', w: 'west', st: 'saint', ste: 'sainte', ft: 'fort', mt: 'mount', pt: 'point',
  hts: 'heights', spgs: 'springs', bch: 'beach', hbr: 'harbor', harbour: 'harbor', ctr: 'center',
};

/** A city's name as it is compared: `Ft. Worth`, `De Kalb`, `Coeur d’Alene`. */
const cityKey = (words: readonly string[]): string => words.map((word) => CITY_WORDS[word] ?? word).join('');

/** `New York City` and `Québec City` are also known without the word. */
const withoutCity = (words: readonly string[]) => (words.at(-1) === 'city' ? words.slice(0, -1) : words);

/** Before a city in place of a street. */
const NEAR: ReadonlySet<string> = new Set(['near', 'in', 'downtown']);

/** Whether the words before a city are a street or nothing, so that `West Chicago` is not Chicago. */
function isStreet(words: readonly string[]): boolean {
  return (
    words.every((word) => NEAR.has(word)) ||
    words.some((word) => /\d/.test(word)) ||
    STREET_TYPES.has(words.at(-1) ?? '')
  );
}

/** The words of the street and its number. */
const streetOf = (parts: Parts) => addressWords(writeStreet(parts));

/** A text that is a postal code, as it is compared: `60607` of `60607-1234`, `M5V2T6`; '' for others. */
function codeOf(text: string): string {
  const { zipcode } = readAddressLine(text);
  return zipcode.replace(/\W/g, '').slice(0, /^\d/.test(zipcode) ? 5 : 6);
}
