import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dispatchAllEvents } from '../../src/ordering/order/dispatch-events.flow.ts';
import kept from '../../src/surfaces/docs/example-answers.json' with { type: 'json' };
import { OPERATOR_OPERATIONS } from '../../src/surfaces/operator/operations.route.ts';
import {
  type ApiDocument,
  assertDescribed,
  assertEventDescribed,
  operationNameOf,
  operationsOf,
} from '../api-document.ts';
import { assertCaching, cachePolicyOf } from '../assert-caching.ts';
import { shownAnswers } from './example-answers.ts';
import { createExampleClient, type ExampleClient, type Exchange, type WireAnswer } from './example-client.ts';
import { createTraveler, JOURNEY, type Traveler, unsentOperations } from './example-journey.ts';
import { type Demo, givenDemo } from './given-demo.ts';
import { validatorOfPages } from './page-faults.ts';
import { proxyOf } from './prism-proxy.ts';
import { exchangeWith } from './send-exchange.ts';
import { type WatchedLinks, watchLinks } from './watch-links.ts';

let demo: Demo;
let document: ApiDocument;
let client: ExampleClient;
let traveler: Traveler;
let exchange: Exchange;
let links: WatchedLinks;
let differences: readonly string[];
/** Every page that was answered, by its request and status. */
const pages = new Map<string, string>();
before(async () => {
  demo = await givenDemo();
  document = (await demo.app.get('/openapi.json')).body;
  const send = exchangeWith(await demo.app.service.listen());
  exchange = async (request) => {
    const answer = await send(request);
    const name = operationNameOf(document, { method: request.method, url: request.path }, answer);
    assertCaching(name ?? `${request.method} ${request.path}`, request.headers, answer);
    await shareWithOthers(send, request, answer);
    const isPage = String(answer.headers['content-type']).startsWith('text/html');
    if (isPage && answer.text !== '') pages.set(`${request.method} ${request.path}: ${answer.status}`, answer.text);
    return answer;
  };
  links = await watchLinks(demo, exchange);
  const proxy = await proxyOf(document, links.exchange);
  differences = proxy.differences;
  client = withHistory(createExampleClient(document, proxy.exchange, exchange));
  traveler = createTraveler(demo, client);
});
after(() => demo.close());

/** Requests whose response a shared cache may store, and the other clients that the service answers differently. */
const sharedAnswers = { requests: new Set<string>(), differences: new Set<string>() };

/** Asks again as each other client for a response that a shared cache may store. */
async function shareWithOthers(send: Exchange, request: Parameters<Exchange>[0], answer: WireAnswer) {
  const { method, path, headers } = request;
  const policy = cachePolicyOf({ operation: method, requestHeaders: headers, ...answer }, true);
  if (method !== 'GET' || answer.status !== 200 || !policy.storable()) return;
  sharedAnswers.requests.add(path);
  for (const [caller, { host: _, ...others }] of Object.entries<Record<string, string>>(demo.callers)) {
    const { status, text } = await send({ ...request, headers: { ...others, ...headers } });
    if (status !== 200 || text !== answer.text) sharedAnswers.differences.add(`${path} to ${caller}`);
  }
}

/** The operators' changes of which an entry in the history was found. */
const recorded = new Set<string>();
const CHANGES: ReadonlySet<string> = new Set(
  OPERATOR_OPERATIONS.filter(({ endpoint }) => endpoint.startsWith('POST ')).map(({ name = '' }) => name),
);

/** Looks for the history of each change that is sent; where the response is a preview, its confirmation makes it. */
function withHistory(sent: ExampleClient): ExampleClient {
  const countHistory = async () => {
    const history = demo.app.service.deps.db.selectFrom('operatorActions');
    const { count } = await history.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
    return count;
  };
  return {
    ...sent,
    async send(id, headers, sending) {
      if (!CHANGES.has(id)) return sent.send(id, headers, sending);
      const before = await countHistory();
      const answer = await sent.send(id, headers, sending);
      const preview = (answer.body as { preview?: { preview_id: string } } | undefined)?.preview;
      if (preview && (id === 'resendAnyOrder' || sending?.change)) {
        const change = { preview: false, preview_id: preview.preview_id, reason: 'Asked on the phone.' };
        await sent.send(id, headers, { change });
      }
      if ((await countHistory()) > before) recorded.add(id);
      return answer;
    },
  };
}

