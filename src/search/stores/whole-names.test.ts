import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { foundBy, namedStores, SearchIndex, storeIdsOf } from '../../../test/given/search-index.ts';
import { openAtOf, queryOf, storeOf } from '../../../test/oracles/store-search.ts';
import { runs } from '../../../test/runs.ts';

/** A degree of latitude is 69 miles. */
const MILE = 1 / 69;

function storesAt(places: readonly (readonly [name: string, miles: number])[]): SearchIndex {
  const index = new SearchIndex(openAtOf);
  for (const [name, miles] of places)
    index.upsert(storeOf(name, { name, latitude: 40 + miles * MILE, longitude: -74 }));
  return index;
}

const WORDS = ['zorba', 'quillon', 'marlow', 'tekka', 'brandywine', 'oxbow'];

test('a whole name in the query comes first; else the rarest word that a store has decides, then the next, then distance', () => {
  const word = fc.constantFrom(...WORDS);
  const name = fc.uniqueArray(word, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(
      fc.array(name, { minLength: 1, maxLength: 12 }),
      fc.uniqueArray(word, { minLength: 2, maxLength: 4 }),
      (names, text) => {
        const places = names.map((own, nth) => ({ id: `${nth}`, own, latitude: 40 + (nth + 1) * MILE }));
        const index = new SearchIndex(openAtOf);
        for (const { id, own, latitude } of places)
          index.upsert(storeOf(id, { name: own.join(' '), latitude, longitude: -74 }));
        const shown = storeIdsOf(index.search(queryOf({ text: text.join(' '), latitude: 40, longitude: -74 }), 0));
        const hasAll = ({ own }: { own: readonly string[] }) => text.every((one) => own.includes(one));
        const isWhole = ({ own }: { own: readonly string[] }) => own.join(' ') === text.join(' ');
        const all = places.filter(hasAll);
        const sorted = (some: typeof places, rankOf: (place: (typeof places)[number]) => number[]) =>
          some
            .map((place) => ({ id: place.id, rank: rankOf(place) }))
            .sort((one, other) => {
              const at = one.rank.findIndex((rank, nth) => rank !== other.rank[nth]);
              return at < 0 ? 0 : (one.rank[at] as number) - (other.rank[at] as number);
            })
            .map(({ id }) => id);
        if (all.length > 0) {
          assert.deepEqual(
            shown,
            sorted(all, (place) => [isWhole(place) ? 0 : 1, place.latitude]),
          );
          return;
        }
        const countOf = (one: string) => names.filter((own) => own.includes(one)).length;
        const known = text.filter((one) => countOf(one) > 0);
        const counts = [...new Set(known.map(countOf))].sort((a, b) => a - b);
        // Longer names first, from the left, without overlap.
        const whole = new Set<string>();
        for (let at = 0; at < text.length; ) {
          let end = text.length;
          while (end > at && !names.some((own) => own.join(' ') === text.slice(at, end).join(' '))) end -= 1;
          if (end > at) whole.add(text.slice(at, end).join(' '));
          at = Math.max(end, at + 1);
        }
        const some = places.filter(({ own }) => own.some((one) => known.includes(one)));
        assert.deepEqual(
          shown,
          sorted(some, ({ own, latitude }) =>
            whole.has(own.join(' '))
              ? [0, latitude]
              : [
                  1,
                  ...counts.map((count) => -known.filter((one) => countOf(one) === count && own.includes(one)).length),
                  latitude,
                ],
          ),
        );
      },
    ),
    { numRuns: runs(300) },
  );
});

test('the full name of a chain finds the chain, not a closer store with its common words', () => {
  const index = storesAt([
    ['54th Street Grill & Bar', 1],
    ['Bar & Grill', 2],
    ["Applebee's", 9],
    ["Chili's", 12],
  ]);
  assert.equal(foundBy(index, "Applebee's Grill & Bar")[0], "Applebee's");
  assert.equal(foundBy(index, 'chilis grill and bar')[0], "Chili's");
});

test('a store of exactly this name comes first within 25 miles, one that is named by its kind alone within 5', () => {
  const index = storesAt([
    ['Delta Sonic', 1],
    ['Pizza Roma', 1],
    ['Sonic', 20],
    ['Pizza', 20],
  ]);
  assert.deepEqual(foundBy(index, 'sonic'), ['Sonic', 'Delta Sonic']);
  assert.deepEqual(foundBy(index, 'pizza'), ['Pizza Roma', 'Pizza']);
});

test('the words of which a whole name has the initials find it', () => {
  const index = storesAt([
    ['Chicken Express', 1],
    ['KFC', 8],
    ['LCBO', 9],
    ['Tea Bar', 2],
  ]);
  assert.equal(foundBy(index, 'Kentucky Fried Chicken')[0], 'KFC');
  assert.equal(foundBy(index, 'liquor control board of ontario')[0], 'LCBO');
  assert.deepEqual(foundBy(index, 'tezza emmer arlo'), []);
});

test('digits that are a name with a space more find it before a store of that number', () => {
  const index = storesAt([
    ['Family Dollar #711', 1],
    ['7-Eleven', 8],
    ['Highway 76', 2],
  ]);
  assert.deepEqual(foundBy(index, '711'), ['7-Eleven', 'Family Dollar #711']);
  assert.deepEqual(foundBy(index, '76'), ['Highway 76']);
});

test('words that say nothing find all stores by distance: open ones for "open", the best rated for "best"', () => {
  const stars = (value: number) => ({ rating: { value, count: 9 } });
  const index = new SearchIndex(openAtOf);
  const hours = { ...storeOf('x').hours, operational: null };
  const add = (name: string, miles: number, changes: object) =>
    index.upsert(storeOf(name, { name, latitude: 40 + miles * MILE, longitude: -74, ...changes }));
  add('Near', 1, { ...stars(3), hours });
  add('Middle', 2, stars(4));
  add('Far', 30, stars(5));
  const search = (text: string, more: object = {}) =>
    storeIdsOf(index.search(queryOf({ text, latitude: 40, longitude: -74, ...more }), 2000));
  for (const text of ['near me', 'menu', 'the', 'hours', 'nearby', 'today', 'cerca de mi', 'cheap eats'])
    assert.deepEqual(search(text), ['Near', 'Middle', 'Far'], text);
  for (const text of ['open', 'open now', 'Open near me', 'ouvert maintenant', "what's open"])
    assert.deepEqual(search(text), ['Middle', 'Far'], text);
  for (const text of ['best', 'best near me', 'top rated'])
    assert.deepEqual(search(text), ['Far', 'Middle', 'Near'], text);
  assert.deepEqual(search('best open now'), ['Far', 'Middle']);
  assert.deepEqual(search('best', { sort: 'distance' }), ['Near', 'Middle', 'Far']);
  assert.deepEqual(search('open now', { autocomplete: true }), ['Middle', 'Far']);
  assert.deepEqual(search('near me', { maximumMiles: 10 }), ['Near', 'Middle']);
});

test('a name of such words is found by them: typed whole, or begun with autocomplete', () => {
  const index = namedStores('The Spot', 'Best Buy', 'Pho Saigon');
  assert.deepEqual(foundBy(index, 'the spot'), ['The Spot']);
  assert.deepEqual(foundBy(index, 'best', true), ['Best Buy']);
  assert.equal(foundBy(index, 'best').length, 3);
  assert.deepEqual(foundBy(index, 'best buy'), ['Best Buy']);
});
