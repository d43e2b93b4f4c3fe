import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { givenLiveShop, step } from '../../../test/given/live-shop.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { listEvents } from '../../ordering/order/order-events.db.ts';
import { epochSeconds } from '../../platform/lib/time.ts';

async function givenKitchenOf(t: TestContext) {
  const shop = await givenLiveShop(t);
  const { app, storeId } = shop;
  const key = await givenStoreKey(app, storeId);
  const post = (orderId: string, path: string, body: object) => key.post(`/store/orders/${orderId}/${path}`, body);
  return {
    ...shop,
    key,
    nowS: () => epochSeconds(app.now()),
    delay: (orderId: string, body: object) => post(orderId, 'delay', body),
    placeConfirmed: async (changes: object = {}) => {
      const orderId = await shop.place(changes);
      const { body } = await post(orderId, 'confirm', { preparation_minutes: 20 });
      return { orderId, readyBy: body.ready_by as number, arrival: body.eta_timestamp as number };
    },
    delaysOf: async (orderId: string) =>
      (await listEvents(app.service.deps.db, orderId)).filter(({ type }) => type === 'order.delayed'),
  };
}

test('a delay moves when the food is ready and when the customer has it; each new time is said once', async (t) => {
  const { app, client, texts, placeConfirmed, delay, delaysOf } = await givenKitchenOf(t);
  const { orderId, readyBy, arrival } = await placeConfirmed();
  await app.advance({ seconds: 1 });
  const said = texts.length;
  const { status, body } = await delay(orderId, { minutes: 15, reason: 'The oven is full.', ready_by: readyBy });
  assert.deepEqual([status, body.ready_by, body.eta_timestamp], [200, readyBy + 900, arrival + 900]);
  const repeated = await delay(orderId, { minutes: 15, ready_by: readyBy });
  assert.deepEqual([repeated.status, repeated.body.ready_by], [200, readyBy + 900]);
  await app.advance({ minutes: 1 });
  const [event, ...more] = await delaysOf(orderId);
  assert.deepEqual(event?.data, { from: arrival, to: arrival + 900, reason: 'The oven is full.' });
  assert.deepEqual(more, []);
  assert.deepEqual(
    texts
      .slice(said)
      .map(
        ({ body }) =>
          /needs more time for your order \w{1,8}\. It should now [a-z ]{1,20} by (\d{1,2}:\d\d.[AP]M)\.$/.exec(
            body,
          )?.[1],
      ),
    [
      new Date((arrival + 900) * 1000).toLocaleTimeString('en-US', {
        timeZone: 'America/New_York',
        timeStyle: 'short',
      }),
    ],
  );
  const { events } = (await client.get(`/account/orders/${orderId}/events`)).body;
  const called = events?.find(({ type }: { type: string }) => type === 'order.delayed');
  assert.deepEqual(
    [called?.data.from, called?.data.to, called?.data.reason],
    [arrival, arrival + 900, event?.data.reason],
  );
});

test('food that is late already is delayed from now on, and a pickup has its new time too', async (t) => {
  const { app, placeConfirmed, delay, nowS } = await givenKitchenOf(t);
  const { orderId, readyBy } = await placeConfirmed({ pickup: true });
  await app.advance({ minutes: 33 });
  assert.ok(nowS() > readyBy);
  const { body } = await delay(orderId, { minutes: 5 });
  assert.deepEqual([body.ready_by, body.eta_timestamp], [nowS() + 300, nowS() + 300]);
});

test('three delays are an order’s last, however many come at once, and tablets that press together delay it once', async (t) => {
  const { placeConfirmed, delay, delaysOf } = await givenKitchenOf(t);
  const { orderId, readyBy } = await placeConfirmed();
  const together = await Promise.all(
    Array.from({ length: 5 }, () => delay(orderId, { minutes: 5, ready_by: readyBy })),
  );
  assert.deepEqual(new Set(together.map(({ status }) => status)), new Set([200]));
  assert.equal((await delaysOf(orderId)).length, 1);
  const racing = await Promise.all(Array.from({ length: 10 }, () => delay(orderId, { minutes: 5 })));
  const refused = racing.filter(({ status }) => status !== 200);
  assert.deepEqual(
    [refused.length, new Set(refused.map(({ body }) => body.code))],
    [8, new Set(['transition_not_allowed'])],
  );
  assert.equal((await delaysOf(orderId)).length, 3);
});

test('an order is delayed from its confirmation until it is ready, has left or has ended, by its own store', async (t) => {
  const shop = await givenKitchenOf(t);
  const { app, place, placeConfirmed, delay, delaysOf } = shop;
  const codeOf = async (orderId: string, body: object = { minutes: 10 }) => {
    const { status, body: refusal } = await delay(orderId, body);
    return [status, refusal.code];
  };
  const early = await place();
  assert.deepEqual(await codeOf(early), [409, 'transition_not_allowed']);
  for (const steps of [['ready'], ['assign_driver', 'pick_up'], ['cancel']] as const) {
    const { orderId } = await placeConfirmed();
    await step(shop, orderId, ...steps);
    assert.deepEqual(await codeOf(orderId), [409, 'transition_not_allowed'], steps.join());
    assert.deepEqual(await delaysOf(orderId), []);
  }
  const { orderId } = await placeConfirmed();
  const sandboxKey = await givenStoreKey(app, shop.storeId, app.accountId);
  assert.equal((await sandboxKey.post(`/store/orders/${orderId}/delay`, { minutes: 5 })).status, 404);
  assert.equal((await delay(orderId, { minutes: 60 })).status, 200);
});
