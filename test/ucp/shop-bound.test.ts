import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { saveBranding } from '../../src/access/accounts/brandings.db.ts';
import { issueKey } from '../../src/access/accounts/issue-key.flow.ts';
import { bindPlatform } from '../../src/surfaces/ucp/platforms.db.ts';
import { pizzeria } from '../feed-lines.ts';
import { runRetention } from '../given/expired-rows.ts';
import { givenOperator, givenStoreKey } from '../given/merchant.ts';
import { givenStores } from '../given/stores.ts';
import { givenApp } from '../harness.ts';
import { assertShape, BUYER, type Got, givenShopApp, HOME, HOST, openShop, SHOPPING, TERMS } from './given-shop.ts';
import { isSignedBy, type Key, newKey, profileOf, signed } from './platform.ts';

/* Platforms that are bound to a shop's account: who may place, how they prove it, and what their checkouts keep. */

const app = await givenShopApp(SHOPPING, { VISITOR_CARTS_PER_HOUR: '1000000', VISITOR_REQUESTS_PER_HOUR: '1000000' });
const products = [
  { id: 'pie', name: 'Plain Pie', price: 900 },
  { id: 'tea', name: 'Tea', price: 250 },
  { id: 'bar', name: 'Nut Bar', price: 700, food: { allergens: ['peanuts'] } },
  { id: 'none', name: 'None Left', price: 900, qty_available: 0 },
  { id: 'breakfast', name: 'Breakfast Pie', price: 900, hours: 'Mo-Su 03:00-03:01' },
  {
    id: 'pizza',
    name: 'Pizza',
    price: 1200,
    customizations: [
      {
        id: 'size',
        name: 'Size',
        min_choice_options: 1,
        max_choice_options: 1,
        options: [
          { id: 's', name: 'Small', price: 0 },
          { id: 'l', name: 'Large', price: 400 },
        ],
      },
    ],
  },
];
const [storeId = ''] = await givenStores(app, [pizzeria({ categories: [{ id: 'all', name: 'All', products }] })]);
const items = await openShop(app, [storeId]);
after(() => app.close());

const TORONTO = {
  street_address: '100 Queen St W',
  address_locality: 'Toronto',
  address_region: 'ON',
  postal_code: 'M5H 2N2',
  address_country: 'CA',
};
const line = (name: string, quantity = 2) => ({ item: { id: items[name] ?? name }, quantity });
const to = (...destinations: object[]) => ({ fulfillment: { methods: [{ type: 'shipping', destinations }] } });
const PICKUP = { fulfillment: { methods: [{ type: 'pickup' }] } };
const pie = () => ({ line_items: [line('Plain Pie')], buyer: BUYER, ...PICKUP });
const payBy = (token: string) => ({
  payment: { instruments: [{ id: 'card', handler_id: 'card_token', credential: { type: 'token', token } }] },
});

let keys = 0;
type How = { key?: string; unsigned?: readonly string[]; headers?: Record<string, string> };

/** A platform with a key of its own, and its signed calls of checkouts. */
async function givenBound(
  name: string,
  { orders = 'place', accountId = app.accountId, mode = 'sandbox', names = SHOPPING }: Partial<Bound> = {},
) {
  const own = newKey(name);
  const profile = app.platform.publish(`/${name}`, profileOf([own], names));
  if (orders !== 'none') {
    await bindPlatform(app.service.deps.db, { profileUrl: profile, accountId, mode, orders }, app.now());
  }
  const { port } = new URL(app.service.deps.config.baseUrl);
  const calls = (by: Key | undefined) => {
    const call = (method: 'GET' | 'POST' | 'PUT', path: string, body: object, how: How = {}) => {
      const { key = `bound-${++keys}`, unsigned = [], headers: more = {} } = how;
      const headers: Record<string, string> = {
        'ucp-agent': `profile="${profile}"`,
        ...(method === 'GET' ? {} : { 'content-type': 'application/json', 'idempotency-key': key }),
        ...more,
      };
      const url = `http://${HOST}${port === '' ? '' : `:${port}`}/ucp${path}`;
      const whole = ['@method', '@authority', '@path', ...Object.keys(headers), 'content-digest'];
      const components = whole.filter(
        (one) => !unsigned.includes(one) && (method !== 'GET' || one !== 'content-digest'),
      );
      const text = method === 'GET' ? '' : JSON.stringify(body);
      const sent = by ? signed({ url, method, body: text, headers }, by, { components }) : { headers };
      return app.ask(path, body, { method, profile, headers: sent.headers });
    };
    return {
      create: (body: object = pie(), how?: How) => call('POST', '/checkout-sessions', body, how),
      read: (id: string) => call('GET', `/checkout-sessions/${id}`, {}),
      update: (id: string, body: object = pie()) => call('PUT', `/checkout-sessions/${id}`, body),
      complete: (id: string, how?: How, token = 'tok_visa') =>
        call('POST', `/checkout-sessions/${id}/complete`, payBy(token), how),
      cancel: (id: string) => call('POST', `/checkout-sessions/${id}/cancel`, {}),
    };
  };
  return { profile, path: `/${name}`, calls, ...calls(own) };
}
type Bound = { orders: 'place' | 'handover' | 'none'; accountId: string; mode: 'sandbox' | 'live'; names: string[] };

