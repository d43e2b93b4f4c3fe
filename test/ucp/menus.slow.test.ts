import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Schema from 'typebox/schema';
import { type FeedLine, pizzeria } from '../feed-lines.ts';
import { productTokens } from '../given/orders.ts';
import { givenStores } from '../given/stores.ts';
import { type Buyer, buyerOf, payBy } from './buyer.ts';
import { addsUp } from './food-cases.ts';
import { type FoodApp, givenFoodApp, NEAR } from './given-food.ts';

/** Twelve menus go through create, update and complete, and lose no rule. */

type Chosen = readonly { id: string; quantity?: number }[];
type Line = { name: string; quantity?: number; chosen?: Chosen };
type Menu = {
  name: string;
  products: readonly object[];
  store?: FeedLine;
  /** A cart that the rules allow, and its subtotal in cents. */
  good: readonly Line[];
  cents: number;
  ends?: 'completed' | 'requires_escalation';
  method?: object;
  /** Carts that break a rule, and the code of it. */
  bad: readonly (readonly [code: string, cart: readonly Line[], method?: object])[];
};

const option = (id: string, price: number, more: object = {}) => ({ id, name: `Option ${id}`, price, ...more });
const group = (id: string, options: readonly object[], more: object = {}) => ({
  id,
  name: `Group ${id}`,
  min_choice_options: 0,
  max_choice_options: options.length,
  options,
  ...more,
});
const dish = (name: string, price: number, customizations: readonly object[] = [], more: object = {}) => ({
  id: name,
  name,
  price,
  customizations,
  ...more,
});
const one = (chosen: Chosen, quantity = 1): Line[] => [{ name: 'Dish', quantity, chosen }];
const BAD = 'invalid_modifications';

