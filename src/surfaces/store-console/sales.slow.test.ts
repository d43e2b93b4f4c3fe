import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { givenKitchen } from '../../../test/given/kitchen.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../../../test/given/orders.ts';
import { type App, type Client, givenApp } from '../../../test/harness.ts';
import { runs } from '../../../test/runs.ts';
import type { Refund } from '../../ordering/money/refund.ts';
import { findRefunds } from '../../ordering/money/refunds.db.ts';
import type { Order } from '../../ordering/order/order.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { NO_SHARES } from '../../ordering/order/shares.ts';
import { addSale, emptySales, type SoldOrder } from './sales.ts';

const ZONES = ['America/New_York', 'America/St_Johns', 'America/Phoenix', 'Australia/Lord_Howe'] as const;

/** Around both changes of the clock, and an ordinary day. */
const anyMoment = fc
  .record({
    day: fc.constantFrom(
      '2026-03-08T00:00:00Z',
      '2026-11-01T00:00:00Z',
      '2026-04-04T12:00:00Z',
      '2026-06-10T00:00:00Z',
    ),
    minutes: fc.integer({ min: 0, max: 36 * 60 }),
  })
  .map(({ day, minutes }) => Temporal.Instant.from(day).add({ minutes }));
const anyItem = fc.record({
  dish: fc.integer({ min: 1, max: 4 }),
  /** The list price, and the menu price's discount from it. */
  priceCents: fc.integer({ min: 0, max: 3000 }),
  menuOffCents: fc.constantFrom(0, 0, 250),
  markupCents: fc.integer({ min: 0, max: 300 }),
  ordered: fc.integer({ min: 1, max: 5 }),
  handedOver: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
  substitute: fc.option(fc.record({ dish: fc.integer({ min: 5, max: 6 }), priceCents: fc.nat(900) }), {
    nil: undefined,
  }),
  refundedUnits: fc.integer({ min: 0, max: 5 }),
});
const anyRefundState = fc.constantFrom('done' as const, 'done' as const, 'pending' as const, 'failed' as const);
const anyLife = fc.record({
  status: fc.constantFrom<Order['status']>('completed', 'completed', 'completed', 'canceled', 'in_progress'),
  placedAt: anyMoment,
  laterMinutes: fc.constantFrom(0, 0, 45, 1000),
  pickup: fc.boolean(),
  items: fc.array(anyItem, { minLength: 1, maxLength: 4 }),
  feesCents: fc.integer({ min: 0, max: 900 }),
  amounts: fc.array(fc.record({ cents: fc.integer({ min: 1, max: 4000 }), state: anyRefundState }), { maxLength: 2 }),
  itemState: anyRefundState,
});
type Life = typeof anyLife extends fc.Arbitrary<infer Each> ? Each : never;

const item = (dish: number, unitCents: number, markupCents = 0) => ({
  productId: `product ${dish}`,
  name: `Dish ${dish}`,
  unitCents,
  markedUnitCents: unitCents + markupCents,
});

/** The refund of an order; `failed` refunded nothing. */
const refundOf = (cents: number, state: Refund['state'], more: Partial<Refund>): Refund => ({
  refundId: '',
  orderId: '',
  key: '',
  kind: 'requested',
  reason: '',
  items: [],
  cents,
  tipCents: 0,
  shares: NO_SHARES,
  state,
  refundedCents: state === 'done' ? cents : 0,
  createdAt: Temporal.Instant.fromEpochMilliseconds(0),
  endedAt: null,
  sequence: null,
  requestedBy: null,
  ...more,
});

const handedOver = ({ ordered, handedOver: units = ordered }: Life['items'][number]) => Math.min(ordered, units);
const refundedUnits = (each: Life['items'][number]) => Math.min(handedOver(each), each.refundedUnits);
const menuCents = ({ priceCents, menuOffCents }: Life['items'][number]) => Math.max(0, priceCents - menuOffCents);
const markedCents = (each: Life['items'][number]) =>
  (each.substitute?.priceCents ?? menuCents(each)) + each.markupCents;

