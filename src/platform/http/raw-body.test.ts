import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import Fastify from 'fastify';
import { REFUSALS } from '../../app/wiring/refusals.ts';
import { idsOfRequest } from '../../ordering/order/ids-of-request.ts';
import { createLog } from '../lib/log.ts';
import { boundBodies } from '../load/request-bodies.hook.ts';
import type { Http } from './http.ts';
import { acceptJson, refusalOfEncoding } from './json-body.ts';
import { KnownEndpoints } from './known-endpoints.ts';
import { mapErrors } from './map-errors.ts';
import { parseRequest } from './parse-request.ts';
import { rawBodyOf } from './raw-body.ts';

const NOW = Temporal.Instant.from('2026-06-10T17:00:00Z');
const http = Fastify({ bodyLimit: 64 }) as unknown as Http;
acceptJson(http);
http.addHook('preValidation', (request, _reply, done) => done(parseRequest(request)));
mapErrors(
  http,
  { log: createLog('silent'), clock: { now: () => NOW }, refusals: REFUSALS, idsOf: idsOfRequest },
  new KnownEndpoints(http),
);
boundBodies(http);
http.post('/raw', { config: { rawBody: true } }, async (request) => ({ hex: rawBodyOf(request).toString('hex') }));
http.post('/parsed', async ({ body }) => ({ body }));
after(() => http.close());

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const post = async (url: string, payload: Buffer | undefined, headers: Record<string, string> = JSON_TYPE) => {
  const reply = await http.inject({ method: 'POST', url, headers, ...(payload ? { payload } : {}) });
  return { status: reply.statusCode, body: reply.json() };
};

test('a route with rawBody gets every byte as it was sent, whether or not the bytes are JSON', async () => {
  for (const bytes of ['{"a" : 1,\n "b":null }', '\uFEFF{}', '{"a":', ' ', '\u0000']) {
    const sent = Buffer.from(bytes);
    assert.deepEqual(await post('/raw', sent), { status: 200, body: { hex: sent.toString('hex') } });
  }
  const noText = Buffer.from([0xff, 0xfe, 0x7b]);
  assert.deepEqual((await post('/raw', noText)).body, { hex: 'fffe7b' });
});

test('a route with rawBody gets no bytes where there is no body', async () => {
  assert.deepEqual(await post('/raw', undefined, {}), { status: 200, body: { hex: '' } });
});

test('a body that is too large, compressed or of another type is refused before a route with rawBody', async () => {
  assert.equal((await post('/raw', Buffer.alloc(65, '1'))).status, 413);
  assert.equal((await post('/raw', Buffer.from('{}'), { ...JSON_TYPE, 'content-encoding': 'gzip' })).status, 415);
  assert.equal((await post('/raw', Buffer.from('{}'), { 'content-type': 'text/plain' })).status, 415);
});

test('every other route gets parsed JSON as before', async () => {
  assert.deepEqual(await post('/parsed', Buffer.from('\uFEFF{"a":[1]}')), { status: 200, body: { body: { a: [1] } } });
  assert.deepEqual((await post('/parsed', Buffer.from('{"a":'))).status, 400);
});

test('a body in another encoding than UTF-8 is refused, in any case and quotes', () => {
  const isRefused = (type: string, coding = 'identity') =>
    refusalOfEncoding({ 'content-type': type, 'content-encoding': coding }) !== undefined;
  for (const name of ['utf-16', '"latin1"', 'UTF-7']) assert.ok(isRefused(`application/json; charset=${name}`), name);
  for (const name of ['utf-8', '"UTF-8"', 'us-ascii']) assert.ok(!isRefused(`application/json;Charset=${name}`), name);
  assert.deepEqual([isRefused('application/json'), isRefused('application/json', 'gzip')], [false, true]);
});
