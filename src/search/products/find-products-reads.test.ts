import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenStore } from '../../../test/given/stores.ts';
import { watched } from '../../../test/given/watched-database.ts';
import { givenOwnApp } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import type { Db } from '../../platform/db/connect.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { KnownStores } from '../../supply/stores/known-stores.cache.ts';
import { findStores } from '../../supply/stores/stores.db.ts';
import { findProducts } from './find-products.flow.ts';
import { productQueryOf } from './product-search-request.ts';

const NEAR = { user_latitude: 40.7383, user_longitude: -73.9927 };

const app = await givenOwnApp();
after(() => app.close());

/** The database with a hook that runs before each bulk statement. */
function withBulkWatched(db: Db, beforeBulk: () => Promise<void>): Db {
  const bulk = watched(db.withoutPlugins(), beforeBulk).db;
  return new Proxy(db, {
    get(target, name) {
      if (name === 'withoutPlugins') return () => bulk;
      const member = Reflect.get(target, name, target) as unknown;
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

test('a store that the node does not know is read while the products of the page are read', async () => {
  const { deps } = app.service;
  const categories = [{ id: 'c', name: 'All', products: [{ id: 'tea', name: 'Tea', price: 100 }] }];
  const storeId = await givenStore(deps.db, { external_id: 'shop', name: 'Corner', categories });
  await app.catchUp();
  const begun = new Set<string>();
  const begin = async (what: string) => {
    begun.add(what);
    await until('both reads have begun', () => begun.size === 2);
  };
  const read = async (storeIds: readonly string[]) => {
    await begin('stores');
    return findStores(deps.db, storeIds);
  };
  const knownStores = new KnownStores({ read });
  const db = withBulkWatched(deps.db, () => begin('products'));
  const search = { ...deps, db, knownStores, owner: 'anyone' };
  const { hits } = await findProducts(
    search,
    { ...productQueryOf({ query: 'tea' }, null), latitude: NEAR.user_latitude, longitude: NEAR.user_longitude },
    epochSeconds(app.now()),
  );
  assert.deepEqual(
    hits.map(({ seller, product }) => [seller.storeId, product.name]),
    [[storeId, 'Tea']],
  );
  assert.deepEqual([...(await knownStores.of([storeId])).keys()], [storeId]);
});
