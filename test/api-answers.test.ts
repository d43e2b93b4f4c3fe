import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { saveBranding } from '../src/access/accounts/brandings.db.ts';
import {
  type ApiDocument,
  assertDescribed,
  assertRefusedAnywhere,
  operationNameOf,
  operationsOf,
} from './api-document.ts';
import { openEventStream } from './event-stream.ts';
import { givenTracked, givenTrackedStore } from './given/tracked.ts';
import { type App, givenApp } from './harness.ts';

/** Refusals that browsers read as pages. */
const refusalPages = (statuses: readonly number[], operations: readonly string[]) =>
  Object.fromEntries(
    operations.flatMap((operation) =>
      statuses.map((status) => [`${operation} ${status}`, ['text/html', 'application/problem+json']]),
    ),
  );

const SHOP_PAGES = [
  'GET /shop',
  'GET /shops/{account_id}',
  ...['', '/shop', '/shops/{account_id}'].flatMap((at) => [`GET ${at}/s/{store}`, `GET ${at}/orders`]),
];

const SIGN_IN_PAGES = ['/oauth/authorize', '/connections', '/profile'];

/** Every non-JSON answer with its possible content types. */
const NOT_JSON: Readonly<Record<string, readonly string[]>> = {
  'GET / 200': ['text/html'],
  'GET / 304': [],
  'GET / 404': ['text/html', 'application/problem+json'],
  'GET /start/{name} 200': ['text/javascript', 'text/css', 'image/svg+xml'],
  'GET /favicon.ico 200': ['image/svg+xml'],
  'GET /favicon.ico 304': [],
  'GET /robots.txt 200': ['text/plain'],
  'GET /robots.txt 304': [],
  'GET /.well-known/security.txt 200': ['text/plain'],
  'GET /reference 200': ['text/html'],
  'GET /reference 301': [],
  'GET /reference/assets/{name} 200': ['text/javascript', 'text/css', 'image/svg+xml'],
  ...Object.fromEntries(
    ['/docs', '/docs/{page}', '/docs/adr/{page}'].flatMap((path) => [
      [`GET ${path} 200`, ['text/html']],
      [`GET ${path} 301`, []],
      [`GET ${path} 304`, []],
    ]),
  ),
  'GET /docs/{page} 404': ['text/html', 'application/problem+json'],
  'GET /docs/adr/{page} 404': ['text/html', 'application/problem+json'],
  'GET /docs/images/{name} 200': ['image/png', 'image/svg+xml'],
  'GET /docs/images/{name} 304': [],
  'GET /docs/search/words.json 304': [],
  'GET /docs/assets/{name} 200': ['text/javascript', 'text/css', 'image/svg+xml'],
  'GET /metrics 200': ['text/plain'],
  'GET /openapi.json 304': [],
  'GET /llms.txt 200': ['text/plain'],
  'GET /llms.txt 304': [],
  'POST /mcp 202': [],
  'GET /reference 304': [],
  'GET /details/inventory 304': [],
  'GET /details/product 304': [],
  'GET /store/orders/stream 200': ['text/event-stream'],
  'GET /store/statements.csv 200': ['text/csv'],
  'GET /operator/statements.csv 200': ['text/csv'],
  'GET /operator/statements.journal 200': ['text/plain'],
  'GET /operator/taxes.csv 200': ['text/csv'],
  'GET /store/statements/drivers.csv 200': ['text/csv'],
  'GET /store/sales.csv 200': ['text/csv'],
  'GET /store/orders.csv 200': ['text/csv'],
  'GET /operator/orders/waiting/stream 200': ['text/event-stream'],
  'GET /operator/orders.csv 200': ['text/csv'],
  'GET /console/operator 200': ['text/html'],
  'GET /console/operator 302': [],
  'GET /console/operator/sign-in 200': ['text/html'],
  'POST /console/operator/sign-in 200': ['text/html'],
  'GET /console/operator/link/{token} 200': ['text/html'],
  'POST /console/operator/link/{token} 303': [],
  'GET /console/operator/openid 302': [],
  'GET /console/operator/openid/callback 200': ['text/html'],
  ...Object.fromEntries(
    [
      'POST /console/operator/link/{token}',
      'GET /console/operator/openid',
      'GET /console/operator/openid/callback',
    ].map((name) => [`${name} 401`, ['text/html', 'application/problem+json']]),
  ),
  'GET /console/operator/assets/{name} 200': ['text/javascript', 'text/css', 'image/svg+xml'],
  'GET /account/orders/{order_id}/proof/photo 200': ['image/webp'],
  'GET /driver/{token} 200': ['text/html'],
  'GET /driver/{token} 404': ['text/html', 'application/problem+json'],
  'GET /driver/{token}/code.svg 200': ['image/svg+xml'],
  'POST /driver/{token}/position 204': [],
  'GET /driver/assets/{name} 200': ['text/javascript', 'text/css', 'image/svg+xml'],
  'GET /payment/setup/{setup_id} 200': ['text/html'],
  'GET /payment/setup/{setup_id} 404': ['text/html'],
  'GET /payment/setup/{setup_id} 410': ['text/html'],
  'POST /payment/setup/{setup_id} 303': [],
  'POST /payment/setup/{setup_id} 404': ['text/html'],
  'POST /payment/setup/{setup_id} 410': ['text/html'],
  'POST /payment/setup/{setup_id} 422': ['text/html'],
  'GET /payment/setup/{setup_id}/return 302': [],
  'GET /payment/setup/{setup_id}/return 404': ['text/html'],
  'GET /payment/authenticated 200': ['text/html'],
  'GET /payment/authenticate/{link} 200': ['text/html'],
  'GET /payment/authenticate/{link} 404': ['text/html'],
  'POST /messages/sms/reply 200': ['text/xml'],
  'POST /payment/authenticate/{link} 200': ['text/html'],
  'POST /payment/authenticate/{link} 404': ['text/html'],
  'POST /payment/authenticate/{link} 303': [],
  ...refusalPages(
    [400, 429, 500, 503],
    [
      'GET /payment/setup/{setup_id}',
      'GET /payment/setup/{setup_id}/return',
      'GET /payment/authenticated',
      'GET /payment/authenticate/{link}',
    ],
  ),
  ...refusalPages(
    [400, 413, 415, 429, 500, 503],
    ['POST /payment/setup/{setup_id}', 'POST /payment/authenticate/{link}'],
  ),
  ...Object.fromEntries([200, 404, 410].map((status) => [`GET /checkout/{link} ${status}`, ['text/html']])),
  'GET /checkout/again 200': ['text/html'],
  'GET /checkout/again 404': ['text/html'],
  'POST /checkout/again 303': [],
  'POST /checkout/again 404': ['text/html'],
  'POST /checkout/again 409': ['text/html'],
  ...Object.fromEntries(
    ['POST /checkout/card', 'GET /checkout/card/back'].flatMap((name) => [
      [`${name} 303`, []],
      ...[200, 402, 404, 409].map((status) => [`${name} ${status}`, ['text/html']]),
    ]),
  ),
  ...Object.fromEntries([200, 404].map((status) => [`GET /checkout/card ${status}`, ['text/html']])),
  'GET /checkout/card 303': [],
  'POST /checkout/{link} 200': ['text/html'],
  'POST /checkout/{link} 422': ['text/html'],
  ...Object.fromEntries(
    ['POST /checkout/{link}', 'GET /checkout/{link}/approved'].flatMap((name) => [
      [`${name} 303`, []],
      ...[402, 404, 409, 410].map((status) => [`${name} ${status}`, ['text/html']]),
    ]),
  ),
  ...refusalPages(
    [400, 429, 500, 503],
    [
      'GET /checkout/{link}',
      'GET /checkout/{link}/approved',
      'GET /checkout/again',
      'GET /checkout/card',
      'GET /checkout/card/back',
    ],
  ),
  ...refusalPages(
    [400, 403, 413, 415, 429, 500, 503],
    ['POST /checkout/{link}', 'POST /checkout/again', 'POST /checkout/card'],
  ),
  'GET /checkout/assets/{name} 200': ['text/javascript', 'text/css', 'image/svg+xml'],
  ...refusalPages([400, 429, 500, 503], ['GET /']),
  ...refusalPages([400, 404, 429, 500, 503], SHOP_PAGES),
  ...Object.fromEntries(SHOP_PAGES.map((page) => [`${page} 200`, ['text/html']])),
  ...refusalPages(
    [400, 404, 429, 500, 503],
    SIGN_IN_PAGES.map((page) => `GET ${page}`),
  ),
  ...refusalPages(
    [400, 404, 413, 415, 429, 500, 503],
    SIGN_IN_PAGES.map((page) => `POST ${page}`),
  ),
  ...Object.fromEntries(
    SIGN_IN_PAGES.flatMap((page) => [
      [`GET ${page} 200`, ['text/html']],
      ...[403, 422].map((status) => [`POST ${page} ${status}`, ['text/html']]),
      [`POST ${page} 303`, []],
    ]),
  ),
  'GET /oauth/authorize 303': [],
  'GET /profile 303': [],
  'GET /s/{store}/code.svg 200': ['image/svg+xml'],
  'GET /shop/s/{store}/code.svg 200': ['image/svg+xml'],
  'GET /shops/{account_id}/s/{store}/code.svg 200': ['image/svg+xml'],
  'GET /shop/assets/{name} 200': ['text/javascript', 'text/css', 'image/svg+xml'],
  'GET /sitemap.xml 200': ['application/xml'],
  'GET /tracking 200': ['text/html'],
  'GET /tracking/events 200': ['text/event-stream'],
  'GET /tracking/events 204': [],
  'GET /photos/{photo_id}/{file} 200': ['image/webp'],
  'GET /photos/{photo_id}/{file} 304': [],
  'GET /sandbox/driver.svg 200': ['image/svg+xml'],
  'GET /tracking/assets/{name} 200': ['text/javascript', 'text/css', 'image/svg+xml', 'font/woff2'],
  'GET /tracking/favicon 200': ['image/png', 'image/svg+xml'],
  'GET /tracking/favicon 304': [],
  'GET /tracking/colors/{name} 200': ['text/css'],
  'GET /tracking/host 200': ['text/plain'],
  'GET /tracking/tiles.pmtiles 200': ['application/vnd.pmtiles'],
  'GET /tracking/tiles.pmtiles 206': ['application/vnd.pmtiles'],
  ...Object.fromEntries(
    ['/receipt', '/cancel', '/notes', '/tip', '/problem'].map((page) => [`GET /tracking${page} 200`, ['text/html']]),
  ),
  'GET /tracking/calendar.ics 200': ['text/calendar'],
  'GET /tracking/photo 200': ['image/webp'],
  'GET /tracking/photo 303': [],
  ...refusalPages(
    [400, 404, 429, 500, 503],
    ['', '/receipt', '/photo', '/calendar.ics', '/cancel', '/notes', '/tip', '/problem']
      .map((page) => `GET /tracking${page}`)
      .concat('GET /t/{short_code}'),
  ),
  'GET /t/{short_code} 303': [],
  ...Object.fromEntries(['cancel', 'notes', 'tip', 'problem'].map((form) => [`POST /tracking/${form} 303`, []])),
  ...refusalPages(
    [400, 403, 404, 413, 415, 429, 500, 503],
    ['cancel', 'notes', 'tip', 'problem'].map((form) => `POST /tracking/${form}`),
  ),
  ...Object.fromEntries(
    ['GET', 'POST'].flatMap((method) => [
      [`${method} /tracking/cancel 409`, ['text/html', 'application/problem+json']],
      [`${method} /tracking/tip 409`, ['text/html']],
      [`${method} /tracking/tip 422`, ['text/html']],
      [`${method} /tracking/problem 409`, ['text/html']],
      [`${method} /tracking/notes 409`, ['text/html']],
    ]),
  ),
  'POST /tracking/tip 402': ['text/html'],
  'POST /tracking/problem 422': ['text/html'],
  'POST /tracking/notes 422': ['text/html'],
  'GET /console 200': ['text/html'],
  'GET /console 303': [],
  'GET /console/new-order 200': ['text/html'],
  'GET /console/new-order 303': [],
  'GET /console/assets/{name} 200': ['text/javascript', 'text/css', 'image/svg+xml'],
  'GET /console/order/{link} 200': ['text/html'],
  'GET /console/order/{link} 404': ['text/html', 'application/problem+json'],
  'GET /console/order/{link}/ticket 200': ['text/html'],
  'GET /console/orders/{order_id}/ticket 200': ['text/html'],
};

