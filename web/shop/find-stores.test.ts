import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FoundStore, ShopApi } from './api.ts';
import { findMore, findStores, hasMore } from './find-stores.ts';
import { readListQuery } from './list-query.ts';

const NEAR = { address: 'Chicago, IL', latitude: 41.88, longitude: -87.65 };
const WHERE = { near: NEAR, isDoor: true, pickup: false, storeIds: null };

/** An API whose searches answer with these pages of IDs; a store is rated by the digits of its ID. */
function givenApi(pages: { store: string[][]; item?: string[][] }) {
  const calls: string[] = [];
  const search = ({ search_focus: focus = 'store', page = 0 }: { search_focus?: 'store' | 'item'; page?: number }) => ({
    async first() {
      calls.push(`${focus} ${page}`);
      const stores = (pages[focus]?.[page] ?? []).map((_id) => ({ _id }));
      return { stores, next_page: page + 1 };
    },
  });
  async function get({ store_id: ids }: { store_id: string }) {
    const stores = ids.split(',').map((_id) => ({
      _id,
      address: NEAR,
      weighted_rating_value: Number(_id.replace(/\D/g, '')),
    }));
    return { stores: stores as unknown as FoundStore[] };
  }
  return { api: { stores: { search, get } } as unknown as ShopApi, calls };
}

const range = (prefix: string, count: number) => Array.from({ length: count }, (_, nth) => `${prefix}${nth}`);
const idsOf = ({ stores }: { stores: readonly FoundStore[] }) => stores.map(({ _id }) => _id);

test('stores that are found by name and by dishes are sorted as one list', async () => {
  const { api } = givenApi({ store: [['n9', 'n5', 'n1']], item: [['i7', 'n5', 'i3']] });
  const found = await findStores(api, WHERE, readListQuery('q=pizza&sort=rating'));
  assert.deepEqual(idsOf(found), ['n9', 'i7', 'n5', 'i3', 'n1']);
});

test('every store is shown once, and more are promised only while there are some', async () => {
  const { api, calls } = givenApi({ store: [range('n', 100), range('m', 20)] });
  const query = readListQuery('');
  let found = await findStores(api, WHERE, query);
  assert.deepEqual([found.stores.length, calls], [24, ['store 0']]);
  while (hasMore(found)) found = await findMore(api, WHERE, query, found);
  assert.equal(new Set(idsOf(found)).size, 120);
  assert.deepEqual(calls, ['store 0', 'store 1']);
});

test('short pages of dishes are followed to their end, each search by its own pages, and a list is three calls', async () => {
  const { api, calls } = givenApi({ store: [['n1']], item: [['i1', 'i2'], ['n1'], ['i3']] });
  const query = readListQuery('q=pizza');
  let found = await findStores(api, WHERE, query);
  assert.deepEqual(
    [idsOf(found), calls],
    [
      ['n1', 'i1', 'i2'],
      ['store 0', 'item 0'],
    ],
  );
  while (hasMore(found)) found = await findMore(api, WHERE, query, found);
  assert.deepEqual(idsOf(found), ['n1', 'i1', 'i2', 'i3']);
  assert.deepEqual(calls.slice(2), ['item 1', 'item 2', 'item 3']);
});
