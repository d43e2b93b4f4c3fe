import assert from 'node:assert/strict';
import { test } from 'node:test';
import { looseRewritesOf, rewritesOf } from 'doorstep/search-engine/text';
import fc from 'fast-check';
import { foundBy, namedStores, SearchIndex } from '../../../test/given/search-index.ts';
import { compareRanks, expectedStores, openAtOf, queryOf, storeOf } from '../../../test/oracles/store-search.ts';
import { runs } from '../../../test/runs.ts';
import type { Store } from '../../supply/stores/store.ts';

function givenIndex(stores: readonly Store[]): SearchIndex {
  const index = new SearchIndex(openAtOf);
  for (const store of stores) index.upsert(store);
  return index;
}

const CHAINS = namedStores(
  'McDonald’s',
  'Burger King',
  'In-N-Out',
  'DollarTree',
  '7-Eleven',
  'Bed & Bath',
  'Mount Royal BBQ',
  'Taco Bell',
);

function assertFound(cases: readonly (readonly [text: string, name: string])[]): void {
  for (const [text, name] of cases) assert.deepEqual(foundBy(CHAINS, text), [name], text);
}

test('a space too many or too few does not matter', () => {
  assertFound([
    ['mc donalds', 'McDonald’s'],
    ['burgerking', 'Burger King'],
    ['innout', 'In-N-Out'],
    ['in nout', 'In-N-Out'],
    ['dollar tree', 'DollarTree'],
    ['dol lar tree', 'DollarTree'],
  ]);
  assert.deepEqual(foundBy(CHAINS, 'dollar tr', true), ['DollarTree']);
  assert.deepEqual(foundBy(CHAINS, 'burgerki', true), ['Burger King']);
});

test('a word that was taken apart is found in names that have its parts side by side, in their order', () => {
  const index = namedStores('King Burger', 'Burger & Steak King', 'Burger King');
  assert.deepEqual(foundBy(index, 'burgerking'), ['Burger King']);
});

test('a word that a name has twice counts as adjacent where the name has it', () => {
  const index = namedStores('Pita Bar', 'Pita Grill Pita Bar');
  assert.deepEqual(foundBy(index, 'pitabar'), ['Pita Bar', 'Pita Grill Pita Bar']);
});

test('signs, numbers and usual abbreviations are found as they are said', () => {
  assertFound([
    ['bed and bath', 'Bed & Bath'],
    ['the bed bath', 'Bed & Bath'],
    ['seven eleven', '7-Eleven'],
    ['7-11', '7-Eleven'],
    ['7 11', '7-Eleven'],
    ['mt royal', 'Mount Royal BBQ'],
    ['royal barbecue', 'Mount Royal BBQ'],
  ]);
});

test('where nothing else matches, a typo next to a wrong space or in a short word is forgiven', () => {
  assertFound([
    ['mac donalds', 'McDonald’s'],
    ['taco bel', 'Taco Bell'],
    ['burgrking', 'Burger King'],
    ['in n oup', 'In-N-Out'],
  ]);
  assert.deepEqual(foundBy(CHAINS, 'bbw'), []);
});

test('words that say that the search is near are no part of the name', () => {
  for (const text of ['taco bell near me', 'nearest taco bell', 'taco bell nearby', 'tacobell open now']) {
    assert.deepEqual(foundBy(CHAINS, text), ['Taco Bell'], text);
  }
});

test('a city in the query finds its stores first, wherever it stands', () => {
  const { address } = storeOf('any');
  const places = [
    { city: 'Salem', state: 'OR' },
    { city: 'Lees Summit', state: 'MO' },
    { city: 'Salem', state: 'OR' },
  ];
  const stores = places.map((place, n) =>
    storeOf(`taco ${n}`, {
      name: 'Taco Bell',
      latitude: 40 + n / 100,
      longitude: -74,
      address: { ...address, ...place },
    }),
  );
  const index = givenIndex([...stores, storeOf('salem pizza', { name: 'Salem Pizza', longitude: -74 })]);
  for (const text of ['taco bell salem', 'salem taco bell', 'taco bell in salem', 'taco bell oregon salem']) {
    assert.deepEqual(foundBy(index, text), ['taco 0', 'taco 2'], text);
  }
  assert.deepEqual(foundBy(index, 'taco bell in lee’s summit mo'), ['taco 1']);
  assert.equal(foundBy(index, 'pizza salem')[0], 'salem pizza');
  assert.deepEqual(foundBy(index, 'taco bell reno'), ['taco 0', 'taco 1', 'taco 2']);
  index.remove('taco 1');
  assert.deepEqual(foundBy(index, 'taco bell lees summit'), ['taco 0', 'taco 2']);
});

const WORDS = 'pizza,hut,pizzahut,the,and,le,cafe,piza,le cafe,lecafe,7,seven,in,n'.split(',');

test('whatever is read otherwise leaves the words themselves in their order', () => {
  const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 12 }), text, fc.boolean(), (names, query, autocomplete) => {
      const stores = names.map((name, n) => storeOf(`s${n}`, { name, latitude: 40 + n / 100, longitude: -74 }));
      const asTyped = queryOf({ text: query, autocomplete, latitude: 40, longitude: -74 });
      const due = expectedStores(stores, asTyped, 0).filter(({ words }) => words === null);
      due.sort((a, b) => compareRanks(a, b) || a.miles - b.miles);
      const shown = foundBy(givenIndex(stores), query, autocomplete);
      const typed = due.map(({ storeId }) => storeId);
      assert.deepEqual(
        shown.filter((storeId) => typed.includes(storeId)),
        typed,
      );
      assert.equal(new Set(shown).size, shown.length);
    }),
    { numRuns: runs(500) },
  );
});

test('a name typed with or without a space comes as the other spelling does, before any typo', () => {
  const part = fc.constantFrom('shop', 'rite', 'wing', 'stop', 'food', 'land', 'good', 'will', '7', '11');
  const miles = fc.integer({ min: 1, max: 20 });
  fc.assert(
    fc.property(part, part, miles, miles, fc.boolean(), (one, other, near, far, isJoined) => {
      // `7 7` is in the other name as its word 7.
      fc.pre(one !== other);
      const own = isJoined ? `${one}${other}` : `${one} ${other}`;
      const storeAt = (name: string, at: number) => storeOf(name, { name, latitude: 40 + at / 69, longitude: -74 });
      const mistyped = `${own}s Xenia ${one.at(-1)}`;
      const index = givenIndex([storeAt(own, far), storeAt(mistyped.replace(one, `${one}y`), near / 30)]);
      for (const text of [`${one} ${other}`, `${one}${other}`]) assert.equal(foundBy(index, text)[0], own, text);
    }),
    { numRuns: runs(200) },
  );
});

test('however a query is made, it is read in a bounded number of ways', () => {
  const texts = [Array(24).fill('a'), Array(24).fill('aa'), ['a'.repeat(40)], Array(12).fill('ab'.repeat(20))];
  for (const words of texts) {
    assert.ok(rewritesOf(words, () => true, true).length <= 16);
    assert.ok(looseRewritesOf(words, () => true).length <= 16);
  }
  assert.deepEqual(
    rewritesOf(['a'.repeat(500)], () => true, false),
    [],
  );
});
