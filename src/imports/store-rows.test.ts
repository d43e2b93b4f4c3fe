import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BARE, storeOf, withProduct } from '../../test/parsed-line.ts';
import { createStoreRows } from './store-rows.ts';

function rowOf(product: Record<string, unknown>): Record<string, unknown> {
  const { catalogue } = storeOf(withProduct(product));
  const [placed] = catalogue.products;
  assert.ok(placed);
  return JSON.parse(createStoreRows('test', storeOf(BARE)).productRow(placed, 0));
}

test('a product without facts of its food has the row of versions that knew no such facts', () => {
  const plain = rowOf({});
  assert.equal('food' in plain || 'food_claims' in plain, false);
  const { food, food_claims, ...stating } = rowOf({ food: { diets: ['vegan'] } });
  assert.ok(food !== undefined && food_claims === 1);
  const differing = Object.keys(plain).filter((key) => plain[key] !== stating[key]);
  assert.deepEqual(differing.toSorted(), ['delivery_view', 'feed_hash', 'pickup_view']);
});

test('facts of an option change the views of its product', () => {
  const choice = (food?: object) => ({
    customizations: [{ id: 'c', name: 'C', options: [{ id: 'o', name: 'O', ...(food ? { food } : {}) }] }],
  });
  const views = [rowOf(choice()), rowOf(choice({ allergens: ['milk'] })), rowOf(choice({ allergens: [] }))];
  assert.equal(new Set(views.map((row) => row.delivery_view)).size, 3);
});

test('a store keeps the hash of versions that knew one party, one radius and weekly hours, so an upgrade imports nothing anew', () => {
  const hashOf = (line: object) => createStoreRows('test', storeOf({ ...BARE, ...line })).finish([]).feedHash;
  const delivery = { party: 'courier', radius_miles: 2.5, prep_minutes: [15, 25] };
  assert.equal(hashOf({}), '4cbf9dc6da6405d5db385fa14fcd25ef96deee8c82f1119273cba2907c9d9ea9');
  assert.equal(hashOf({ delivery }), '0777a81af44be8039a01fc0881ba55e8bc7ead198ee27192c8b37579951076be');
  const parties = [{ party: 'courier', radius_miles: 2.5, accepting: false }];
  assert.notEqual(hashOf({ delivery: { parties, prep_minutes: [15, 25] } }), hashOf({ delivery }));
});
