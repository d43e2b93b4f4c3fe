import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import { givenConsole, givenStoreKey } from '../../../test/given/merchant.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import type { Reply } from '../../../test/harness.ts';
import { findCourierStores } from '../../fulfillment/deliveries/couriers/courier-deliveries.db.ts';
import { takeWaitingEvents, type WaitingEvent } from '../order/order-events.db.ts';
import { retryLedgers } from './retry-ledgers.job.ts';
import { setStoreTerms } from './store-terms.db.ts';
import { closeMonth, ledgerEvents } from './write-ledger.flow.ts';

type Line = Record<string, string | number>;

const shop = await givenPizzeria();
const store = await givenStoreKey(shop, shop.storeId, shop.accountId);
after(() => shop.close());

async function statement(month = '2026-06', more: Record<string, string> = {}): Promise<Reply['body']> {
  await shop.advance({ seconds: 1 });
  const reply = await store.get('/store/statements', { month, ...more });
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
}

const linesOf = async (orderId: string, month?: string): Promise<Line[]> =>
  (await statement(month)).lines.filter((line: Line) => line.order_id === orderId);

const amountsOf = ({ sales, taxes, delivery_fees, service_fees, tip, commission, payout }: Line) => ({
  sales,
  taxes,
  delivery_fees,
  service_fees,
  tip,
  commission,
  payout,
});

async function placed(changes: object = {}): Promise<string> {
  const reply = await shop.place('Few Left', { items: [{ product_id: shop.tokens.Soda, quantity: 4 }], ...changes });
  assert.equal(reply.status, 200, reply.text);
  return reply.body.order_id;
}

async function send(path: string, body: object): Promise<Reply['body']> {
  const reply = await shop.post(path, body);
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
}

const setTerms = (changes: Parameters<typeof setStoreTerms>[2]) =>
  shop.service.deps.db.transaction().execute((tx) => setStoreTerms(tx, shop.storeId, changes, shop.now()));
const close = (month: string, at = shop.now()) =>
  closeMonth({ db: shop.service.deps.db, findCourierStores }, month, at);
const closeAt = (moment: string) => close('2026-06', Temporal.Instant.from(moment));

/** Four sodas of 2.50: 10.00, delivery 2.99, service 1.00 (taxed), small order 2.00, tax 8.875 % of 11.00, tip 2.00. */
const SALE = { sales: 1000, taxes: 98, delivery_fees: 299, service_fees: 300, tip: 200 };

test('a sale without terms pays the store its sales, its own delivery’s fee, and its driver’s tip', async () => {
  const [line = assert.fail(), ...others] = await linesOf(await placed());
  assert.deepEqual(amountsOf(line), { ...SALE, commission: 0, payout: 1299 + 200 });
  assert.equal(line.tips_to_pass_on, 200);
  assert.deepEqual([line.kind, line.date, line.collected_elsewhere, others], ['sale', '2026-06-10', 0, []]);
  assert.match(String(line.order_number), /^[A-Z]\d+$/);
});

test('terms hold for orders placed from then on: commission, fee per order, tips and taxes', async () => {
  const early = await placed();
  await shop.advance({ seconds: 5 });
  await setTerms({ commissionPercent: 15, perOrderCents: 30, tax: 'store', deliveryFee: 'operator' });
  const late = await placed();
  const [[before = assert.fail()], [after = assert.fail()]] = [await linesOf(early), await linesOf(late)];
  assert.deepEqual(amountsOf(before), { ...SALE, commission: 0, payout: 1299 + 200 });
  assert.deepEqual(amountsOf(after), { ...SALE, commission: 180, payout: 1000 + 200 + 98 - 180 });
});

test('a later tip and a missing item are lines of their own', async () => {
  const orderId = await placed();
  await shop.step(orderId, 'confirm');
  await send('/order/tip', { order_id: orderId, driver_tip_cents: 500 });
  const adjusted = await store.post(`/store/orders/${orderId}/items/0`, { quantity: 2 });
  assert.equal(adjusted.status, 200, adjusted.text);
  const [, tip = assert.fail(), adjustment = assert.fail()] = await linesOf(orderId);
  assert.deepEqual([tip.kind, tip.tip, tip.payout, tip.sales], ['tip', 300, 300, 0]);
  assert.deepEqual([adjustment.kind, adjustment.sales, adjustment.commission], ['adjustment', -500, -75]);
});