const outcome = ({ status, body }: Got) => [status, body.code ?? body.status];
const messagesOf = ({ body }: Got) => (body.messages ?? []) as Record<'code' | 'path' | 'content', string>[];
const errorsOf = ({ body }: Got) =>
  ((body.messages ?? []) as Record<string, string>[]).flatMap(({ type, code, path }) =>
    type === 'error' ? [[code, path]] : [],
  );
const keysAt = async () => (await app.open('/.well-known/ucp')).body.keys;
const asAnswer = ({ status, headers, body }: Got) => ({
  status,
  headers: new Headers(headers as Record<string, string>),
  text: JSON.stringify(body),
  body,
});

test('only a platform that is bound and has proven who it is places orders', async () => {
  const platform = await givenBound('proven');
  const placing = [201, 'ready_for_complete'];
  const handing = [201, 'requires_escalation'];
  const created = async (by: Key | undefined, how?: How) => outcome(await platform.calls(by).create(pie(), how));
  assert.deepEqual(outcome(await platform.create()), placing);
  assert.deepEqual(await created(undefined), handing);
  assert.deepEqual(await created(newKey('proven')), [401, 'signature_invalid']);
  assert.deepEqual(outcome(await platform.create(pie(), { unsigned: ['idempotency-key'] })), handing);
  const keyed = (apiKey: string, header = 'x-api-key') => created(undefined, { headers: { [header]: apiKey } });
  assert.deepEqual(await keyed(app.key), placing);
  assert.deepEqual(await keyed(`Bearer ${app.key}`, 'authorization'), placing);
  const { db } = app.service.deps;
  const live = await issueKey(db, app.accountId, 'live', app.now());
  const reader = await issueKey(db, app.accountId, 'sandbox', app.now(), ['read']);
  for (const key of ['ds_test_none', (await app.givenClient()).key, live.key, reader.key]) {
    assert.deepEqual(await keyed(key), handing, key);
  }
  const other = await app.givenClient();
  for (const [name, how] of Object.entries({
    unbound: { orders: 'none' },
    'hands-over': { orders: 'handover' },
    'of-another-account': { accountId: other.accountId },
    'of-the-other-mode': { mode: 'live' },
    'without-fulfillment': { names: SHOPPING.filter((one) => !one.endsWith('fulfillment')) },
  } satisfies Record<string, Partial<Bound>>)) {
    const made = await (await givenBound(name, how)).create();
    assert.deepEqual(outcome(made), handing, name);
    assert.equal('fulfillment' in made.body, name !== 'without-fulfillment');
  }
});

test('answers to a platform are signed, and a repeated key is answered alike for 48 hours', async () => {
  const platform = await givenBound('signed');
  const first = await platform.create(pie(), { key: 'signed' });
  const { id } = first.body;
  const again = await platform.create(pie(), { key: 'signed' });
  assert.deepEqual(again.body, first.body);
  const published = await keysAt();
  for (const got of [first, again, await platform.read(id), await platform.complete(id)]) {
    assert.ok(isSignedBy(published, asAnswer(got)), JSON.stringify(got.body));
  }
  await app.advance({ hours: 47 });
  assert.equal((await platform.create(pie(), { key: 'signed' })).body.id, id);
  await app.advance({ hours: 2 });
  assert.notEqual((await platform.create(pie(), { key: 'signed' })).body.id, id);
});

