import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SearchIndex } from '../../../test/given/search-index.ts';
import { elementOf, openAtOf, queryOf, storeOf } from '../../../test/oracles/store-search.ts';
import { plainParty, type Store } from '../../supply/stores/store.ts';

function pageBytes(stores: readonly Store[], nowEpochS: number, projections?: readonly string[]): Buffer {
  const index = new SearchIndex(openAtOf);
  for (const store of stores) index.upsert(store);
  const page = index.search(queryOf({ latitude: 40, longitude: -74 }), nowEpochS);
  return index.writePage(page, nowEpochS, { projections });
}

const HERE = { latitude: 40, longitude: -74 };

test('a store has all its fields, in their types', () => {
  const store = storeOf('5f', {
    ...HERE,
    description: 'Wood "fired" \u2603 pies',
    cuisines: ['pizza', 'italian'],
    dollarSigns: 2,
    rating: { value: 4.6, count: 812 },
    photos: { food: ['https://cdn.example/f.jpg'], logo: [], store: [] },
    supportsUpcCodes: true,
  });
  assert.deepEqual(JSON.parse(pageBytes([store], 1000).toString()), {
    stores: [elementOf(store, { isOpen: true, miles: 0 })],
    next_page: 1,
  });
});

test('unknown fields are omitted, except the price level, which is null', () => {
  const [store] = JSON.parse(pageBytes([storeOf('a', { ...HERE, phoneNumber: null })], 0).toString()).stores;
  for (const field of ['phone_number', 'weighted_rating_value', 'aggregated_rating_count'])
    assert.ok(!(field in store));
  assert.equal(store.dollar_signs, null);
  const rated = storeOf('a', { ...HERE, rating: { value: 4, count: null } });
  const [element] = JSON.parse(pageBytes([rated], 0).toString()).stores;
  assert.deepEqual([element.weighted_rating_value, 'aggregated_rating_count' in element], [4, false]);
});

test('a courier or third party delivers for the store; a store without delivery offers neither', () => {
  const readOffers = (changes: Partial<Store['delivery']>): unknown => {
    const base = storeOf('a', HERE);
    const [store] = JSON.parse(
      pageBytes([{ ...base, delivery: { ...base.delivery, ...changes } }], 0).toString(),
    ).stores;
    return [store.delivery_enabled, store.offers_first_party_delivery, store.offers_third_party_delivery];
  };
  assert.deepEqual(readOffers({ parties: [plainParty('first')] }), [true, true, false]);
  assert.deepEqual(readOffers({ parties: [plainParty('third')] }), [true, false, true]);
  assert.deepEqual(readOffers({ parties: [plainParty('courier')] }), [true, false, true]);
  assert.deepEqual(readOffers({ parties: [plainParty('courier'), plainParty('first')] }), [true, true, true]);
  assert.deepEqual(readOffers({ enabled: false }), [false, false, false]);
});

test('is_open and miles fit the request, miles with two decimals', () => {
  const stores = [0, 1, 3, 7, 40].map((north) => storeOf(`s${north}`, { latitude: 40 + north, longitude: -74 }));
  const before = JSON.parse(pageBytes(stores, 999).toString()).stores;
  const after = JSON.parse(pageBytes(stores, 1000).toString()).stores;
  assert.deepEqual(
    before.map((store: { is_open: boolean }) => store.is_open),
    [false, false, false, false, false],
  );
  assert.deepEqual(
    after.map((store: { is_open: boolean }) => store.is_open),
    [true, true, true, true, true],
  );
  const degree = (Math.PI * 6371.0088) / 180 / 1.609344;
  const miles = [0, 1, 3, 7, 40].map((north) => Number((north * degree).toFixed(2)));
  assert.deepEqual(
    after.map((store: { miles: number }) => store.miles),
    miles,
  );
});

test('the body is the JSON that JSON.stringify would write, byte for byte', () => {
  const stores = Array.from({ length: 60 }, (_, i) =>
    storeOf(`s${i}`, { latitude: 40 + i * 0.137, name: `Ünï ${i} 😀` }),
  );
  const text = pageBytes(stores, 1000).toString();
  assert.equal(text, JSON.stringify(JSON.parse(text)));
  assert.equal(pageBytes([], 0).toString(), '{"stores":[],"next_page":1}');
});

test('projections keep the requested fields and the permanent ones', () => {
  const [store] = JSON.parse(pageBytes([storeOf('a', HERE)], 0, ['miles', 'nonsense']).toString()).stores;
  assert.deepEqual(Object.keys(store).sort(), ['_id', 'address', 'is_open', 'miles', 'name', 'type']);
  const [bare] = JSON.parse(pageBytes([storeOf('a', HERE)], 0, []).toString()).stores;
  assert.deepEqual(Object.keys(bare).sort(), ['_id', 'address', 'is_open', 'name', 'type']);
});

test('a store that changes is written as it is now, and its neighbors as they were', () => {
  const index = new SearchIndex(openAtOf);
  const names = Array.from({ length: 50 }, (_, i) => `name ${i}`);
  for (let round = 0; round < 4; round += 1) {
    for (let i = 0; i < 50; i += 1) {
      if ((i + round) % 3 === 0) names[i] = `${'long '.repeat((i * 7 * round) % 90)}${i}`;
      const hours = { ...storeOf('x').hours, pickup: i % 5 === round ? storeOf('x').hours.operational : null };
      const description = (i + round) % 4 === 0 ? `about ${i}` : '';
      const cuisines = [`cuisine ${(i + round) % 3}`];
      index.upsert(storeOf(`s${i}`, { latitude: 40 + i / 10, name: names[i] as string, hours, description, cuisines }));
    }
    const page = index.search(queryOf({ latitude: 40 }), 0);
    const { stores } = JSON.parse(index.writePage(page, 0).toString());
    assert.deepEqual(
      stores.map(({ name, description, cuisines }: Store) => [name, description, cuisines]),
      names.map((name, i) => [name, (i + round) % 4 === 0 ? `about ${i}` : '', [`cuisine ${(i + round) % 3}`]]),
    );
  }
});
