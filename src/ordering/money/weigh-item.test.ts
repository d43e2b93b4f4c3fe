import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenHeldShop } from '../../../test/given/held-orders.ts';
import { givenOperator, givenStoreKey } from '../../../test/given/merchant.ts';
import { endPromotions, givenPromotion } from '../../../test/given/promotions.ts';
import { givenApp } from '../../../test/harness.ts';

/** A store weighs the handoff with its scale and price labels. */

const WEIGHT = { unit: 'lb', price_per: 1, scale_code: '12345' };
const LINE = {
  categories: [
    {
      id: 'goods',
      name: 'Goods',
      products: [
        { id: 'chicken', name: 'Chicken', price: 899, sold_by: 'weight', weight: WEIGHT },
        { id: 'turkey', name: 'Turkey', price: 1099, sold_by: 'weight', weight: { ...WEIGHT, scale_code: '777' } },
        { id: 'pack', name: 'Packed chicken', price: 2000 },
        {
          id: 'pasta',
          name: 'Pasta',
          price: 899,
          sold_by: 'weight',
          weight: { unit: 'kg', price_per: 1, scale_code: '345' },
        },
        { id: 'soda', name: 'Soda', price: 250 },
      ],
    },
  ],
};

const app = await givenApp();
const shop = await givenHeldShop(app, { line: LINE });
const store = await givenStoreKey(app, shop.storeId, app.accountId);
after(() => app.close());

const substitution = { preference: 'store_choice' };

/** A confirmed order of 1.5 lb of chicken and a soda. */
async function confirmed(item: object = {}): Promise<string> {
  const chicken = { product_id: shop.tokens.Chicken, quantity: '1.5', substitution, ...item };
  const orderId = await shop.placed({ items: [chicken, { product_id: shop.tokens.Soda }] });
  await shop.advance(orderId, 'confirm');
  return orderId;
}

const weigh = (orderId: string, body: object, index = 0) => store.post(`/store/orders/${orderId}/items/${index}`, body);

async function totalAfter(orderId: string, body: object): Promise<number | undefined> {
  const reply = await weigh(orderId, body);
  assert.equal(reply.status, 200, reply.text);
  return elementTotal(orderId);
}

/** The order's amount by its last `order.weighed`. */
async function elementTotal(orderId: string): Promise<number | undefined> {
  const all = await eventsOf(orderId);
  return all.findLast(({ type }) => type === 'order.weighed')?.data.total;
}

type LoggedData = { type: string; data: Record<string, unknown> & { total: number } };

async function eventsOf(orderId: string): Promise<LoggedData[]> {
  await app.advance({ seconds: 1 });
  const rows = await app.service.deps.db
    .selectFrom('orderEvents')
    .select(['type', 'data'])
    .where('orderId', '=', orderId)
    .orderBy('sequence')
    .execute();
  return rows as unknown as LoggedData[];
}

async function assertRefused(orderId: string, body: object, expected: [number, string, object?]): Promise<void> {
  const reply = await weigh(orderId, body);
  const [status, code, members = {}] = expected;
  assert.deepEqual([reply.status, reply.body.code], [status, code], `${JSON.stringify(body)} ${reply.text}`);
  for (const [name, value] of Object.entries(members)) assert.deepEqual(reply.body[name], value);
}

test('the scale’s latest weight replaces earlier ones, and a repetition changes nothing', async () => {
  const orderId = await confirmed();
  assert.equal(await totalAfter(orderId, { weight: '1.62' }), 1456 + 250);
  const { length } = await eventsOf(orderId);
  assert.equal(await totalAfter(orderId, { weight: 1.62 }), 1456 + 250);
  assert.equal((await eventsOf(orderId)).length, length);
  assert.equal(await totalAfter(orderId, { weight: 1.4, pieces: 2 }), 1259 + 250);
  assert.equal(await totalAfter(orderId, { weight: 0 }), 250);
  assert.equal(await totalAfter(orderId, { weight: '1.5' }), 1349 + 250);
  const changes = (await eventsOf(orderId)).filter(({ type }) => type === 'order.item_changed');
  assert.deepEqual(
    changes.map(({ data }) => data.weight),
    [
      [1500, 1620],
      [1620, 1400],
      [1400, 0],
      [0, 1500],
    ].map(([from, to]) => ({ unit: 'lb', from, to, ordered: 1500 })),
  );
  const [first] = (await eventsOf(orderId)).filter(({ type }) => type === 'order.weighed');
  assert.deepEqual(first?.data, {
    items: [{ index: 0, ordered: 1500, weight: 1620, unit: 'lb', estimated_cents: 1349, cents: 1456 }],
    estimated_total: 1599,
    total: 1706,
  });
});

test('above the most that may be charged the rest is given, if the store says so', async () => {
  const orderId = await confirmed();
  await assertRefused(orderId, { weight: '1.80' }, [422, 'weight_above_limit', { max_weight: 1.65 }]);
  await assertRefused(orderId, { weight: '1.651' }, [422, 'weight_above_limit', { max_weight: 1.65 }]);
  assert.equal(await totalAfter(orderId, { weight: '1.80', at_limit: true }), 1483 + 250);
  assert.equal(await totalAfter(orderId, { weight: '1.65', at_limit: true }), 1483 + 250);
});

