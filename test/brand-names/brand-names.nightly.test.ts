import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { chanceOf } from '../../bench/continent/seeded.ts';
import { plainWords } from '../../bench/relevance/typed-name.ts';
import { installApart } from '../apart-packages.ts';
import { SearchIndex, storeIdsOf } from '../given/search-index.ts';
import { queryOf, storeOf } from '../oracles/store-search.ts';

// covers: packages/search-engine/*.ts, packages/search-engine/text/*, test/brand-names/package/*

const shareOf = (judged: readonly JudgedName[], limit: number) =>
  judged.filter(({ at }) => at >= 0 && at < limit).length / judged.length;
const wrongOf = (judged: readonly JudgedName[], limit: number) =>
  judged
    .filter(({ at }) => at < 0 || at >= limit)
    .map(({ text, wanted, found }) => `${text} (${wanted}): ${found.join(', ')}`)
    .join('\n');

test('of a foreign list of chains, 99 % are first by their own name, 90 % of other names are among the first three', (t) => {
  const { own, others } = judgeNames();
  t.diagnostic(`${own.length} names: first ${(100 * shareOf(own, 1)).toFixed(1)} %`);
  t.diagnostic(`${others.length} other names: in the first three ${(100 * shareOf(others, 3)).toFixed(1)} %`);
  assert.ok(own.length > 1000 && others.length > 400);
  assert.ok(shareOf(own, 1) >= 0.99, wrongOf(own, 1));
  assert.ok(shareOf(others, 3) >= 0.9, wrongOf(others, 3));
});

/** The food and grocery chains of name-suggestion-index in the US and Canada, each typed by its names in one city. */

const FILE = 'node_modules/name-suggestion-index/dist/json/nsi.min.json';
const RESTAURANTS = ['fast_food', 'restaurant', 'cafe', 'ice_cream', 'pub', 'bar'];
const GROCERIES = [
  ...['supermarket', 'convenience', 'bakery', 'alcohol', 'butcher', 'confectionery', 'coffee', 'tea', 'deli'],
  ...['greengrocer', 'seafood', 'pastry', 'chocolate', 'cheese', 'frozen_food', 'health_food', 'chemist'],
];
const PLACES = /^(?:001|us|ca|conus|us-..|ca-..)(?:\.geojson)?$/;
/** Tags with other names. */
const OTHER_NAMES = ['alt_name', 'short_name', 'official_name', 'brand'];
const CITY = { latitude: 39.96, longitude: -83 };
/** Maximum offset of a store from the middle of the city, about 14 miles. */
const OFF_DEGREES = 0.2;
const SEED = 20_261_130;
/** Stores whose names have a number of their own. */
const NUMBERED = 'Family Dollar';
const NUMBERS = 999;

type Item = {
  tags: Readonly<Record<string, string>>;
  locationSet: { include: readonly unknown[] };
  matchNames?: readonly string[];
};
type Chain = { name: string; type: 'restaurant' | 'grocery'; cuisines: string[]; others: string[] };

/** A typed name, the first names that are found, and the position of the chain among these; -1 if it is not there. */
type JudgedName = { text: string; wanted: string; found: string[]; at: number };

const key = (name: string) => plainWords(name).join('');

function readChains(): Chain[] {
  const { nsi } = JSON.parse(readFileSync(join(installApart(join(import.meta.dirname, './package')), FILE), 'utf8'));
  const chains = (kinds: readonly string[], group: string, type: Chain['type']) =>
    kinds.flatMap((kind) =>
      ((nsi[`brands/${group}/${kind}`]?.items ?? []) as Item[])
        .filter(({ locationSet }) => locationSet.include.some((place) => PLACES.test(String(place))))
        .map(({ tags, matchNames = [] }): Chain => {
          const others = [...OTHER_NAMES.flatMap((tag) => tags[tag]?.split(';') ?? []), ...matchNames];
          return { name: tags.name ?? tags.brand ?? '', type, cuisines: tags.cuisine?.split(';') ?? [], others };
        }),
    );
  const all = [...chains(RESTAURANTS, 'amenity', 'restaurant'), ...chains(GROCERIES, 'shop', 'grocery')];
  return all.filter(({ name }) => key(name) !== '');
}

/** Judges the chains' own names, and their other names, except those that are another chain's own. */
function judgeNames(): { own: JudgedName[]; others: JudgedName[] } {
  const chains = readChains();
  const chance = chanceOf(SEED);
  const index = new SearchIndex();
  const chainOf = new Map<string, Chain>();
  const add = (chain: Chain) => {
    const id = `${chainOf.size}`;
    const off = () => (2 * chance() - 1) * OFF_DEGREES;
    const at = { latitude: CITY.latitude + off(), longitude: CITY.longitude + off() };
    const { name, type } = chain;
    index.upsert(storeOf(id, { name, type, cuisines: chance() < 0.5 ? chain.cuisines : [], ...at }));
    chainOf.set(id, chain);
  };
  for (const chain of chains) add(chain);
  for (let nth = 1; nth <= NUMBERS; nth += 1)
    add({ name: `${NUMBERED} #${nth}`, type: 'grocery', cuisines: [], others: [] });

  /** A chain that has the text among its names is right. */
  const judge = (text: string, wanted: string, isRight: (chain: Chain) => boolean): JudgedName => {
    const found = storeIdsOf(index.search(queryOf({ ...CITY, text }), 0)).map((id) => chainOf.get(id) as Chain);
    return { text, wanted, found: found.slice(0, 3).map(({ name }) => name), at: found.findIndex(isRight) };
  };
  const owners = new Set(chains.map(({ name }) => key(name)));
  const own = [...new Set(chains.map(({ name }) => name))];
  const others = chains.flatMap(({ name, others: given }) =>
    [...new Map(given.map((other) => [key(other), other]))]
      .filter(([other]) => other !== '' && !owners.has(other))
      .map(([other, text]) =>
        judge(text, name, (chain) => [chain.name, ...chain.others].some((one) => key(one) === other)),
      ),
  );
  return { own: own.map((name) => judge(name, name, (chain) => key(chain.name) === key(name))), others };
}