/** An order and its refunds as they are stored. */
function stored({ status, placedAt, laterMinutes, pickup, items, feesCents, amounts, itemState }: Life) {
  const chargedCents = items.reduce((sum, each) => sum + markedCents(each) * each.ordered, feesCents);
  const missingCents = items.reduce((sum, each) => sum + markedCents(each) * (each.ordered - handedOver(each)), 0);
  const ofItems = items.flatMap((each, index) => {
    const quantity = refundedUnits(each);
    return quantity > 0
      ? [{ index, quantity, cents: markedCents(each) * quantity, taxCents: 0, taxes: [], shares: NO_SHARES }]
      : [];
  });
  const itemCents = ofItems.reduce((sum, { cents }) => sum + cents, 0);
  const refunds = [
    ...(missingCents > 0 ? [refundOf(missingCents, 'done', { kind: 'item_changed' })] : []),
    ...(ofItems.length > 0 ? [refundOf(itemCents, itemState, { items: ofItems })] : []),
    ...amounts.map(({ cents, state }) =>
      refundOf(cents, state, { kind: cents % 2 === 0 ? 'requested' : 'at_gateway' }),
    ),
  ];
  const order = {
    status,
    placedAt,
    offerAt: placedAt.add({ minutes: laterMinutes }),
    createdAt: placedAt,
    pickup,
    chargedCents,
    refundedCents: refunds.reduce((sum, { refundedCents }) => sum + refundedCents, 0),
    addedTipCents: 0,
    waivedTipCents: 0,
    refundedTipCents: 0,
    refundedAccountCents: 0,
    quote: {
      tipCents: 0,
      items: items.map((each) => ({
        ...item(each.dish, menuCents(each), each.markupCents),
        ...(each.menuOffCents > 0 ? { listUnitCents: each.priceCents } : {}),
        quantity: each.ordered,
      })),
    },
    adjustments: items.flatMap((each, index) => {
      const { substitute, markupCents } = each;
      if (each.handedOver === undefined && !substitute) return [];
      const replaced = substitute && item(substitute.dish, substitute.priceCents, markupCents);
      return [{ index, quantity: handedOver(each), substitute: replaced ?? null }];
    }),
  } as unknown as SoldOrder;
  return { order, refunds };
}

type Row = { dish: string; hour: number; date: string; units: number; cents: number };

