import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchService } from '../setup.ts';
import type { NamedProduct } from './named-products.ts';

/**
 * Whether search ranks the item itself above items that only share its flavor or ingredient. `the-thing.json` has name
 * patterns per place and query: the item (grade 3), then close ones (grade 1); any other product is wrong. The search
 * is never tuned on `untuned-things.json`: 50 queries a place, which people would type for items that were drawn from
 * the place's sorted names with the seed 20,261,125, labeled by names before any response was read.
 */
export const THINGS = { tuned: 'the-thing', untuned: 'untuned-things' } as const;

type Labels = Record<Place, Record<string, readonly [thing: string, near?: string]>>;
type Place = keyof typeof PLACES;

/** Search locations of the query sets: near the grocery store, and among restaurants within ten miles. */
const PLACES = {
  market: { latitude: 38.9074, longitude: -77.4069, feed: 'market' },
  menus: { latitude: 37.79, longitude: -122.34, feed: 'bay-area' },
} as const;
const MAX_MILES = 10;
const EARTH_MILES = 3958.76;
const RADIANS = Math.PI / 180;

const THING = 3;
const NEAR = 1;
const DEPTH = 10;
/** Strips a menu number: "50. Fried Rice". */
const MENU_NUMBER = /^[a-z]*-?\d+[a-z]?\.\s*/;

/** `carts` is the share of carts that chose the item; null where no store has a cart. */
export type ThingScore = { place: string; query: string; ndcg: number; isFirst: boolean; carts: number | null };

export async function scoreThings(
  service: Pick<BenchService, 'url' | 'key'>,
  products: readonly NamedProduct[],
  file: string,
): Promise<ThingScore[]> {
  const labels = JSON.parse(readFileSync(join(import.meta.dirname, `${file}.json`), 'utf8')) as Labels;
  const scores: ThingScore[] = [];
  for (const [place, queries] of Object.entries(labels)) {
    const { latitude, longitude, feed } = PLACES[place as Place];
    const near = products.filter(
      (one) => one.ref.startsWith(`${feed}/`) && milesBetween(one, { latitude, longitude }) <= MAX_MILES,
    );
    for (const [query, patterns] of Object.entries(queries)) {
      const gradeOf = graderOf(patterns);
      const common = {
        user_latitude: String(latitude),
        user_longitude: String(longitude),
        maximum_miles: `${MAX_MILES}`,
      };
      const found = await ask<{ products: { name: string }[] }>(service, '/search/product/v4', { ...common, query });
      const cartQuery = JSON.stringify({ [query]: 1 });
      const carted = await ask<CartAnswer>(service, '/search/cart', { ...common, query: cartQuery });
      const chosen = carted.carts.map(({ products: byLine }) => gradeOf(byLine[query]?.[0]?.name ?? ''));
      const grades = found.products.map(({ name }) => gradeOf(name));
      const ideal = near.map(({ name }) => gradeOf(name)).sort((a, b) => b - a);
      if (ideal[0] !== THING) throw new Error(`No product of the feeds is a ${query}.`);
      scores.push({
        place,
        query,
        ndcg: gainOf(grades) / gainOf(ideal),
        isFirst: grades[0] === THING,
        carts: chosen.length === 0 ? null : chosen.filter((grade) => grade === THING).length / chosen.length,
      });
    }
  }
  return scores;
}

type CartAnswer = { carts: { products: Record<string, { name: string }[]> }[] };

function graderOf([thing, near]: readonly [string, string?]): (name: string) => number {
  const [isThing, isNear] = [new RegExp(thing), near === undefined ? undefined : new RegExp(near)];
  return (given) => {
    const name = given.toLowerCase().replace(MENU_NUMBER, '').trim();
    return isThing.test(name) ? THING : isNear?.test(name) ? NEAR : 0;
  };
}

function gainOf(grades: readonly number[]): number {
  return grades.slice(0, DEPTH).reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
}

type Coordinate = { latitude: number; longitude: number };

function milesBetween(a: Coordinate, b: Coordinate): number {
  const [north, east] = [(b.latitude - a.latitude) * RADIANS, (b.longitude - a.longitude) * RADIANS];
  const across = Math.cos(a.latitude * RADIANS) * Math.cos(b.latitude * RADIANS) * Math.sin(east / 2) ** 2;
  return 2 * EARTH_MILES * Math.asin(Math.min(1, Math.sqrt(Math.sin(north / 2) ** 2 + across)));
}

async function ask<Answer>(
  { url, key }: Pick<BenchService, 'url' | 'key'>,
  path: string,
  query: Record<string, string>,
): Promise<Answer> {
  const reply = await fetch(`${url}${path}?${new URLSearchParams(query)}`, { headers: { 'id-token': key } });
  if (reply.status !== 200) throw new Error(`${reply.status} for ${path} ${query.query}`);
  return (await reply.json()) as Answer;
}
