import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { bindPlatform } from '../../src/surfaces/ucp/platforms.db.ts';
import { pizzeria } from '../feed-lines.ts';
import { productTokens } from '../given/orders.ts';
import { givenStores } from '../given/stores.ts';
import { runs } from '../runs.ts';
import { type Call, callsBy, type Got, givenShopApp, HOME, SHOPPING, type ShopApp } from './given-shop.ts';

/** Random checkouts, while menu, prices and hours change in between. */

let app: ShopApp;
let call: Call;
let tokens: Record<string, string>;

type Menu = { pie: number; fee: number; stock: number | null; isOpen: boolean; minimum: number };
const NORMAL: Menu = { pie: 1400, fee: 299, stock: null, isOpen: true, minimum: 500 };

function lineOf({ pie, fee, stock, isOpen, minimum }: Menu) {
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
          { id: 'pie', name: 'Pie', price: pie, pickup_price: pie - 100 },
          { id: 'tea', name: 'Tea', price: 333, qty_available: stock },
        ],
      },
    ],
  });
}

before(async () => {
  app = await givenShopApp(SHOPPING, {
    ORDER_CONFIRM_TIMEOUT_MINUTES: '1440',
    VISITOR_CARTS_PER_HOUR: '1000000',
    VISITOR_REQUESTS_PER_HOUR: '1000000',
  });
  const [storeId = ''] = await givenStores(app, [lineOf(NORMAL)]);
  await app.setShop({ mode: 'sandbox', storeIds: [storeId], ucp: 'sandbox' });
  const bound = { profileUrl: app.profile, accountId: app.accountId, mode: 'sandbox', orders: 'place' } as const;
  await bindPlatform(app.service.deps.db, bound, app.now());
  call = callsBy(app, 'rest', { 'x-api-key': app.key });
  tokens = await productTokens(app, storeId);
});
after(() => app.close());

const menus = fc.record({
  pie: fc.integer({ min: 200, max: 3000 }),
  fee: fc.integer({ min: 0, max: 900 }),
  stock: fc.option(fc.integer({ min: 0, max: 5 })),
  isOpen: fc.boolean(),
  minimum: fc.integer({ min: 0, max: 3000 }),
});
const carts = fc.record({
  pies: fc.integer({ min: 0, max: 3 }),
  teas: fc.integer({ min: 0, max: 4 }),
  type: fc.constantFrom('shipping', 'pickup', undefined),
});
const steps = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('update' as const), cart: carts }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('complete' as const),
      token: fc.constantFrom('tok_visa', 'tok_visa', 'tok_chargeDeclined'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('menu' as const), menu: menus }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('read' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('cancel' as const) }) },
);
type Step = typeof steps extends fc.Arbitrary<infer One> ? One : never;

function bodyOf({ pies, teas, type }: typeof carts extends fc.Arbitrary<infer Cart> ? Cart : never) {
  const method = type === 'pickup' ? { type } : { type, destinations: [HOME] };
  return {
    line_items: [
      ...(pies > 0 ? [{ quantity: pies, item: { id: tokens.Pie } }] : []),
      ...(teas > 0 || pies === 0 ? [{ quantity: teas || 1, item: { id: tokens.Tea } }] : []),
    ],
    buyer: { first_name: 'Jane', last_name: 'Doe', email: 'jane.doe@example.com', phone_number: '+12125550199' },
    ...(type === undefined ? {} : { fulfillment: { methods: [method] } }),
  };
}

type Total = { type: string; amount: number };
const totalOf = ({ totals }: Got['body']) => totals.find(({ type }: Total) => type === 'total').amount;
function addsUp({ totals }: Got['body']) {
  const others = totals.filter(({ type }: Total) => type !== 'total');
  assert.equal(
    others.reduce((sum: number, { amount }: Total) => sum + amount, 0),
    totalOf({ totals }),
  );
}
const OPEN = ['incomplete', 'requires_escalation', 'ready_for_complete'];
let keys = 0;

test('no total differs from the charge, every charge was shown, and every checkout ends', async () => {
  await fc.assert(
    fc.asyncProperty(carts, fc.array(steps, { minLength: 1, maxLength: 6 }), async (first, walk) => {
      await givenStores(app, [lineOf(NORMAL)]);
      const created = await call('create_checkout', bodyOf(first));
      assert.equal(created.status, 201, JSON.stringify(created.body));
      const { id } = created.body;
      let shown = created.body;
      for (const step of walk) {
        if (step.does === 'menu') await givenStores(app, [lineOf(step.menu)]);
        const answer = await take(id, step);
        if (!answer) continue;
        const text = JSON.stringify(answer.body);
        assert.ok([200, 409].includes(answer.status), text);
        if (answer.status === 409) {
          assert.equal(answer.body.code, 'session_ended', text);
          continue;
        }
        addsUp(answer.body);
        if (answer.body.status === 'completed' && OPEN.includes(shown.status)) {
          assert.equal(totalOf(answer.body), totalOf(shown), 'charged is what was shown before');
        }
        shown = answer.body;
      }
      const end = (await call('get_checkout', {}, { id })).body;
      if (end.status === 'completed') {
        const { body } = await app.get('/sandbox/charges', { order_id: end.order.id });
        const charged = body.charges.filter(({ status }: { status: string }) => status === 'succeeded');
        assert.deepEqual(
          charged.map(({ amount }: { amount: number }) => amount),
          [totalOf(end)],
        );
      } else if (end.status !== 'canceled') {
        assert.ok(OPEN.includes(end.status), end.status);
        const canceled = await call('cancel_checkout', {}, { id, key: `end-${++keys}` });
        assert.equal(canceled.body.status, 'canceled');
      }
    }),
    { numRuns: runs(500, 20) },
  );
});

async function take(id: string, step: Step): Promise<Got | undefined> {
  const key = `step-${++keys}`;
  if (step.does === 'update') return call('update_checkout', bodyOf(step.cart), { id });
  if (step.does === 'read') return call('get_checkout', {}, { id });
  if (step.does === 'cancel') return call('cancel_checkout', {}, { id, key });
  if (step.does !== 'complete') return undefined;
  const credential = { type: 'token', token: step.token };
  const payment = { instruments: [{ id: 'card', handler_id: 'card_token', credential }] };
  return call('complete_checkout', { payment }, { id, key });
}