test('an order charged elsewhere is listed in collected_elsewhere, and pays minus the commission', async () => {
  const orderId = await placed({ charge_user: false, payment_method_id: undefined });
  const [line = assert.fail()] = await linesOf(orderId);
  const nothing = { sales: 0, taxes: 0, delivery_fees: 0, service_fees: 0, tip: 0 };
  assert.deepEqual(amountsOf(line), { ...nothing, commission: 180, payout: -180 });
  assert.equal(line.collected_elsewhere, 1897);
  await send('/order/cancel', { order_id: orderId });
  const [, canceled = assert.fail()] = await linesOf(orderId);
  assert.deepEqual([canceled.kind, canceled.collected_elsewhere, canceled.payout], ['refund', -1897, 150]);
});

test('every entry of an order is written once and in order, for events handled in any order', async () => {
  const { db } = shop.service.deps;
  const orderId = await placed();
  await shop.step(orderId, 'confirm');
  await send('/order/refund', { order_id: orderId, amount: 333, reason: '' });
  await send('/order/tip', { order_id: orderId, driver_tip_cents: 300 });
  await send('/order/refund', { order_id: orderId, amount: 334, reason: '' });
  const handle = ledgerEvents({ findCourierStores });
  const entries = () =>
    db.selectFrom('ledgerEntries').selectAll().where('orderId', '=', orderId).orderBy('sequence').execute();
  const events = await db.transaction().execute(async (tx) => {
    const waiting = (await takeWaitingEvents(tx, 100)).filter((event) => event.orderId === orderId);
    await handle(tx, waiting.slice(-1));
    return waiting;
  });
  const written = await entries();
  assert.deepEqual(
    written.map(({ kind, sequence }) => [kind, sequence]),
    [
      ['sale', 1],
      ['refund', 3],
      ['tip', 4],
      ['refund', 5],
    ],
  );
  await Promise.all([1, 2].map((from) => db.transaction().execute((tx) => handle(tx, events.slice(-from)))));
  await statement();
  assert.deepEqual(await entries(), written);
});

test('days and totals equal their lines', async () => {
  const { lines, days, totals, currency, is_closed, next } = await statement();
  for (const name of ['sales', 'taxes', 'delivery_fees', 'service_fees', 'tip', 'commission', 'payout']) {
    const sum = (rows: Line[]) => rows.reduce((total, row) => total + Number(row[name]), 0);
    assert.deepEqual([sum(days), totals[name]], [sum(lines), sum(lines)], name);
  }
  assert.deepEqual([currency, is_closed, next, days.length], ['USD', false, null, 1]);
  assert.equal(totals.orders, lines.filter(({ kind }: Line) => kind === 'sale').length);
});

test('a live store key sees no sandbox order, and a console session of the sandbox sees them', async () => {
  const live = await givenStoreKey(shop, shop.storeId);
  const { body } = await live.get('/store/statements', { month: '2026-06' });
  assert.deepEqual([body.lines, body.days, body.totals.orders], [[], [], 0]);
  const session = await givenConsole(shop, shop.storeId, shop.accountId);
  const seen = await session.get('/store/statements', { month: '2026-06' });
  assert.deepEqual(seen.body, await statement());
});

test('the CSV has every line in dollars, and without a month the running one is read', async () => {
  const reply = await store.get('/store/statements.csv', { month: '2026-06' });
  const [heads = '', first = '', ...rest] = reply.text.trimEnd().split('\r\n');
  assert.match(
    heads,
    /^\uFEFFdate,timestamp,order_id,order_number,kind,currency,sales,taxes,delivery_fees,.*,tax: Sales tax,tax_ids$/,
  );
  assert.match(
    first,
    /^2026-06-10,2026-06-10T\d\d:\d\d:\d\dZ,[\w-]+,A\d+,sale,USD,10\.00,0\.98,2\.99,3\.00,2\.00,2\.00,0\.00,0\.00,0\.00,14\.99,0\.98,$/,
  );
  const { body } = await store.get('/store/statements');
  assert.deepEqual([body.month, body.lines.length], ['2026-06', rest.length + 1]);
  assert.equal(reply.headers['content-disposition'], 'attachment; filename="statement-2026-06.csv"');
});

