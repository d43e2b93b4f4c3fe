import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { pizzeria } from '../feed-lines.ts';
import { productTokens } from '../given/orders.ts';
import { givenStores } from '../given/stores.ts';
import { runs } from '../runs.ts';
import { type Buyer, buyerOf, payBy } from './buyer.ts';
import { addsUp } from './food-cases.ts';
import { type FoodApp, givenFoodApp, NEAR } from './given-food.ts';
import type { Answer } from './platform.ts';

/** Random checkouts, while menu, prices and hours change in between. */

let app: FoodApp;
let buyer: Buyer;
let tokens: Record<string, string>;
let locationId = '';

type Menu = { pie: number; fee: number; olives: number; stock: number | null; isOpen: boolean; minimum: number };
const NORMAL: Menu = { pie: 1400, fee: 299, olives: 150, stock: null, isOpen: true, minimum: 500 };

function lineOf({ pie, fee, olives, stock, isOpen, minimum }: Menu) {
  const toppings = { id: 'top', name: 'Toppings', min_choice_options: 0, max_choice_options: 1 };
  const options = [{ id: 'olives', name: 'Olives', price: olives, max_qty: 3 }];
  const { fees } = pizzeria() as { fees: object };
  return pizzeria({
    hours: { operational: isOpen ? 'Mo-Su 00:00-24:00' : 'Mo-Su 03:00-03:30' },
    fees: {
      ...fees,
      delivery_fee: { delivery_fee_flat: fee, delivery_fee_percent: 3, delivery_fee_taxable: true },
      order_minimum: minimum,
    },
    categories: [
      {
        id: 'pies',
        name: 'Pies',
        products: [
          { id: 'pie', name: 'Pie', price: pie, pickup_price: pie - 100, customizations: [{ ...toppings, options }] },
          { id: 'tea', name: 'Tea', price: 333, qty_available: stock },
        ],
      },
    ],
  });
}

before(async () => {
  app = await givenFoodApp({ ORDER_CONFIRM_TIMEOUT_MINUTES: '1440' });
  buyer = buyerOf(await app.bind('random'));
  [locationId = ''] = await givenStores(app, [lineOf(NORMAL)]);
  tokens = await productTokens(app, locationId);
});
after(() => app.close());

const menus = fc.record({
  pie: fc.integer({ min: 200, max: 3000 }),
  fee: fc.integer({ min: 0, max: 900 }),
  olives: fc.integer({ min: 0, max: 300 }),
  stock: fc.option(fc.integer({ min: 0, max: 5 })),
  isOpen: fc.boolean(),
  minimum: fc.integer({ min: 0, max: 3000 }),
});
const carts = fc.record({
  pies: fc.integer({ min: 0, max: 3 }),
  olives: fc.integer({ min: 0, max: 4 }),
  teas: fc.integer({ min: 0, max: 4 }),
  type: fc.constantFrom('delivery', 'pickup', undefined),
  tip: fc.constantFrom('tip_10', 'tip_15', 250, undefined),
});
const steps = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('update' as const), cart: carts }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('complete' as const),
      token: fc.constantFrom('tok_visa', 'tok_visa', 'tok_declined'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('menu' as const), menu: menus }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('read' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('cancel' as const) }) },
);

function bodyOf({ pies, olives, teas, type, tip }: typeof carts extends fc.Arbitrary<infer Cart> ? Cart : never) {
  const method = {
    delivery: { type, destination: { address: NEAR, geo: { latitude: 40.744, longitude: -73.988 } } },
    pickup: { type },
  };
  const modifications = olives > 0 ? [{ id: 'olives', quantity: olives }] : [];
  const lines = [
    ...(pies > 0 ? [{ quantity: pies, dish: { id: tokens.Pie, modifications } }] : []),
    ...(teas > 0 || pies === 0 ? [{ quantity: teas || 1, dish: { id: tokens.Tea } }] : []),
  ];
  return {
    food_establishment: { id: locationId },
    line_items: lines,
    buyer: { first_name: 'Jane', last_name: 'Doe', email: 'jane.doe@example.com', phone_number: '+14155550199' },
    ...(type === undefined ? {} : { fulfillment: { methods: [method[type as 'pickup']] } }),
    ...(tip === undefined
      ? {}
      : { tip: typeof tip === 'number' ? { custom_amount: tip } : { selected_option_id: tip } }),
  };
}

const totalOf = ({ totals }: Answer['body']) => totals.find(({ type }: { type: string }) => type === 'total').amount;
const OPEN = ['incomplete', 'requires_escalation', 'ready_for_complete'];

test('no total differs from the charge, none is charged that was not shown, and every checkout comes to an end', async () => {
  await fc.assert(
    fc.asyncProperty(carts, fc.array(steps, { minLength: 1, maxLength: 6 }), async (first, walk) => {
      await givenStores(app, [lineOf(NORMAL)]);
      const created = await buyer.create(bodyOf(first));
      assert.equal(created.status, 201, created.text);
      const { id } = created.body;
      let shown = created.body;
      for (const step of walk) {
        if (step.does === 'menu') await givenStores(app, [lineOf(step.menu)]);
        const answer = await take(id, step);
        if (!answer) continue;
        assert.ok([200, 409].includes(answer.status), answer.text);
        if (answer.status === 409) {
          assert.equal(answer.body.code, 'session_ended', answer.text);
          continue;
        }
        addsUp(answer.body);
        if (answer.body.status === 'completed' && OPEN.includes(shown.status)) {
          assert.equal(totalOf(answer.body), totalOf(shown), 'charged is what was shown before');
        }
        shown = answer.body;
      }
      const end = (await buyer.read(id)).body;
      if (end.status === 'completed') {
        const { body } = await app.get('/sandbox/charges', { order_id: end.order.id });
        const charged = body.charges.filter(({ status }: { status: string }) => status === 'succeeded');
        assert.deepEqual(
          charged.map(({ amount }: { amount: number }) => amount),
          [totalOf(end)],
        );
      } else if (end.status !== 'canceled') {
        assert.ok(OPEN.includes(end.status), end.status);
        assert.equal((await buyer.cancel(id)).body.status, 'canceled');
      }
    }),
    { numRuns: runs(500, 20) },
  );
});

async function take(
  id: string,
  step: typeof steps extends fc.Arbitrary<infer Step> ? Step : never,
): Promise<Answer | undefined> {
  if (step.does === 'update') return buyer.update(id, bodyOf(step.cart));
  if (step.does === 'complete') return buyer.complete(id, payBy(step.token));
  if (step.does === 'read') return buyer.read(id);
  return step.does === 'cancel' ? buyer.cancel(id) : undefined;
}
