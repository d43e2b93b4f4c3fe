import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import { givenApp } from '../../../test/harness.ts';

const shop = await givenPizzeria(givenApp);

const idOf = ({ order_id }: { order_id: string }) => order_id;

test('orders are filtered, counted and paged', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 4; n += 1)
    ids.push((await shop.place('Margherita', { items: [shop.bigPie()], place_order: n > 0 })).body.order_id);
  const [, canceledId = ''] = ids;
  await shop.step(canceledId, 'cancel');
  const all = await shop.get('/account/orders', { include_order_count: true });
  const [unplacedId = '', ...placedIds] = ids;
  assert.equal(all.body.order_count, all.body.orders.length);
  assert.deepEqual(all.body.orders.map(idOf).sort(), placedIds.sort());
  const unplaced = await shop.get('/account/orders', { status: 'unplaced', include_order_count: true });
  assert.deepEqual([unplaced.body.orders.map(idOf), unplaced.body.order_count], [[unplacedId], 1]);
  assert.deepEqual((await shop.get('/account/orders', { order_id: unplacedId })).body.orders.map(idOf), [unplacedId]);
  const canceled = await shop.get('/account/orders', { status: 'canceled,completed' });
  assert.ok(canceled.body.orders.every((order: { status: string }) => /canceled|completed/.test(order.status)));
  assert.deepEqual(canceled.body.orders.map(idOf), [canceledId]);
  assert.deepEqual((await shop.get('/account/orders', { user_id: 'nobody' })).body.orders, []);
  assert.deepEqual((await shop.get('/account/orders', { start_date: '01/01/2027' })).body.orders, []);
  const today = await shop.get('/account/orders', { start_date: '06/10/2026', end_date: '06/10/2026', page: 0 });
  assert.equal(today.body.orders.length, all.body.orders.length);
  const bad = await shop.get('/account/orders', { status: 'lost', start_date: '02/30/2026', end_date: '2026-01-01' });
  assert.deepEqual(
    bad.body.errors.map((fault: { name: string }) => fault.name),
    ['status', 'start_date', 'end_date'],
  );
});

type Page = { orders: { order_id: string }[]; next_page?: number };

/** All pages of a list, by `next_page`. */
async function walk(query: Record<string, string> = {}): Promise<Page[]> {
  const pages: Page[] = [];
  for (let page: number | undefined = 0; page !== undefined; page = pages.at(-1)?.next_page) {
    const reply = await shop.get('/account/orders', { status: 'unplaced', ...query, page });
    assert.equal(reply.status, 200, reply.text);
    pages.push(reply.body);
    assert.ok(pages.length < 20, 'the walk ends');
  }
  return pages;
}

/** Inserts copies of an order, created a microsecond apart except every third; `notes` enlarge them. */
async function copyOrder(orderId: string, copies: number, userId: string, notesLength: number): Promise<void> {
  await sql`
    insert into orders
    select (jsonb_populate_record(o, jsonb_build_object(
      'order_id', ${userId}::text || '-' || n,
      'user_id', ${userId}::text,
      'idempotency_key', null,
      'created_at', o.created_at - make_interval(secs => (n - n % 3) * 1e-6),
      'request', jsonb_set(o.request, '{customer,dropoffNotes}', to_jsonb(repeat('n', ${notesLength}::integer)))
    ))).*
    from orders as o, generate_series(1, ${copies}::integer) as n where o.order_id = ${orderId}`.execute(
    shop.service.deps.db,
  );
}

test('pages end at 100 orders, or with the order that passes 2 MiB, and a walk visits every order once', async () => {
  const { order_id: orderId } = (await shop.place('Margherita', { items: [shop.bigPie()], place_order: false })).body;
  await copyOrder(orderId, 205, 'small', 10);
  const small = await walk({ user_id: 'small' });
  assert.deepEqual(
    small.map(({ orders, next_page }) => [orders.length, next_page]),
    [
      [100, 1],
      [100, 2],
      [5, undefined],
    ],
  );
  await copyOrder(orderId, 23, 'large', 400_000);
  const large = await walk({ user_id: 'large' });
  assert.deepEqual(
    large.map(({ orders }) => orders.length),
    [6, 6, 6, 5],
  );
  for (const { orders, next_page } of large) {
    const bytes = orders.reduce((sum, order) => sum + JSON.stringify(order).length, 0);
    const before = bytes - JSON.stringify(orders.at(-1)).length;
    assert.ok(before < 2 * 1024 * 1024, 'the order before the last had room');
    assert.equal(next_page !== undefined, bytes >= 2 * 1024 * 1024);
  }
  for (const [pages, count] of [
    [small, 205],
    [large, 23],
  ] as const) {
    const ids = pages.flatMap(({ orders }) => orders.map(idOf));
    assert.deepEqual([ids.length, new Set(ids).size], [count, count]);
  }
  const exact = await shop.get('/account/orders', {
    status: 'unplaced',
    user_id: 'small',
    page: 3,
    include_order_count: true,
  });
  assert.deepEqual([exact.body.orders, exact.body.order_count, exact.body.next_page], [[], 205, undefined]);
});

test('a page that ends with the last order names no next page', async () => {
  const { order_id: orderId } = (await shop.place('Margherita', { items: [shop.bigPie()], place_order: false })).body;
  await copyOrder(orderId, 100, 'hundred', 10);
  assert.deepEqual(
    (await walk({ user_id: 'hundred' })).map(({ orders }) => orders.length),
    [100],
  );
});