test("the drivers' sheet has deliveries and tips of the store's own drivers, by day", async () => {
  const driver = { name: 'Ana, =1+1', phone: 12125550188, vehicle_type: 'car' };
  const orderId = await placed();
  await shop.step(orderId, 'confirm');
  const assigned = await store.post(`/store/orders/${orderId}/assign_driver`, driver);
  assert.equal(assigned.status, 200, assigned.text);
  for (const step of ['pick_up', 'complete']) await shop.step(orderId, step);
  await send('/order/tip', { order_id: orderId, driver_tip_cents: 700 });
  await statement();
  const { body } = await store.get('/store/statements/drivers', { month: '2026-06' });
  const day = { deliveries: 1, tips: 700 };
  const days = [{ date: '2026-06-10', ...day }];
  assert.deepEqual(body.drivers, [{ name: driver.name, phone: driver.phone, ...day, days }]);
  const csv = await store.get('/store/statements/drivers.csv', { month: '2026-06' });
  const heads = '\uFEFFdriver,phone,date,currency,deliveries,tips';
  assert.equal(csv.text, `${heads}\r\n"Ana, =1+1",12125550188,2026-06-10,USD,1,7.00\r\n`);
});

test('refunds leave the tip with the driver; an operator can refund the tip', async () => {
  const orderId = await placed();
  await shop.step(orderId, 'confirm');
  const refund = (body: object) => shop.post('/order/refund', { order_id: orderId, ...body });
  const early = await refund({ refund_tip: true, reason: 'Never came.' });
  assert.deepEqual([early.status, early.body.code], [422, 'refund_not_allowed'], 'a cancelation would give it back');
  for (const event of ['assign_driver', 'pick_up', 'complete'] as const) await shop.step(orderId, event);
  assert.equal((await refund({ amount: 1698 })).body.code, 'refund_not_allowed');
  await send('/order/refund', { order_id: orderId, amount: 1697, reason: '' });
  assert.equal((await refund({ refund_tip: true })).status, 400, 'a reason is required');
  const back = await refund({ refund_tip: true, reason: 'Never came.' });
  assert.deepEqual([back.status, back.body.amount, back.body.refunded_amount], [200, 200, 1897], back.text);
  assert.equal((await refund({ refund_tip: true, reason: 'Again.' })).body.code, 'refund_not_allowed');
  const [, whole = assert.fail(), tip = assert.fail()] = await linesOf(orderId);
  assert.deepEqual([whole.tip, whole.tips_to_pass_on], [0, 0]);
  assert.deepEqual([tip.kind, tip.tip, tip.tips_to_pass_on, tip.payout], ['refund', 0, 0, 0]);
  const { driverCents, operatorCents } = await shop.service.deps.db
    .selectFrom('ledgerEntries')
    .select(['driverCents', 'operatorCents'])
    .where('orderId', '=', orderId)
    .orderBy('sequence', 'desc')
    .executeTakeFirstOrThrow();
  assert.deepEqual([driverCents, operatorCents], [0, -200]);
});

test('a wrong month or cursor is refused', async () => {
  for (const query of [{ month: '2026-13' }, { month: '2026-6' }, { month: '2026-06-01' }, { after: 'x' }]) {
    const reply = await store.get('/store/statements', query);
    assert.deepEqual([reply.status, reply.body.code], [400, 'invalid_request'], JSON.stringify(query));
  }
});

test('closing: refused while the month runs, complete with events that wait, and final', async () => {
  await assert.rejects(close('2026-06'), { code: 'month_not_ended' });
  const orderId = await placed();
  await shop.step(orderId, 'confirm');
  await shop.advance(shop.now().until(Temporal.Instant.from('2026-07-01T03:30:00Z')));
  await assert.rejects(close('2026-06'), { code: 'month_not_ended' }, 'July in UTC, June in New York');

  await shop.advance({ minutes: 1 });
  const waiting = await placed();
  await closeAt('2026-07-01T04:05:00Z');
  const closed = (await store.get('/store/statements', { month: '2026-06' })).body;
  assert.deepEqual([closed.is_closed, closed.lines.at(-1).order_id], [true, waiting]);

  // A worker whose clock is late writes an event of June.
  const late = await placed();
  await shop.advance({ minutes: 40 });
  await closeAt('2026-07-01T04:15:00Z');
  await send('/order/refund', { order_id: orderId, amount: 100, reason: '' });
  const [correction = assert.fail()] = await linesOf(late, '2026-07');
  assert.deepEqual([correction.kind, correction.date, correction.sales], ['correction', '2026-06-30', 1000]);
  const [refund = assert.fail()] = await linesOf(orderId, '2026-07');
  assert.deepEqual([refund.kind, refund.date], ['refund', '2026-07-01']);
  assert.deepEqual(await statement(), closed);
});

