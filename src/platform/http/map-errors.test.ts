import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { after, test } from 'node:test';
import Fastify from 'fastify';
import { type Logger, pino } from 'pino';
import { REFUSALS } from '../../app/wiring/refusals.ts';
import { idsOfRequest } from '../../ordering/order/ids-of-request.ts';
import { OutsideError } from '../lib/outside-error.ts';
import type { Http, RefusalPage } from './http.ts';
import { KnownEndpoints } from './known-endpoints.ts';
import { mapErrors } from './map-errors.ts';
import { Refusal } from './refusal.ts';
import type { CountUnavailable } from './unavailable.ts';

let now = Temporal.Instant.from('2026-06-10T17:00:00Z');
const lines: string[] = [];
const log: Logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
const http = Fastify() as unknown as Http;
const causes: string[] = [];
const countUnavailable: CountUnavailable = (cause) => void causes.push(cause);
mapErrors(
  http,
  { log, clock: { now: () => now }, refusals: REFUSALS, idsOf: idsOfRequest, countUnavailable },
  new KnownEndpoints(http),
);
let thrown: Error;
http.get('/fails', async () => {
  throw thrown;
});
http.get('/probe', { config: { uncounted: true } }, async () => {
  throw thrown;
});
const refusalPage: RefusalPage = async ({ url }, _reply, code) => {
  if (url.endsWith('fails')) throw new Error('no page');
  return `<p>${code}</p>`;
};
http.get('/shows', { config: { refusalPage } }, async () => {
  throw new Refusal('rate_limited', 'Wait.', { headers: { 'retry-after': '7' } });
});
after(() => http.close());

const failure = (message: string, code?: string) => Object.assign(new Error(message), code ? { code } : {});
const ask = () => http.inject({ url: '/fails' });

test('an unreachable database returns 503 not_ready with Retry-After from every endpoint, without details', async () => {
  const troubles = [
    failure('password authentication failed for user "doorstep"', '28P01'),
    failure('role "doorstep" is not permitted to log in', '28000'),
    failure('could not extend file "base/1/2": No space left on device', '53100'),
    failure('the database system is in recovery mode', '57P03'),
    failure('terminating connection due to administrator command', '57P01'),
    failure('cannot execute INSERT in a read-only transaction', '25006'),
    failure('connect ECONNREFUSED 10.0.0.7:5432', 'ECONNREFUSED'),
    failure('getaddrinfo EAI_AGAIN db.internal', 'EAI_AGAIN'),
    failure('Connection terminated unexpectedly'),
    failure('timeout exceeded when trying to connect'),
    failure('Query read timeout'),
    failure('Client has encountered a connection error and is not queryable'),
  ];
  for (const trouble of troubles) {
    thrown = trouble;
    const reply = await ask();
    const { code, detail } = reply.json();
    assert.deepEqual([reply.statusCode, code, reply.headers['retry-after']], [503, 'not_ready', '1'], trouble.message);
    assert.equal(detail, 'The database is currently unavailable.');
  }
});

test('requests that fail because something is unavailable are counted by cause, probes are not', async () => {
  causes.length = 0;
  for (const trouble of [
    failure('password authentication failed for user "doorstep"', '28P01'),
    failure('could not extend file', '53100'),
    failure('timeout exceeded when trying to connect'),
    new Refusal('not_ready', 'The search index is loading.'),
    new OutsideError('The payment gateway', 'timeout', { retryable: true }),
    new Refusal('tax_unavailable', 'The taxes of the order cannot be computed at the moment.'),
    new Refusal('rate_limited', 'Wait.'),
    failure('relation "nothing" does not exist', '42P01'),
  ]) {
    thrown = trouble;
    await ask();
  }
  thrown = new Refusal('not_ready', 'This node is stopping.');
  await http.inject({ url: '/probe' });
  assert.deepEqual(causes, ['password', 'disk', 'connections', 'not_ready', 'upstream_unavailable', 'tax_unavailable']);
});

test('an invalid statement is an internal error: 500, and logged', async () => {
  lines.length = 0;
  thrown = failure('relation "nothing" does not exist', '42P01');
  const reply = await ask();
  assert.deepEqual([reply.statusCode, reply.json().code], [500, 'internal_error']);
  assert.equal(lines.length, 1);
});

test('a database that is away for long fills no log: one line a minute of each kind', async () => {
  thrown = failure('could not write to file "pg_wal/xlogtemp.9": No space left on device', '53100');
  now = now.add({ minutes: 5 });
  lines.length = 0;
  for (let request = 0; request < 50; request += 1) await ask();
  assert.equal(lines.length, 1);
  assert.equal(JSON.parse(lines[0] ?? '').reason, thrown.message);
  now = now.add({ minutes: 2 });
  await ask();
  assert.equal(lines.length, 2);
});

test('an endpoint with a page of its refusals sends it to browsers, and the problem to programs or where the page fails', async () => {
  const ask = (query: string, accept: string) => http.inject({ url: `/shows${query}`, headers: { accept } });
  const page = await ask('', 'text/html');
  assert.deepEqual(
    [page.statusCode, page.headers['content-type'], page.headers['retry-after'], page.body],
    [429, 'text/html; charset=utf-8', '7', '<p>rate_limited</p>'],
  );
  const problem = await ask('', 'application/json');
  assert.deepEqual([problem.statusCode, problem.json().code], [429, 'rate_limited']);
  lines.length = 0;
  const without = await ask('?fails', 'text/html');
  assert.deepEqual([without.statusCode, without.json().code, lines.length], [429, 'rate_limited', 1]);
});

test('a client that leaves within its body is no database that is away', async () => {
  const counted = Promise.withResolvers<string>();
  const server = Fastify() as unknown as Http;
  const clock = { now: () => now.add({ hours: 1 }) };
  mapErrors(
    server,
    { log, clock, refusals: REFUSALS, idsOf: idsOfRequest, countProblem: counted.resolve },
    new KnownEndpoints(server),
  );
  server.post('/takes', async () => ({}));
  lines.length = 0;
  await server.listen({ host: '127.0.0.1', port: 0 });
  try {
    const client = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
    const arrived = once(server.server, 'request');
    client.write(
      'POST /takes HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{"code":',
    );
    await arrived;
    client.destroy();
    assert.equal(await counted.promise, 'invalid_request');
    assert.deepEqual(lines, []);
  } finally {
    await server.close();
  }
});
