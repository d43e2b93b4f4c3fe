import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenOperator } from '../given/merchant.ts';
import { givenGroceries, givenHost, givenShopApp, HOST, TERMS } from './given-shop.ts';

const app = await givenShopApp([]);
const products = [{ id: 'milk', name: 'Milk', price: 300 }];
const categories = [{ id: 'dairy', name: 'Dairy', products }];
const ids = await givenGroceries(app, [
  { external_id: 'one', name: 'Market One', categories },
  { external_id: 'two', name: 'Market Two', categories },
  { external_id: 'far', name: 'Other Shop', categories },
]);
after(() => app.close());

const profileAt = (host: string) => app.open('/.well-known/ucp', host);
const locationsAt = async (host: string, body: object = {}) => {
  const { status, body: answer } = await app.ask('/locations/search', body, { host });
  return [status, answer.locations?.map(({ id }: { id: string }) => id).toSorted() ?? answer.code];
};

test('a business is an account on its own host: the profile names it, and its stores are the shop’s', async () => {
  assert.equal((await profileAt(HOST)).status, 404, 'off by default');
  const [one = '', two = '', far = ''] = ids;
  await app.setShop({ mode: 'sandbox', storeIds: [two, one], ucp: 'sandbox' });
  const reply = await profileAt(HOST);
  assert.deepEqual([reply.status, reply.headers['cache-control']], [200, 'public, max-age=300']);
  const endpoints = reply.body.ucp.services['dev.ucp.common'].map(({ endpoint }: { endpoint: string }) => endpoint);
  const { port } = new URL(app.service.deps.config.baseUrl);
  const site = `http://${HOST}${port === '' ? '' : `:${port}`}`;
  assert.deepEqual(endpoints, [`${site}/ucp`, `${site}/ucp/mcp`]);
  assert.doesNotMatch(JSON.stringify(reply.body), /food/);
  assert.deepEqual(await locationsAt(HOST), [200, [one, two].toSorted()]);
  assert.deepEqual(await locationsAt(HOST, { query: 'two' }), [200, [two]]);
  const looked = await app.tool('lookup_locations', { location: { ids: [one, far] } });
  assert.deepEqual(
    looked.body.locations.map(({ id }: { id: string }) => id),
    [one],
  );
  const paged = await app.ask('/locations/search', { query: 'market', pagination: { limit: 1 } });
  const { cursor } = paged.body.pagination;
  const next = await app.ask('/locations/search', { query: 'market', pagination: { limit: 1, cursor } });
  assert.deepEqual(
    [...paged.body.locations, ...next.body.locations].map(({ id }) => id),
    [two, one],
  );
  assert.equal(next.body.pagination.has_next_page, false);
  const other = await app.ask('/locations/search', { query: 'two', pagination: { cursor } });
  assert.deepEqual([other.status, other.body.code], [400, 'invalid_request']);
});

test('a shop that is off, or in the other mode, is silent; the API is at the service’s host alone, and a draft nowhere', async () => {
  await app.setShop({ mode: 'live' });
  assert.equal((await profileAt(HOST)).status, 404, 'the shop changed its mode');
  assert.deepEqual(await locationsAt(HOST), [404, 'route_not_found']);
  await app.setShop({ mode: 'sandbox' });
  assert.equal((await profileAt(HOST)).status, 200);
  for (const path of ['/stores', '/nothing']) assert.equal((await app.open(path)).status, 404, path);
  for (const host of [HOST, '127.0.0.1']) {
    for (const path of [
      '/ucp/draft/profile',
      '/ucp/draft/menu?location_id=x',
      '/ucp/draft/menu.json',
      '/ucp/draft/mcp',
    ])
      assert.equal((await app.open(path, host)).status, 404, `${host}${path}`);
    assert.doesNotMatch(JSON.stringify((await profileAt(host)).body), /food|draft/);
  }
  const { ucp } = (await profileAt('127.0.0.1')).body;
  assert.deepEqual(Object.keys(ucp.services), ['dev.ucp.common'], 'without an account, locations alone');
  assert.deepEqual(await locationsAt('127.0.0.1'), [200, ids.toSorted()]);
});

test('the host of BASE_URL serves UCP_ACCOUNT’s account, or the default shop', async () => {
  const [one = '', two = ''] = ids;
  const { config } = app.service.deps;
  await app.setShop({ mode: 'sandbox', ucp: 'sandbox', isDefault: true });
  assert.deepEqual(await locationsAt('127.0.0.1'), [200, [one, two].toSorted()]);
  await app.setShop({ isDefault: false });
  Object.assign(config, { ucpAccount: app.accountId });
  assert.deepEqual(await locationsAt('127.0.0.1'), [200, [one, two].toSorted()]);
  Object.assign(config, { ucpAccount: undefined });
});

