import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pizzeria } from '../feed-lines.ts';
import { CARD, orderBody } from '../given/orders.ts';
import { cleanUp, freshDataDir, isLinux, open } from './embedded-postgres-harness.ts';
import { assertMoneyIsRight, assertStockIsRight, assertWindowsAreRight } from './orders-books.ts';
import { type Answer, callerOf, givenKeyAndStore, startServiceProcess } from './service-process.ts';

after(cleanUp);

const BUYERS = 40;

test('of forty buyers at once, at two processes, one gets the last slot and one the last item', {
  skip: !isLinux,
}, async (t) => {
  const dataDir = freshDataDir();
  const settings = { SANDBOX_PACE: 'manual' };
  const first = await startServiceProcess(dataDir, settings);
  const second = await startServiceProcess(dataDir, settings);
  const scheduling = { enabled: true, slot_minutes: 60, lead_minutes: 60, days_ahead: 1, capacity: 1 };
  const products = [
    { id: 'many', name: 'Many', price: 900 },
    { id: 'last', name: 'Last', price: 900, qty_available: 1 },
  ];
  const line = pizzeria({ categories: [{ id: 'c', name: 'C', products }], scheduling });
  const { key, storeId } = await givenKeyAndStore(dataDir, line);
  const callers = [first, second].map(({ url }) => callerOf(() => url, key));
  const [caller = assert.fail()] = callers;
  const card = await caller.post('/payment/create', {
    payment_method: CARD,
    user_email: 'u1@example.com',
    user_id: 'u1',
  });
  const { body: inventory } = await caller.get('/details/inventory', {
    store_id: storeId,
    pickup: 'false',
    include_quote: 'true',
    user_latitude: '40.744',
    user_longitude: '-73.988',
  });
  const tokenOf = (name: string) =>
    inventory.categories[0].menu_item_list.find((item: { name: string }) => item.name === name).product_id;
  // The first slots may start too soon by the time they are ordered.
  const slot = inventory.quote.time_estimate.scheduled.at(-1);
  const buyAtOnce = (product: string, changes: object): Promise<Answer[]> =>
    Promise.all(
      Array.from({ length: BUYERS }, (_, index) => {
        const body = orderBody(tokenOf(product), card.body.payment_method_id, changes);
        return (callers[index % 2] ?? caller).post('/order/order/v2', body);
      }),
    );
  const outcomesOf = (answers: Answer[]) => {
    const placed = answers.filter(({ status }) => status === 200).length;
    return {
      placed,
      refused: [...new Set(answers.flatMap(({ status, body }) => (status === 200 ? [] : [body.code])))],
    };
  };

  await t.test('the last place of a slot', async () => {
    const outcomes = outcomesOf(await buyAtOnce('Many', { scheduled_id: slot.id }));
    assert.deepEqual(outcomes, { placed: 1, refused: ['slot_unavailable'] });
  });
  await t.test('the last item', async () => {
    assert.deepEqual(outcomesOf(await buyAtOnce('Last', {})), { placed: 1, refused: ['product_unavailable'] });
  });
  await t.test('no other card was charged', async () => {
    const database = await open(dataDir);
    const { connectionString } = database;
    await assertMoneyIsRight(connectionString);
    await assertStockIsRight(connectionString, { Last: 1 });
    await assertWindowsAreRight(connectionString, 1);
    const { charges } = (await caller.get('/sandbox/charges', { payment_method_id: card.body.payment_method_id })).body;
    assert.equal(charges.length, 2);
    await database.close();
  });
  await Promise.all([first.stop(), second.stop()]);
});
