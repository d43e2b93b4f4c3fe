import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { SearchIndex, storeIdsOf } from '../../test/given/search-index.ts';
import { queryOf, storeOf } from '../../test/oracles/store-search.ts';
import { chanceOf, pick } from '../continent/seeded.ts';
import { FEEDS } from '../setup.ts';
import { plainWords } from './typed-name.ts';

/**
 * Queries of a brand and a word that people add, over real outlets. A brand of name-suggestion-index has outlets where
 * outlets of the chains are, every other one with its cuisine; the chains' own state no cuisine.
 */
const RAW = join(FEEDS, '../raw');
const BRANDS = join(RAW, 'nsi_food_brands_us_ca.csv');
const CHAINS = join(RAW, 'stores_us_chains.csv.gz');
const SEED = 20_261_124;
/** The queries after the first 200 are not looked at while the search is tuned. */
const QUERIES = 300;
const OUTLETS_OF_BRAND = 40;

type Outlet = { id: string; brand: string; name: string; isGrocery: boolean; cuisines: string[]; at: Spot };
type Spot = { city: string; state: string; zipcode: string; latitude: number; longitude: number };
type ExtraWordsQuery = { text: string; brand: string; at: Spot };

const WORDS_OF_KIND: Readonly<Record<string, readonly string[]>> = {
  coffee_shop: ['coffee', 'cafe', 'drive thru'],
  pizza: ['pizza', 'pizzeria', 'delivery'],
  burger: ['burgers', 'burger', 'drive thru'],
  mexican: ['tacos', 'mexican', 'mexican restaurant'],
  sandwich: ['subs', 'sandwiches', 'sandwich shop'],
  chicken: ['chicken', 'fried chicken', 'wings'],
  bubble_tea: ['bubble tea', 'boba'],
  donut: ['donuts', 'doughnuts', 'coffee'],
  ice_cream: ['ice cream'],
  supermarket: ['supermarket', 'grocery', 'grocery store', 'market'],
  convenience: ['convenience store', 'gas station', 'store'],
  chemist: ['pharmacy', 'drugstore'],
  bakery: ['bakery', 'bread'],
  alcohol: ['liquor store', 'liquor'],
};
const RESTAURANT_WORDS = ['restaurant', 'near me', 'delivery', 'menu', 'open now', 'food', 'takeout'];
const GROCERY_WORDS = ['store', 'near me', 'grocery', 'delivery', 'open now', 'hours'];

export function hasExtraWordsData(): boolean {
  return existsSync(BRANDS) && existsSync(CHAINS);
}

/** The outlets, and the queries in their order. */
export function readExtraWords(): { outlets: Outlet[]; queries: ExtraWordsQuery[] } {
  const chance = chanceOf(SEED);
  const outlets = chainOutlets();
  const spots = outlets.map(({ at }) => at);
  const kinds = new Map<string, readonly string[]>();
  for (const [category = '', name = '', cuisine = ''] of rowsOf(readFileSync(BRANDS, 'utf8'))) {
    const shop = category.split('/')[1] ?? '';
    const isGrocery = category.startsWith('shop/');
    const kind = cuisine.split(';')[0] || (shop === 'cafe' ? 'coffee_shop' : shop);
    kinds.set(name, [...(WORDS_OF_KIND[kind] ?? []), ...(isGrocery ? GROCERY_WORDS : RESTAURANT_WORDS)]);
    const isStated = chance() < 0.5;
    for (let nth = 0; nth < OUTLETS_OF_BRAND; nth += 1) {
      const cuisines = isStated ? cuisine.split(';').filter(Boolean) : [];
      outlets.push({ id: `${name}/${nth}`, brand: name, name, isGrocery, cuisines, at: pick(spots, chance) });
    }
  }
  const queries = Array.from({ length: QUERIES }, () => {
    const { brand, name, isGrocery, at } = pick(outlets, chance);
    const words = kinds.get(brand) ?? (isGrocery ? GROCERY_WORDS : RESTAURANT_WORDS);
    const plain = plainWords(name).join(' ');
    const roll = chance();
    if (roll < 0.15) return { text: `${plain} ${at.city.toLowerCase()}`, brand, at };
    return { text: roll < 0.22 ? `${at.city.toLowerCase()} ${plain}` : `${plain} ${pick(words, chance)}`, brand, at };
  });
  return { outlets, queries };
}

/** By query, whether the first store is of the brand, and its name; null if none is found. */
export function* judgeExtraWords(
  outlets: readonly Outlet[],
  queries: readonly ExtraWordsQuery[],
): Generator<{ query: ExtraWordsQuery; first: string | null; isRight: boolean }> {
  const index = new SearchIndex();
  const byId = new Map(outlets.map((outlet) => [outlet.id, outlet]));
  for (const { id, name, isGrocery, cuisines, at } of outlets) {
    const { city, state, zipcode, latitude, longitude } = at;
    const address = { ...storeOf(id).address, city, state, zipcode };
    index.upsert(
      storeOf(id, { name, type: isGrocery ? 'grocery' : 'restaurant', cuisines, address, latitude, longitude }),
    );
  }
  for (const query of queries) {
    const { latitude, longitude } = query.at;
    const [storeId] = storeIdsOf(index.search(queryOf({ text: query.text, latitude, longitude }), 0));
    const first = storeId === undefined ? null : (byId.get(storeId) as Outlet);
    const isRight = first !== null && plainWords(first.brand).join(' ') === plainWords(query.brand).join(' ');
    yield { query, first: first?.name ?? null, isRight };
  }
}

function chainOutlets(): Outlet[] {
  const lines = gunzipSync(readFileSync(join(FEEDS, 'chains.ndjson.gz')))
    .toString()
    .split('\n')
    .filter(Boolean);
  return lines.flatMap((line): Outlet[] => {
    const { external_id: id, name, type, address, latitude, longitude } = JSON.parse(line);
    if (!Number.isFinite(latitude) || !Number.isFinite(longitude) || !address?.city) return [];
    const { city, state = '', zipcode = '' } = address;
    return [
      {
        id,
        brand: name,
        name,
        isGrocery: type === 'grocery',
        cuisines: [],
        at: { city, state, zipcode, latitude, longitude },
      },
    ];
  });
}

function rowsOf(text: string): string[][] {
  return text
    .split('\n')
    .slice(1)
    .filter(Boolean)
    .map((line) => line.split(','));
}
