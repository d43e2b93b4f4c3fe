import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenDatabase } from '../../../test/given/command.ts';
import { givenCommandHost } from '../../../test/given/command-host.ts';
import { givenCommandShop } from '../../../test/given/command-shop.ts';

const host = givenCommandHost();
after(() => host.close());
const { runJson } = host;

test('a command changes a running service with an operator’s key, from a machine without the database', async (t) => {
  const { env, drop } = await givenDatabase();
  t.after(drop);
  const shop = await givenCommandShop(env.DATABASE_URL);
  t.after(() => shop.close());
  const orderId = await shop.place();
  const operator = await runJson(['operators', 'invite', '--name', 'Ann', '--role', 'support'], env);
  const operatorId = operator.body.operator_id;
  const made = await runJson(['operators', 'key', operatorId, '--label', 'laptop'], env);
  assert.match(made.body.key, /^ds_op_[\w-]{32}$/);
  const away = {
    DOORSTEP_URL: await shop.listen(),
    DOORSTEP_KEY: made.body.key,
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
  };

  await t.test('reads and changes, and the history names the operator', async () => {
    const confirmed = await runJson(['orders', 'advance', orderId, 'confirm'], away);
    assert.deepEqual([confirmed.status, confirmed.body.status], [0, 'in_progress']);
    const preview = await runJson(['orders', 'refund', orderId, '--amount', '100', '--preview'], away);
    assert.deepEqual([preview.status, preview.body.refund_amount], [0, 100]);
    const act = [
      'orders',
      'refund',
      orderId,
      '--preview-id',
      preview.body.preview_id,
      '--amount',
      '100',
      '--reason',
      'cold',
    ];
    const refunds = [await runJson(act, away), await runJson(act, away)];
    assert.deepEqual(
      refunds.map(({ status, body }) => [status, body.refunded_amount]),
      [
        [0, 100],
        [0, 100],
      ],
    );
    const actions = await shop.actions();
    assert.deepEqual(actions.map(({ action, by }) => [action, by]).slice(0, 1), [['order.refund', 'Ann']]);
  });

  await t.test('its role is the operator’s', async () => {
    const refused = await runJson(['accounts', 'create', 'Other'], away);
    assert.deepEqual([refused.status, /needs the role admin/.test(refused.body.error)], [1, true]);
  });

  await t.test('an unknown ID and a service that is away are sentences', async () => {
    const unknown = await runJson(['orders', 'show', 'ord_none'], away);
    assert.deepEqual(unknown, { status: 1, body: { error: 'No such order: ord_none.' } });
    const silent = await runJson(['orders', 'show', orderId], { ...away, DOORSTEP_URL: 'http://127.0.0.1:1' });
    assert.deepEqual([silent.status, /isn't responding/.test(silent.body.error)], [1, true]);
  });

  await t.test('a revoked key is refused at once, and a command on the database is in the history, too', async () => {
    const ended = await runJson(['operators', 'sessions', '--revoke', made.body.session_id], env);
    assert.deepEqual([ended.status, ended.body.sessions], [0, []]);
    assert.equal((await runJson(['orders', 'show', orderId], away)).status, 1);
    const [last] = await shop.actions();
    assert.deepEqual([last?.action, last?.by?.replace(/\(.+\)/, '(USER)')], ['session.revoke', 'command line (USER)']);
  });
});
