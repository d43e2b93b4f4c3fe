import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenDatabase } from '../../../test/given/command.ts';
import { givenCommandHost } from '../../../test/given/command-host.ts';
import { givenCommandShop } from '../../../test/given/command-shop.ts';

const host = givenCommandHost();
after(() => host.close());
const { runCommand, runJson } = host;

/** Places two sandbox orders, one without a charge and one with, through a service that then exits; returns their ids. */
async function givenOrders(databaseUrl: string | undefined): Promise<[string, string]> {
  const shop = await givenCommandShop(databaseUrl);
  const placed = await shop.place({ payment_method_id: undefined, charge_user: false });
  assert.equal((await shop.get('/sandbox/messages', { order_id: placed })).messages.length, 2);
  const charged = await shop.place();
  await shop.close();
  return [placed, charged];
}

test('orders show tells the order, its events, its charges, its messages, its webhook calls and its couriers', async (t) => {
  const { env, drop } = await givenDatabase();
  t.after(drop);
  const [orderId, chargedId] = await givenOrders(env.DATABASE_URL);
  const { status, body } = await runJson(['orders', 'show', orderId], env);
  assert.equal(status, 0);
  assert.deepEqual(Object.keys(body), [
    ...'order account_id account_name store_phone min_age created_at placed_at offered_at received_at'.split(' '),
    ...'confirm_by ready_by steps charge charges refunds events notices offers messages proof'.split(' '),
    ...'webhook_calls webhook_deliveries deliveries actions'.split(' '),
  ]);
  assert.equal(body.order.order_number, 'A1');
  type Shown = { channel: string; kind: string; state: string; text: string };
  assert.deepEqual(
    body.messages.map(({ channel, kind, state }: Shown) => [channel, kind, state]),
    [
      ['sms', 'order_placed', 'kept'],
      ['email', 'order_confirmation', 'kept'],
    ],
  );
  for (const { text } of body.messages as Shown[]) assert.ok(text.includes(body.order.tracking_link));
  assert.ok(!JSON.stringify(body).includes('key='), 'an operator gets no key of a customer');
  const { stdout } = await runCommand(['orders', 'show', orderId], env);
  assert.match(stdout, /^sms +order_placed +…0199 +kept +0$/m);
  assert.equal((await runCommand(['orders', 'show', 'ord_none'], env)).status, 1);

  await t.test('orders list, refund and cancel', () => listedAndRefunded(env, chargedId));
});

/** Lists the orders, refunds units and an amount of one of them, and cancels it. */
async function listedAndRefunded(env: Record<string, string>, orderId: string): Promise<void> {
  const listed = async (...filter: string[]) => {
    const { body } = await runJson(['orders', 'list', '--mode', 'sandbox', ...filter], env);
    return body.orders.map((order: { order_id: string }) => order.order_id);
  };
  assert.equal((await runJson(['orders', 'advance', orderId, 'confirm'], env)).status, 0);
  assert.deepEqual(await listed('--status', 'in_progress,completed'), [orderId]);
  assert.deepEqual(await listed('--since', '2999-01-01'), []);
  const heads = 'PLACED +ORDER +MODE +STATUS +PICKUP +STORE +ACCOUNT +TOTAL +CHARGE +REFUNDED +ID .*';
  const row = `\\d{4}-\\S+Z +A\\d+ +sandbox +in_progress +no +\\S.* \\$\\d+\\.\\d\\d +charged +\\$0\\.00 +${orderId}`;
  assert.match(
    (await runCommand(['orders', 'list', '--mode', 'sandbox', '--status', 'in_progress'], env)).stdout,
    new RegExp(`^${heads}\n${row}`),
  );
  assert.match(
    (await runCommand(['orders', 'list', '--since', '2999-01-01'], env)).stdout,
    /\nPLACED .*ID OF THE ACCOUNT\n$/,
  );
  const shown = await runCommand(['orders', 'show', orderId], env);
  assert.match(shown.stdout, new RegExp(`^order\\.order_id +${orderId}$[^]*^charges\nCHARGE ID +AMOUNT`, 'm'));
  const refund = (...more: string[]) => runJson(['orders', 'refund', orderId, ...more], env);
  const units = await refund('--items', '0:1', '--items', '0:1', '--reason', 'cold');
  assert.deepEqual([units.status, units.body.is_done, units.body.order_id], [0, true, orderId]);
  assert.deepEqual([(await refund('--items', '0:3', '--reason', 'cold')).status, (await refund()).status], [1, 2]);
  const preview = (await refund('--amount', '100', '--preview')).body;
  assert.deepEqual([preview.refund_amount, (await refund('--amount', '100')).status], [100, 2]);
  const confirm = ['--amount', '100', '--preview-id', preview.preview.preview_id];
  const amounts = [await refund(...confirm, '--reason', 'late'), await refund(...confirm, '--reason', 'late')];
  assert.deepEqual(
    amounts.map(({ status, body }) => [status, body.refund_amount, body.refund_id === units.body.refund_id]),
    [
      [0, 100, false],
      [0, 0, false],
    ],
  );
  assert.equal(amounts[0]?.body.refund_id, amounts[1]?.body.refund_id);
  const canceled = await runJson(['orders', 'cancel', orderId, '--reason', 'closed'], env);
  assert.deepEqual([canceled.status, canceled.body.status], [0, 'canceled']);
  assert.equal(canceled.body.paid_amount, 0);
  const { body } = await runJson(['orders', 'show', orderId], env);
  const [charge] = body.charges;
  assert.equal(charge.refunded_amount, charge.amount);
  assert.deepEqual(
    body.refunds.map(({ kind, reason }: { kind: string; reason: string }) => [kind, reason]),
    [
      ['requested', 'cold'],
      ['requested', 'late'],
      ['canceled', 'closed'],
    ],
  );
}
