import type { StoreType } from '../../src/supply/stores/store.ts';
import { CHAINS, type Chain, type HoursKind } from './chains.ts';
import { independentName, type Kind, kindBy } from './names.ts';
import { openingTimes } from './opening-times.ts';
import { type Chance, chanceOf, normal, pick, weighted, wholeBetween } from './seeded.ts';
import { beside, type Town, townBy, townsOfContinent } from './towns.ts';

/** Number of restaurants and grocery stores in the United States and Canada. */
export const CONTINENT_STORES = 1_497_521;

/** A generated store, before it becomes a feed line or an indexed store. */
export type ContinentStore = {
  number: number;
  externalId: string;
  name: string;
  type: StoreType;
  town: Town;
  streetAddr: string;
  zipcode: string;
  latitude: number;
  longitude: number;
  /** Ten digits. */
  phone: string | null;
  description: string;
  hours: string | null;
  cuisines: readonly string[];
  dollarSigns: number | null;
  rating: { value: number; count: number } | null;
  foodPhotos: readonly string[];
  logo: string | null;
  pickup: { prepMinutes: readonly [number, number] } | null;
  delivery: { party: 'first' | 'third'; radiusMiles: number; prepMinutes: readonly [number, number] } | null;
  /** 0 if the store has no menu. */
  products: number;
};

const CHAIN_SHARE = 0.27;
const STREETS =
  'Main St;Broadway;Market St;1st Ave;2nd Ave;Park Ave;Elm St;Oak St;Washington Blvd;Maple Ave;Lake Dr;Hwy 20;River Rd;State St;Church St;Mill Rd;Rue Principale;King St W;Queen St E;Sunset Blvd;Route 9;5th St;Center St;Industrial Pkwy'.split(
    ';',
  );
const MIN_PRODUCTS = 20;
const MAX_PRODUCTS = 400;

/**
 * Generates the stores of the continent, identical in every run; a smaller count thins out the stores over the same
 * area.
 */
export function* continentStores(count: number, menus: number): Generator<ContinentStore> {
  const storeOf = continentStoreBy(count, menus);
  for (let number = 0; number < count; number += 1) yield storeOf(number);
}

/** Picks a store by its number. */
export function continentStoreBy(count: number, menus: number): (number: number) => ContinentStore {
  const townOf = townBy(townsOfContinent());
  const chainOf = weighted(CHAINS, ({ outlets }) => outlets);
  return (number) => {
    const chance = chanceOf(number + 1);
    const town = townOf(chance);
    const chain = chance() < CHAIN_SHARE ? chainOf(chance) : null;
    const isHere = chain !== null && (chain.country === null || chain.country === town.country);
    const hasMenu = Math.floor(((number + 1) * menus) / count) > Math.floor((number * menus) / count);
    const who = isHere ? outletOf(chain, chance) : independentOf(kindBy(chance), town, chance);
    return storeAt(number, town, who, hasMenu, chance);
  };
}

type Who = Pick<ContinentStore, 'name' | 'type' | 'cuisines' | 'dollarSigns' | 'hours' | 'logo'>;

function outletOf({ name, type, cuisine, dollarSigns, hours }: Chain, chance: Chance): Who {
  const slug = name.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  const logo = `https://cdn.example/logos/${slug}.png`;
  return { name, type, cuisines: [cuisine], dollarSigns, hours: openingTimes(hours, true, chance), logo };
}

const EARLY_KINDS = ['coffee', 'bakery', 'breakfast', 'sandwiches', 'juice'];

function independentOf(kind: Kind, town: Town, chance: Chance): Who {
  const { cuisine, type } = kind;
  const second = chance() < 0.25 ? kindBy(chance) : kind;
  const isEarly = EARLY_KINDS.includes(cuisine);
  const hours: HoursKind = type === 'grocery' ? 'market' : isEarly ? 'early' : chance() < 0.3 ? 'fast' : 'dinner';
  return {
    name: independentName(kind, town.city, chance),
    type,
    cuisines: second.cuisine === cuisine || second.type !== type ? [cuisine] : [cuisine, second.cuisine],
    dollarSigns: chance() < 0.28 ? null : pick([1, 1, 2, 2, 2, 3, 4], chance),
    hours: openingTimes(hours, false, chance),
    logo: null,
  };
}

function storeAt(number: number, town: Town, who: Who, hasMenu: boolean, chance: Chance): ContinentStore {
  const at = beside(town, town.miles * normal(chance), town.miles * normal(chance));
  const prep = 5 * wholeBetween(1, 6, chance);
  const photos = chance() < 0.45 ? wholeBetween(1, 3, chance) : 0;
  const delivers = chance() < 0.62;
  return {
    number,
    externalId: `store-${number}`,
    ...who,
    town,
    streetAddr: `${wholeBetween(1, 9999, chance)} ${pick(STREETS, chance)}`,
    zipcode: postalCode(town, chance),
    ...at,
    phone: chance() < 0.85 ? phoneOf(town, chance) : null,
    description: chance() < 0.3 ? `${who.name} in ${town.city}: ${who.cuisines.join(', ')} to take away.` : '',
    rating: chance() < 0.24 ? null : ratingOf(chance),
    foodPhotos: Array.from({ length: photos }, (_, nth) => `https://cdn.example/photos/${number}/${nth}.jpg`),
    pickup: hasMenu || chance() < 0.86 ? { prepMinutes: [prep, prep + 10] } : null,
    delivery: delivers
      ? {
          party: chance() < 0.6 ? 'first' : 'third',
          radiusMiles: wholeBetween(2, 24, chance) / 2,
          prepMinutes: [prep + 5, prep + 20],
        }
      : null,
    products: hasMenu ? MIN_PRODUCTS + Math.floor((MAX_PRODUCTS - MIN_PRODUCTS) * chance() ** 1.9) : 0,
  };
}

function postalCode({ country, postal }: Town, chance: Chance): string {
  const digits = String(wholeBetween(0, 99, chance)).padStart(2, '0');
  if (country === 'US') return `${postal}${digits}`;
  return `${postal}${pick([...'ABCEGHJKLMNPRSTVWXYZ'], chance)} ${digits[0]}${pick([...'ABCEGHJ'], chance)}${digits[1]}`;
}

const AREA_CODES = { US: ['212', '312', '415', '617', '713', '305', '206', '404'], CA: ['416', '514', '604', '403'] };

function phoneOf({ country }: Town, chance: Chance): string {
  return `${pick(AREA_CODES[country], chance)}${wholeBetween(200, 999, chance)}${wholeBetween(1000, 9999, chance)}`;
}

function ratingOf(chance: Chance): { value: number; count: number } {
  const value = Math.min(5, Math.max(1, Math.round((4.1 + 0.5 * normal(chance)) * 10) / 10));
  return { value, count: Math.max(1, Math.round(Math.exp(3.6 + 1.4 * normal(chance)))) };
}
