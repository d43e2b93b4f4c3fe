import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { foundBy, namedStores, SearchIndex } from '../../../test/given/search-index.ts';
import { openAtOf, storeOf } from '../../../test/oracles/store-search.ts';
import { runs } from '../../../test/runs.ts';

const MILES_OF_DEGREE = 69;

type Given = { name: string; miles: number; cuisines?: readonly string[] };

/** Stores north of the searcher; a store's id is its name. */
function storesAt(...given: readonly Given[]): SearchIndex {
  const index = new SearchIndex(openAtOf);
  for (const { name, miles, cuisines = [] } of given) {
    const latitude = 40 + miles / MILES_OF_DEGREE;
    index.upsert(storeOf(name, { name, latitude, longitude: -74, cuisines: [...cuisines] }));
  }
  return index;
}

const judgment = fc.constantFrom(
  ...['best', 'good', 'cheap', 'top rated', '24 hour', 'late night', 'lunch', 'kid friendly', 'places to eat'],
  ...['meilleure', 'pas cher', 'ouvert tard', 'mejor', 'barata', 'donde comer'],
);
const ending = fc.constantFrom('', ' near me', ' nearby', ' places', ' tonight');

test('words of judgment and time don’t change the results of the other words', () => {
  const index = storesAt(
    { name: 'Tony’s Pizza', miles: 2, cuisines: ['pizza'] },
    { name: 'Best Buy', miles: 1 },
    { name: 'Cheap Thrills', miles: 1 },
    { name: 'West Kids Friend', miles: 1 },
    { name: 'Slice House', miles: 3, cuisines: ['pizza'] },
    { name: 'Best Pizza of Goodville', miles: 300, cuisines: ['pizza'] },
  );
  fc.assert(
    fc.property(fc.array(judgment, { minLength: 1, maxLength: 2 }), ending, (judgments, end) => {
      for (const what of ['pizza', 'tonys', 'tonys pizza'])
        assert.deepEqual(foundBy(index, `${judgments.join(' ')} ${what}${end}`), foundBy(index, what));
    }),
    { numRuns: runs(200) },
  );
  assert.deepEqual(foundBy(index, 'pizza').slice(0, 2), ['Tony’s Pizza', 'Slice House']);
});

test('a store that has words of judgment in its name is found by them', () => {
  const index = storesAt(
    { name: 'Times Cafe', miles: 1 },
    { name: 'Good Times Burgers', miles: 8 },
    { name: 'Best Buy', miles: 4 },
    { name: 'Buy Low', miles: 2 },
    { name: 'Taco Bueno', miles: 9, cuisines: ['mexican'] },
    { name: 'El Charro', miles: 1, cuisines: ['mexican'] },
    { name: 'Goodwill', miles: 6 },
    { name: 'Will’s', miles: 1 },
  );
  const names = { 'good times': 'Good Times Burgers', 'best buy': 'Best Buy', 'best buy near me': 'Best Buy' };
  for (const [text, name] of Object.entries({ ...names, 'taco bueno': 'Taco Bueno', 'good will': 'Goodwill' }))
    assert.equal(foundBy(index, text)[0], name, text);
  assert.equal(foundBy(index, 'good tim', true)[0], 'Good Times Burgers');
});

test('a single judgment is a name, and places to eat are restaurants', () => {
  const index = namedStores('Best', 'Diner');
  assert.deepEqual(foundBy(index, 'best'), ['Best']);
  assert.deepEqual(foundBy(index, 'places to eat'), ['Best', 'Diner']);
});

test('no word has a typo in its first letter', () => {
  const index = namedStores('West', 'Your Pie', 'Rest Stop', 'Hours');
  for (const text of ['vest', 'nest', 'lour', 'tie', 'ours']) assert.deepEqual(foundBy(index, text), [], text);
  assert.deepEqual(foundBy(index, 'wset'), ['West']);
});

test('within 25 miles first, however well a farther store matches, unless the query is a whole name', () => {
  const brand = fc.constantFrom('Golden Wok', 'Luna', 'Casa Verde');
  const kind = fc.constantFrom('', ' restaurant', ' delivery');
  fc.assert(
    fc.property(
      brand,
      kind,
      fc.integer({ min: 26, max: 900 }),
      fc.integer({ min: 1, max: 24 }),
      (name, what, far, near) => {
        const mistyped = `${name}s Bistro`;
        const query = `${name.toLowerCase()}${what}`;
        const partial = storesAt({ name: `${name} Grill`, miles: far }, { name: mistyped, miles: near });
        assert.deepEqual(foundBy(partial, query), [mistyped, `${name} Grill`]);
        const whole = storesAt({ name, miles: far }, { name: mistyped, miles: near });
        assert.deepEqual(foundBy(whole, query), [name, mistyped]);
      },
    ),
    { numRuns: runs(200) },
  );
  const some = storesAt({ name: 'Luna Wok Express Lane', miles: 400 }, { name: 'Luna Cafe', miles: 4 });
  assert.deepEqual(foundBy(some, 'luna wok express'), ['Luna Cafe', 'Luna Wok Express Lane']);
});

test('Chinese and Japanese names are found by any two neighboring signs, and by the first of them', () => {
  const names = ['北京烤鸭店', '海底捞火锅', '一風堂ラーメン', 'KFC肯德基', 'すき家'];
  const index = namedStores(...names);
  for (const name of names) {
    const signs = [...name].filter((sign) => sign > '\u3000');
    for (const [nth, sign] of signs.entries()) {
      const text = signs.slice(nth, nth + 2).join('');
      if (text !== sign) assert.deepEqual(foundBy(index, text), [name], text);
      if (text !== sign) assert.deepEqual(foundBy(index, sign), [name], sign);
    }
    assert.deepEqual(foundBy(index, name), [name]);
  }
  assert.deepEqual(foundBy(index, '烤鸭 北京'), ['北京烤鸭店']);
  assert.deepEqual(foundBy(index, 'kfc'), ['KFC肯德基']);
});