let app: App;
let document: ApiDocument;
before(async () => {
  app = await givenApp();
  document = (await app.get('/openapi.json')).body;
});
after(() => app.close());

test('the answers other than JSON are the listed ones, with every content type', () => {
  const answers = operationsOf(document).flatMap(({ name, operation }) =>
    Object.entries(operation.responses).map(
      ([status, { content = {} }]) => [`${name} ${status}`, Object.keys(content)] as const,
    ),
  );
  const isJson = (types: readonly string[]) => types.length > 0 && types.every((type) => /json$/.test(type));
  assert.deepEqual(Object.fromEntries(answers.filter(([, types]) => !isJson(types))), NOT_JSON);
});

test('the start page, inventory, product details, photos, the icons, the description, its page, its text for models and the documentation describe If-None-Match, the ETag and 304', () => {
  const conditional = operationsOf(document).filter(({ operation }) => operation.responses[304]);
  assert.deepEqual(conditional.map(({ path }) => path).toSorted(), [
    '/',
    '/details/inventory',
    '/details/product',
    '/docs',
    '/docs/adr/{page}',
    '/docs/images/{name}',
    '/docs/search/words.json',
    '/docs/{page}',
    '/favicon.ico',
    '/llms.txt',
    '/openapi.json',
    '/photos/{photo_id}/{file}',
    '/reference',
    '/robots.txt',
    '/tracking/favicon',
  ]);
  for (const { name, operation } of conditional) {
    assert.ok(
      operation.parameters?.some((one) => one.in === 'header' && one.name === 'If-None-Match'),
      name,
    );
    for (const status of [200, 304]) assert.ok(operation.responses[status]?.headers?.ETag, `${name} ${status}`);
  }
});

