import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listDeliveries, setStoreCourier } from '../../src/fulfillment/deliveries/couriers/courier-deliveries.db.ts';
import { takeStep } from '../../src/ordering/money/take-step.flow.ts';
import { findAnyOrder } from '../../src/ordering/order/orders.db.ts';
import { readDoorDashDocument } from '../contracts/courier-document.ts';
import { type DoorDashDouble, startDoorDashDouble } from '../fakes/doordash-double.ts';
import { pizzeria } from '../feed-lines.ts';
import { givenChannel } from '../given/merchant.ts';
import { orderBody, productTokens } from '../given/orders.ts';
import { givenStores } from '../given/stores.ts';
import { type App, givenOwnApp } from '../harness.ts';

const START = '2026-06-10T17:00:00Z';

let app: App;
let doordash: DoorDashDouble;
before(async () => {
  doordash = await startDoorDashDouble(readDoorDashDocument(), () => app.now());
  const env = {
    DOORDASH_DRIVE_DEVELOPER_ID: doordash.account.developerId,
    DOORDASH_DRIVE_KEY_ID: doordash.account.keyId,
    DOORDASH_DRIVE_SIGNING_SECRET: doordash.account.signingSecret,
    DOORDASH_DRIVE_WEBHOOK_AUTHORIZATION: doordash.account.webhookAuthorization,
  };
  app = await givenOwnApp({ env, start: START, partyUrls: { doordash_drive: { baseUrl: doordash.baseUrl } } });
});
after(async () => {
  await app.close();
  await doordash.close();
});

test('a Dasher brings an order from its confirmation to the door, by webhooks that only DoorDash can make', async () => {
  const { db } = app.service.deps;
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  await givenChannel(app, storeId);
  await setStoreCourier(db, storeId, 'doordash_drive', app.now());
  const client = await app.givenClient('live');
  const { Soda: token } = await productTokens(client, storeId);
  const items = [{ product_id: token, quantity: 4 }];
  const placed = await client.post('/order/order/v2', orderBody(token, null, { items, charge_user: false }));
  assert.equal(placed.status, 200, placed.text);
  const orderId: string = placed.body.order_id;
  const key = `${orderId}-1`;
  await takeStep(app.service.deps, orderId, { event: 'confirm' });
  await app.advance({ seconds: 1 });
  const [requested] = await listDeliveries(db, orderId);
  assert.deepEqual([requested?.state, requested?.deliveryId, requested?.feeCents], ['pending', key, 975]);

  const receive = async (call: { body: Buffer; headers: Record<string, string> }, headers = {}) => {
    const reply = await app.service.http.inject({
      method: 'POST',
      url: '/couriers/doordash_drive/webhook',
      payload: call.body,
      headers: { ...call.headers, ...headers },
    });
    await app.advance({ seconds: 1 });
    return reply.statusCode;
  };
  const stageOf = async () => {
    const { status, driverStage, driver } = (await findAnyOrder(db, orderId)) ?? assert.fail();
    return [status, driverStage, driver.name];
  };
  const dasher = { dasher_name: 'Dana D.', dasher_location: { lat: 40.7383, lng: -73.9927 } };
  const confirmed = doordash.move(key, 'confirmed', '2026-06-10T17:02:00Z', dasher);
  assert.equal(await receive(confirmed, { authorization: 'Basic Zm9yZ2VkOmZvcmdlZA==' }), 400);
  assert.deepEqual(await stageOf(), ['in_progress', 'none', undefined]);
  assert.equal(await receive(confirmed), 200);
  assert.deepEqual(await stageOf(), ['in_progress', 'assigned', 'Dana D.']);
  assert.equal(await receive(doordash.move(key, 'picked_up', '2026-06-10T17:20:00Z')), 200);
  assert.equal(await receive(doordash.move(key, 'delivered', '2026-06-10T17:30:00Z')), 200);
  assert.equal((await stageOf())[0], 'completed');
  assert.deepEqual(doordash.faults, []);
});
