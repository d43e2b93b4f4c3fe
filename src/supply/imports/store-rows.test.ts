import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BARE, storeOf, withProduct } from '../../../test/parsed-line.ts';
import { createStoreRows } from './store-rows.ts';

function productRow(product: Record<string, unknown>): Record<string, unknown> {
  const { catalog } = storeOf(withProduct(product));
  const [placed] = catalog.products;
  assert.ok(placed);
  return JSON.parse(
    createStoreRows('test', storeOf(BARE), Temporal.Instant.fromEpochMilliseconds(0)).productRow(placed, 0),
  );
}

test('facts of food are in the row of a product that has some, and in its views', () => {
  const plain = productRow({});
  assert.equal('food' in plain || 'food_claims' in plain, false);
  const { food, food_claims, ...stating } = productRow({ food: { diets: ['vegan'] } });
  assert.ok(food !== undefined && food_claims === 1);
  const differing = Object.keys(plain).filter((key) => plain[key] !== stating[key]);
  assert.deepEqual(differing.toSorted(), ['delivery_view', 'feed_hash', 'pickup_view']);
});

test('facts of an option change the views of its product', () => {
  const choice = (food?: object) => ({
    customizations: [{ id: 'c', name: 'C', options: [{ id: 'o', name: 'O', ...(food ? { food } : {}) }] }],
  });
  const views = [
    productRow(choice()),
    productRow(choice({ allergens: ['milk'] })),
    productRow(choice({ allergens: [] })),
  ];
  assert.equal(new Set(views.map((row) => row.delivery_view)).size, 3);
});