test('UCP needs a verified host, the shop in the same mode, and the URLs of the terms and the privacy policy', async () => {
  const operator = await givenOperator(app);
  const { accountId } = await app.givenClient();
  const set = async (body: object) => {
    const { status, body: answer } = await operator.post(`/operator/accounts/${accountId}/branding`, body);
    return status === 200 ? answer.ucp : answer.detail;
  };
  assert.equal(
    await set({ ucp: 'live' }),
    'UCP requires a shop that is on in the mode live, a verified custom domain, the URL of its terms, the URL of its privacy policy.',
  );
  await givenHost(app, 'other.example', accountId);
  assert.equal(await set({ shop: 'sandbox' }), 'off');
  assert.match(await set({ ucp: 'live' }), /a shop that is on in the mode live\.$/);
  assert.equal(await set({ ucp: 'sandbox' }), 'sandbox');
  assert.equal(await set({ shop: 'live', ucp: 'live', terms_url: TERMS.termsUrl }), 'live');
  assert.equal(await set({ shop: 'off' }), 'off');
});

test('the payment handler names the gateway, and its token key where it has one', async () => {
  const configOf = async () => {
    const handlers: Record<string, { config: object }[]> = (await profileAt(HOST)).body.ucp.payment_handlers;
    return Object.values(handlers)[0]?.[0]?.config;
  };
  const { sandbox } = app.service.deps.gateways;
  const own = { environment: 'sandbox', gateway: 'sandbox' };
  assert.deepEqual(await configOf(), own);
  Object.assign(sandbox ?? {}, { wallets: { publicKey: 'pk_test_green' } });
  assert.deepEqual(await configOf(), { ...own, publishable_key: 'pk_test_green' });
  Object.assign(sandbox ?? {}, { wallets: undefined });
});

test('a check lists the obstacles for platforms, the visible stores, and the unsellable products', async () => {
  const operator = await givenOperator(app);
  const check = async (accountId = app.accountId) => operator.get(`/operator/accounts/${accountId}/ucp`);
  await app.setShop({ mode: 'sandbox', storeIds: ids, ucp: 'sandbox' });
  const unread = (await check()).body;
  assert.match(unread.profile_url, new RegExp(`^http://${HOST}(:\\d+)?/.well-known/ucp$`));
  assert.equal(unread.missing.length, 1);
  assert.match(unread.missing[0], /^the profile cannot be read/);
  await givenHost(app, 'localhost');
  const twice = { id: 'topping', name: 'Topping', min_choice_options: 2, max_choice_options: 2 };
  const options = ['a', 'b', 'c'].map((id) => ({ id, name: id, price: 0 }));
  const plate = { id: 'plate', name: 'Plate', price: 900, customizations: [{ ...twice, options }] };
  const size = { id: 'size', name: 'Size', min_choice_options: 1, max_choice_options: 1, options };
  const soup = { id: 'soup', name: 'Soup', price: 500, customizations: [size] };
  const categories = [{ id: 'all', name: 'All', products: [plate, soup] }];
  const [diner = ''] = await givenGroceries(app, [
    { external_id: 'diner', name: 'Diner', delivery: { enabled: false }, hours: undefined, categories },
  ]);
  await app.setShop({ storeIds: [diner, ...ids] });
  const { body } = await check();
  assert.deepEqual(body.missing, []);
  assert.deepEqual(
    [body.stores, body.delivering, body.without_hours, body.left_out_products],
    [4, 3, 1, 1],
    'two choices of one group cannot be said',
  );
  await app.setShop({ ucp: null });
  assert.ok((await check()).body.missing.length >= 1);
  await givenHost(app, HOST);
  assert.equal((await check('acc_none')).status, 404);
});

test('unknown operations return the protocol’s error, and a body may have 256 KiB', async () => {
  for (const [status, code, got] of [
    [404, 'route_not_found', await app.ask('/nothing', {})],
    [405, 'method_not_allowed', await app.ask('/carts', {}, { method: 'PUT' })],
  ] as const) {
    assert.deepEqual(
      [got.status, got.body.code, typeof got.body.content],
      [status, code, 'string'],
      JSON.stringify(got),
    );
    assert.match(String(got.headers['content-type']), /^application\/json/);
  }
  // It is read, and refused because of its unknown member.
  await app.setShop({ mode: 'sandbox', storeIds: ids, ucp: 'sandbox' });
  const long = (bytes: number) => app.ask('/locations/search', { query: 'market', more: 'x'.repeat(bytes) });
  const { length } = JSON.stringify({ query: 'market', more: '' });
  const limit = 256 * 1024 - length;
  assert.deepEqual([(await long(limit)).status, (await long(limit + 1)).status], [400, 413]);
});