test('labels say the price or the weight of their item, and parts add up', async () => {
  const orderId = await confirmed();
  await assertRefused(orderId, { label: '212345804995' }, [422, 'weight_below_half']);
  assert.equal(await totalAfter(orderId, { label: '212345804995', accept: true }), 499 + 250);
  assert.equal(await totalAfter(orderId, { labels: ['212345804995', '0212345804995'] }), 998 + 250);
  await assertRefused(orderId, { labels: ['212345804995', '212345804995', '212345804995'] }, [
    422,
    'weight_above_limit',
  ]);
  for (const [body, name] of [
    [{ label: '212345804996' }, 'label'],
    [{ labels: ['212345804995', '1'] }, 'labels[1]'],
  ] as const) {
    await assertRefused(orderId, body, [400, 'invalid_request']);
    assert.equal((await weigh(orderId, body)).body.errors[0].name, name);
  }
  await assertRefused(orderId, { label: '200777804997' }, [422, 'label_mismatch']);
  const kilos = await confirmed({ product_id: shop.tokens.Pasta });
  assert.equal(await totalAfter(kilos, { label: '2100345015009' }), 1349 + 250);
});

test('after a change of the price a label says the weight, which is charged at the agreed price', async () => {
  const orderId = await confirmed();
  const { db } = app.service.deps;
  const priced = (cents: number) =>
    db
      .updateTable('products')
      .set({ price: cents, pickupPrice: cents })
      .where('storeId', '=', shop.storeId)
      .where('externalId', '=', 'chicken')
      .execute();
  const { price: before } = await db
    .selectFrom('products')
    .select('price')
    .where('storeId', '=', shop.storeId)
    .where('externalId', '=', 'chicken')
    .executeTakeFirstOrThrow();
  try {
    for (const scale of [450, 899, 1100]) {
      await priced(scale);
      const milli = 2 * Math.round((499 * 1000) / scale);
      const label = { labels: ['212345804995', '212345804995'], accept: true, at_limit: true };
      const charged = scale === before ? 998 : Math.round((before * Math.min(milli, 1650)) / 1000);
      assert.equal(await totalAfter(orderId, label), charged + 250, String(scale));
    }
    await priced(0);
    await assertRefused(orderId, { label: '212345804995' }, [422, 'label_price_unknown']);
  } finally {
    await priced(before);
  }
});

test('a lower price in the menu is the price of the scale where the store itself offers it, not where others do', async () => {
  const { db } = app.service.deps;
  const orderId = await confirmed();
  const lowered = { items: { products: ['chicken'] }, terms: { kind: 'item_price', priceCents: 700 } } as const;
  const label = { label: '212345804995', accept: true };
  await givenPromotion(db, lowered);
  assert.equal(await totalAfter(orderId, label), 499 + 250);
  await givenPromotion(db, { ...lowered, offeredBy: 'store', ownerId: shop.storeId });
  assert.equal(await totalAfter(orderId, label), Math.round((899 * 713) / 1000) + 250);
  await endPromotions(db);
  assert.equal(await totalAfter(orderId, label), 499 + 250);
});

test('a weight below half of the ordered one is rejected until accepted', async () => {
  const orderId = await confirmed();
  for (const weight of ['0.001', '0.749']) await assertRefused(orderId, { weight }, [422, 'weight_below_half']);
  assert.equal((await weigh(orderId, { weight: '0.75' })).status, 200);
  assert.equal((await weigh(orderId, { weight: '0.1', accept: true })).status, 200);
});

test('open lines stop the order, and nothing is weighed once it has left', async () => {
  const orderId = await confirmed();
  for (const step of ['ready', 'complete']) {
    const { status, body } = await store.post(`/store/orders/${orderId}/${step}`, {});
    assert.deepEqual([status, body.code], [422, 'weights_missing']);
    assert.match(body.detail, /"Chicken" \(item 0\)/);
  }
  await totalAfter(orderId, { weight: 1.62 });
  assert.equal((await store.post(`/store/orders/${orderId}/ready`, {})).status, 200);
  await totalAfter(orderId, { weight: 1.6 });
  assert.equal((await store.post(`/store/orders/${orderId}/complete`, {})).status, 200);
  assert.deepEqual(await shop.charges(orderId), [['succeeded', 1438 + 250, 1483 + 250]]);
  await assertRefused(orderId, { weight: 1.5 }, [409, 'transition_not_allowed']);
});