/** The rows of an order, a unit at a time, in exact numbers, on the clock of `Intl`. */
function plainRows(life: Life, timeZone: string): Row[] {
  if (life.status !== 'completed') return [];
  const at = life.placedAt.add({ minutes: life.laterMinutes }).epochMilliseconds;
  const clock = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    ...({ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', hourCycle: 'h23' } as const),
  });
  const parts = new Map(clock.formatToParts(at).map(({ type, value }) => [type, value]));
  const date = `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
  const isUnitRefund = life.itemState !== 'failed';
  let paid = BigInt(life.feesCents);
  for (const each of life.items) {
    const kept = handedOver(each) - (isUnitRefund ? refundedUnits(each) : 0);
    for (let unit = 0; unit < kept; unit += 1) paid += BigInt(markedCents(each));
  }
  let back = 0n;
  for (const { cents, state } of life.amounts) if (state !== 'failed') back += BigInt(cents);
  if (back > paid) back = paid;
  return life.items.flatMap((each) => {
    const units = handedOver(each);
    if (units === 0) return [];
    let cents = 0n;
    for (let unit = isUnitRefund ? refundedUnits(each) : 0; unit < units; unit += 1) {
      cents += BigInt(each.substitute?.priceCents ?? each.priceCents);
    }
    const part = paid === 0n ? 0n : (2n * cents * back + paid) / (2n * paid);
    const dish = `Dish ${each.substitute?.dish ?? each.dish}`;
    return [{ dish, hour: Number(parts.get('hour')), date, units, cents: Number(cents - part) }];
  });
}

function sumBy(rows: readonly Row[], keyOf: (row: Row) => string | number) {
  const sums: Record<string, [units: number, cents: number]> = {};
  for (const row of rows) {
    const sum = sums[keyOf(row)] ?? [0, 0];
    sums[keyOf(row)] = [sum[0] + row.units, sum[1] + row.cents];
  }
  return sums;
}

test('sales by dish, hour and day are the plain sum over the lines of the orders, on any day of any clock', () => {
  fc.assert(
    fc.property(fc.array(anyLife, { maxLength: 12 }), fc.constantFrom(...ZONES), (lives, timeZone) => {
      const rows = lives.flatMap((life) => plainRows(life, timeZone));
      const sales = emptySales([...new Set(rows.map(({ date }) => date))]);
      const part = { totalCents: 100, taxesCents: 8, refundedCents: 0 };
      for (const life of lives) addSale(sales, { ...stored(life), part, timeZone, dishOf: (id) => id });
      const dishes = [...sales.dishes.values()].map((dish) => [dish.name, [dish.units, dish.revenueCents]] as const);
      assert.deepEqual(
        Object.fromEntries(dishes),
        sumBy(rows, ({ dish }) => dish),
      );
      const named = (sold: { units: number; revenueCents: number }) => [sold.units, sold.revenueCents];
      const hours = sales.hours.map((sold, hour) => [String(hour), named(sold)] as const);
      assert.deepEqual(
        Object.fromEntries(hours.filter(([, [units]]) => units)),
        sumBy(rows, ({ hour }) => hour),
      );
      const days = [...sales.days].map(([date, sold]) => [date, named(sold)] as const);
      assert.deepEqual(
        Object.fromEntries(days),
        sumBy(rows, ({ date }) => date),
      );
      const all = rows.reduce((sum, { cents }) => sum + cents, 0);
      assert.equal(sales.handedOver.revenueCents, all);
      assert.ok(dishes.every(([, [, cents]]) => (cents ?? -1) >= 0));
    }),
    { numRuns: runs(600) },
  );
});

type Shop = { app: App; storeId: string; store: Client; card: string; tokens: Record<string, string> };

/** A store with people at its console, in an account's sandbox. */
async function givenShop(t: TestContext): Promise<Shop> {
  const app = await givenApp({ env: { SANDBOX_PACE: 'manual', ORDER_CONFIRM_TIMEOUT_MINUTES: '1440' } });
  t.after(() => app.close());
  const { storeId } = await givenKitchen(app);
  const store = await givenStoreKey(app, storeId, app.accountId);
  return { app, storeId, store, card: await givenPaymentMethod(app), tokens: await productTokens(app, storeId) };
}

type Wish = { lines: readonly [name: string, quantity: number][]; acts: readonly string[]; markedCents?: number };

async function live({ app, store, card, tokens }: Shop, { lines, acts, markedCents }: Wish): Promise<string> {
  const marked = markedCents === undefined ? {} : { product_marked_price: markedCents };
  const items = lines.map(([name, quantity]) => ({ product_id: tokens[name], quantity, ...marked }));
  const receipt = { email_receipt_specifications: { prices_marked: markedCents !== undefined } };
  const more = { ...receipt, items, pickup: true, autofill_selected_options: true, charge_user: true };
  const placed = await app.post('/order/order/v2', orderBody(undefined, card, more));
  assert.equal(placed.status, 200, placed.text);
  const id: string = placed.body.order_id;
  const step = async (path: string, body: object) => {
    const { status, text } = await store.post(`/store/orders/${id}/${path}`, body);
    assert.equal(status, 200, text);
  };
  await step('confirm', { preparation_minutes: 10 });
  for (const act of acts) {
    if (act === 'missing') await step('items/0', { quantity: 1 });
    if (act === 'complete') await step('complete', {});
    if (act === 'cancel') await step('cancel', { reason: 'closed' });
    if (act === 'refund one')
      await app.post('/order/refund', { order_id: id, reason: 'cold', items: [{ index: 0, quantity: 1 }] });
    if (act === 'refund $5') await app.post('/order/refund', { order_id: id, reason: 'late', amount: 500 });
  }
  return id;
}

test('GET /store/sales and its CSV count the handed-off goods of completed orders, less refunds', async (t) => {
  const shop = await givenShop(t);
  const { app, store } = shop;
  const wishes: Wish[] = [
    {
      lines: [
        ['Diavola', 2],
        ['Cola', 1],
      ],
      acts: ['complete'],
    },
    { lines: [['Diavola', 3]], acts: ['missing', 'complete'] },
    {
      lines: [
        ['Cola', 4],
        ['Diavola', 1],
      ],
      acts: ['complete', 'refund one'],
    },
    { lines: [['Marinara', 2]], acts: ['complete', 'refund $5'] },
    { lines: [['Caesar salad', 2]], acts: ['cancel'] },
    { lines: [['Caesar salad', 1]], acts: [] },
  ];
  const ids: string[] = [];
  for (const wish of wishes) {
    ids.push(await live(shop, wish));
    await app.advance({ minutes: 40 });
  }
  const day = app.now().toZonedDateTimeISO('America/New_York').toPlainDate();
  const range = { from: day.subtract({ days: 1 }).toString(), to: day.toString() };
  const { status, body, text } = await store.get('/store/sales', range);
  assert.equal(status, 200, text);
  const { db } = app.service.deps;
  const [refund] = await findRefunds(db, [ids[3] ?? '']);
  const charged = (await findAnyOrder(db, ids[3] ?? ''))?.chargedCents ?? 0;
  const marinara = 2500 - Math.round((2500 * (refund?.refundedCents ?? 0)) / charged);
  assert.deepEqual(body.dishes, [
    { name: 'Diavola', units: 4, revenue: 4 * 1690 },
    { name: 'Marinara', units: 2, revenue: marinara },
    { name: 'Cola', units: 5, revenue: 4 * 300 },
  ]);
  const { totals, handed_over: handed } = body;
  assert.deepEqual([totals.orders, totals.canceled, totals.pickups], [5, 1, 5]);
  assert.deepEqual(handed, { orders: 4, units: 11, revenue: 4 * 1690 + marinara + 1200 });
  type SoldTotals = { orders: number; revenue: number };
  for (const part of [body.hours, body.days]) {
    assert.equal(
      part.reduce((sum: number, { revenue }: SoldTotals) => sum + revenue, 0),
      handed.revenue,
    );
  }
  const csv = await store.get('/store/sales.csv', { ...range, by: 'dish' });
  assert.equal(csv.status, 200, csv.text);
  assert.match(csv.text, /^\uFEFFdish,units,revenue\r\nDiavola,4,67\.60\r\n/);
  const table = await store.get('/store/orders.csv', range);
  const rows = table.text.trim().split('\r\n').slice(1);
  assert.deepEqual(
    rows.map((row: string) => row.split(',')[0]),
    ids.toReversed(),
  );
  assert.ok(!table.text.includes('Test Customer') && !table.text.includes('2125550199'));
  const stranger = await givenStoreKey(app, shop.storeId);
  assert.equal((await stranger.get('/store/sales', range)).body.totals.orders, 0, 'a live key sees live orders alone');
});

test('an order at marked prices counts in sales as the same order at the store’s own prices, refunds included', async (t) => {
  const shop = await givenShop(t);
  const day = shop.app.now().toZonedDateTimeISO('America/New_York').toPlainDate().toString();
  const read = async () => {
    const { body, text } = await shop.store.get('/store/sales', { from: day });
    const { totals, handed_over: handedOver, dishes } = body;
    assert.ok(totals.refunded > 0, text);
    return [...Object.values<number>(totals), ...Object.values<number>(handedOver), dishes[0].units, dishes[0].revenue];
  };
  for (const acts of [['complete', 'refund one'], ['missing', 'complete'], ['cancel']]) {
    await live(shop, { lines: [['Cola', 5]], acts });
  }
  const plain = await read();
  for (const acts of [['complete', 'refund one'], ['missing', 'complete'], ['cancel']]) {
    await live(shop, { lines: [['Cola', 5]], acts, markedCents: 480 });
  }
  assert.deepEqual(
    await read(),
    plain.map((sum) => 2 * sum),
  );
});

test('GET /store/orders?from= lists the orders of whole days of the store, in pages, and finds them by number', async (t) => {
  const shop = await givenShop(t);
  const { app, store } = shop;
  const ids: string[] = [];
  for (let order = 0; order < 4; order += 1) {
    ids.push(await live(shop, { lines: [['Cola', 4]], acts: ['complete'] }));
    await app.advance({ hours: 12 });
  }
  const dayOf = (at: Temporal.Instant) => at.toZonedDateTimeISO('America/New_York').toPlainDate().toString();
  const { db } = app.service.deps;
  const orders = await Promise.all(ids.map((id) => findAnyOrder(db, id)));
  const byDay = Map.groupBy(orders, (order) => dayOf(order?.placedAt ?? assert.fail()));
  assert.ok(byDay.size > 1);
  const listed = async (query: Record<string, string>) => (await store.get('/store/orders', query)).body;
  const idsOf = (rows: readonly ({ order_id?: string; orderId?: string } | undefined)[]) =>
    rows.map((row) => row?.order_id ?? row?.orderId);
  for (const [day, own] of byDay) {
    const { orders: found, next } = await listed({ from: day });
    assert.deepEqual([idsOf(found), next], [idsOf(own.toReversed()), null]);
    const number = own[0]?.orderNumber ?? '';
    const { orders: byNumber } = await listed({ from: day, order_number: `#${number.toLowerCase()}` });
    assert.deepEqual(idsOf(byNumber), [own[0]?.orderId]);
  }
  const bad = [
    { from: '2026-02-30' },
    { from: '2026-06-02', to: '2026-06-01' },
    { from: '2026-01-01', to: '2026-12-31' },
  ];
  for (const query of bad) {
    for (const path of ['/store/orders', '/store/sales', '/store/orders.csv']) {
      const { status, body } = await store.get(path, query);
      assert.deepEqual([status, body.code], [400, 'invalid_request'], `${path} ${JSON.stringify(query)}`);
    }
  }
  assert.equal((await store.get('/store/orders', { from: '2026-06-01', after: 'x' })).status, 400);
});

test('three days after its end, an order has neither its customer’s phone nor address', async (t) => {
  const shop = await givenShop(t);
  const { app, store } = shop;
  const id = await live(shop, { lines: [['Cola', 4]], acts: ['complete'] });
  const from = app.now().toZonedDateTimeISO('America/New_York').toPlainDate().toString();
  const read = async () => {
    const { orders } = (await store.get('/store/orders', { from })).body;
    const ticket = await store.get(`/console/orders/${id}/ticket`, { document: 'receipt' });
    assert.equal(ticket.status, 200, ticket.text);
    return JSON.stringify(orders) + ticket.text;
  };
  const contacts = ['12125550199', 'W 21st St', '10010'];
  await app.advance({ hours: 71 });
  const before = await read();
  for (const text of contacts) assert.ok(before.includes(text), text);
  await app.advance({ hours: 2 });
  const after = await read();
  for (const text of contacts) assert.ok(!after.includes(text), text);
  assert.ok(after.includes('Test C.'));
});
