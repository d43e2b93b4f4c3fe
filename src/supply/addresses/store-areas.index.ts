import { splitWords } from '../../platform/lib/text/normalize-text.ts';
import { expandStreetWord } from '../../platform/lib/text/street-words.ts';
import { stateName } from '../pricing/sales-tax-table.ts';
import type { Country } from '../stores/store.ts';
import type { LocatedAddress } from './geocoder.ts';
import type { StoreArea } from './store-addresses.db.ts';

/** Index of the stores' postal codes and cities. It finds the one at the end of an address. */

/** A postal code or a city: the mean coordinate of its stores, and their bounding box. */
export type Area = LocatedAddress & Pick<StoreArea, 'stores' | 'south' | 'north' | 'west' | 'east'>;

/** The areas that an address names, largest first, and its words before the area. */
export type NamedAreas = { areas: readonly Area[]; street: readonly string[] };

type City = Area & { stateWords: readonly string[] };

const COUNTRY_NAMES = { US: 'USA', CA: 'Canada' } as const;
const COUNTRY_WORDS: readonly string[] = ['united states of america', 'united states', 'usa', 'us', 'canada'];
const MAX_CITY_WORDS = 5;

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
    const words = withoutEnding(addressWords(text), COUNTRY_WORDS);
    const { code, rest } = splitPostalCode(words);
    const postal = this.postalCodes.get(code);
    const city = this.findCity(rest);
    if (postal) return { areas: [postal], street: city?.street ?? rest };
    return this.findLeadingCode(words) ?? city;
  }

  /** Finds a postal code before its city: `60607 Chicago`. */
  private findLeadingCode(words: readonly string[]): NamedAreas | undefined {
    const { code, rest } = splitPostalCode([...words.slice(1), words[0] ?? '']);
    const postal = this.postalCodes.get(code);
    return postal && rest.length > 0 && this.findCity(rest)?.street.length === 0
      ? { areas: [postal], street: [] }
      : undefined;
  }

  private findCity(words: readonly string[]): NamedAreas | undefined {
    for (let length = Math.min(MAX_CITY_WORDS, words.length); length > 0; length -= 1) {
      for (let start = words.length - length; start >= 0 && start >= words.length - length - 4; start -= 1) {
        const cities = this.cities.get(words.slice(start, start + length).join(' '));
        if (!cities) continue;
        const tail = words.slice(start + length).join(' ');
        const areas = [...cities.values()].filter(({ stateWords }) => tail === '' || stateWords.includes(tail));
        if (areas.length > 0) {
          return { areas: areas.sort((a, b) => b.stores - a.stores), street: words.slice(0, start) };
        }
      }
    }
    return undefined;
  }

  private addPostalCode(row: StoreArea): void {
    const { code } = splitPostalCode(addressWords(row.zipcode));
    if (code === '') return;
    const address = `${row.city}, ${row.state} ${row.zipcode}, ${COUNTRY_NAMES[row.country]}`;
    const known = this.postalCodes.get(code);
    this.postalCodes.set(code, known ? joined(known, row) : areaOf(row, address, 'postal_code'));
  }

  private addCity(row: StoreArea): void {
    const name = addressWords(row.city).join(' ');
    if (name === '') return;
    const cities = this.cities.get(name) ?? new Map<string, City>();
    this.cities.set(name, cities);
    const state = `${row.country} ${addressWords(row.state).join(' ')}`;
    const known = cities.get(state);
    const address = `${row.city}, ${row.state}, ${COUNTRY_NAMES[row.country]}`;
    const stateWords = stateWordsOf(row.country, row.state);
    cities.set(state, { ...(known ? joined(known, row) : areaOf(row, address, 'city')), stateWords });
  }
}

/** Splits a text into comparable words: folded, and with abbreviations written out. */
export function addressWords(text: string): string[] {
  return splitWords(text).map(expandStreetWord);
}

function areaOf(row: StoreArea, address: string, precision: 'postal_code' | 'city'): Area {
  const { stores, latitude, longitude, south, north, west, east } = row;
  return { latitude, longitude, address, precision, stores, south, north, west, east };
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

function stateWordsOf(country: Country, state: string): string[] {
  const name = stateName(country, state);
  return [state, ...(name === undefined ? [] : [name])].map((text) => addressWords(text).join(' '));
}

function withoutEnding(words: readonly string[], endings: readonly string[]): readonly string[] {
  const text = words.join(' ');
  const ending = endings.find((one) => text.endsWith(` ${one}`));
  return ending === undefined ? words : words.slice(0, -ending.split(' ').length);
}

/** Splits a postal code from the end: `60607`, `60607-1234`, `M5V 2T6`, `M5V2T6`; '' without one. */
function splitPostalCode(words: readonly string[]): { code: string; rest: readonly string[] } {
  const [before = '', last = ''] = [words.at(-2), words.at(-1)];
  if (/^\d{5}$/.test(before) && /^\d{4}$/.test(last)) return { code: before, rest: words.slice(0, -2) };
  if (/^[a-z]\d[a-z]$/.test(before) && /^\d[a-z]\d$/.test(last)) {
    return { code: before + last, rest: words.slice(0, -2) };
  }
  const isCode = /^\d{5}$|^[a-z]\d[a-z]\d[a-z]\d$/.test(last);
  return isCode ? { code: last, rest: words.slice(0, -1) } : { code: '', rest: words };
}
