import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { countStatements } from '../../../test/count-statements.ts';
import { givenChannel } from '../../../test/given/merchant.ts';
import { CARD } from '../../../test/given/orders.ts';
import { givenPizzeria, type Pizzeria } from '../../../test/given/pizzeria.ts';
import { AMOUNT_5, endPromotions, givenPromotion, usedOf } from '../../../test/given/promotions.ts';
import type { Reply } from '../../../test/harness.ts';
import { setStore } from '../../supply/stores/set-store.flow.ts';

let shop: Pizzeria;
before(async () => {
  shop = await givenPizzeria();
  // The first request looks up its key, opens connections and prepares statements.
  assert.equal((await orderPie()).status, 200);
});
after(() => shop.close());

/** Orders a pizza with nested modifiers; `changes` override the body's members. */
const orderPie = (changes: object = {}) => shop.place('Margherita', { items: [shop.bigPie()], ...changes });

/**
 * Asserts that a request succeeds within this many statements and round trips. One statement per order checks the
 * version of the store's menu; a running service does that at intervals instead.
 */
async function assertCost(request: () => Promise<Reply>, max: { statements: number; roundTrips: number }) {
  const replies: Reply[] = [];
  const { texts, roundTrips } = await countStatements(async () => replies.push(await request()));
  const [reply = assert.fail()] = replies;
  assert.equal(reply.status, 200, reply.text);
  const shown = [`${texts.length} statements, ${roundTrips} round trips`, ...texts.map((text) => text.slice(0, 120))];
  assert.ok(texts.length > 0 && texts.length <= max.statements && roundTrips <= max.roundTrips, shown.join('\n'));
  return reply.body;
}

const saveCard = (userId: string) =>
  shop.post('/payment/create', { payment_method: CARD, user_id: userId, user_email: 'u1@example.com' });

test('a guest order takes 3 statements for its card, and 4 to be placed: inputs, pending, charge, placed', async () => {
  const { payment_method_id } = await assertCost(() => saveCard('guest'), { statements: 3, roundTrips: 3 });
  const ofGuest = { user_id: 'guest', payment_method_id };
  const placed = await assertCost(() => orderPie(ofGuest), { statements: 1 + 4, roundTrips: 4 });
  assert.deepEqual([placed.order_placed, (await shop.chargesOf(placed.order_id)).length], [true, 1]);
});

test('a quoted order is placed by its ID in its own transaction, and finalized in one more round trip', async () => {
  const quote = () => orderPie({ place_order: false });
  const { order_id } = await assertCost(quote, { statements: 6, roundTrips: 5 });
  const placed = await assertCost(() => orderPie({ order_id }), { statements: 9, roundTrips: 8 });
  assert.deepEqual([placed.order_placed, placed.order_id], [true, order_id]);
  const { order_id: other } = (await quote()).body;
  const finalize = () => shop.post('/order/finalize', { order_id: other });
  const finalized = await assertCost(finalize, { statements: 9, roundTrips: 8 });
  assert.deepEqual([finalized.order_placed, (await shop.chargesOf(other)).length], [true, 1]);
});

test('an order without a charge is stored and placed in one transaction', async () => {
  const placed = await assertCost(() => orderPie({ charge_user: false }), { statements: 6, roundTrips: 5 });
  assert.equal(placed.order_placed, true);
});

test('an Idempotency-Key adds the round trips of its claim and of its answer', async () => {
  const headers = { 'idempotency-key': 'counted' };
  const body = shop.bodyOf('Margherita', { items: [shop.bigPie()] });
  const place = () => shop.post('/order/order/v2', body, headers);
  const placed = await assertCost(place, { statements: 8, roundTrips: 7 });
  const again = await assertCost(place, { statements: 2, roundTrips: 2 });
  assert.equal(again.order_id, placed.order_id);
});

test('an order that holds a slot and counted stock is stored in a transaction', async () => {
  const [scheduled_id] = await shop.slotsOf();
  const place = () => shop.place('Few Left', { scheduled_id });
  const placed = await assertCost(place, { statements: 13, roundTrips: 12 });
  assert.equal(placed.order_placed, true);
});

test('a kitchen with limits adds one statement to an order that holds nothing else', async () => {
  const { db } = shop.service.deps;
  await db.transaction().execute((tx) => setStore(tx, shop.storeId, { kitchen: { orders: 100 } }, shop.now()));
  shop.service.deps.inventory.evict(shop.storeId);
  await shop.slotsOf();
  const placed = await assertCost(() => orderPie({ charge_user: false }), { statements: 7, roundTrips: 6 });
  assert.equal(placed.order_placed, true);
  await db.transaction().execute((tx) => setStore(tx, shop.storeId, { kitchen: { orders: 0 } }, shop.now()));
  shop.service.deps.inventory.evict(shop.storeId);
});

test('a promotion without limits adds no statement, and one with limits a single one, in a transaction', async () => {
  const { db } = shop.service.deps;
  assert.equal((await orderPie()).status, 200);
  await givenPromotion(db, { terms: AMOUNT_5 });
  const placed = await assertCost(orderPie, { statements: 1 + 4, roundTrips: 4 });
  await assertCost(() => orderPie({ charge_user: false }), { statements: 6, roundTrips: 5 });
  await endPromotions(db);
  const limited = await givenPromotion(db, { terms: AMOUNT_5, maxUses: 9 });
  await assertCost(orderPie, { statements: 8, roundTrips: 7 });
  await assertCost(() => orderPie({ charge_user: false }), { statements: 7, roundTrips: 6 });
  assert.deepEqual([placed.order_placed, (await usedOf(db, limited))[0]], [true, 2]);
  await endPromotions(db);
});

test('a live order takes the same 4 statements, which count its charge for its key and its card', async () => {
  const { db, gateways } = shop.service.deps;
  gateways.live = gateways.sandbox;
  await givenChannel(shop, shop.storeId);
  const live = await shop.givenClient('live');
  const card = { payment_method: CARD, user_id: 'u1', user_email: 'u1@example.com' };
  const { payment_method_id } = (await live.post('/payment/create', card)).body;
  const body = shop.bodyOf('Margherita', { items: [shop.bigPie()], payment_method_id });
  const place = () => live.post('/order/order/v2', body);
  assert.equal((await place()).status, 200);
  await assertCost(place, { statements: 1 + 4, roundTrips: 4 });
  const count = (table: 'keyCharges' | 'chargedCards') =>
    db.selectFrom(table).selectAll().where('accountId', '=', live.accountId).execute();
  assert.deepEqual([(await count('keyCharges')).length, (await count('chargedCards')).length], [2, 1]);
  gateways.live = undefined;
});
