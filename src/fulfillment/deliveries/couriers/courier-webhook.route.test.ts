import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { COURIER, type CourierShop, givenCourierShop, keyOf } from '../../../../test/given/couriers.ts';

let shop: CourierShop;
before(async () => {
  shop = await givenCourierShop();
});
after(() => shop.close());

const post = async (url: string, payload: Buffer | string, headers: Record<string, string> = {}) => {
  const all = { 'content-type': 'application/json', ...headers };
  const reply = await shop.app.service.http.inject({ method: 'POST', url, payload, headers: all });
  return { status: reply.statusCode, code: reply.json().code };
};
const HOOK = '/couriers/uber_direct/webhook';

test('200 for a signed report, which takes no key', async () => {
  const orderId = await shop.givenRequested();
  const { body, headers } = shop.uber.move(keyOf(orderId), 'pickup', shop.at(1), { courier: COURIER });
  assert.deepEqual(await post(HOOK, body, headers), { status: 200, code: undefined });
  assert.equal((await shop.orderOf(orderId)).driver.name, 'Cori R.');
});

test('200 for a signed report of a delivery that is not known here, which changes nothing', async () => {
  const orderId = await shop.givenRequested();
  const before = await shop.deliveriesOf(orderId);
  const { deliveryId = '' } = { deliveryId: before[0]?.deliveryId ?? '' };
  shop.uber.books.deliveries.push({ id: 'del_other', status: 'canceled', external_id: 'other' });
  const { body, headers } = shop.uber.move('other', 'canceled', shop.at(2));
  assert.deepEqual(await post(HOOK, body, headers), { status: 200, code: undefined });
  assert.notEqual(deliveryId, '');
  assert.deepEqual(await shop.deliveriesOf(orderId), before);
});

test('200 for a signed report that cannot be read, which changes nothing and is counted', async () => {
  const orderId = await shop.givenRequested();
  const { body, headers } = shop.uber.move(keyOf(orderId), 'levitating', shop.at(2));
  assert.deepEqual(await post(HOOK, body, headers), { status: 200, code: undefined });
  const text = await shop.app.service.deps.metrics.text();
  assert.match(text, /^doorstep_left_out_total\{kind="courier_report"\} 1$/m);
});

test('400 for a body that is not signed, is signed by another, or has changed by one space', async () => {
  const orderId = await shop.givenRequested();
  const { body, headers } = shop.uber.move(keyOf(orderId), 'delivered', shop.at(3));
  const changed = Buffer.concat([body, Buffer.from(' ')]);
  const forged = { 'x-uber-signature': 'f'.repeat(64) };
  for (const [bytes, given] of [
    [body, {}],
    [body, forged],
    [changed, headers],
    ['', headers],
    ['{"kind":', headers],
  ] as const) {
    assert.deepEqual(await post(HOOK, bytes, given), { status: 400, code: 'invalid_request' });
  }
  assert.equal((await shop.orderOf(orderId)).driverStage, 'none');
});

test('404 for couriers that the settings do not name', async () => {
  for (const name of ['none', 'constructor', 'doordash']) {
    assert.deepEqual(await post(`/couriers/${name}/webhook`, '{}'), { status: 404, code: 'route_not_found' });
  }
});

test('413 and 415 for a body that is too large or no JSON', async () => {
  assert.equal((await post(HOOK, 'x'.repeat(1024 * 1024 + 1))).status, 413);
  assert.equal((await post(HOOK, '{}', { 'content-type': 'text/plain' })).status, 415);
});

test('reports at the same time step the order once', async () => {
  const orderId = await shop.givenRequested();
  const pickup = shop.uber.move(keyOf(orderId), 'pickup', shop.at(4), { courier: COURIER });
  const taken = shop.uber.move(keyOf(orderId), 'pickup_complete', shop.at(5));
  const calls = Array.from({ length: 4 }, () => [pickup, taken]).flat();
  const replies = await Promise.all(calls.map(({ body, headers }) => post(HOOK, body, headers)));
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
  const { driverStage, lastSequence } = await shop.orderOf(orderId);
  assert.deepEqual([driverStage, lastSequence], ['picked_up', 4]);
});
