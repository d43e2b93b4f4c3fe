import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import Fastify, { type FastifyRequest } from 'fastify';
import { until } from '../../../test/until.ts';
import { withForms } from '../http/form-body.ts';
import type { Http } from '../http/http.ts';
import { acceptJson } from '../http/json-body.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { EventLoopScheduler } from './event-loop-scheduler.ts';
import { shareEventLoop, UNAUTHENTICATED, UNAUTHENTICATED_LIMITS } from './share-event-loop.hook.ts';

test('a request throttles heavier accounts until it is answered or its client has gone', async (t) => {
  const scheduler = new EventLoopScheduler();
  const entered: string[] = [];
  let left = 0;
  const http = Fastify() as unknown as Http;
  t.after(() => http.close());
  http.decorateRequest('owner', {
    getter() {
      return (this as unknown as FastifyRequest).url === '/public' ? undefined : 'acct_1 live';
    },
  });
  const started = scheduler.requestStarted.bind(scheduler);
  t.mock.method(scheduler, 'requestStarted', (owner: string) => {
    entered.push(owner);
    const leave = started(owner);
    return () => {
      left += 1;
      leave();
    };
  });
  shareEventLoop(http, scheduler);
  let leftBefore: number | undefined;
  http.get('/answered', async () => {
    leftBefore = left;
    return 'done';
  });
  http.get('/public', async () => 'done');
  http.get('/never', () => new Promise(() => {}));
  await http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.server.address() as { port: number };

  await (await fetch(`http://127.0.0.1:${port}/answered`)).text();
  await until('the answered request has left', () => left === 1);
  assert.equal(leftBefore, 0);
  await (await fetch(`http://127.0.0.1:${port}/public`)).text();
  assert.equal(entered.length, 1, 'a request without a caller has no account');

  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write('GET /never HTTP/1.1\r\nhost: a\r\n\r\n');
  await until('the second request has entered', () => entered.length === 2);
  assert.equal(left, 1);
  socket.destroy();
  await until('the abandoned request has left', () => left === 2);
});

/** A service whose requests are all unauthenticated and from one address. */
function givenStrangers(t: TestContext): Http {
  const http = Fastify({ forceCloseConnections: true }) as unknown as Http;
  t.after(() => http.close());
  http.decorateRequest('owner', undefined);
  http.decorateRequest('client', { getter: () => ({ name: 'one address', kind: 'single' as const }) });
  shareEventLoop(http, new EventLoopScheduler());
  return http;
}

test('an unread answer does not delay other unauthenticated requests', { timeout: 120_000 }, async (t) => {
  const http = givenStrangers(t);
  let sent = 0;
  http.get('/endless', { config: { public: true } }, async (_request, reply) => {
    sent += 1;
    return reply.send(new Readable({ read() {} })) as never;
  });
  http.get('/public', { config: { public: true } }, async () => 'done');
  await http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.server.address() as { port: number };

  const sockets = Array.from({ length: UNAUTHENTICATED_LIMITS.maxRunningOfOwner }, () => connect(port, '127.0.0.1'));
  t.after(() => sockets.forEach((socket) => void socket.destroy()));
  for (const socket of sockets) socket.write('GET /endless HTTP/1.1\r\nhost: a\r\n\r\n');
  await until('all answers are on their way', () => sent === sockets.length);
  const { status } = await fetch(`http://127.0.0.1:${port}/public`);
  assert.equal(status, 200);
});

test('an answer delayed by a hook does not delay other unauthenticated requests', async (t) => {
  const http = givenStrangers(t);
  let held = 0;
  http.addHook('onSend', (request, _reply, payload, done) => {
    if (request.url === '/held') held += 1;
    else done(null, payload);
  });
  http.get('/held', { config: { public: true } }, async (_request, reply) => reply.send('held') as never);
  http.get('/public', { config: { public: true } }, async () => 'done');
  for (let nth = 0; nth < UNAUTHENTICATED_LIMITS.maxRunningOfOwner; nth += 1) void http.inject('/held').catch(() => {});
  await until('all answers are held back', () => held === UNAUTHENTICATED_LIMITS.maxRunningOfOwner);
  assert.equal((await http.inject('/public')).statusCode, 200);
});

test('a HEAD request takes one of the unauthenticated slots', async (t) => {
  const http = givenStrangers(t);
  http.get('/public', { config: { public: true } }, async () => 'done');
  const run = t.mock.method(ConcurrencyLimiter.prototype, 'run');
  assert.equal((await http.inject({ method: 'HEAD', url: '/public' })).statusCode, 200);
  assert.equal(run.mock.callCount(), 1);
});

test('bodies and queries are parsed in a turn of their owner; probes take no turn and have no query', async (t) => {
  const scheduler = new EventLoopScheduler();
  const turns: { owner: string; begin: () => void }[] = [];
  t.mock.method(scheduler, 'run', (owner: string, begin: () => void) => void turns.push({ owner, begin }));
  const http = Fastify({ routerOptions: { querystringParser: () => ({}) } }) as unknown as Http;
  t.after(() => http.close());
  http.decorateRequest('owner', {
    getter() {
      return (this as unknown as FastifyRequest).headers['id-token'] as string | undefined;
    },
  });
  http.decorateRequest('client', { getter: () => ({ name: 'one address', kind: 'single' as const }) });
  acceptJson(http);
  shareEventLoop(http, scheduler);
  const echo = async ({ query, body }: FastifyRequest) => ({ query, body: Buffer.isBuffer(body) ? 'bytes' : body });
  http.post('/json', { config: { public: true } }, echo);
  http.post('/signed', { config: { public: true, uncounted: true, rawBody: true } }, echo);
  http.get('/probe', { config: { public: true, uncounted: true } }, echo);
  withForms(http, (scope) => void scope.post('/form', { config: { public: true } }, echo));

  const JSON_TYPE = { 'content-type': 'application/json' };
  const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
  const cases: [string, string, Record<string, string>, string, object][] = [
    ['/json?a=1', '{"b":2}', JSON_TYPE, UNAUTHENTICATED, { query: { a: '1' }, body: { b: 2 } }],
    ['/json', '{"b":2}', { ...JSON_TYPE, 'id-token': 'acct_1 live' }, 'acct_1 live', { query: {}, body: { b: 2 } }],
    ['/form', 'b=2', FORM_TYPE, UNAUTHENTICATED, { query: {}, body: { b: '2' } }],
    ['/signed?a=1', '{"b":2}', JSON_TYPE, 'signed calls', { query: {}, body: 'bytes' }],
  ];
  for (const [url, payload, headers, owner, expected] of cases) {
    const parsed = t.mock.method(JSON, 'parse');
    const fields = t.mock.method(Object, 'fromEntries');
    const answer = http.inject({ method: 'POST', url, payload, headers }).then(({ body }) => body);
    await until('the body has arrived', () => turns.length === 1);
    assert.equal(parsed.mock.callCount() + fields.mock.callCount(), 0, url);
    parsed.mock.restore();
    fields.mock.restore();
    const [turn] = turns.splice(0);
    assert.equal(turn?.owner, owner, url);
    turn?.begin();
    assert.deepEqual(JSON.parse(await answer), expected, url);
  }
  assert.deepEqual((await http.inject('/probe?a=1&%ff')).json(), { query: {} });
  assert.equal(turns.length, 0);
});
