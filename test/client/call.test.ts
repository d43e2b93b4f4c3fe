import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  type ClientOptions,
  createClient,
  DoorstepConnectionError,
  DoorstepError,
} from '../../clients/typescript/src/main.ts';
import { nextTurn } from '../until.ts';

type Answer = Response | Error | 'none' | 'endless body';

const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json(
    { type: `urn:doorstep:error:${code}`, title: code, status, detail: 'No.', code, error: 'No.', request_id: 'r1' },
    { status, headers: { 'content-type': 'application/problem+json', ...headers } },
  );
const found = () => Response.json({ orders: [] });
const { random } = Math;

const JSON_TYPE = { 'content-type': 'application/json' };

/** A body that never arrives and is aborted by the signal, as in `fetch`. */
function endlessBody(signal: AbortSignal | null | undefined): ReadableStream {
  return new ReadableStream({ start: (body) => signal?.addEventListener('abort', () => body.error(signal.reason)) });
}

/** A client whose requests are answered from a list; `none` never answers. The test advances time. */
function givenClient(t: TestContext, answers: readonly Answer[], options: Partial<ClientOptions> = {}) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  // Two mocks of a method are not undone together.
  if (Math.random === random) t.mock.method(Math, 'random', () => 0);
  const requests: { url: string; init: RequestInit }[] = [];
  const answer: typeof fetch = async (url, init = {}) => {
    requests.push({ url: String(url), init });
    const next = answers[requests.length - 1] ?? 'none';
    if (next instanceof Error) throw next;
    if (next === 'endless body') return new Response(endlessBody(init.signal), { headers: JSON_TYPE });
    if (next !== 'none') return next;
    return new Promise((_resolve, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
  };
  const client = createClient({ baseUrl: 'http://api.test/food/', key: 'ds_test_x', fetch: answer, ...options });
  return { client, requests };
}

/** Advances time until the work ends; returns the elapsed milliseconds. */
async function timeOf(t: TestContext, work: Promise<unknown>, stepMs = 250): Promise<{ ms: number; error?: unknown }> {
  let ended: { error?: unknown } | undefined;
  work.then(
    () => (ended = {}),
    (error: unknown) => (ended = { error }),
  );
  for (let ms = 0; ; ms += stepMs) {
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    if (ended) return { ms, ...ended };
    assert.ok(ms < 3_600_000, 'it never ends');
    t.mock.timers.tick(stepMs);
  }
}

test('a busy or silent service is retried with backoff, up to three times', async (t) => {
  const { client, requests } = givenClient(t, [
    new TypeError('fetch failed'),
    problem(503, 'not_ready'),
    problem(429, 'rate_limited'),
    problem(500, 'internal_error'),
  ]);
  const { ms, error } = await timeOf(t, client.orders.list().first());
  assert.ok(error instanceof DoorstepError);
  assert.deepEqual([error.code, requests.length, ms], ['internal_error', 4, 500 + 1000 + 2000]);
});

test('`Retry-After` is waited for, and a wait of more than a minute is left to the caller', async (t) => {
  const { client, requests } = givenClient(t, [problem(429, 'rate_limited', { 'retry-after': '17' }), found()]);
  assert.deepEqual(await timeOf(t, client.orders.list().first()), { ms: 17_000 });
  assert.equal(requests.length, 2);
  t.mock.timers.reset();
  const tomorrow = givenClient(t, [problem(429, 'rate_limited', { 'retry-after': '61' })]);
  const { ms, error } = await timeOf(t, tomorrow.client.orders.list().first());
  assert.ok(error instanceof DoorstepError);
  assert.deepEqual([ms, error.retryAfterMs], [0, 61_000]);
});

test('a permanent refusal is reported at once', async (t) => {
  const refusals = [
    [400, 'invalid_request'],
    [402, 'payment_declined'],
    [409, 'quote_changed'],
    [429, 'too_many_declines'],
    [503, 'payment_gateway_not_configured'],
  ] as const;
  for (const [status, code] of refusals) {
    const { client, requests } = givenClient(t, [problem(status, code)]);
    const { ms, error } = await timeOf(t, client.orders.finalize('o1'));
    assert.ok(error instanceof DoorstepError);
    assert.deepEqual([error.code, requests.length, ms], [code, 1, 0]);
    t.mock.timers.reset();
  }
});

test('an attempt ends at its time-out, its body included, and the last one tells so with the key of the request', async (t) => {
  const { client, requests } = givenClient(t, ['none', 'none'], { timeoutMs: 1000, retries: 1 });
  const { ms, error } = await timeOf(t, client.orders.finalize('o1'));
  assert.ok(error instanceof DoorstepConnectionError);
  assert.deepEqual([error.reason, ms], ['timeout', 1000 + 500 + 1000]);
  const keys = requests.map(({ init }) => new Headers(init.headers).get('idempotency-key'));
  assert.deepEqual(keys, [error.idempotencyKey, error.idempotencyKey]);
  t.mock.timers.reset();
  const body = givenClient(t, ['endless body'], { timeoutMs: 1000, retries: 0 });
  const ended = await timeOf(t, body.client.orders.list().first());
  assert.ok(ended.error instanceof DoorstepConnectionError);
  assert.deepEqual([ended.error.reason, ended.ms], ['timeout', 1000]);
});

test('a caller who gives up ends the request and the wait for the next one, with the reason of the signal', async (t) => {
  const reason = new Error('The page was closed.');
  for (const answers of [['none'], [problem(503, 'not_ready')]] as const) {
    const { client, requests } = givenClient(t, answers);
    const controller = new AbortController();
    const listing = client.orders.list({}, { signal: controller.signal }).first();
    const ended = listing.then(
      () => undefined,
      (error: unknown) => error,
    );
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    controller.abort(reason);
    assert.equal(await ended, reason);
    assert.equal(requests.length, 1);
    await assert.rejects(client.orders.list({}, { signal: controller.signal }).first(), reason);
    assert.equal(requests.length, 1, 'nothing is sent after that');
    t.mock.timers.reset();
  }
});

test("a proxy's answer is distinguished from the service's", async (t) => {
  const html = (status: number) => new Response('<h1>Hello</h1>', { status, headers: { 'content-type': 'text/html' } });
  const redirect = new Response(null, { status: 302, headers: { location: 'http://other.test/' } });
  const cases = [
    [html(200), 200],
    [html(404), 404],
    [redirect, 302],
    [problem(422, 'newer_than_this_client'), 422],
    [new Response('{"cut', { headers: { 'content-type': 'application/json' } }), 200],
    [Response.json({ message: 'no problem document' }, { status: 403 }), 403],
  ] as const;
  for (const [answer, status] of cases) {
    const { client, requests } = givenClient(t, [answer]);
    const { error } = await timeOf(t, client.orders.list().first());
    assert.ok(error instanceof DoorstepError);
    assert.deepEqual([error.code, error.status], ['unknown_problem', status]);
    assert.equal(requests[0]?.init.redirect, 'manual', 'the key goes nowhere else');
    t.mock.timers.reset();
  }
});

test('requests are under the path of the base address, with the key, and with the parameters that have a value', async (t) => {
  const { client, requests } = givenClient(t, [Response.json({ stores: [], next_page: 1 }), found()]);
  await client.stores.search({ latitude: 1.5, longitude: -2, query: 'Møller & co', open: true }).first();
  await client.orders.list().first();
  const [search, list] = requests;
  assert.equal(
    search?.url,
    'http://api.test/food/search/store/v3?latitude=1.5&longitude=-2&query=M%C3%B8ller+%26+co&open=true',
  );
  assert.equal(new Headers(search?.init.headers).get('id-token'), 'ds_test_x');
  assert.equal(list?.url, 'http://api.test/food/account/orders');
  assert.equal(new Headers(list?.init.headers).get('idempotency-key'), null, 'a GET needs no key');
});

test('a list is read page by page from the requested one, and only as far as the caller reads', async (t) => {
  const page = (ids: number[], more: object) =>
    Response.json({ orders: ids.map((n) => ({ order_id: `o${n}` })), ...more });
  const pages = () => [page([1, 2], { next_page: 7 }), page([], { next_page: 9 }), page([3], {})];
  const { client, requests } = givenClient(t, pages());
  const ids: string[] = [];
  for await (const { order_id } of client.orders.list({ page: 4, user_id: 'u1' })) ids.push(order_id);
  assert.deepEqual(ids, ['o1', 'o2', 'o3']);
  assert.deepEqual(
    requests.map(({ url }) => new URL(url).searchParams.get('page')),
    ['4', '7', '9'],
  );
  t.mock.timers.reset();
  const partly = givenClient(t, pages());
  for await (const _order of partly.client.orders.list()) break;
  assert.equal(partly.requests.length, 1);
  t.mock.timers.reset();
  const whole = givenClient(t, pages());
  const sizes: number[] = [];
  for await (const { orders } of whole.client.orders.list().pages()) sizes.push(orders.length);
  assert.deepEqual(sizes, [2, 0, 1]);
});

test('bytes are answered as bytes, at a path that an id cannot leave', async (t) => {
  const photo = new Response(new Uint8Array([255, 216]), { headers: { 'content-type': 'image/jpeg' } });
  const { client, requests } = givenClient(t, [photo]);
  assert.deepEqual([...(await client.orders.proofPhoto('../../x?y'))], [255, 216]);
  assert.equal(requests[0]?.url, 'http://api.test/food/account/orders/..%2F..%2Fx%3Fy/proof/photo');
  for (const id of ['', '.', '..']) await assert.rejects(client.orders.proof(id), TypeError);
  assert.equal(requests.length, 1);
});

test('a client needs an address and a key', () => {
  assert.throws(() => createClient({ baseUrl: 'api.test', key: 'k' }), TypeError);
  assert.throws(() => createClient({ baseUrl: 'http://api.test', key: '' }), TypeError);
  assert.throws(() => createClient({ baseUrl: 'http://api.test', key: 'ds_test_…' }), TypeError);
});
