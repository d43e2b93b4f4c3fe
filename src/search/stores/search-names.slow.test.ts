import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { createTypoMatcher, MAX_WORDS, splitWords } from 'doorstep/search-engine/text';
import fc from 'fast-check';
import { foundBy, namedStores, SearchIndex, storeIdsOf } from '../../../test/given/search-index.ts';
import { editDistance, openAtOf, queryOf, storeOf } from '../../../test/oracles/store-search.ts';
import { runs } from '../../../test/runs.ts';

const CHAINS = namedStores(
  '7-Eleven',
  "McDonald's",
  'Domino’s Pizza',
  'Café Rouge',
  'H&M Deli',
  'Señor Taco',
  'Smørrebrød',
);

test('case, accents, apostrophes and punctuation of names and queries do not matter', () => {
  const cases: [string, string][] = [
    ['7 eleven', '7-Eleven'],
    ['7-ELEVEN', '7-Eleven'],
    ['mcdonalds', "McDonald's"],
    ['McDonald’s', "McDonald's"],
    ['dominos', 'Domino’s Pizza'],
    ["domino's PIZZA!!", 'Domino’s Pizza'],
    ['domino`s', 'Domino’s Pizza'],
    ['cafe', 'Café Rouge'],
    ['CAFE\u0301', 'Café Rouge'],
    ['h m deli', 'H&M Deli'],
    ['h & m', 'H&M Deli'],
    ['senor', 'Señor Taco'],
    ['smorrebrod', 'Smørrebrød'],
    ['  taco\tseñor ', 'Señor Taco'],
  ];
  for (const [text, name] of cases) assert.deepEqual(foundBy(CHAINS, text), [name], text);
});

test('where a store near the coordinate matches every word, no store that matches some is shown', () => {
  assert.deepEqual(foundBy(CHAINS, 'pizza dominos'), ['Domino’s Pizza']);
  assert.deepEqual(foundBy(CHAINS, 'pizza taco'), ['Domino’s Pizza', 'Señor Taco']);
});

test('one typo is forgiven from four letters on, two from eight, none in shorter words', () => {
  const index = namedStores('Bun', 'Taco', 'Wendys', 'Starbucks');
  assert.deepEqual(foundBy(index, 'bum'), []);
  assert.deepEqual(foundBy(index, 'taoc'), ['Taco']);
  assert.deepEqual(foundBy(index, 'tac'), []);
  assert.deepEqual(foundBy(index, 'wednsy'), []);
  assert.deepEqual(foundBy(index, 'wendy'), ['Wendys']);
  assert.deepEqual(foundBy(index, 'strabukcs'), ['Starbucks']);
  assert.deepEqual(foundBy(index, 'starbux'), []);
  assert.deepEqual(foundBy(index, 'sturbacks'), ['Starbucks']);
  assert.deepEqual(foundBy(index, 'stirbacka'), []);
});

test('an exact word ranks before a prefix, a prefix before a typo, and the worst word counts', () => {
  const index = namedStores('Pizze', 'Pizzaland', 'Pizza Hut', 'Pizzeria');
  assert.deepEqual(foundBy(index, 'pizza', true), ['Pizza Hut', 'Pizzaland', 'Pizze']);
  assert.deepEqual(foundBy(index, 'pizza'), ['Pizza Hut', 'Pizze']);
  assert.deepEqual(foundBy(index, 'pizza h', true), ['Pizza Hut']);
  const twoWords = namedStores('Blue Burgr', 'Bluu Burger', 'Blue Burger');
  assert.deepEqual(foundBy(twoWords, 'blue burger'), ['Blue Burger', 'Blue Burgr', 'Bluu Burger']);
});

test('only the last word of the query may be unfinished, and only when asked', () => {
  const index = namedStores('Burger King');
  assert.deepEqual(foundBy(index, 'burger ki', true), ['Burger King']);
  assert.deepEqual(foundBy(index, 'b', true), ['Burger King']);
  assert.deepEqual(foundBy(index, 'ki', true), ['Burger King']);
  assert.deepEqual(foundBy(index, 'ki'), []);
  assert.deepEqual(foundBy(index, 'bur ki'), []);
});

test('a query of punctuation only shows all stores, a page of a query at a time', () => {
  const index = namedStores(...Array.from({ length: 101 }, (_, i) => `Store ${i}`));
  assert.equal(foundBy(index, '').length, 100);
  assert.equal(foundBy(index, " ’'&--!? ").length, 20);
  assert.equal(foundBy(index, 'store').length, 20);
});