test('the icon is served in each described type, and 304 by any form of its tag', async () => {
  const storeId = await givenTrackedStore(app);
  const { orderId } = await givenTracked(app, storeId);
  const read = (headers = {}) => app.get('/tracking/favicon', { tracking_id: orderId }, headers);
  for (const type of ['image/png', 'image/svg+xml']) {
    const favicon = type === 'image/svg+xml' ? null : { bytes: Buffer.from(type), type };
    const none = { displayName: null, logoUrl: null, fromAddress: null, bccAddress: null, trackingHost: null };
    await saveBranding(app.service.deps.db, app.accountId, { ...none, favicon }, app.now());
    const { headers } = await read();
    assert.equal(headers['content-type'], type);
    for (const tag of [headers.etag, `W/${headers.etag}`, `"other", ${headers.etag}`]) {
      assert.equal((await read({ 'if-none-match': String(tag) })).status, 304, String(tag));
    }
  }
});

test('the stream of a tracking page is answered as it is described', async () => {
  const { orderId } = await givenTracked(app, await givenTrackedStore(app));
  const url = await app.service.listen();
  const stream = await openEventStream(`${url}/tracking/events?tracking_id=${orderId}`);
  const headers = Object.fromEntries(stream.headers);
  assertDescribed(document, 'GET /tracking/events', { status: stream.status, headers, text: '', body: undefined });
  stream.close();
});

