import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenStore } from '../../../test/given/stores.ts';
import { givenOwnApp } from '../../../test/harness.ts';
import { setProduct } from './set-product.flow.ts';

const app = await givenOwnApp();

const inventory = (query: Record<string, string | number | boolean>) =>
  app.get('/details/inventory', { pickup: false, ...query });
type Category = { name: string; menu_item_list: { name: string }[] };
const itemNames = (categories: Category[]) =>
  categories.map((category) => [category.name, category.menu_item_list.map((item) => item.name)]);

const sold = (id: string, more: object = {}) => ({ id, name: id.toUpperCase(), price: 100, ...more });

test('a restaurant leaves out a category without a product on sale in the mode, until it has one again', async () => {
  const { db } = app.service.deps;
  const id = await givenStore(db, {
    external_id: 'bistro',
    categories: [
      { id: 'soups', name: 'Soups', products: [sold('leek'), sold('pea')] },
      { id: 'empty', name: 'Empty', products: [] },
      {
        id: 'mains',
        name: 'Mains',
        categories: [
          { id: 'fish', name: 'Fish', products: [sold('cod', { available: false })] },
          {
            id: 'grill',
            name: 'Grill',
            products: [sold('ribs', { modes: ['pickup'] }), sold('wings', { qty_available: 0 })],
          },
        ],
      },
      { id: 'drinks', name: 'Drinks', products: [sold('tea', { modes: ['pickup'] })] },
    ],
  });
  const read = async (more: object = {}) => {
    const { body } = await inventory({ store_id: id, ...more });
    return {
      shown: itemNames(body.categories),
      ids: body.categories.map((one: { subcategory_id: string }) => one.subcategory_id),
    };
  };
  const set = (externalId: string, available: boolean) =>
    setProduct(db, { storeId: id, externalId }, { available }, app.now());

  const soups = ['Soups', ['LEEK', 'PEA']];
  assert.deepEqual((await read()).shown, [soups, ['Grill', ['WINGS']]]);
  const pickup = [soups, ['Grill', ['RIBS', 'WINGS']], ['Drinks', ['TEA']]];
  assert.deepEqual((await read({ pickup: true })).shown, pickup);
  const [soupsId] = (await read()).ids;

  await set('leek', false);
  assert.deepEqual((await read()).shown[0], ['Soups', ['PEA']]);
  await set('pea', false);
  assert.deepEqual((await read()).shown, [['Grill', ['WINGS']]]);
  assert.deepEqual((await read({ subcategory_id: soupsId })).shown, [], 'a request for the category alone');
  await set('cod', true);
  await set('leek', true);
  assert.deepEqual((await read()).shown, [
    ['Soups', ['LEEK']],
    ['Fish', ['COD']],
    ['Grill', ['WINGS']],
  ]);
  assert.deepEqual((await read({ subcategory_id: soupsId })).shown, [['Soups', ['LEEK']]]);
});