test('a platform rotates its key in the middle of a checkout, and so does the service', async () => {
  const platform = await givenBound('rotating');
  const next = newKey('rotating-next');
  const withNext = platform.calls(next);
  const { id } = (await platform.create()).body;
  app.platform.publish(platform.path, profileOf([next], SHOPPING));
  assert.equal((await withNext.update(id)).body.status, 'ready_for_complete');
  assert.deepEqual(outcome(await platform.complete(id)), [401, 'key_not_found']);
  const operator = await givenOperator(app);
  assert.equal((await operator.post('/operator/ucp/rotate-key', {})).status, 200);
  await app.advance({ seconds: 421 });
  const done = await withNext.complete(id, { key: 'rotated' });
  assert.deepEqual(outcome(done), [200, 'completed'], JSON.stringify(done.body));
  const again = await withNext.complete(id, { key: 'rotated' });
  assert.deepEqual(again.body, done.body);
  const published = await keysAt();
  for (const got of [done, again]) assert.ok(isSignedBy(published.slice(-1), asAnswer(got)), 'signed by the new key');
});

test('a checkout names what it lacks at its place, and an update fixes it', async () => {
  const platform = await givenBound('lacks');
  const METHOD = '$.fulfillment.methods[0]';
  const lacks: [object, [string, string][]][] = [
    [{ line_items: [line('Plain Pie'), line('None Left')] }, [['out_of_stock', '$.line_items[1]']]],
    [{ line_items: [line('Plain Pie'), line('Breakfast Pie')] }, [['item_unavailable', '$.line_items[1].item']]],
    [{ line_items: [line('Tea', 1)] }, [['minimum_order_unmet', '$.totals']]],
    [to(TORONTO), [['address_undeliverable', `${METHOD}.destinations[0]`]]],
    [to(), [['missing', `${METHOD}.destinations`]]],
    [
      { buyer: { ...BUYER, email: 'nobody', phone_number: '12' } },
      [
        ['invalid', '$.buyer.email'],
        ['invalid', '$.buyer.phone_number'],
      ],
    ],
    [
      { buyer: {} },
      [
        ['missing', '$.buyer.first_name'],
        ['missing', '$.buyer.email'],
        ['missing', '$.buyer.phone_number'],
      ],
    ],
  ];
  for (const [more, errors] of lacks) {
    const made = await platform.create({ ...pie(), ...more });
    assert.equal(made.body.status, 'incomplete', JSON.stringify(made.body));
    assert.deepEqual(errorsOf(made), errors);
    const fixed = await platform.update(made.body.id, { ...pie(), ...to(HOME) });
    assert.equal(fixed.body.status, 'ready_for_complete', JSON.stringify(fixed.body));
  }
  const labeled = await platform.create({ ...pie(), line_items: [line('Plain Pie'), line('Nut Bar')] });
  assertShape('shopping/fulfillment.json#/$defs/dev.ucp.shopping.checkout', labeled.body);
  const disclosed = labeled.body.messages.filter((one: { presentation?: string }) => one.presentation === 'disclosure');
  assert.deepEqual(
    disclosed.map(({ type, path }: Record<string, string>) => [type, path]),
    [['warning', '$.line_items[1]']],
  );
  assert.match(disclosed[0].content, /peanut/i);
});

