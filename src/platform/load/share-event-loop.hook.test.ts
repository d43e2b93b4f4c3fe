import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import Fastify, { type FastifyRequest } from 'fastify';
import { until } from '../../../test/until.ts';
import type { Http } from '../http/http.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { EventLoopScheduler } from './event-loop-scheduler.ts';
import { shareEventLoop, UNAUTHENTICATED_LIMITS } from './share-event-loop.hook.ts';

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

test('an unread answer does not delay other unauthenticated requests', async (t) => {
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
  const { status } = await fetch(`http://127.0.0.1:${port}/public`, { signal: AbortSignal.timeout(5000) });
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