for (const [title, part] of Object.entries(JOURNEY)) {
  test(`examples are answered with a success as they stand: ${title}`, () => part(traveler));
}

test('every operation has a sent example or is signed by an external service', () => {
  assert.deepEqual(unsentOperations(document, client), []);
});

test('Prism, between client and service, finds no difference between the description and the traffic', () => {
  assert.deepEqual(differences, []);
});

test('Prism is at work: a request and an answer that the description forbids are differences', async () => {
  const broken = structuredClone({ ...document, paths: { '/healthz': document.paths['/healthz'] } });
  const get = broken.paths['/healthz']?.get ?? assert.fail('no operation');
  get.parameters = [{ name: 'deep', in: 'query', required: true, schema: { type: 'boolean' } }];
  get.responses = {
    200: { description: 'Ill.', content: { 'application/json': { schema: { required: ['reason'] } } } },
  };
  const proxy = await proxyOf(broken, exchange);
  await proxy.exchange({ method: 'GET', path: '/healthz', headers: {} });
  assert.equal(proxy.differences.length, 2);
  assert.match(proxy.differences.join('\n'), /request query.*deep[\s\S]*answer body.*reason/);
});

test('every example response and webhook in the description matches its schema (written by `npm run example-answers`)', () => {
  assert.deepEqual(Object.keys(kept), Object.keys(shownAnswers(client.answers)));
  const answers = new Map<string, unknown>(Object.entries(kept));
  for (const { name, operation } of operationsOf(document)) {
    const body = answers.get(operation.operationId ?? '');
    const headers = { 'content-type': 'application/json' };
    if (body !== undefined) assertDescribed(document, name, { status: 200, headers, text: '…', body });
  }
  for (const { post } of Object.values(document.webhooks)) {
    assertEventDescribed(document, answers.get(post.operationId ?? '') as { type: string });
  }
});

test('an answer that a shared cache may store is the same for every key, session and visitor', () => {
  assert.ok(sharedAnswers.requests.size > 20, [...sharedAnswers.requests].join(', '));
  assert.deepEqual([...sharedAnswers.differences], []);
});

test('every page is valid HTML', async () => {
  assert.ok(pages.size > 30, `${pages.size} pages`);
  const faultsOf = await validatorOfPages();
  assert.deepEqual(
    [...pages].flatMap(([page, markup]) => faultsOf(markup).map((fault) => `${page}: ${fault}`)),
    [],
  );
});

test('the HTML validator reports each kind of invalid markup', async () => {
  const faultsOf = await validatorOfPages();
  for (const fault of [
    '<form><button>Go</button></form>',
    '<input autocomplete="street-address">',
    '<noscript><main></main></noscript>',
    '<meta http-equiv="refresh" content="0;url=/next">',
    '<p id="a"></p><p id="a"></p>',
  ]) {
    const markup = `<!doctype html><html lang="en"><head><title>T</title></head><body>${fault}</body></html>`;
    assert.notDeepEqual(faultsOf(markup), [], fault);
  }
});

test('no response contains a link with more rights than its reader', () => {
  assert.deepEqual([...links.faults], []);
});

test('no list, event, message or tool has a link with more rights than its key, for placed and unplaced orders', async () => {
  const headers = demo.callers.account as Record<string, string>;
  const read = (path: string) => links.exchange({ method: 'GET', path, headers });
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
  assert.deepEqual([...links.faults], []);
});

async function toolNames(): Promise<string[]> {
  const { body } = await traveler.sendOtherwise('account', 'exchangeMcpMessage', {});
  const { result } = body as { result: { tools: { name: string }[] } };
  return result.tools.map(({ name }) => name);
}

test('keys with the scope `order` read those links in lists, events, messages and tools', () => {
  const found = [...links.seen].filter((line) => line.startsWith('key with order'));
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

test('every operator operation that changes data is recorded in the history', async () => {
  for (const id of ['refundAnyOrder', 'tipAnyOrder', 'adjustAnyOrder', 'cancelAnyOrder']) {
    await traveler.as.account('readInventory', 'createPaymentMethod', 'createOrder');
    if (id !== 'cancelAnyOrder') await traveler.as.operator('advanceAnyOrder');
    await traveler.sendOtherwise('operator', id, { change: { preview: true } });
  }
  assert.deepEqual([...CHANGES.difference(recorded)], []);
});