test('a store reads one statement at a time: twenty wait, one more is refused', async () => {
  const tx = await shop.service.deps.db.startTransaction().execute();
  await sql`lock table ledger_entries in access exclusive mode`.execute(tx);
  const readings = Array.from({ length: 22 }, () => store.get('/store/statements', { month: '2026-06' }));
  const first = await Promise.race(readings).finally(() => tx.rollback().execute());
  assert.deepEqual([first.status, first.body.code], [429, 'rate_limited']);
  const statuses = (await Promise.all(readings)).map(({ status }) => status).toSorted();
  assert.deepEqual(statuses, [...Array.from({ length: 21 }, () => 200), 429]);
});

const setQuote = (orderId: string, quote: RawBuilder<unknown>) =>
  sql`update orders set quote = ${quote} where order_id = ${orderId}`;

test('an order that lacks any member of its quote holds up no other, and is booked to the cent or found missing', async () => {
  const { db } = shop.service.deps;
  const [damaged, sound] = [await placed(), await placed()];
  const events = await db.selectFrom('orderEvents').selectAll().where('orderId', 'in', [damaged, sound]).execute();
  const { quote } = await db
    .selectFrom('orders')
    .select('quote')
    .where('orderId', '=', damaged)
    .executeTakeFirstOrThrow();
  const waiting = events.map((event) => event as unknown as WaitingEvent);
  let missing = 0;
  for (const member of Object.keys(quote)) {
    const tx = await db.startTransaction().execute();
    const read = async () => {
      await setQuote(damaged, sql`quote - ${member}::text`).execute(tx);
      await ledgerEvents({ findCourierStores })(tx, waiting);
      return {
        written: await tx.selectFrom('ledgerEntries').selectAll().where('orderId', 'in', [damaged, sound]).execute(),
        ledgers: await tx.selectFrom('ledgerOrders').selectAll().where('orderId', '=', damaged).execute(),
      };
    };
    const { written, ledgers } = await read().finally(() => tx.rollback().execute());
    assert.ok(
      written.some(({ orderId }) => orderId === sound),
      member,
    );
    const [entry] = written.filter(({ orderId }) => orderId === damaged);
    const isMissing = ledgers[0]?.unwrittenSince !== null;
    missing += Number(isMissing);
    assert.notEqual(entry === undefined, !isMissing, member);
    if (entry) assert.deepEqual([entry.salesCents, entry.taxesCents, entry.tipCents], [1000, 98, 200], member);
  }
  assert.ok(missing > 5, `${missing} of ${Object.keys(quote).length}`);
});

test('a damaged order: its month is not closed, the health names it, and it is booked once it reads again', async () => {
  const { db } = shop.service.deps;
  const orderId = await placed();
  const row = db.selectFrom('orders').select('quote').where('orderId', '=', orderId);
  const { quote } = await row.executeTakeFirstOrThrow();
  const operator = await givenConsole(shop, null);
  const healthOf = async () =>
    (await operator.get('/operator/health')).body.queues.find(({ queue }: { queue: string }) => queue === 'statements');
  await setQuote(orderId, sql`'{}'`).execute(db);
  await shop.advance({ seconds: 1 });
  const { failing, last_error: reason } = await healthOf();
  assert.equal(failing, 1);
  assert.ok(reason.startsWith(`${orderId}: `), reason);

  const afterJuly = Temporal.Instant.from('2026-08-01T12:00:00Z');
  const refusal = { code: 'statement_incomplete', message: new RegExp(orderId) };
  await assert.rejects(close('2026-07', afterJuly), refusal);
  await close('2026-06', afterJuly);

  await setQuote(orderId, sql`${JSON.stringify(quote)}::jsonb`).execute(db);
  await retryLedgers({ db, findCourierStores, clock: { now: () => afterJuly } }).run({}, new AbortController().signal);
  assert.equal((await healthOf()).failing, 0);
  const [sale = assert.fail(), ...others] = await linesOf(orderId, '2026-07');
  assert.deepEqual([sale.kind, sale.sales, others], ['sale', 1000, []]);
  await close('2026-07', afterJuly);
});
