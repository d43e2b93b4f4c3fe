import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { killedBeforeCharging, withBrokenGateway } from '../../../test/fakes/broken-gateway.ts';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenCollector, KIND } from '../../../test/given/collector.ts';
import { CARD, givenPaymentMethod, orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenApp } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const traceparent = `00-${TRACE}-${SPAN}-01`;

/** OpenTelemetry reads these settings directly from the process environment. */
const OF_OPENTELEMETRY = {
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-key',
  OTEL_SERVICE_NAME: 'shop',
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
};

const collector = await givenCollector();
Object.assign(process.env, OF_OPENTELEMETRY);
const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
const app = await givenApp({ env });
const [storeId = ''] = await givenStores(app, [pizzeria()]);
const product = (await productTokens(app, storeId)).Soda;
// Test requests come from 127.0.0.1, so it counts as a proxy.
const proxied = await givenApp({ env: { ...env, TRUST_PROXY: '127.0.0.1' } });
beforeEach(async () => {
  await sent();
  collector.calls.length = 0;
});
after(async () => {
  for (const name of Object.keys(OF_OPENTELEMETRY)) delete process.env[name];
  await app.close();
  await proxied.close();
  await collector.close();
});

const sent = () => Promise.all([app, proxied].map(({ service }) => service.deps.tracer?.flush()));

/** The spans of so many requests. A flush does not wait for a batch that a timer sends meanwhile. */
async function requestsSent(count = 1) {
  await sent();
  const spans = () => collector.spans().filter(({ kind }) => kind === KIND.server);
  await until('the collector has the spans', () => spans().length >= count);
  return spans();
}

test('a request is a span of its method and route, with its status and its account', async () => {
  const reply = await app.get('/account/orders', { order_id: 'ord_unknown' });
  const [span = assert.fail(), ...others] = await requestsSent();
  assert.equal(others.length, 0);
  assert.deepEqual([span.name, span.parentSpanId, span.failure], ['GET /account/orders', undefined, undefined]);
  assert.deepEqual(span.attributes, {
    'http.request.method': 'GET',
    'http.route': '/account/orders',
    'http.response.status_code': reply.status,
    'doorstep.request.id': reply.headers['x-request-id'],
    'doorstep.account.id': app.accountId,
    'doorstep.order.id': 'ord_unknown',
  });
  assert.equal(span.startNs / 1_000_000n, BigInt(app.now().epochMilliseconds));
});

test('the collector gets the headers of the settings, and the process by its name', async () => {
  await app.get('/account/orders');
  await requestsSent();
  const [call = assert.fail()] = collector.calls;
  assert.deepEqual([call.path, call.headers.authorization], ['/v1/traces', 'Bearer collector-key']);
  assert.equal(call.headers['content-type'], 'application/json');
  const [resource = assert.fail()] = collector.resources();
  assert.deepEqual(
    ['service.name', 'deployment.environment.name', 'doorstep.role'].map((name) => resource[name]),
    ['shop', 'test', 'all'],
  );
});

test('a refused request has its status and is not a failure, and unknown paths never become span names', async () => {
  await app.get('/no/such/path/12125550199');
  await app.post('/order/order/v2', '{"user_phone": 1212555019', { 'content-type': 'application/json' });
  const spans = await requestsSent(2);
  assert.deepEqual(
    spans.map(({ name, attributes, failure }) => [name, attributes['http.response.status_code'], failure]),
    [
      ['GET', 404, undefined],
      ['POST /order/order/v2', 400, undefined],
    ],
  );
  assert.doesNotMatch(collector.calls.map(({ body }) => body).join(), /1212555/);
});

test('only a trusted proxy sets the parent trace with a traceparent', async () => {
  await app.get('/account/orders', {}, { traceparent });
  const [own = assert.fail()] = await requestsSent();
  assert.notEqual(own.traceId, TRACE);
  assert.equal(own.parentSpanId, undefined);
  collector.calls.length = 0;
  await proxied.get('/account/orders', {}, { traceparent });
  const [following = assert.fail()] = await requestsSent();
  assert.deepEqual([following.traceId, following.parentSpanId], [TRACE, SPAN]);
});

test('a proxy that records nothing has nothing recorded, and a broken traceparent begins a trace', async () => {
  await proxied.get('/account/orders', {}, { traceparent: `00-${TRACE}-${SPAN}-00` });
  assert.deepEqual(await requestsSent(0), []);
  for (const broken of ['', `${traceparent}-x`, 'x'.repeat(5000), `${traceparent}, ${traceparent}`]) {
    const reply = await proxied.get('/account/orders', {}, { traceparent: broken });
    assert.equal(reply.status, 200);
  }
  const spans = await requestsSent(4);
  assert.equal(new Set(spans.map(({ traceId }) => traceId)).size, 4);
  assert.ok(spans.every(({ traceId, parentSpanId }) => traceId !== TRACE && parentSpanId === undefined));
});

test('an order’s statements and charge are spans below its request, without customer data', async () => {
  const card = await givenPaymentMethod(app);
  const body = orderBody(product, card, { items: [{ product_id: product, quantity: 4 }] });
  const reply = await app.post('/order/order/v2', body);
  assert.equal(reply.status, 200, reply.text);
  await requestsSent(2);
  const spans = collector.spans();
  const placing = spans.find(({ name }) => name === 'POST /order/order/v2') ?? assert.fail();
  const below = spans.filter(({ parentSpanId }) => parentSpanId === placing.spanId);
  const named = (name: string) => below.filter((span) => span.name === name);
  assert.equal(named('payment gateway charge').length, 1);
  assert.equal(named('insert orders').length, 1);
  for (const span of below) {
    assert.deepEqual([span.traceId, span.kind, span.failure], [placing.traceId, KIND.client, undefined], span.name);
    assert.ok(span.startNs >= placing.startNs && span.endNs <= placing.endNs, span.name);
  }
  assert.ok(spans.some(({ name }) => name === 'payment gateway saveCard'));
  const payload = collector.calls.map((call) => call.body).join();
  const personal = [body.user_name, body.user_email, body.user_phone, body.user_street_name, body.user_city];
  const secret = [CARD.card_number, card, app.key, product, body.user_latitude, body.user_longitude];
  for (const text of [...personal, ...secret]) assert.ok(!payload.includes(String(text)), String(text));
});

test('a request that fails inside is a failure', async () => {
  const items = [{ product_id: product, quantity: 4 }];
  const order = orderBody(product, await givenPaymentMethod(app), { items });
  const reply = await withBrokenGateway(app, killedBeforeCharging, () => app.post('/order/order/v2', order));
  const span = (await requestsSent(2)).find(({ name }) => name === 'POST /order/order/v2');
  assert.deepEqual([reply.status, span?.failure, span?.attributes['http.response.status_code']], [500, '500', 500]);
});