const MENUS: readonly Menu[] = [
  {
    name: 'nested modifiers',
    products: [
      dish('Dish', 1000, [
        group('a', [
          option('a1', 100, {
            max_qty: 2,
            customizations: [
              group('b', [option('b1', 10, { max_qty: 3, customizations: [group('c', [option('c1', 1)])] })]),
            ],
          }),
        ]),
      ]),
    ],
    good: one([{ id: 'a1', quantity: 2 }, { id: 'b1', quantity: 3 }, { id: 'c1' }], 2),
    cents: 2 * (1000 + 2 * 100 + 2 * 3 * 10 + 2 * 3 * 1),
    bad: [
      [BAD, one([{ id: 'b1' }])],
      [BAD, one([{ id: 'a1' }, { id: 'c1' }])],
    ],
  },
  {
    name: 'a nested group with a minimum',
    products: [
      dish('Dish', 1000, [
        group('a', [
          option('a1', 0, {
            customizations: [group('b', [option('b1', 5), option('b2', 7)], { min_choice_options: 1 })],
          }),
        ]),
      ]),
    ],
    good: one([{ id: 'a1' }, { id: 'b2' }]),
    cents: 1007,
    bad: [[BAD, one([{ id: 'a1' }])]],
  },
  {
    name: 'minimums',
    products: [
      dish('Dish', 1000, [group('a', [option('a1', 1), option('a2', 2), option('a3', 4)], { min_choice_options: 2 })]),
    ],
    good: one([{ id: 'a1' }, { id: 'a3' }]),
    cents: 1005,
    bad: [
      [BAD, one([])],
      [BAD, one([{ id: 'a2' }])],
    ],
  },
  {
    name: 'maximums',
    products: [
      dish('Dish', 1000, [group('a', [option('a1', 1), option('a2', 2), option('a3', 4)], { max_choice_options: 2 })]),
    ],
    good: one([{ id: 'a1' }, { id: 'a2' }]),
    cents: 1003,
    bad: [[BAD, one([{ id: 'a1' }, { id: 'a2' }, { id: 'a3' }])]],
  },
  {
    name: 'quantities of options',
    products: [dish('Dish', 1000, [group('a', [option('a1', 100, { min_qty: 2, max_qty: 4 })])])],
    good: one([{ id: 'a1', quantity: 4 }]),
    cents: 1400,
    bad: [
      [BAD, one([{ id: 'a1' }])],
      [BAD, one([{ id: 'a1', quantity: 5 }])],
      [
        BAD,
        one([
          { id: 'a1', quantity: 2 },
          { id: 'a1', quantity: 2 },
        ]),
      ],
    ],
  },
  {
    name: 'conditional prices',
    products: [
      dish('Dish', 1000, [
        group('size', [option('l', 500)]),
        group('top', [option('olives', 100, { max_qty: 2, conditional_price: { l: 250 } })]),
      ]),
    ],
    good: one([{ id: 'l' }, { id: 'olives', quantity: 2 }]),
    cents: 2000,
    bad: [[BAD, one([{ id: 'xl' }])]],
  },
  {
    name: 'limits on units: a box of six',
    products: [
      dish('Dish', 0, [
        group('box', [option('plain', 200, { max_qty: 6 }), option('jam', 250, { max_qty: 6 })], {
          min_total_units: 6,
          max_total_units: 6,
        }),
      ]),
    ],
    good: one([
      { id: 'plain', quantity: 4 },
      { id: 'jam', quantity: 2 },
    ]),
    cents: 1300,
    bad: [
      [BAD, one([{ id: 'plain', quantity: 5 }])],
      [BAD, one([{ id: 'plain', quantity: 6 }, { id: 'jam' }])],
    ],
  },
  {
    name: 'limits on both axes',
    products: [
      dish('Dish', 1000, [
        group(
          'a',
          [option('a1', 1, { max_qty: 9 }), option('a2', 2, { max_qty: 9 }), option('a3', 4, { max_qty: 9 })],
          { max_choice_options: 2, max_total_units: 5 },
        ),
      ]),
    ],
    good: one([
      { id: 'a1', quantity: 2 },
      { id: 'a2', quantity: 3 },
    ]),
    cents: 1008,
    bad: [
      [BAD, one([{ id: 'a1', quantity: 6 }])],
      [BAD, one([{ id: 'a1' }, { id: 'a2' }, { id: 'a3' }])],
    ],
  },
  {
    name: 'sold out, and few left',
    products: [dish('Dish', 1000, [], { qty_available: 3 }), dish('None', 1000, [], { qty_available: 0 })],
    good: [{ name: 'Dish', quantity: 3 }],
    cents: 3000,
    bad: [
      ['out_of_stock', [{ name: 'None' }]],
      ['out_of_stock', [{ name: 'Dish', quantity: 4 }]],
    ],
  },
  {
    name: 'hours of dishes, and of the store',
    products: [
      dish('Dish', 1000, [], { hours: 'Mo-Su 14:00-16:00' }),
      dish('Breakfast', 1000, [], { hours: 'Mo-Su 06:00-10:00' }),
    ],
    store: { hours: { operational: 'Mo-Su 09:00-22:00' } },
    good: one([]),
    cents: 1000,
    method: { requested_fulfillment_time: '2026-06-10T15:00:00-04:00' },
    bad: [
      ['item_unavailable', one([])],
      ['item_unavailable', [{ name: 'Breakfast' }], { requested_fulfillment_time: '2026-06-10T15:00:00-04:00' }],
      ['location_closed', one([]), { requested_fulfillment_time: '2026-06-10T23:00:00-04:00' }],
    ],
  },
  {
    name: 'alcohol',
    products: [dish('Dish', 1500, [], { is_alcoholic: true }), dish('Tea', 1500)],
    good: one([]),
    cents: 1500,
    ends: 'requires_escalation',
    bad: [['minimum_order_unmet', [{ name: 'Small' }]]],
  },
  {
    name: 'prices of pickup, dishes for delivery only, and a minimum',
    products: [dish('Dish', 1500, [], { pickup_price: 1200 }), dish('Hot', 1500, [], { modes: ['delivery'] })],
    good: one([], 2),
    cents: 2400,
    method: { type: 'pickup' },
    bad: [['minimum_order_unmet', [{ name: 'Small' }], { type: 'pickup' }]],
  },
];

