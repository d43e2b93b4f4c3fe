import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenDatabase } from '../../../test/given/command.ts';
import { givenCommandHost } from '../../../test/given/command-host.ts';
import { givenCommandShop } from '../../../test/given/command-shop.ts';
import { systemClock } from '../../platform/lib/clock.ts';

const host = givenCommandHost();
after(() => host.close());
const { runCommand, runJson } = host;

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
      preview.body.preview.preview_id,
      '--amount',
      '100',
      '--reason',
      'cold',
    ];
    const refunds = [await runJson(act, away), await runJson(act, away)];
    assert.deepEqual(
      refunds.map(({ status, body }) => [status, body.is_done, body.paid_amount, body.refund_id]),
      refunds.map(() => [0, true, refunds[0]?.body.paid_amount, refunds[0]?.body.refund_id]),
    );
    const actions = await shop.actions();
    assert.deepEqual(actions.map(({ action, by }) => [action, by]).slice(0, 1), [['order.refund', 'Ann']]);
  });

  await t.test('its role is the operator’s', async () => {
    const refused = await runJson(['accounts', 'create', 'Other'], away);
    assert.deepEqual([refused.status, /requires the role admin/.test(refused.body.error)], [1, true]);
  });

  await t.test('an unknown ID and a service that is away are sentences', async () => {
    const unknown = await runJson(['orders', 'show', 'ord_none'], away);
    assert.deepEqual(unknown, { status: 1, body: { error: 'No such order: ord_none.' } });
    const silent = await runJson(['orders', 'show', orderId], { ...away, DOORSTEP_URL: 'http://127.0.0.1:1' });
    assert.deepEqual([silent.status, /isn't responding/.test(silent.body.error)], [1, true]);
  });

  await t.test('a revoked key is refused at once, and a command on the database is in the history, too', async () => {
    assert.equal((await runJson(['sessions', 'revoke', made.body.session_id], env)).status, 0);
    assert.deepEqual((await runJson(['operators', 'sessions'], env)).body, { sessions: [] });
    assert.equal((await runJson(['orders', 'show', orderId], away)).status, 1);
    const [last] = await shop.actions();
    assert.deepEqual([last?.action, last?.by?.replace(/\(.+\)/, '(USER)')], ['session.revoke', 'command line (USER)']);
  });

  await t.test('branding, statements, imports and tokens are commands of that service, too', async () => {
    const boss = await runJson(['operators', 'invite', '--name', 'Eve', '--role', 'admin'], env);
    const key = await runJson(['operators', 'key', boss.body.operator_id], env);
    const asBoss = { ...away, DOORSTEP_KEY: key.body.key };
    const brand = ['branding', 'set', '--account', shop.accountId, '--display-name', 'Corner Eats'];
    const set = await runJson(brand, asBoss);
    assert.deepEqual([set.status, set.body.display_name, set.body.dns_records], [0, 'Corner Eats', []]);
    const month = systemClock.now().toString().slice(0, 7);
    const own = ['statements', '--month', month, '--sandbox', shop.accountId];
    assert.deepEqual((await runJson(own, asBoss)).body, (await runJson(own, env)).body);
    const csv = await runCommand([...own, '--csv'], asBoss);
    assert.match(csv.stdout, /^store_id,date,/);
    assert.equal(csv.stdout, (await runCommand([...own, '--csv'], env)).stdout);
    assert.equal((await runJson(['imports', 'list'], asBoss)).status, 0);
    assert.deepEqual((await runJson(['tokens', 'rotate'], asBoss)).body, {
      rotated: true,
      previous_kept: true,
      is_stored: true,
    });
  });
});
