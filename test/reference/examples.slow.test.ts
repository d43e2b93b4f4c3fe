import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { KeyScope } from '../../src/access/accounts/account.ts';
import { issueKey } from '../../src/access/accounts/issue-key.flow.ts';
import { createTrackingKeys } from '../../src/access/accounts/tracking-site.ts';
import { openDriverLink } from '../../src/fulfillment/deliveries/driver-link.ts';
import { openShortLink } from '../../src/notify/messages/shorten-links.flow.ts';
import { openCheckoutToken } from '../../src/ordering/order/checkout-link.ts';
import { dispatchAllEvents } from '../../src/ordering/order/dispatch-events.flow.ts';
import kept from '../../src/surfaces/docs/example-answers.json' with { type: 'json' };
import { OPERATOR_OPERATIONS } from '../../src/surfaces/operator/operations.route.ts';
import { loadApart } from '../apart-packages.ts';
import {
  type ApiDocument,
  assertDescribed,
  assertEventDescribed,
  operationNameOf,
  operationsOf,
} from '../api-document.ts';
import { assertCaching, cachePolicyOf } from '../assert-caching.ts';
import { loadApiChecks, type PrismRequest } from './api-checks.ts';
import { shownAnswers } from './example-answers.ts';
import {
  createExampleClient,
  type ExampleClient,
  type Exchange,
  type WireAnswer,
  type WireRequest,
} from './example-client.ts';
import { createTraveler, JOURNEY, type Traveler, unsentOperations } from './example-journey.ts';
import { type Demo, givenDemo } from './given-demo.ts';
import { exchangeWith } from './send-exchange.ts';

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

type Report = { results: { messages: { ruleId: string; message: string; selector: string | null }[] }[] };
type Package = {
  HtmlValidate: new (loader: unknown) => { validateStringSync(markup: string): Report };
  StaticConfigLoader: new (config: object) => unknown;
};

/** Rules of taste, which break no page. */
const TASTE = {
  ...{ 'attribute-boolean-style': 'off', 'attribute-empty-style': 'off', 'doctype-style': 'off', 'void-style': 'off' },
  ...{ 'long-title': 'off', 'no-trailing-whitespace': 'off', 'no-implicit-input-type': 'off', 'require-sri': 'off' },
  // An id may begin with a digit, and a heading of a document does.
  'valid-id': ['error', { relaxed: true }],
  // Chips of a filter are checkboxes with one name.
  'form-dup-name': 'off',
  // Pages without scripts reload; `0` would loop.
  'meta-refresh': 'off',
  // The anchor of a table with a scroll bar.
  'prefer-native-element': 'off',
};