test('only a body without members may be left out, and the endpoint then answers without one', async () => {
  const optional = operationsOf(document).filter(({ operation }) => operation.requestBody?.required === false);
  assert.deepEqual(
    optional.map(({ name }) => name).sort(),
    [
      ...['POST /console/sign-out', 'POST /store/sessions/{session_id}/revoke'],
      ...['code', 'remove'].map((step) => `POST /store/staff/{staff_id}/${step}`),
      ...['acknowledge', 'ready', 'pick_up'].map((step) => `POST /store/orders/{order_id}/${step}`),
      ...['POST /store/menu/changes/{change_id}/undo', 'POST /store/resume'],
      ...['ready', 'pick_up', 'acknowledge'].map((step) => `POST /operator/orders/{order_id}/${step}`),
      'POST /operator/webhook-calls/{webhook_id}/replay',
      'POST /operator/keys/{key_id}/revoke',
      'POST /operator/stores/{store_id}/invite',
      'POST /operator/stores/{store_id}/relist',
      'POST /operator/merges/{merge_id}/undo',
      ...['operator', 'store'].map((door) => `POST /${door}/notes/{note_id}/end`),
      'POST /operator/oauth-clients/{client_id}/remove',
      'POST /operator/oauth-clients/{client_id}/rotate',
      'POST /operator/operators/{operator_id}/invite',
      'POST /operator/alerts/{alert_id}/acknowledge',
      'POST /operator/accounts/{account_id}/branding/verify',
      'POST /operator/tokens/retire',
      'POST /account/tracking/webhook/test',
      ...['account', 'store'].flatMap((door) =>
        ['pause', 'resume', 'end'].map((step) => `POST /${door}/promotions/{promotion_id}/${step}`),
      ),
      'POST /store/promotions/{promotion_id}/accept',
    ].sort(),
  );
  const development = await givenApp({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  await development.post('/account/tracking/add_webhook', { endpoint: 'http://127.0.0.1:1/' });
  const bare = { method: 'POST', url: '/account/tracking/webhook/test' } as const;
  const { statusCode, body } = await development.service.http.inject({
    ...bare,
    headers: { 'id-token': development.key },
  });
  assert.equal(statusCode, 200, body);
  await development.close();
});

test('an answer that the description leaves out fails the test that saw it: status, type, header or field', async () => {
  const name = 'GET /account/orders';
  const good = await app.get('/account/orders');
  assertDescribed(document, name, good);
  for (const changes of [
    { status: 204 },
    { headers: { ...good.headers, 'content-type': 'text/html' } },
    { headers: { ...good.headers, location: '/' } },
    { body: { ...good.body, more: 1 } },
    { body: {} },
  ]) {
    assert.throws(() => assertDescribed(document, name, { ...good, ...changes }), assert.AssertionError);
  }
  assert.equal(
    operationNameOf(document, { method: 'HEAD', url: '/sandbox/orders/x/advance?y' }, { text: '' }),
    undefined,
  );
  assert.equal(
    operationNameOf(document, { method: 'POST', url: '/sandbox/orders/x/advance/?y' }, { text: '' }),
    'POST /sandbox/orders/{order_id}/advance',
  );
  const missing = await app.get('/nowhere');
  assertRefusedAnywhere(document, 'GET /nowhere', missing);
  assert.throws(
    () => assertRefusedAnywhere(document, 'GET /nowhere', { ...missing, status: 500 }),
    assert.AssertionError,
  );
  assert.throws(() => assertRefusedAnywhere(document, 'GET /nowhere', good), assert.AssertionError);
});