test('a substitute for items sold by weight costs no more than their reserved amount', async () => {
  const orderId = await confirmed();
  await assertRefused(orderId, { quantity: 1, substitute_product_id: 'turkey' }, [400, 'invalid_request']);
  assert.equal(await totalAfter(orderId, { weight: 1.2, substitute_product_id: 'turkey' }), 1319 + 250);
  assert.equal(await totalAfter(orderId, { weight: 1.6, substitute_product_id: 'turkey' }), 1483 + 250);
  assert.equal(await totalAfter(orderId, { quantity: 1, substitute_product_id: 'pack' }), 1483 + 250);
  await assertRefused(orderId, { weight: 1, substitute_product_id: 'pack' }, [400, 'invalid_request']);
});

test('goods by the piece have no weight, and weights no number of units', async () => {
  const orderId = await confirmed();
  for (const body of [
    { quantity: 1 },
    {},
    { weight: 1, quantity: 0 },
    { quantity: 0, pieces: 2 },
    { quantity: 0, at_limit: true },
    { weight: 1, label: '212345804995' },
    { weight: -1 },
    { weight: '1.2345' },
    { weight: '1 lb' },
    { label: '1' },
    { labels: [] },
    { weight: 1, pieces: 0 },
  ])
    await assertRefused(orderId, body, [400, 'invalid_request']);
  assert.equal((await weigh(orderId, { weight: 1 }, 1)).body.code, 'invalid_request');
  assert.equal((await weigh(orderId, { weight: 1 }, 7)).body.code, 'not_found');
});

test('an order without remaining items is canceled, and nothing is captured', async () => {
  const orderId = await shop.placed({ items: [{ product_id: shop.tokens.Chicken, quantity: '1.5', substitution }] });
  await shop.advance(orderId, 'confirm');
  const reply = await weigh(orderId, { weight: 0 });
  assert.deepEqual([reply.status, reply.body.status], [200, 'canceled']);
  const { chargedCents, capturedCents } = await shop.state(orderId);
  assert.deepEqual([chargedCents, capturedCents], [0, null]);
});

test('the simulated store weighs 98 %, more in its scenario, and returns the excess', async () => {
  const taken = async (scenario?: string) => {
    const metadata = scenario ? { sandbox_scenario: scenario } : {};
    const orderId = await shop.placed({ metadata });
    await shop.advance(orderId, 'confirm', 'ready', 'complete');
    return (await shop.state(orderId)).capturedCents;
  };
  assert.deepEqual(
    [await taken(), await taken('weighs_more'), await taken('weighs_too_much')],
    [1322, 1402, 1483].map((cents) => cents + 250),
  );
});

test('a budget holds the discount of the most that may be charged, and has the rest back once it is known', async () => {
  const operator = await givenOperator(app);
  const { promotion_id: promotionId } = (
    await operator.post('/operator/promotions', {
      kind: 'percent',
      percent: 10,
      items: { products: ['chicken'] },
      budget_cents: 300,
      funding: [{ payer: 'operator', percent: 100 }],
      stores: [shop.storeId],
      reason: 'A test.',
    })
  ).body;
  await app.catchUp();
  const spent = async () => {
    const { db } = app.service.deps;
    const counts = db.selectFrom('promotionCounts').select('spentCents').where('promotionId', '=', promotionId);
    return Number((await counts.executeTakeFirst())?.spentCents ?? 0);
  };
  const orderId = await confirmed();
  assert.equal(await spent(), 148);
  await totalAfter(orderId, { weight: 1.2 });
  await shop.advance(orderId, 'ready', 'complete');
  assert.deepEqual([await spent(), (await shop.state(orderId)).capturedCents], [108, 1079 - 108 + 250]);
  await confirmed();
  assert.equal(await spent(), 108 + 148);
  const { body } = await shop.order({ items: [{ product_id: shop.tokens.Chicken, quantity: '1.5' }] });
  assert.equal(body.final_quote?.discounts, undefined, 'what is left would not pay for the most');
});

test('fees never rise with the scale; goods that reach a threshold lower them, and the card pays that', async () => {
  const fees = {
    delivery_fee: { delivery_fee_flat: 399, threshold_fees: [{ minimum_subtotal: 1700, delivery_fee_flat: 0 }] },
    small_order_fee: { minimum_order_value: 1650, small_order_fee_flat: 200 },
    sales_tax_percent: 0,
  };
  const other = await givenHeldShop(app, { line: { ...LINE, external_id: 'thresholds', fees } });
  const itsStore = await givenStoreKey(app, other.storeId, app.accountId);
  const orderId = await other.placed({ pickup: false });
  await other.advance(orderId, 'confirm');
  const held = 1483 + 250 + 399 + 200;
  assert.equal((await other.state(orderId)).authorizedCents, held);
  for (const [weight, total] of [
    [1.4, 1259 + 250 + 399 + 200],
    [1.6, 1438 + 250 + 399],
    [1.62, 1456 + 250],
  ]) {
    assert.equal((await itsStore.post(`/store/orders/${orderId}/items/0`, { weight })).status, 200);
    assert.equal(await elementTotal(orderId), total);
  }
  await other.advance(orderId, 'ready', 'assign_driver', 'pick_up');
  assert.deepEqual(await other.charges(orderId), [['succeeded', 1456 + 250, held]]);
});
