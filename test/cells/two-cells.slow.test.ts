import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql as raw } from 'kysely';
import { pizzeria } from '../feed-lines.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../given/orders.ts';
import { givenStores } from '../given/stores.ts';
import { clientOf, type Reply } from '../harness.ts';
import { until } from '../until.ts';
import { copyAccount } from './copy-account.ts';
import { type Cell, givenCell } from './given-cell.ts';
import { MOVED_TABLES, moveStore } from './move-store.ts';
import { openFront } from './open-front.ts';

/** More than the test orders, so that no order is refused as out of stock. */
const STOCK = 100_000;
const BUYERS = 4;
const ORDERS_BETWEEN_MOVES = 12;

const [east, west] = [await givenCell('east'), await givenCell('west')];
const front = await openFront([east, west]);
after(async () => {
  await front.close();
  await west.close();
  await east.close();
});

const counted = { id: 'counted', name: 'Counted', price: 2000, qty_available: STOCK };
const categories = [{ id: 'all', name: 'All', products: [counted] }];
const store = (externalId: string, name: string) => pizzeria({ external_id: externalId, name, categories });
const [eastStore = ''] = await givenStores(east.app, [store('east', 'Eastern Pizza')]);
const [westStore = '', moving = ''] = await givenStores(west.app, [
  store('west', 'Western Pizza'),
  store('moving', 'Moving Pizza'),
]);
await front.catchUp();
await copyAccount(east.app.service.deps.db, west.app.service.deps.db, east.app.accountId);
const api = clientOf(front, east.app.accountId, east.app.key);
const card = await givenPaymentMethod(api);

/** Orders a store's counted product through the shared API. */
async function order(
  storeId: string,
  { key, ...changes }: { key?: string; place_order?: boolean } = {},
): Promise<Reply> {
  const { Counted } = await productTokens(api, storeId);
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return api.post('/order/order/v2', orderBody(Counted, card, changes), headers);
}

async function placed(storeId: string): Promise<string> {
  const reply = await order(storeId);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.order_id;
}

async function move(from: Cell, to: Cell): Promise<void> {
  await moveStore({ from, to, storeId: moving, drained: () => front.drained(from) });
  await front.catchUp();
}

type OrderRow = { orderId: string; charges: number; number: string };

/** A store's placed orders in a cell, each with its charges. */
async function ordersIn({ app }: Cell, storeId: string): Promise<OrderRow[]> {
  const { rows } = await raw<OrderRow>`
    select order_id, order_number as number,
      (select count(*)::int from sandbox_gateway_charges c
       where c.order_id = o.order_id and c.status = 'succeeded' and c.amount = o.total_with_tip) as charges
    from orders o where store_id = ${storeId} and placed_at is not null`.execute(app.service.deps.db);
  return rows;
}

test('search through one API finds the stores of both cells, and sees their changes', async () => {
  const find = async () => {
    const reply = await api.get('/search/store/v3', { latitude: 40.744, longitude: -73.988 });
    assert.equal(reply.status, 200, reply.text);
    type Found = { name: string; is_open: boolean };
    return (reply.body.stores as Found[]).map(({ name, is_open }) => `${name}: ${is_open}`).sort();
  };
  assert.deepEqual(await find(), ['Eastern Pizza: true', 'Moving Pizza: true', 'Western Pizza: true']);
  await givenStores(west.app, [{ ...store('west', 'Western Pizza'), hours: { operational: 'Mo-Su 03:00-04:00' } }]);
  await front.catchUp();
  assert.deepEqual(await find(), ['Eastern Pizza: true', 'Moving Pizza: true', 'Western Pizza: false']);
  await givenStores(west.app, [store('west', 'Western Pizza')]);
  await front.catchUp();
});

test("an order is routed to its store's cell alone, and so are its later steps", async () => {
  const [inEast, inWest] = [await placed(eastStore), await placed(westStore)];
  const idsIn = async (cell: Cell, storeId: string) => (await ordersIn(cell, storeId)).map(({ orderId }) => orderId);
  assert.deepEqual(await idsIn(east, eastStore), [inEast]);
  assert.deepEqual(await idsIn(west, westStore), [inWest]);
  assert.deepEqual([...(await idsIn(east, westStore)), ...(await idsIn(west, eastStore))], []);
  for (const order_id of [inEast, inWest]) {
    const listed = await api.get('/account/orders', { order_id });
    assert.deepEqual(
      listed.body.orders.map((found: { order_id: string }) => found.order_id),
      [order_id],
    );
    const canceled = await api.post('/order/cancel', { order_id });
    assert.deepEqual([canceled.status, canceled.body.status], [200, 'canceled'], canceled.text);
  }
});