/** Two rules of the Nu validator that html-validate lacks. */
const MORE_FAULTS = [
  { pattern: /<noscript>\s*<main\b/, fault: 'main in noscript' },
  { pattern: /http-equiv="refresh" content="\d+;\S/, fault: 'no space before url' },
];

/** Returns a function that names what is wrong with a page's HTML. */
async function validatorOfPages(): Promise<(markup: string) => string[]> {
  const { HtmlValidate, StaticConfigLoader } = await loadApart<Package>(join(import.meta.dirname, './package'));
  const loader = new StaticConfigLoader({ extends: ['html-validate:recommended'], rules: TASTE });
  const validator = new HtmlValidate(loader);
  return (markup) => [
    ...MORE_FAULTS.filter(({ pattern }) => pattern.test(markup)).map(({ fault }) => fault),
    ...validator
      .validateStringSync(markup)
      .results.flatMap(({ messages }) => messages)
      .map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
  ];
}

/** A mismatch between description and traffic, as Prism words it. */
type Difference = string;

/** Silences Prism's own log, which no test reads. */
const SILENT = Object.assign(
  Object.fromEntries(['info', 'debug', 'trace', 'warn', 'error', 'fatal', 'success'].map((level) => [level, () => {}])),
  { child: (): unknown => SILENT },
);

/**
 * Prism validates each request and answer against the description. `exchange` sends the requests, because Prism's own
 * sender follows redirects and waits for streams to end.
 */
async function proxyOf(
  description: object,
  exchange: Exchange,
): Promise<{ exchange: Exchange; differences: readonly Difference[] }> {
  const { createInstance, getHttpOperationsFromSpec } = await loadApiChecks();
  const operations = await getHttpOperationsFromSpec(structuredClone(description));
  const differences: Difference[] = [];
  return {
    differences,
    async exchange(request) {
      let answer: WireAnswer | undefined;
      const forward = () => () => async () => {
        answer = await exchange(request);
        const { status, headers, text, body } = answer;
        return { _tag: 'Right', right: { statusCode: status, headers, body: body ?? text } };
      };
      const config = {
        ...{
          isProxy: true,
          upstream: new URL('http://127.0.0.1/'),
          upstreamProxy: undefined,
          mock: { dynamic: false },
        },
        checkSecurity: true,
        validateRequest: true,
        validateResponse: true,
        errors: false,
      };
      const prism = createInstance(config, { logger: SILENT, forward });
      const outcome = await prism.request(seenByPrism(request), operations)();
      const name = `${request.method} ${request.path}`;
      if (outcome._tag === 'Left') throw new Error(`${name}: ${outcome.left.message}`);
      const { input, output } = outcome.right.validations;
      for (const [part, found] of [
        ['request', input],
        ['answer', output],
      ] as const) {
        for (const { message, path = [] } of found) differences.push(`${name} ${part} ${path.join('.')}: ${message}`);
      }
      if (!answer) throw new Error(`${name} was not sent`);
      return answer;
    },
  };
}

function seenByPrism({ method, path, headers, body }: WireRequest): PrismRequest {
  const { pathname, searchParams } = new URL(path, 'http://host');
  const isJson = headers['content-type'] === 'application/json';
  return {
    method: method.toLowerCase(),
    url: { path: pathname, query: Object.fromEntries(searchParams) },
    headers,
    ...(body === undefined ? {} : { body: isJson ? JSON.parse(String(body)) : String(body) }),
  };
}

/** All scopes but that to do what a customer does: keys with fewer of them read less. */
const LESSER_SCOPES: readonly KeyScope[] = ['read', 'webhooks'];

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

/** Views as `reader: operation: kind`, and those that may do more than their reader. */
type WatchedLinks = { exchange: Exchange; seen: ReadonlySet<string>; faults: ReadonlySet<string> };

/** Sends each request, then again with a key of lesser scopes, and judges the links of every response. */
async function watchLinks(demo: Demo, exchange: Exchange): Promise<WatchedLinks> {
  const [seen, faults] = [new Set<string>(), new Set<string>()];
  const lesserKeys = new Map<unknown, string>();
  for (const caller of ['account', 'live'] as const) {
    const mode = caller === 'live' ? 'live' : 'sandbox';
    const { key } = await issueKey(demo.app.service.deps.db, demo.accountId, mode, demo.app.now(), LESSER_SCOPES);
    lesserKeys.set(demo.callers[caller]['id-token'], key);
  }
  const judge = async (request: WireRequest, reader: Reader, { text, headers }: WireAnswer) => {
    const operation = `${request.method} ${request.path.replace(/\?.*/, '')}`;
    for (const kind of await linksIn(demo, `${text} ${headers.location ?? ''}`)) {
      seen.add(`${reader}: ${operation}: ${kind}`);
      if (!ALLOWED[reader].includes(kind)) faults.add(`${reader}: ${operation}: ${kind}`);
    }
  };
  return {
    seen,
    faults,
    async exchange(request) {
      const answer = await exchange(request);
      await judge(request, readerOf(demo, request), answer);
      const key = lesserKeys.get(request.headers['id-token']);
      if (key !== undefined) {
        const same = { ...request, headers: { ...request.headers, 'id-token': key } };
        await judge(same, 'lesser key', await exchange(same));
      }
      return answer;
    },
  };
}

function readerOf(demo: Demo, { path, headers, body = '' }: WireRequest): Reader {
  const { account, live, store, console: session, operator } = demo.callers;
  if ([account, live].some((caller) => caller['id-token'] === headers['id-token'])) return 'key with order';
  if (headers['id-token'] === store['id-token'] || headers.cookie === session.cookie) return 'store';
  if (headers.cookie === operator.cookie) return 'operator';
  return /[?&]key=|\/(checkout|driver|console\/order|t)\/|^\/payment\//.test(`${path}&${body}`)
    ? 'holder of a link'
    : 'nobody';
}

/** The kinds of acting links in a response, and of keys that stand by themselves. */
async function linksIn(demo: Demo, answer: string): Promise<Set<LinkKind>> {
  const { db, tokens } = demo.app.service.deps;
  const codes = [...answer.matchAll(/\/t\/([\w-]{11,16})/g)].map(([, code = '']) => code);
  const targets = await Promise.all(codes.map((code) => openShortLink({ db, tokens }, code)));
  const text = `${answer} ${targets.map((path) => `/${path}`).join(' ')}`;
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