test('a renamed store is found by its new name only, as are the others of its old one', () => {
  const index = namedStores('Old Oak', 'Elm');
  index.upsert(storeOf('second', { name: 'Old Oak', latitude: 41, longitude: -74 }));
  index.upsert(storeOf('Old Oak', { name: 'Birch', latitude: 40, longitude: -74 }));
  assert.deepEqual(foundBy(index, 'oak'), ['second']);
  assert.deepEqual(foundBy(index, 'birch'), ['Old Oak']);
  index.remove('second');
  assert.deepEqual([foundBy(index, 'oak'), foundBy(index, 'oa', true)], [[], []]);
});

test('text in any script, however long or odd, is answered', () => {
  const index = namedStores('北京饭店', 'Кафе Москва', '𝕊tarbucks', 'ＦＵＬＬ width');
  assert.deepEqual(foundBy(index, '北京饭店'), ['北京饭店']);
  assert.deepEqual(foundBy(index, '北京', true), ['北京饭店']);
  assert.deepEqual(foundBy(index, 'МОСКВА'), ['Кафе Москва']);
  assert.deepEqual(foundBy(index, 'starbucks'), ['𝕊tarbucks']);
  assert.deepEqual(foundBy(index, 'full'), ['ＦＵＬＬ width']);
  const hostile = [
    'a'.repeat(10_000),
    'ab '.repeat(5000),
    `e${'\u0301'.repeat(9999)}`,
    '💩'.repeat(5000),
    '\ud800',
    'ﷺ'.repeat(3000),
  ];
  for (const text of hostile) assert.ok(foundBy(index, text, true).length <= 100);
  for (const text of hostile) assert.ok(splitWords(text).length <= MAX_WORDS);
});

const matcher = createTypoMatcher();

test('typos are counted as optimal string alignment counts them', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 });
  fc.assert(
    fc.property(word, word, fc.constantFrom(1, 2), (a, b, most) => {
      assert.equal(matcher.isWithinTypos(a, b, most), editDistance(a, b) <= most);
    }),
    { numRuns: runs(2000) },
  );
});

test('any words are found under any spelling of theirs, whatever the punctuation between', () => {
  const letters = fc.string({ unit: fc.constantFrom('é', 'E', 'ß', 'ñ', 'o', '京', '7'), minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.array(letters, { minLength: 1, maxLength: 4 }), (words) => {
      const index = namedStores(words.join(' & '));
      const spelled = words
        .map((word) => word.normalize('NFD').toUpperCase())
        .toReversed()
        .join('--');
      assert.equal(foundBy(index, spelled).length, 1);
    }),
  );
});

const FEED = join(import.meta.dirname, '../../../../shared/data/feed/chains.ndjson.gz');

test('real chains are found by their usual misspellings', { skip: !existsSync(FEED) && 'no ../shared/data' }, () => {
  const index = new SearchIndex(openAtOf);
  const lines = gunzipSync(readFileSync(FEED)).toString().split('\n').filter(Boolean);
  const namesById = new Map<string, string>();
  for (const [i, line] of lines.entries()) {
    const { name, latitude, longitude } = JSON.parse(line);
    if (!Number.isFinite(latitude) || !Number.isFinite(longitude)) continue;
    namesById.set(`s${i}`, name);
    index.upsert(storeOf(`s${i}`, { name, latitude, longitude }));
  }
  const cases: [string, RegExp][] = [
    ['dunkin', /^Dunkin'$/],
    ['dunkni', /^Dunkin'$/],
    ['dolartree', /^DollarTree$/],
    ['walgreen', /^Walgreens$/],
    ['pizza hutt', /^Pizza Hut$/],
    ['7 elevn', /^7-Eleven/],
    ['arbys', /^Arby.s$|Arby/i],
    ['chipolte', /^Chipotle$/],
    ['whattaburger', /Whataburger/],
    ['crackr barel', /^Cracker Barrel$/],
  ];
  for (const [text, name] of cases) {
    const page = index.search(queryOf({ text, latitude: 39.95, longitude: -82.99 }), 0);
    assert.equal(page.stores.length, 20, text);
    for (const storeId of storeIdsOf(page)) assert.match(namesById.get(storeId) ?? '', name, text);
  }
});
