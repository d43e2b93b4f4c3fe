import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenLiveShop, step } from '../../../test/given/live-shop.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { findBudgetUse, setAccountLimit } from '../../access/budgets/account-limits.db.ts';
import { budgetDay } from '../../access/budgets/budget.ts';
import { setOptOut } from '../../notify/messages/sms-opt-outs.db.ts';

const ANA = { name: 'Ana', phone: 13125550123, vehicle_type: 'car' };

test('assigning a driver texts the link once where SMS is set up, and the store hands it over where it cannot', async (t) => {
  const shop = await givenLiveShop(t);
  const { app, client, storeId, texts } = shop;
  const { db, messaging } = app.service.deps;
  const key = await givenStoreKey(app, storeId);
  const { accountId } = client;
  const ready = async () => {
    const orderId = await shop.place();
    await step(shop, orderId, 'confirm');
    texts.length = 0;
    return orderId;
  };
  const assign = async (orderId: string, driver: object = ANA) => {
    const reply = await key.post(`/store/orders/${orderId}/assign_driver`, driver);
    assert.equal(reply.status, 200, reply.text);
    await app.advance({ seconds: 1 });
    return reply.body;
  };
  const usedSms = async () =>
    (await findBudgetUse(db, accountId, budgetDay(app.now()))).find(({ kind }) => kind === 'sms')?.used ?? 0;

  const first = await ready();
  const used = await usedSms();
  const { driver_link: link, driver_link_texted: isTexted } = await assign(first);
  assert.deepEqual([isTexted, texts.length, (await usedSms()) - used], [true, 1, 1]);
  assert.equal(texts[0]?.to, '+13125550123');
  assert.ok(texts[0]?.body.includes(link), texts[0]?.body);
  assert.match(texts[0]?.body ?? '', /Reply STOP to opt out\.$/, 'the first SMS to the number');
  await assign(first);
  assert.equal(texts.length, 1, 'the same driver again');
  const ben = await assign(first, { ...ANA, name: 'Ben' });
  const [, second, ...more] = texts;
  assert.ok(second?.body.endsWith(ben.driver_link) && more.length === 0, second?.body ?? '');

  const handedOver = async (driver: object = ANA) => {
    const { driver_link, driver_link_texted } = await assign(await ready(), driver);
    assert.deepEqual([driver_link_texted, texts.length], [false, 0]);
    const code = await app.service.http.inject({ url: `${new URL(driver_link).pathname}/code.svg` });
    assert.deepEqual([code.statusCode, code.headers['content-type']], [200, 'image/svg+xml']);
    assert.match(code.body, /^<svg [^>]*viewBox="0 0 (\d+) \1"/);
  };
  await handedOver({ ...ANA, phone: 442071234567 });
  await setOptOut(db, '+13125550124', true, app.now());
  await handedOver({ ...ANA, phone: 13125550124 });
  const { smsSender } = messaging;
  messaging.smsSender = undefined;
  await handedOver();
  messaging.smsSender = smsSender;
  await setAccountLimit(db, { accountId, kind: 'sms', max: 0 });
  await handedOver();
});

test('the code of a link that has ended is 404', async (t) => {
  const shop = await givenLiveShop(t);
  const key = await givenStoreKey(shop.app, shop.storeId);
  const orderId = await shop.place();
  await step(shop, orderId, 'confirm');
  const { driver_link: link } = (await key.post(`/store/orders/${orderId}/assign_driver`, ANA)).body;
  await step(shop, orderId, 'cancel');
  for (const path of [new URL(link).pathname, '/driver/unknown']) {
    const { statusCode } = await shop.app.service.http.inject({ url: `${path}/code.svg` });
    assert.equal(statusCode, 404);
  }
});
