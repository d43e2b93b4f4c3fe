import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkJournal } from '../../../test/given/hledger.ts';
import { givenLiveShop } from '../../../test/given/live-shop.ts';
import { givenConsole } from '../../../test/given/merchant.ts';
import { listActions } from '../../access/sessions/actions.db.ts';
import { setStoreTerms } from '../../ordering/statements/store-terms.db.ts';

test('terms are set as the command sets them: for later orders, with the earlier ones, and in the history', async (t) => {
  const { app, storeId } = await givenLiveShop(t);
  const operator = await givenConsole(app, null);
  const path = `/operator/stores/${storeId}/terms`;
  const reason = 'The contract of June.';
  const none = { commission: 0, per_order_cents: 0, delivery_fee: 'default', tip: 'driver', tax: 'operator' };
  assert.deepEqual((await operator.get(path)).body, { store_id: storeId, terms: [{ since: null, ...none }] });

  const first = { ...none, commission: 12.345678, delivery_fee: 'operator' };
  const since = app.now().epochMilliseconds / 1000;
  const set = await operator.post(path, { commission: 12.345678, delivery_fee: 'operator', reason });
  assert.deepEqual([set.status, set.body.terms], [200, [{ since, ...first }]]);
  await app.advance({ hours: 1 });
  const second = { ...first, delivery_fee: 'default', per_order_cents: 30, tax: 'store' };
  const changes = { delivery_fee: 'default', per_order_cents: 30, tax: 'store', reason };
  await operator.post(path, changes);
  assert.deepEqual((await operator.get(path)).body.terms, [
    { since: app.now().epochMilliseconds / 1000, ...second },
    { since, ...first },
  ]);
  const actions = await listActions(app.service.deps.db, { target: storeId, limit: 5 });
  assert.deepEqual(
    actions.map(({ action, details }) => [action, details]),
    [
      ['store.set_terms', { ...second, reason }],
      ['store.set_terms', { ...first, reason }],
    ],
  );

  const refused = async (body: object, name: string) => {
    const reply = await operator.post(path, { reason, ...body });
    assert.deepEqual([reply.status, reply.body.errors?.[0]?.name], [400, name], reply.text);
  };
  for (const commission of [-1, 100.1, 1.2345678, 1e-7]) await refused({ commission }, 'commission');
  for (const cents of [-1, 0.5, 100_001]) await refused({ per_order_cents: cents }, 'per_order_cents');
  await refused({}, 'body');
  for (const without of [{ reason: undefined }, { reason: ' ' }])
    await refused({ commission: 10, ...without }, 'reason');
  assert.equal((await operator.get(path)).body.terms.length, 2);
});

test('an operator reads stores’ balances with the five owners, as CSV too, and closes a month', async (t) => {
  const shop = await givenLiveShop(t);
  const { app, storeId } = shop;
  const { db } = app.service.deps;
  await db.transaction().execute((tx) => setStoreTerms(tx, storeId, { commissionPercent: 10 }, app.now()));
  await shop.place();
  await app.advance({ seconds: 1 });
  const operator = await givenConsole(app, null);
  const month = '2026-06';

  const listed = await operator.get('/operator/statements', { month });
  assert.equal(listed.status, 200, listed.text);
  const [row, ...others] = listed.body.statements;
  assert.deepEqual([row.store_id, row.currency, row.totals.orders, others], [storeId, 'USD', 1, []]);
  assert.deepEqual([listed.body.is_closed, listed.body.next], [false, null]);

  const read = await operator.get(`/operator/stores/${storeId}/statement`, { month });
  const shares = { store: -100, driver: 0, tax: 0, operator: 100, account: 0 };
  assert.deepEqual(read.body.totals.shares, shares);
  assert.deepEqual(row.totals, read.body.totals);
  assert.deepEqual([read.body.lines.length, read.body.lines[0].shares], [1, shares]);

  const csv = await operator.get('/operator/statements.csv', { month });
  const [heads = '', line = '', ...more] = csv.text.trimEnd().split('\r\n');
  assert.match(
    heads,
    /^\uFEFFstore_id,date,.*,store_share,driver_share,tax_share,operator_share,account_share,tax_ids$/,
  );
  assert.ok(line.startsWith(`${storeId},2026-06-10,`) && line.endsWith(',-1.00,0.00,0.00,1.00,0.00,'), line);
  assert.deepEqual(more, []);
  const own = await operator.get('/operator/statements.csv', { month, store_id: storeId });
  assert.equal(own.text, csv.text);
  const unknown = await operator.get('/operator/statements.csv', { month, store_id: 'unknown' });
  assert.equal(unknown.body.code, 'store_not_found');
  const journal = await operator.get('/operator/statements.journal', { month, store_id: storeId });
  const orderId = String(read.body.lines[0].order_id);
  assert.ok(journal.text.startsWith('2026-06-10 sale\n'), journal.text);
  const end = [`order:${orderId}  0.00 USD = 0.00 USD`, `store:${storeId}  0.00 USD = 1.00 USD`];
  assert.ok(journal.text.endsWith(`2026-06-10 total\n    ${end.join('\n    ')}\n\n`), journal.text);
  assert.equal(checkJournal(journal.text) ?? '', '');

  const running = await operator.post('/operator/statements/close', { month, reason: 'The books are checked.' });
  assert.deepEqual([running.status, running.body.code], [409, 'month_not_ended']);
  for (const _ of ['first', 'again']) {
    const closed = await operator.post('/operator/statements/close', { month: '2026-05', reason: 'Checked.' });
    assert.deepEqual([closed.status, closed.body], [200, { month: '2026-05', is_closed: true }]);
  }
  const actions = await listActions(db, { target: '2026-05', limit: 5 });
  assert.deepEqual(
    actions.map(({ action, details }) => [action, details]),
    [['statements.close', { reason: 'Checked.' }]],
  );
});