test('a store moves there and back while orders are placed: no acknowledged order is lost or doubled', async (t) => {
  const acknowledged: string[] = [];
  const refused: string[] = [];
  let isEnding = false;
  const buy = async (buyer: number) => {
    for (let nth = 0; !isEnding; nth += 1) {
      const key = `buyer-${buyer}-${nth}`;
      const reply = await order(moving, { key });
      if (reply.status !== 200) refused.push(`${reply.status} ${reply.body.code}`);
      else {
        acknowledged.push(reply.body.order_id);
        // The answer may have been lost: repeating the request returns the same order, wherever the store is by now.
        const again = await order(moving, { key });
        assert.deepEqual([again.status, again.body.order_id], [200, reply.body.order_id], again.text);
      }
    }
  };
  const buyers = Array.from({ length: BUYERS }, (_, buyer) =>
    buy(buyer).finally(() => {
      isEnding = true;
    }),
  );
  const buying = Promise.all(buyers);
  const more = async () => {
    const from = acknowledged.length;
    await Promise.race([
      buying,
      until('orders go on', () => isEnding || acknowledged.length >= from + ORDERS_BETWEEN_MOVES),
    ]);
  };
  try {
    await more();
    await move(west, east);
    await more();
    await move(east, west);
    await more();
  } finally {
    isEnding = true;
    await buying;
  }

  const [inWest, inEast] = [await ordersIn(west, moving), await ordersIn(east, moving)];
  t.diagnostic(`${inWest.length} orders in the west, ${inEast.length} in the east, ${refused.length} refused`);
  const all = [...inWest, ...inEast];
  assert.deepEqual(all.map(({ orderId }) => orderId).sort(), acknowledged.toSorted());
  assert.ok(inWest.length >= 2 * ORDERS_BETWEEN_MOVES && inEast.length >= ORDERS_BETWEEN_MOVES);
  assert.deepEqual(
    all.filter(({ charges }) => charges !== 1),
    [],
  );
  assert.equal(new Set(all.map(({ number }) => number)).size, all.length);
  assert.deepEqual(
    [...new Set(refused)].filter((what) => what !== '422 quote_unavailable'),
    [],
  );
  const { rows } = await raw<{ held: number }>`
    select held from sandbox_stock where store_id = ${moving}`.execute(west.app.service.deps.db);
  assert.equal(rows[0]?.held, all.length);
});

test('an order that its client has no answer of is found by its key after its store has moved', async () => {
  // The front API stops after forwarding: the order is created, but its client gets no answer.
  const { Counted } = await productTokens(api, moving);
  const headers = { 'idempotency-key': 'unanswered' };
  const lost = await clientOf(west.app.service, api.accountId, api.key).post(
    '/order/order/v2',
    orderBody(Counted, card),
    headers,
  );
  assert.equal(lost.status, 200, lost.text);
  await move(west, east);
  const again = await order(moving, { key: 'unanswered' });
  assert.deepEqual([again.status, again.body.order_id], [200, lost.body.order_id], again.text);
  assert.ok((await ordersIn(east, moving)).every(({ orderId }) => orderId !== lost.body.order_id));
  await move(east, west);
});

test('an order that is open when its store moves stays on its cell', async () => {
  const open = await placed(moving);
  const unplaced = (await order(moving, { place_order: false })).body.order_id;
  await move(west, east);
  const late = await api.post('/order/finalize', { order_id: unplaced });
  assert.deepEqual([late.status, late.body.code], [422, 'quote_unavailable'], late.text);
  const canceled = await api.post('/order/cancel', { order_id: open });
  assert.deepEqual([canceled.status, canceled.body.status], [200, 'canceled'], canceled.text);
  assert.ok((await ordersIn(west, moving)).some(({ orderId }) => orderId === open));
  await move(east, west);
});

test('a move that ended halfway takes no orders in either cell, and the same move again completes it', async () => {
  const interrupted = moveStore({
    from: west,
    to: east,
    storeId: moving,
    drained: () => Promise.reject(new Error('The process ends.')),
  });
  await assert.rejects(interrupted, /ends/);
  await front.catchUp();
  const refused = await order(moving);
  assert.deepEqual([refused.status, refused.body.code], [422, 'quote_unavailable'], refused.text);
  await move(west, east);
  await placed(moving);
  const before = await ordersIn(east, moving);
  // A third call finds the store in its cell and overwrites nothing.
  await move(west, east);
  await placed(moving);
  assert.equal((await ordersIn(east, moving)).length, before.length + 1);
});

test('every table that has rows of a store moves with it, or stays for a reason', async () => {
  const { rows } = await raw<{ name: string }>`
    select distinct table_name as name from information_schema.columns
    where table_schema = current_schema() and column_name = 'store_id'`.execute(east.app.service.deps.db);
  const stays = [
    ...['orders', 'store_notices'], // An order and what its store was told stay where the order was placed.
    'menus', // Counted by triggers while products are written.
    'store_merges', // A merged store does not move.
    ...['access_codes', 'console_sessions'], // A person signs in at one cell.
  ];
  assert.deepEqual(rows.map(({ name }) => name).sort(), [...MOVED_TABLES, ...stays].sort());
});