let app: FoodApp;
let buyer: Buyer;
let menuErrors: (menu: unknown) => unknown[];
before(async () => {
  app = await givenFoodApp();
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects of an answer
  const read = async (url: string): Promise<any> => (await fetch(url)).json();
  const { ucp } = await read(`${app.url}/ucp/draft/profile`);
  const [{ schema }] = ucp.capabilities['localhost.food.menu'];
  const compiled = Schema.Compile(await read(app.url + new URL(schema).pathname));
  menuErrors = (menu) => compiled.Errors(menu)[1];
  buyer = buyerOf(await app.bind('menus'));
});
after(() => app.close());

const WHO = { first_name: 'Jane', last_name: 'Doe', email: 'jane.doe@example.com', phone_number: '+14155550199' };

for (const [nth, menu] of MENUS.entries()) {
  test(`a menu with ${menu.name} goes through create, update and complete, and loses no rule`, async () => {
    const products = [...menu.products, dish('Small', 100)];
    const line = pizzeria({
      external_id: `menu-${nth}`,
      name: `Menu ${nth}`,
      ...menu.store,
      categories: [{ id: 'c', name: 'C', products }],
    });
    const [locationId = ''] = await givenStores(app, [line]);
    const tokens = await productTokens(app, locationId);
    const cart = (lines: readonly Line[], method: object = {}) => ({
      food_establishment: { id: locationId },
      buyer: WHO,
      line_items: lines.map(({ name, quantity = 1, chosen = [] }) => ({
        quantity,
        dish: { id: tokens[name], modifications: chosen },
      })),
      fulfillment: {
        methods: [
          {
            type: 'delivery',
            ...('type' in method
              ? {}
              : { destination: { address: NEAR, geo: { latitude: 40.744, longitude: -73.988 } } }),
            ...method,
          },
        ],
      },
    });
    const read = await buyer.menu({ location_id: locationId });
    assert.deepEqual(menuErrors(read.body), []);
    const alone = await buyer.menu({ location_id: locationId, dish_id: read.body.categories[0].dishes[0].id });
    assert.deepEqual(menuErrors(alone.body), []);
    const dishes = read.body.categories.flatMap((category: { dishes: object[] }) => category.dishes);
    assert.deepEqual(new Set(dishes.map(({ id }: { id: string }) => id)), new Set(Object.values(tokens)));
    const [first = ['', []]] = menu.bad;
    const created = await buyer.create(cart(first[1], first[2]));
    assert.equal(created.status, 201, created.text);
    const { id } = created.body;
    for (const [code, lines, method] of menu.bad) {
      const refused = await buyer.update(id, cart(lines, method));
      addsUp(refused.body);
      const codes = refused.body.messages
        .filter(({ type }: { type: string }) => type === 'error')
        .map((message: { code: string }) => message.code);
      assert.equal(refused.body.status, 'incomplete', refused.text);
      assert.ok(codes.includes(code), `${code}: ${refused.text}`);
      const same = await buyer.complete(id, payBy('tok_visa'));
      assert.equal(same.body.status, 'incomplete');
    }
    const updated = await buyer.update(id, cart(menu.good, menu.method));
    addsUp(updated.body);
    const subtotal = updated.body.totals.find(({ type }: { type: string }) => type === 'subtotal').amount;
    assert.equal(subtotal, menu.cents, updated.text);
    const done = await buyer.complete(id, payBy('tok_visa'));
    assert.equal(done.body.status, menu.ends ?? 'completed', done.text);
    if (done.body.status !== 'completed') return;
    const { body } = await app.get('/sandbox/charges', { order_id: done.body.order.id });
    const total = done.body.totals.find(({ type }: { type: string }) => type === 'total').amount;
    assert.deepEqual(
      body.charges.map(({ amount }: { amount: number }) => amount),
      [total],
    );
  });
}
