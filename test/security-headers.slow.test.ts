import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { referenceFiles } from '../src/surfaces/docs/reference.route.ts';
import { startFiles } from '../src/surfaces/docs/start.route.ts';
import { consoleFiles } from '../src/surfaces/store-console/console.route.ts';
import { siteFiles } from '../src/surfaces/tracking/site-frame.flow.ts';
import { openEventStream } from './event-stream.ts';
import { givenTracked, givenTrackedStore } from './given/tracked.ts';
import { type App, givenApp } from './harness.ts';

const EVERYWHERE = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
};
const API_POLICY = "default-src 'none';frame-ancestors 'none'";
const HSTS = 'strict-transport-security';
const HSTS_VALUE = 'max-age=63072000';

let plain: App;
let secure: App;
before(async () => {
  plain = await givenApp();
  secure = await givenApp({ env: { BASE_URL: 'https://api.example.com', TRACKING_URL: 'http://track.example.com' } });
});
after(async () => {
  await plain.close();
  await secure.close();
});

type Headers = Record<string, unknown>;
const pick = (headers: Headers, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, headers[name]]));

function assertHeaders(headers: Headers, what: string): void {
  assert.deepEqual(pick(headers, Object.keys(EVERYWHERE)), EVERYWHERE, what);
  assert.match(String(headers['content-security-policy']), /^default-src 'none';.*frame-ancestors 'none'/, what);
  assert.equal(headers['x-powered-by'], undefined, what);
}

test('every API response grants the browser nothing, errors included', async () => {
  const answers = {
    200: await plain.get('/account/orders'),
    301: await plain.get('/reference'),
    400: await plain.get('/account/orders', { page: 'x' }),
    401: await plain.get('/account/orders', {}, { 'id-token': '' }),
    404: await plain.get('/nowhere'),
    405: await plain.post('/healthz', {}),
    415: await plain.post('/order/finalize', undefined, { 'content-type': 'text/plain', 'content-length': '1' }),
    422: await plain.post('/account/tracking/webhook/test'),
  };
  for (const [status, reply] of Object.entries(answers)) {
    assert.equal(reply.status, Number(status), reply.text);
    assertHeaders(reply.headers, status);
    if (reply.status !== 301) assert.equal(reply.headers['content-security-policy'], API_POLICY, status);
  }
  for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json']) {
    assertHeaders((await plain.get(path)).headers, path);
  }
});

test('only the three reads that are measured to the microsecond go without', async () => {
  const storeId = await givenTrackedStore(plain);
  const { body } = await plain.get('/details/inventory', { store_id: storeId, pickup: false });
  const hot = [
    await plain.get('/search/store/v3', { latitude: 40.74, longitude: -73.99 }),
    await plain.get('/details/inventory', { store_id: storeId, pickup: false }),
    await plain.get('/details/product', { product_id: body.categories[0].menu_item_list[0].product_id }),
  ];
  for (const { status, headers } of hot) {
    assert.equal(status, 200);
    assert.equal(headers['content-security-policy'], undefined);
    assert.match(String(headers['content-type']), /^application\/json/);
  }
  const near = { query: 'soda', user_latitude: 40.74, user_longitude: -73.99 };
  assertHeaders((await plain.get('/search/product/v4', near)).headers, 'product search');
  assertHeaders((await plain.get('/search/cart', { ...near, query: '{"soda":1}' })).headers, 'cart search');
});

test('HTTPS is promised where the address has it: BASE_URL for the API, TRACKING_URL for the site', async () => {
  const cases: [App, string, string | undefined][] = [
    [plain, '/healthz', undefined],
    [plain, '/tracking', undefined],
    [secure, '/healthz', HSTS_VALUE],
    [secure, '/nowhere', HSTS_VALUE],
    [secure, '/reference/', HSTS_VALUE],
    [secure, '/tracking', undefined],
    [secure, '/tracking/favicon', undefined],
  ];
  for (const [app, path, value] of cases) assert.equal((await app.get(path)).headers[HSTS], value, path);
  const site = await givenApp({ env: { TRACKING_URL: 'https://track.example.com' } });
  for (const path of ['/tracking', '/tracking/favicon']) assert.equal((await site.get(path)).headers[HSTS], HSTS_VALUE);
  assert.equal((await site.get('/healthz')).headers[HSTS], undefined);
  await site.close();
});

test('the pages, files and stream of the site, and the reference, carry them too', async () => {
  const { orderId, link } = await givenTracked(plain, await givenTrackedStore(plain));
  const { script, style } = await siteFiles();
  const files = await consoleFiles();
  const ofConsole = ['/console', '/console/order/none', `/console/assets/${files.script.name}`];
  const paths = [...ofConsole, link, '/tracking', `/tracking/assets/${script.name}`, `/tracking/assets/${style.name}`];
  for (const path of [
    ...paths,
    '/tracking/assets/none',
    '/tracking/favicon',
    '/',
    '/favicon.ico',
    `/start/${(await startFiles()).style.name}`,
    '/reference/',
    `/reference/assets/${(await referenceFiles()).script.name}`,
    '/docs/',
    '/docs/webhooks',
  ]) {
    const { headers } = await plain.get(path);
    assertHeaders(headers, path);
  }
  const url = await plain.service.listen();
  const stream = await openEventStream(`${url}/tracking/events?tracking_id=${orderId}`);
  assertHeaders(Object.fromEntries(stream.headers), 'stream');
  stream.close();
});
