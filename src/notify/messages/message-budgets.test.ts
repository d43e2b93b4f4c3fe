import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenLiveShop, type LiveShop, rowsOf, step } from '../../../test/given/live-shop.ts';
import { givenConsole } from '../../../test/given/merchant.ts';
import { findBudgetUse, setAccountLimit } from '../../access/budgets/account-limits.db.ts';
import { budgetDay, type LimitKind } from '../../access/budgets/budget.ts';
import { dispatchAllEvents } from '../../ordering/order/dispatch-events.flow.ts';
import { setAccountSettings } from './set-limits.flow.ts';

const limitsOf = (max: Partial<Record<LimitKind, number>>) =>
  Object.entries(max).map(([kind, units]) => ({ kind: kind as LimitKind, max: units }));

async function setLimits({ app, client }: LiveShop, max: Partial<Record<LimitKind, number>>): Promise<void> {
  const { accountId } = client;
  for (const limit of limitsOf(max)) await setAccountLimit(app.service.deps.db, { accountId, ...limit });
}

const statesOf = async (shop: LiveShop, orderId: string) =>
  (await rowsOf(shop, orderId)).map(({ kind, state }) => [kind, state]);

async function usedOf({ app, client }: LiveShop, kind: string): Promise<number> {
  const rows = await findBudgetUse(app.service.deps.db, client.accountId, budgetDay(app.now()));
  return rows.find((row) => row.kind === kind)?.used ?? 0;
}

test('messages and budgets of one account', async (t) => {
  const shop = await givenLiveShop(t);
  const { app, client, texts, smtp, place } = shop;
  const { db } = app.service.deps;
  const operator = await givenConsole(app, null);
  let second = '';

  await t.test('a message over budget is stored but not sent, and its order continues', async () => {
    await setLimits(shop, { sms: 1, emails: 1 });
    const first = await place();
    await app.advance({ seconds: 1 });
    second = await place();
    await step(shop, second, 'confirm');
    assert.deepEqual([texts.length, smtp.received.length], [1, 1]);
    assert.deepEqual(await statesOf(shop, first), [
      ['order_placed', 'sent'],
      ['order_confirmation', 'sent'],
    ]);
    assert.deepEqual(await statesOf(shop, second), [
      ['order_placed', 'over_budget'],
      ['order_confirmation', 'over_budget'],
      ['store_confirmed', 'over_budget'],
    ]);
    assert.deepEqual([await usedOf(shop, 'sms'), await usedOf(shop, 'emails')], [1, 1]);
    const record = await operator.get(`/operator/orders/${second}`);
    assert.deepEqual(
      record.body.messages.map(({ state }: { state: string }) => state),
      ['over_budget', 'over_budget', 'over_budget'],
    );
    const { body } = await client.get('/account/orders', { order_id: second });
    assert.equal(body.orders[0].status, 'in_progress');
  });

  await t.test(
    'an operator who raises the budget releases the messages still useful, oldest first, within the new budget',
    async () => {
      const read = await operator.get(`/operator/accounts/${client.accountId}`);
      const sms = read.body.limits.budgets.find(({ budget }: { budget: string }) => budget === 'sms');
      assert.deepEqual(sms, { budget: 'sms', mode: 'live', used: 1, limit: 1, is_own: true });
      const health = await operator.get('/operator/health');
      assert.deepEqual(
        health.body.used_up_budgets.map(({ budget }: { budget: string }) => budget),
        ['emails', 'sms'],
      );
      const set = await operator.post(`/operator/accounts/${client.accountId}/limits`, {
        limits: { sms: 2, emails: 9 },
      });
      assert.equal(set.status, 200, set.text);
      await app.advance({ seconds: 1 });
      assert.deepEqual(await statesOf(shop, second), [
        ['order_placed', 'sent'],
        ['order_confirmation', 'sent'],
        ['store_confirmed', 'over_budget'],
      ]);
      assert.deepEqual([await usedOf(shop, 'sms'), await usedOf(shop, 'emails')], [2, 2]);
      const { body: changes } = await operator.get('/operator/actions');
      assert.equal(changes.actions[0].action, 'account.set_limits');
    },
  );

  await t.test('an SMS of an order that has ended is of no use any more', async () => {
    await step(shop, second, 'cancel');
    const settings = { accountId: client.accountId, limits: new Map([['sms', 100]] as const) };
    await db.transaction().execute((tx) => setAccountSettings(app.config, tx, settings, app.now()));
    assert.equal((await rowsOf(shop, second)).filter(({ state }) => state === 'over_budget').length, 1);
  });

  await t.test('a budget is whole again after midnight in UTC', async () => {
    await setLimits(shop, { sms: 3 });
    await app.advance({ hours: 24 });
    assert.equal(await usedOf(shop, 'sms'), 0);
  });

  await t.test('an event dispatched again counts no message again', async () => {
    const used = await usedOf(shop, 'emails');
    const orderId = await place({ disable_sms: true });
    await app.advance({ seconds: 1 });
    await db.updateTable('orderEvents').set({ dispatched: false }).where('orderId', '=', orderId).execute();
    await app.advance({ seconds: 1 });
    assert.equal(await usedOf(shop, 'emails'), used + 1);
  });

  await t.test('an SMS to an unsupported number is not sent and not counted, and its order continues', async () => {
    const [used, sent] = [await usedOf(shop, 'sms'), texts.length];
    const orderId = await place({ user_phone: 18765551234 });
    await app.advance({ seconds: 1 });
    const [sms] = await rowsOf(shop, orderId);
    assert.deepEqual([sms?.state, sms?.lastError], ['not_sent', 'SMS do not go to this number']);
    assert.deepEqual([await usedOf(shop, 'sms'), texts.length], [used, sent]);
  });

  await t.test('orders that two nodes dispatch at once send exactly what the budget has left', async () => {
    const node = await app.givenNode('worker');
    await setLimits(shop, { sms: (await usedOf(shop, 'sms')) + 7, emails: 1_000_000 });
    const sent = texts.length;
    const orderIds = await Promise.all(Array.from({ length: 24 }, () => place()));
    await Promise.all(
      Array.from({ length: 8 }, (_, index) => dispatchAllEvents(index % 2 ? node.deps : app.service.deps)),
    );
    await app.advance({ seconds: 1 });
    const states = (await Promise.all(orderIds.map((orderId) => rowsOf(shop, orderId)))).flat();
    const sms = states.filter(({ channel }) => channel === 'sms').map(({ state }) => state);
    assert.deepEqual(
      [sms.filter((state) => state === 'sent').length, sms.filter((state) => state === 'over_budget').length],
      [7, 17],
    );
    assert.equal(texts.length, sent + 7);
  });
});