test('a choice that the store takes off sale is out of stock when the checkout is completed', async () => {
  const platform = await givenBound('choices');
  const found = await app.ask('/catalog/search', { query: 'pizza', context: { location: storeId } });
  const large = found.body.products[0].variants.find(({ title }: { title: string }) => /Large/.test(title));
  const ready = await platform.create({ ...pie(), line_items: [line(large.id)] });
  assert.equal(ready.body.status, 'ready_for_complete', JSON.stringify(ready.body));
  const key = await givenStoreKey(app, storeId);
  const off = await key.patch('/store/options/pizza/l', { available: false });
  assert.equal(off.status, 200, off.text);
  const done = await platform.complete(ready.body.id);
  const fault = messagesOf(done).find(({ code }) => code === 'out_of_stock');
  assert.deepEqual(
    [done.body.status, fault?.path, fault?.content],
    ['incomplete', '$.line_items[0].item', 'Off sale at the moment: Large.'],
  );
  await key.patch('/store/options/pizza/l', { available: true });
  assert.equal((await platform.update(ready.body.id)).body.status, 'ready_for_complete');
});

test('a canceled checkout has no page, and one without a change for six hours is over', async () => {
  const platform = await givenBound('ends');
  const canceled = (await platform.create()).body;
  const { pathname, search } = new URL(canceled.continue_url);
  assert.equal((await app.open(pathname + search)).status, 200);
  assert.equal((await platform.cancel(canceled.id)).body.status, 'canceled');
  assert.equal((await app.open(pathname + search)).status, 404);
  const { id } = (await platform.create()).body;
  await app.advance({ hours: 5 });
  await platform.update(id);
  await app.advance({ hours: 5 });
  assert.equal((await platform.read(id)).body.status, 'ready_for_complete');
  await app.advance({ hours: 2 });
  assert.equal((await platform.read(id)).body.status, 'canceled');
  assert.deepEqual(outcome(await platform.complete(id)), [409, 'session_ended']);
});

test('a buyer is forgotten with the order, and a day after the last change of a checkout without one', async () => {
  const platform = await givenBound('forgets');
  const { id } = (await platform.create(pie(), { key: 'forgotten' })).body;
  const { status, text } = await app.post('/account/forget_user', { user_id: id });
  assert.equal(status, 200, text);
  assert.equal(messagesOf(await platform.read(id))[0]?.code, 'not_found');
  assert.equal((await platform.create(pie(), { key: 'forgotten' })).body.code, 'answer_forgotten');

  const bare = (await platform.create({ ...pie(), ...to() })).body;
  const priced = (await platform.create()).body;
  await app.advance({ hours: 23 });
  await runRetention(app);
  assert.deepEqual((await platform.read(bare.id)).body.buyer, BUYER);
  await app.advance({ hours: 2 });
  await runRetention(app);
  assert.equal(messagesOf(await platform.read(bare.id))[0]?.code, 'not_found');
  assert.equal((await platform.read(priced.id)).body.id, priced.id);
});

test('a platform is bound only to an account that has the URLs of its terms and its privacy policy', async () => {
  const operator = await givenOperator(app);
  const { accountId } = await app.givenClient();
  const bind = (orders: string, profile_url = 'https://agent.example/profile') =>
    operator.post(`/operator/accounts/${accountId}/ucp-platforms`, { profile_url, mode: 'live', orders });
  const set = (urls: object) => saveBranding(app.service.deps.db, accountId, urls, app.now());
  for (const urls of [{}, { termsUrl: TERMS.termsUrl }]) {
    await set(urls);
    const { status, body } = await bind('handover');
    assert.deepEqual([status, body.code, body.errors[0].name], [400, 'invalid_request', 'orders']);
  }
  assert.equal((await bind('off')).status, 404, 'a binding ends without them');
  await set({ privacyUrl: TERMS.privacyUrl });
  assert.equal((await bind('handover')).status, 200);
});

test('no platform is bound whose profile could not be read', async () => {
  const guarded = await givenApp({ env: { UCP: 'released' } });
  const operator = await givenOperator(guarded);
  await saveBranding(guarded.service.deps.db, guarded.accountId, TERMS, guarded.now());
  for (const profile_url of [
    'http://agent.example/profile',
    'https://127.0.0.1/profile',
    'agent.example',
    'ftp://a.example',
  ]) {
    const bound = { profile_url, mode: 'live', orders: 'handover' };
    const { status, body } = await operator.post(`/operator/accounts/${guarded.accountId}/ucp-platforms`, bound);
    assert.deepEqual([status, body.errors[0].name], [400, 'profile_url'], profile_url);
  }
  await guarded.close();
});
