import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenLiveShop, step } from '../../../test/given/live-shop.ts';
import { givenConsole, givenOperator } from '../../../test/given/merchant.ts';

type Row = { id: string; day: string; status: string };

test('status, store, account and day narrow the list and the export to the same orders', async (t) => {
  const shop = await givenLiveShop(t);
  const operator = await givenConsole(shop.app, null);
  const rows: Row[] = [];
  for (const status of ['awaiting_confirmation', 'in_progress', 'canceled', 'in_progress', 'awaiting_confirmation']) {
    const id = await shop.place();
    const day = shop.app.now().toZonedDateTimeISO('America/New_York').toPlainDate().toString();
    if (status !== 'awaiting_confirmation') await step(shop, id, status === 'canceled' ? 'cancel' : 'confirm');
    rows.unshift({ id, day, status });
    await shop.app.advance({ hours: 8 });
  }
  for (const row of rows) row.status = (await operator.get(`/operator/orders/${row.id}`)).body.order.status;
  const { storeId, client } = shop;
  const inRange = (first: string, last: string) => (row: Row) => row.day >= first && row.day <= last;
  const filters: [Record<string, string>, (row: Row) => boolean][] = [
    [{}, () => true],
    [{ status: 'in_progress' }, ({ status }) => status === 'in_progress'],
    [{ status: 'completed' }, () => false],
    [{ day: '2026-06-10' }, inRange('2026-06-10', '2026-06-10')],
    [{ day: '2026-06-11', last_day: '2026-06-12' }, inRange('2026-06-11', '2026-06-12')],
    [
      { day: '2026-06-10', status: 'canceled', store_id: storeId },
      (row) => row.day === '2026-06-10' && row.status === 'canceled',
    ],
    [{ account_id: client.accountId, status: 'canceled' }, ({ status }) => status === 'canceled'],
    [{ store_id: storeId, account_id: client.accountId }, () => true],
    [{ store_id: '0'.repeat(24) }, () => false],
    [{ account_id: 'acc_none', day: '2026-06-10' }, () => false],
    [{ mode: 'sandbox' }, () => false],
  ];
  assert.ok(new Set(rows.map(({ day }) => day)).size > 1);
  for (const [query, isWanted] of filters) {
    const wanted = rows.filter(isWanted).map(({ id }) => id);
    const { body } = await operator.get('/operator/orders', query);
    const listed = body.orders.map((order: { order_id: string }) => order.order_id);
    assert.deepEqual(listed, wanted, JSON.stringify(query));
    const { text } = await operator.get('/operator/orders.csv', query);
    const exported = text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[0]);
    assert.deepEqual(exported, wanted, JSON.stringify(query));
  }
  for (const query of [
    { day: '2026-02-30' },
    { day: 'today' },
    { last_day: '2026-06-10' },
    { day: '2026-06-10', last_day: '2026-06-09' },
    { day: '2026-06-10', last_day: '2027-06-12' },
    { status: 'unplaced' },
  ]) {
    for (const path of ['/operator/orders', '/operator/orders.csv']) {
      const reply = await operator.get(path, query);
      assert.deepEqual([reply.status, reply.body.code], [400, 'invalid_request'], JSON.stringify(query));
    }
  }
});

test('an export has no formula, and customers only for support and admins who ask for them', async (t) => {
  const shop = await givenLiveShop(t);
  await shop.place({ customer_order_id: '=HYPERLINK("https://evil.example")', user_name: '@SUM(1,2)' });
  const read = async (role: 'viewer' | 'support', query: Record<string, string> = {}) =>
    (await givenOperator(shop.app, { role })).get('/operator/orders.csv', query);
  for (const role of ['viewer', 'support'] as const) {
    const plain = await read(role);
    assert.equal(plain.status, 200, plain.text);
    assert.match(String(plain.headers['content-type']), /^text\/csv/);
    assert.match(plain.text, /,"'=HYPERLINK\(""https:\/\/evil\.example""\)",/);
    assert.doesNotMatch(plain.text, /SUM|2125550199/);
  }
  const whole = await read('support', { customers: 'true' });
  assert.match(whole.text, /,"'@SUM\(1,2\)",12125550199\r\n$/);
  const refused = await read('viewer', { customers: 'true' });
  assert.deepEqual([refused.status, refused.body.code], [403, 'role_not_allowed']);
});

test('exports with customers are in the history with who and which, others are not', async (t) => {
  const shop = await givenLiveShop(t);
  const support = await givenOperator(shop.app, { role: 'support', name: 'Sam Support' });
  await support.get('/operator/orders.csv', { store_id: shop.storeId });
  await support.get('/operator/orders.csv', { customers: 'true', store_id: shop.storeId });
  await support.get('/operator/orders.csv', { customers: 'true', mode: 'sandbox' });
  const { actions } = (await support.get('/operator/actions')).body;
  assert.deepEqual(
    actions.map(({ by, action, target, details }: Record<string, unknown>) => [by, action, target, details]),
    [
      ['Sam Support', 'order.export', 'sandbox', {}],
      ['Sam Support', 'order.export', 'live', { store_id: shop.storeId }],
    ],
  );
});

test('an export reads on past a page, without a gap', async (t) => {
  const shop = await givenLiveShop(t);
  const { db } = shop.app.service.deps;
  const first = await shop.place();
  const order = await db.selectFrom('orders').selectAll().where('orderId', '=', first).executeTakeFirstOrThrow();
  const json = (value: unknown) =>
    typeof value === 'object' && value !== null && !(value instanceof Temporal.Instant) ? JSON.stringify(value) : value;
  const row = Object.fromEntries(Object.entries(order).map(([name, value]) => [name, json(value)]));
  const copies = Array.from({ length: 1100 }, (_, n) => ({ ...row, orderId: `ord_${n}`, idempotencyKey: null }));
  for (let at = 0; at < copies.length; at += 100) {
    await db
      .insertInto('orders')
      .values(copies.slice(at, at + 100) as never)
      .execute();
  }
  const operator = await givenConsole(shop.app, null);
  const { text } = await operator.get('/operator/orders.csv');
  const ids = text
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[0]);
  assert.equal(ids.length, 1101);
  assert.equal(new Set(ids).size, 1101);
});
