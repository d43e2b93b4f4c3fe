import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { bindPlatform } from '../../src/surfaces/ucp/platforms.db.ts';
import { pizzeria } from '../feed-lines.ts';
import { givenOperator } from '../given/merchant.ts';
import { givenStores } from '../given/stores.ts';
import { assertShape, givenShopApp, HOST, openShop, SHOPPING } from './given-shop.ts';
import { digestOf, profileOf } from './platform.ts';

/* Platforms are called about the orders that their checkouts became. */

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects of an order
type Call = { path: string; headers: IncomingHttpHeaders; text: string; order: any };
const calls: Call[] = [];
let status = 200;
/** Calls to a path with this word are not answered. */
const HANGS = 'hangs';
const listener = createServer(async (request, response) => {
  const text = Buffer.concat(await Array.fromAsync(request)).toString();
  calls.push({ path: request.url ?? '', headers: request.headers, text, order: JSON.parse(text) });
  if (!request.url?.includes(HANGS)) response.writeHead(status).end();
});
let item = '';
let keys = 0;

await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
const webhook = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/orders?of=us`;
const app = await givenShopApp(SHOPPING, { WEBHOOK_RETRY_SCHEDULE: '60,60' });
const products = [{ id: 'pie', name: 'Plain Pie', price: 900 }];
const [storeId = ''] = await givenStores(app, [pizzeria({ categories: [{ id: 'all', name: 'All', products }] })]);
({ 'Plain Pie': item = '' } = await openShop(app, [storeId]));
after(async () => {
  listener.closeAllConnections();
  await new Promise((done) => listener.close(done));
  await app.close();
});

function profileWith(webhook_url?: string) {
  // biome-ignore lint/suspicious/noExplicitAny: a profile is changed in place
  const profile = profileOf([], SHOPPING) as any;
  if (webhook_url) profile.ucp.capabilities['dev.ucp.shopping.order'][0].config = { webhook_url };
  return profile;
}

async function givenPlatform(path: string, webhook_url?: string): Promise<string> {
  const profile = app.platform.publish(path, profileWith(webhook_url));
  const bound = { profileUrl: profile, accountId: app.accountId, mode: 'sandbox', orders: 'place' } as const;
  await bindPlatform(app.service.deps.db, bound, app.now());
  return profile;
}

const checkout = () => ({
  line_items: [{ item: { id: item }, quantity: 2 }],
  buyer: { first_name: 'Dana', email: 'dana@example.com', phone_number: '+12125550142' },
  fulfillment: { methods: [{ type: 'pickup' }] },
});

async function place(profile: string, isProven = true): Promise<string> {
  const sent = () => ({ profile, headers: { 'x-api-key': app.key, 'idempotency-key': `call-${++keys}` } });
  const made = isProven ? sent() : { profile };
  const { body } = await app.ask('/checkout-sessions', checkout(), made);
  const credential = { type: 'token', token: 'tok_visa' };
  const paying = { payment: { instruments: [{ id: 'card', handler_id: 'card_token', credential }] } };
  const done = await app.ask(`/checkout-sessions/${body.id}/complete`, paying, sent());
  assert.equal(done.body.status, 'completed', JSON.stringify(done.body));
  await app.advance({ seconds: 1 });
  return done.body.order.id;
}

/** Checks the signature of a call by the keys of the shop's profile. */
async function assertSigned({ path, headers, text }: Call): Promise<void> {
  const { body } = await app.open('/.well-known/ucp');
  const [, list = '', keyId = ''] =
    /^sig1=(\(.*\);created=\d+;keyid="([^"]+)")$/.exec(`${headers['signature-input']}`) ?? [];
  const [pathname = '', query = ''] = path.split('?');
  const own: Record<string, string> = {
    '@method': 'POST',
    '@authority': `${headers.host}`,
    '@path': pathname,
    '@query': `?${query}`,
  };
  const names = [...list.slice(0, list.indexOf(')')).matchAll(/"([^"]+)"/g)].map(([, name = '']) => name);
  for (const name of ['@method', '@query', 'webhook-id', 'webhook-timestamp', 'ucp-agent', 'content-digest']) {
    assert.ok(names.includes(name), name);
  }
  assert.equal(headers['content-digest'], digestOf(text));
  const lines = names.map((name) => `"${name}": ${own[name] ?? headers[name]}`);
  const base = Buffer.from([...lines, `"@signature-params": ${list}`].join('\n'));
  const key = body.keys.find(({ kid }: { kid: string }) => kid === keyId);
  const [, signature = ''] = /^sig1=:([^:]+):$/.exec(`${headers.signature}`) ?? [];
  const by = { key: createPublicKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
  assert.ok(verify('sha256', base, by, Buffer.from(signature, 'base64')));
}

test('a proven platform is called about an order when it is placed and after each event, signed by the profile', async () => {
  const profile = await givenPlatform('/called', webhook);
  const orderId = await place(profile);
  assert.equal(calls.length, 1);
  const [first] = calls as [Call];
  assertShape('shopping/order.json', first.order);
  assert.deepEqual([first.order.id, first.headers['webhook-id']], [orderId, orderId]);
  assert.match(`${first.headers['ucp-agent']}`, new RegExp(`^profile="http://${HOST}.*/.well-known/ucp"$`));
  await assertSigned(first);
  await app.post(`/sandbox/orders/${orderId}/advance`, { event: 'confirm' });
  await app.advance({ seconds: 1 });
  const last = calls.at(-1) as Call;
  assert.notEqual(last.headers['webhook-id'], orderId);
  assert.deepEqual(
    last.order.fulfillment.events.map(({ type }: { type: string }) => type),
    ['processing'],
  );
  await assertSigned(last);
});

test('a failed call is repeated with its ID on the schedule of webhooks, and not after 410', async () => {
  const profile = await givenPlatform('/fails', webhook);
  calls.length = 0;
  status = 500;
  const orderId = await place(profile);
  for (let minute = 0; minute < 5; minute += 1) await app.advance({ seconds: 67 });
  assert.deepEqual(
    calls.filter(({ headers }) => headers['webhook-id'] === orderId).map(({ order }) => order.id),
    [orderId, orderId, orderId],
  );
  status = 410;
  calls.length = 0;
  const gone = await place(profile);
  await app.advance({ seconds: 67 });
  assert.equal(calls.filter(({ headers }) => headers['webhook-id'] === gone).length, 1);
  status = 200;
});

test('a platform without an order address isn’t called, nor is an unverified one', async () => {
  calls.length = 0;
  await place(await givenPlatform('/deaf'));
  const profile = app.platform.publish('/stranger', profileWith(webhook));
  const { id } = (await app.ask('/checkout-sessions', checkout(), { profile })).body;
  const { orderId: order_id } = await app.service.deps.db
    .selectFrom('ucpCheckouts')
    .select('orderId')
    .where('checkoutId', '=', id)
    .executeTakeFirstOrThrow();
  const placed = await app.post('/order/finalize', { order_id, payment_token: 'tok_visa' });
  assert.equal(placed.status, 200, placed.text);
  await app.advance({ seconds: 1 });
  assert.equal(calls.length, 0);
});

test('a platform that proves who it is when it completes is called too', async () => {
  calls.length = 0;
  const orderId = await place(await givenPlatform('/late', webhook), false);
  assert.deepEqual(
    calls.map(({ headers }) => headers['webhook-id']),
    [orderId],
  );
});

test('a platform that never answers delays no other; operators see its calls and make them again', async () => {
  const operator = await givenOperator(app);
  const slow = await place(await givenPlatform('/slow', `${webhook}&${HANGS}`));
  calls.length = 0;
  const quick = await place(await givenPlatform('/quick', webhook));
  assert.deepEqual(
    calls.map(({ headers }) => headers['webhook-id']),
    [quick],
  );
  const deliveries = async (query = '') => (await operator.get(`/operator/ucp/deliveries${query}`)).body.deliveries;
  const [last, before] = await deliveries();
  assert.deepEqual([last.webhook_id, last.state, last.last_status], [quick, 'delivered', 200]);
  assert.equal(before.webhook_id, slow);
  assert.match(before.profile_url, /\/slow$/);
  assert.deepEqual(await deliveries(`?order_id=${quick}`), [last]);
  const { webhook_calls: shown } = (await operator.get(`/operator/orders/${quick}`)).body;
  assert.deepEqual([shown[0].webhook_id, shown[0].type, shown[0].state], [quick, 'order.placed', 'delivered']);
  const again = await operator.post(`/operator/webhook-calls/${quick}/replay`, {});
  assert.equal(again.status, 200, again.text);
  await app.advance({ seconds: 1 });
  assert.deepEqual(
    calls.map(({ headers }) => headers['webhook-id']),
    [quick, quick],
  );
});
