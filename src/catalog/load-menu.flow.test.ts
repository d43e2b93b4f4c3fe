import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { givenStore } from '../../test/given-store.ts';
import { type App, givenApp } from '../../test/harness.ts';

let app: App;
before(async () => {
  app = await givenApp();
});
after(() => app.close());

const inventory = (query: Record<string, string | number | boolean>) =>
  app.get('/details/inventory', { pickup: false, ...query });
type Category = { name: string; menu_item_list: { name: string }[] };
const namesOf = (categories: Category[]) =>
  categories.map((category) => [category.name, category.menu_item_list.map((item) => item.name)]);

test('a grocery is walked one level a request, to any depth', async () => {
  const levels = (depth: number): object =>
    depth === 4
      ? {
          id: 'l4',
          name: 'Level 4',
          products: [{ id: 'milk', name: 'Milk', price: 399, unit_size: 1.5, unit_of_measurement: 'l' }],
        }
      : { id: `l${depth}`, name: `Level ${depth}`, categories: [levels(depth + 1)] };
  const id = await givenStore(app.service.deps.db, {
    external_id: 'market',
    type: 'grocery',
    categories: [levels(1), { id: 'empty', name: 'Empty', products: [] }],
  });
  const first = await inventory({ store_id: id });
  assert.deepEqual(namesOf(first.body.categories), [
    ['Level 1', []],
    ['Empty', []],
  ]);
  let at = first.body.categories[0];
  for (const name of ['Level 2', 'Level 3', 'Level 4']) {
    const { body } = await inventory({ store_id: id, subcategory_id: at.subcategory_id });
    assert.deepEqual(namesOf(body.categories), [[name, []]]);
    at = body.categories[0];
  }
  const leaf = await inventory({ store_id: id, subcategory_id: at.subcategory_id });
  assert.deepEqual(namesOf(leaf.body.categories), [['Level 4', ['Milk']]]);
  assert.equal(leaf.body.categories[0].subcategory_id, at.subcategory_id);
  assert.equal(leaf.body.categories[0].menu_item_list[0].unit_size, 1.5);
  const empty = await inventory({ store_id: id, subcategory_id: first.body.categories[1].subcategory_id });
  assert.deepEqual(namesOf(empty.body.categories), [['Empty', []]]);
});
