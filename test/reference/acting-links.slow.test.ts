import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { KeyMode, KeyScope } from '../../src/access/accounts/account.ts';
import { issueKey } from '../../src/access/accounts/issue-key.flow.ts';
import { createTrackingKeys } from '../../src/access/accounts/tracking-site.ts';
import { openDriverLink } from '../../src/fulfillment/deliveries/driver-link.ts';
import { openCheckoutToken } from '../../src/ordering/order/checkout-link.ts';
import { dispatchAllEvents } from '../../src/ordering/order/dispatch-events.flow.ts';
import type { ApiDocument } from '../api-document.ts';
import { createExampleClient, type Exchange, type WireAnswer, type WireRequest } from './example-client.ts';
import { createTraveler, JOURNEY, type Traveler } from './example-journey.ts';
import { type Demo, givenDemo } from './given-demo.ts';
import { exchangeWith } from './send-exchange.ts';

/** Keys of these scopes may not do what a customer does. */
const LESSER_SCOPES: readonly (readonly KeyScope[])[] = [['read'], ['webhooks'], ['read', 'webhooks']];

type LinkKind = 'customer' | 'checkout' | 'driver' | 'store';
type Reader = 'key with order' | 'lesser key' | 'store' | 'operator' | 'holder of a link' | 'nobody';

/** The links that may do no more than their reader may. */
const ALLOWED: Readonly<Record<Reader, readonly LinkKind[]>> = {
  'key with order': ['customer', 'checkout'],
  'lesser key': [],
  store: ['driver'],
  operator: [],
  'holder of a link': ['customer', 'checkout', 'driver', 'store'],
  nobody: [],
};

let demo: Demo;
let traveler: Traveler;
let exchange: Exchange;
const lesserKeys = new Map<string, string[]>();
/** What was seen, as `reader: operation: kind`. */
const seen = new Set<string>();
const faults = new Set<string>();

before(async () => {
  demo = await givenDemo();
  const document: ApiDocument = (await demo.app.get('/openapi.json')).body;
  exchange = exchangeWith(await demo.app.service.listen());
  for (const mode of ['account', 'live'] as const) {
    lesserKeys.set(String(demo.callers[mode]['id-token']), await issueLesserKeys(mode === 'live' ? 'live' : 'sandbox'));
  }
  traveler = createTraveler(demo, createExampleClient(document, exchangeForAll, exchange));
});
after(() => demo.close());

async function issueLesserKeys(mode: KeyMode): Promise<string[]> {
  const { db } = demo.app.service.deps;
  const issued = LESSER_SCOPES.map((scopes) => issueKey(db, demo.accountId, mode, demo.app.now(), scopes));
  return (await Promise.all(issued)).map(({ key }) => key);
}

/** Sends a request, then again with each key of lesser scopes, and judges the links of every answer. */
async function exchangeForAll(request: WireRequest): Promise<WireAnswer> {
  const answer = await exchange(request);
  await judge(request, readerOf(request), answer);
  for (const key of lesserKeys.get(String(request.headers['id-token'])) ?? []) {
    const same = { ...request, headers: { ...request.headers, 'id-token': key } };
    await judge(same, 'lesser key', await exchange(same));
  }
  return answer;
}

function readerOf({ path, headers, body = '' }: WireRequest): Reader {
  const { account, live, store, console: session, operator } = demo.callers;
  if ([account, live].some((caller) => caller['id-token'] === headers['id-token'])) return 'key with order';
  if (headers['id-token'] === store['id-token'] || headers.cookie === session.cookie) return 'store';
  if (headers.cookie === operator.cookie) return 'operator';
  return /[?&]key=|\/(checkout|driver|console\/order)\/|^\/payment\//.test(`${path}&${body}`)
    ? 'holder of a link'
    : 'nobody';
}

async function judge(request: WireRequest, reader: Reader, { text, headers }: WireAnswer): Promise<void> {
  const operation = `${request.method} ${request.path.replace(/\?.*/, '')}`;
  for (const kind of await linksIn(`${text} ${headers.location ?? ''}`)) {
    seen.add(`${reader}: ${operation}: ${kind}`);
    if (!ALLOWED[reader].includes(kind)) faults.add(`${reader}: ${operation}: ${kind}`);
  }
}

/** The kinds of acting links in an answer, and of keys that stand by themselves. */
async function linksIn(text: string): Promise<Set<LinkKind>> {
  const { db, tokens } = demo.app.service.deps;
  const found = new Set<LinkKind>();
  const keyOf = createTrackingKeys(tokens);
  const orders = await db.selectFrom('orders').select('orderId').execute();
  if (orders.some(({ orderId }) => text.includes(keyOf(orderId)))) found.add('customer');
  const tokensAfter = (folder: string) =>
    [...text.matchAll(new RegExp(`/${folder}/([\\w-]{20,})`, 'g'))].map(([, token = '']) => token);
  if (tokensAfter('checkout').some((token) => openCheckoutToken(tokens, token))) found.add('checkout');
  if (tokensAfter('driver').some((token) => openDriverLink(tokens, token))) found.add('driver');
  if (tokensAfter('console/order').length > 0) found.add('store');
  return found;
}

for (const [title, part] of Object.entries(JOURNEY)) {
  test(`no answer has a link that may do more than its reader: ${title}`, async () => {
    await part(traveler);
    assert.deepEqual([...faults], []);
  });
}

test('no list, event, message or tool has a link that may do more than its key, of placed and of unplaced orders', async () => {
  const headers = demo.callers.account as Record<string, string>;
  const read = (path: string) => exchangeForAll({ method: 'GET', path, headers });
  const { next } = (await read('/account/events')).body as { next: string };
  await traveler.as.account('readInventory', 'createPaymentMethod', 'createOrder');
  await traveler.sendOtherwise('account', 'createOrder', { change: { place_order: false } });
  await dispatchAllEvents(demo.app.service.deps);
  await read(`/account/events?after=${encodeURIComponent(next)}`);
  await read('/account/orders?status=unplaced');
  // The unplaced order is read before a tool places it.
  const tools = ['get_order', ...(await toolNames())];
  const { db } = demo.app.service.deps;
  const orders = await db.selectFrom('orders').select(['orderId', 'status']).orderBy('createdAt', 'desc').execute();
  for (const status of ['unplaced', 'awaiting_confirmation']) {
    const { orderId } = orders.find((order) => order.status === status) ?? assert.fail(`no order is ${status}`);
    await read(`/account/orders?order_id=${orderId}`);
    await read(`/account/orders/${orderId}/events`);
    await read(`/sandbox/messages?order_id=${orderId}`);
    for (const name of tools) {
      const params = { name, arguments: { order_id: orderId } };
      await traveler.sendOtherwise('account', 'exchangeMcpMessage', { change: { method: 'tools/call', params } });
    }
  }
  assert.deepEqual([...faults], []);
});

async function toolNames(): Promise<string[]> {
  const { body } = await traveler.sendOtherwise('account', 'exchangeMcpMessage', {});
  const { result } = body as { result: { tools: { name: string }[] } };
  return result.tools.map(({ name }) => name);
}

test('the links were there to be found: keys with the scope `order` have them, in lists, events, messages and tools', () => {
  const found = [...seen].filter((line) => line.startsWith('key with order'));
  const expected = [
    'GET /account/orders: customer',
    'GET /account/orders: checkout',
    'GET /account/events: customer',
    'GET /sandbox/messages: customer',
    'POST /mcp: customer',
    'POST /mcp: checkout',
  ];
  assert.deepEqual(
    expected.filter((line) => !found.includes(`key with order: ${line}`)),
    [],
  );
});
