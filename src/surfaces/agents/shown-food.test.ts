import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { type Agent, givenAgent } from '../../../test/given/agent.ts';
import { givenPizzeria, type Pizzeria } from '../../../test/given/pizzeria.ts';
import { givenStores } from '../../../test/given/stores.ts';

let shop: Pizzeria;
let agent: Agent;
before(async () => {
  shop = await givenPizzeria();
  agent = await givenAgent(await shop.service.listen(), shop.key);
});
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

test('an agent gets traces and diets beside allergens, of the product and of each option, and nothing unknown', async () => {
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
