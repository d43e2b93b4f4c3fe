import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenAgent } from '../../../test/given/agent.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { productTokens } from '../../../test/given/orders.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenApp } from '../../../test/harness.ts';

const shop = await givenPizzeria(givenApp);
const agent = await givenAgent(await shop.service.listen(), shop.key);
after(async () => {
  await agent.close();
  await shop.close();
});

const PAD_THAI = {
  id: 'pad-thai',
  name: 'Pad thai',
  price: 1200,
  food: { allergens: ['eggs', 'fish'], may_contain: ['peanuts'], diets: [] },
  customizations: [
    {
      id: 'more',
      name: 'More',
      options: [
        { id: 'prawns', name: 'Prawns', food: { allergens: ['crustaceans'] } },
        { id: 'tofu', name: 'Tofu', food: { may_contain: ['sesame'], diets: ['vegan'] } },
        { id: 'lime', name: 'Lime' },
      ],
    },
  ],
};

test('an agent gets traces and diets next to allergens, of the product and each option, and no unknown facts', async () => {
  const category = { id: 'bowls', name: 'Bowls', products: [PAD_THAI] };
  const [storeId] = await givenStores(shop, [pizzeria({ external_id: 'noodles', categories: [category] })]);
  const menu = await agent.ask('get_menu', { store_id: storeId, pickup: true });
  const { product_id } = menu.products[0];
  const { allergens, may_contain, diets, choices } = await agent.ask('get_product', { product_id });
  assert.deepEqual({ allergens, may_contain, diets }, PAD_THAI.food);
  const stated = choices[0].options.map((option: { name: string } & Record<string, unknown>) => [
    option.name,
    Object.keys(option).filter((key) => ['allergens', 'may_contain', 'diets'].includes(key)),
  ]);
  assert.deepEqual(stated, [
    ['Prawns', ['allergens']],
    ['Tofu', ['may_contain', 'diets']],
    ['Lime', []],
  ]);
});

const BURGER = {
  id: 'burger',
  name: 'Burger',
  price: 1400,
  food: { allergens: ['milk', 'wheat'], nutrition: { calories: 820 } },
  customizations: [
    { id: 'side', name: 'Side', options: [{ id: 'fries', name: 'Fries', food: { nutrition: { calories: 350 } } }] },
  ],
};

test('known calories and allergens appear in get_menu and get_product, on the checkout and the printed receipt', async () => {
  const goods = [BURGER, { id: 'tea', name: 'Tea', price: 300 }];
  const categories = [{ id: 'grill', name: 'Grill', products: goods }];
  const [storeId = ''] = await givenStores(shop, [pizzeria({ external_id: 'grill', categories })]);
  const { products } = await agent.ask('get_menu', { store_id: storeId, pickup: true });
  const [burger, tea] = products;
  assert.deepEqual([burger.calories, burger.allergens], [820, ['milk', 'wheat']]);
  assert.equal('calories' in tea, false);
  const product = await agent.ask('get_product', { product_id: burger.product_id });
  assert.deepEqual([product.calories, product.choices[0].options[0].calories], [820, 350]);

  const tokens = await productTokens(shop, storeId);
  const items = [{ product_id: tokens.Burger, selected_options: [{ option_id: 'fries' }] }, { product_id: tokens.Tea }];
  const { checkout_url: url } = (await shop.place('', { items, place_order: false })).body;
  const checkout = await shop.get(new URL(url).pathname, { lang: 'fr' });
  assert.equal(checkout.text.match(/820 calories/g)?.length, 1);
  assert.match(checkout.text, /Allergènes\s?: lait, blé/);

  const { order_id: orderId } = (await shop.place('', { items, user_language: 'es' })).body;
  const kitchen = await givenStoreKey(shop, storeId, shop.accountId);
  const receipt = await kitchen.get(`/console/orders/${orderId}/ticket`, { document: 'receipt' });
  assert.equal(receipt.text.match(/820 calorías/g)?.length, 1);
  assert.match(receipt.text, /Alérgenos: leche, trigo/);
});

test('every tool that shows products shows prices and order steps of items sold by weight', async () => {
  const bananas = {
    id: 'b',
    name: 'Plantains',
    price: 79,
    sold_by: 'weight',
    weight: { unit: 'lb', piece_weight: 0.367 },
  };
  const categories = [{ id: 'produce', name: 'Produce', products: [bananas] }];
  const [storeId] = await givenStores(shop, [pizzeria({ external_id: 'produce', categories })]);
  const [listed] = (await agent.ask('get_menu', { store_id: storeId, pickup: true })).products;
  const place = { user_latitude: 40.7383, user_longitude: -73.9927 };
  const [found] = (await agent.ask('search_products', { query: 'plantains', store_id: storeId, ...place })).products;
  const product = await agent.ask('get_product', { product_id: listed.product_id });
  for (const { unit_price, quantities, one_piece, size } of [listed, found, product])
    assert.deepEqual(
      [unit_price, quantities, one_piece, size],
      ['$0.79/lb', '0.25 to 50 lb, in steps of 0.25', 'about 0.367 lb, $0.29', undefined],
    );
});
