import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { type CollectedSpan, type Collector, givenCollector, KIND } from '../../../test/given/collector.ts';
import { givenChannel } from '../../../test/given/merchant.ts';
import { CARD, givenPaymentMethod, orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenReceiver, type Receiver } from '../../../test/given/receiver.ts';
import { givenSmtp, type SmtpReceiver } from '../../../test/given/smtp.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { type App, type Client, clientOf, givenApp } from '../../../test/harness.ts';
import type { Service } from './service.ts';

let collector: Collector;
let endpoint: Receiver;
let smtp: SmtpReceiver;
let app: App;
/** The node that accepts orders; `app` does the background work. */
let taking: Service;
let shop: Client;
let product: string | undefined;

before(async () => {
  [collector, endpoint, smtp] = await Promise.all([givenCollector(), givenReceiver(), givenSmtp()]);
  app = await givenApp({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      SMTP_URL: smtp.url,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      ORDER_CONFIRM_TIMEOUT_MINUTES: '60',
    },
  });
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  await givenChannel(app, storeId);
  taking = await app.givenNode('api');
  await taking.deps.storeFeed.catchUp();
  const live = await app.givenClient('live');
  shop = clientOf(taking, live.accountId, live.key);
  const reply = await shop.post('/account/tracking/add_webhook', { endpoint: `${endpoint.url}/hook/secret-path` });
  assert.equal(reply.status, 200, reply.text);
  product = (await productTokens(shop, storeId)).Soda;
  await collected();
  collector.calls.length = 0;
});
after(async () => {
  await app.close();
  await Promise.all([collector, endpoint, smtp].map((one) => one.close()));
});

async function collected(): Promise<CollectedSpan[]> {
  for (const { deps } of [taking, app.service]) await deps.tracer?.flush();
  return collector.spans();
}

const below = (spans: readonly CollectedSpan[], above: CollectedSpan) =>
  spans.filter(({ parentSpanId }) => parentSpanId === above.spanId);
const named = (spans: readonly CollectedSpan[], name: string): CollectedSpan =>
  spans.find((span) => span.name === name) ?? assert.fail(`no ${name} in ${spans.map((span) => span.name).join(', ')}`);

test('one trace leads from the request of an order on one node to its mail, its offer and its webhook call on another', async () => {
  endpoint.answer = (_call, response) => response.writeHead(endpoint.calls.length === 1 ? 500 : 204).end();
  const body = orderBody(product, null, {
    items: [{ product_id: product, quantity: 4, special_instructions: 'no sugar, says Aunt Margarethe' }],
    charge_user: false,
  });
  const placed = await shop.post('/order/order/v2', body);
  assert.equal(placed.status, 200, placed.text);
  for (let minute = 0; minute < 2; minute += 1) await app.advance({ minutes: 1 });
  assert.deepEqual([smtp.received.length, endpoint.calls.length], [1, 2]);
  const spans = await collected();
  const request = named(spans, 'POST /order/order/v2');
  const trace = spans.filter(({ traceId }) => traceId === request.traceId);
  const ids = { account: shop.accountId, order: placed.body.order_id };

  const mail = named(below(trace, request), 'send email');
  assert.deepEqual([mail.kind, mail.failure], [KIND.consumer, undefined]);
  assert.deepEqual(
    [mail.attributes['doorstep.account.id'], mail.attributes['doorstep.order.id']],
    [ids.account, ids.order],
  );
  assert.equal(named(below(trace, mail), 'mail sendMail').kind, KIND.client);
  assert.equal(named(below(trace, request), 'tell a store').attributes['doorstep.channel'], 'operator');

  const sms = named(below(trace, request), 'send sms');
  assert.equal(sms.failure, 'not_sent');

  const calls = below(trace, request).filter(({ name }) => name === 'webhook call');
  assert.deepEqual(
    calls.map((call) => [call.failure, call.attributes['doorstep.attempt'], call.attributes['doorstep.order.id']]),
    [
      ['500', 1, ids.order],
      [undefined, 2, ids.order],
    ],
  );
  const posts = calls.map((call) => named(below(trace, call), 'endpoint post'));
  assert.deepEqual(
    posts.map(({ failure, attributes }) => [failure, attributes['http.response.status_code']]),
    [
      ['500', 500],
      [undefined, 204],
    ],
  );
  assert.equal(new Set(collector.resources().map((resource) => resource['service.instance.id'])).size, 2);
  assert.ok(endpoint.calls.every(({ headers }) => !('traceparent' in headers) && !('tracestate' in headers)));

  const payload = collector.calls.map((call) => call.body).join();
  const personal = [
    body.user_name,
    body.user_email,
    body.user_phone,
    body.user_street_name,
    body.user_city,
    'Margarethe',
  ];
  const secret = [shop.key, endpoint.url, 'secret-path', smtp.url, product, body.user_latitude, body.user_longitude];
  for (const text of [...personal, ...secret]) assert.ok(!payload.includes(String(text)), String(text));
});

test('a job is below the request that made the job, and a step that a timer takes is in the trace of the order', async () => {
  const card = await givenPaymentMethod(app);
  const deleted = await app.post('/payment/delete', { user_id: 'u1', payment_method_id: card });
  assert.equal(deleted.status, 200, deleted.text);
  await app.advance({ hours: 2 });
  const spans = await collected();
  const request = named(spans, 'POST /payment/delete');
  const job = named(below(spans, request), 'job forget-card');
  assert.deepEqual([job.traceId, job.kind, job.failure], [request.traceId, KIND.consumer, undefined]);

  const timer = named(below(spans, named(spans, 'POST /order/order/v2')), 'job order-timer');
  const canceled = below(spans, timer).map(({ name }) => name);
  assert.ok(canceled.includes('webhook call') && canceled.includes('update orders'), canceled.join());
  const payload = collector.calls.map((call) => call.body).join();
  assert.ok(![String(CARD.card_number), card].some((text) => payload.includes(text)));
});

test('a missing collector costs only spans: orders and webhooks continue', async () => {
  await collector.close();
  const calls = endpoint.calls.length;
  const body = orderBody(product, null, { items: [{ product_id: product, quantity: 4 }], charge_user: false });
  const replies = await Promise.all(Array.from({ length: 5 }, () => shop.post('/order/order/v2', body)));
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
  await app.advance({ seconds: 5 });
  await taking.deps.tracer?.flush();
  assert.equal(endpoint.calls.length, calls + 5);
});
