import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ApiDocument, assertEventDescribed } from '../../../test/api-document.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { givenPaymentMethod } from '../../../test/given/orders.ts';
import { givenWebhooks } from '../../../test/given/webhooks.ts';
import { ORDER_EVENT_TYPES } from '../../ordering/order/order-events.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { TEST_TYPE } from './webhook.ts';

let given: Awaited<ReturnType<typeof givenWebhooks>>;
let document: ApiDocument;
before(async () => {
  given = await givenWebhooks();
  document = (await given.app.get('/openapi.json')).body;
});
after(() => given.close());

test('every type of event is described, with the headers that sign its call', () => {
  assert.deepEqual(Object.keys(document.webhooks).sort(), [...ORDER_EVENT_TYPES, TEST_TYPE].sort());
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const headers = post.parameters?.filter((one) => one.in === 'header' && one.required).map(({ name }) => name);
    assert.deepEqual(headers, ['webhook-id', 'webhook-timestamp', 'webhook-signature'], type);
    assert.deepEqual([post.security, Object.keys(post.responses)], [[], ['2XX', 'default']], type);
  }
});

test('an endpoint is called with what is described, at every step of an order', async () => {
  const { app, givenEndpoint, placeOrder } = given;
  const client = await app.givenClient();
  const endpoint = await givenEndpoint(client);
  const take = async (orderId: string, event: string) => {
    const { status, text } = await client.post(`/sandbox/orders/${orderId}/advance`, { event });
    assert.equal(status, 200, text);
  };
  const delivered = await placeOrder(client);
  for (const step of ['confirm', 'ready', 'assign_driver', 'pick_up', 'approach', 'complete'])
    await take(delivered, step);
  const tipped = await client.post('/order/tip', { order_id: delivered, driver_tip_cents: 9900 });
  assert.equal(tipped.status, 200, tipped.text);
  const payment_method_id = await givenPaymentMethod(client);
  const canceled = await placeOrder(client, { charge_user: true, payment_method_id });
  const { storeId } = (await findAnyOrder(app.service.deps.db, canceled)) ?? assert.fail('no order');
  const updated = await client.post('/order/update', { order_id: canceled, user_name: 'Jo Doe' });
  assert.equal(updated.status, 200, updated.text);
  const key = await givenStoreKey(app, storeId, client.accountId);
  const adjusted = await key.post(`/store/orders/${canceled}/items/0`, { quantity: 1 });
  assert.equal(adjusted.status, 200, adjusted.text);
  await take(canceled, 'cancel');
  await client.post('/account/tracking/webhook/test');
  await app.advance({ minutes: 1 });
  const seen = new Set<string>();
  for (const { body, headers } of endpoint.calls) {
    const event = JSON.parse(body);
    assertEventDescribed(document, event);
    seen.add(event.type);
    for (const { name } of document.webhooks[event.type]?.post.parameters ?? []) assert.ok(headers[name], name);
  }
  assert.deepEqual([...seen].sort(), Object.keys(document.webhooks).sort());
  const first = JSON.parse(endpoint.calls[0]?.body ?? '');
  assert.throws(() => assertEventDescribed(document, { ...first, more: 1 }), assert.AssertionError);
});
