import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { givenStore } from '../../../test/given/stores.ts';
import { type App, givenOwnApp } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { sendJsonBytes } from './send-bytes.ts';

let app: App;
before(async () => {
  app = await givenOwnApp({ env: { RATE_LIMIT_PER_MINUTE: '1000' } });
  for (let n = 0; n < 3; n += 1) await givenStore(app.service.deps.db, { external_id: `s${n}` });
  await app.catchUp();
});
after(() => app.close());

const URL = '/search/store/v3?latitude=40.7383&longitude=-73.9927';
const ask = (method: 'GET' | 'HEAD', headers: Record<string, string>) =>
  app.service.http.inject({ method, url: URL, headers: { 'id-token': app.key, ...headers } });

/** Headers that differ between any two answers. */
const OWN = ['x-request-id', 'ratelimit-remaining', 'ratelimit-reset', 'date'];
const lasting = (headers: object) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.includes(name)));

test('a raw response has the same status, headers and bytes as one that passes the hooks', async () => {
  const asIs = await ask('GET', {});
  const hooked = await ask('GET', { 'accept-encoding': 'identity' });
  assert.deepEqual([asIs.statusCode, lasting(asIs.headers)], [200, lasting(hooked.headers)]);
  assert.ok(asIs.rawPayload.equals(hooked.rawPayload));
  for (const name of ['x-request-id', 'ratelimit-limit', 'ratelimit-remaining', 'content-length']) {
    assert.ok(asIs.headers[name] !== undefined, name);
  }
});

test('HEAD tells the same without the bytes, and compression is there for who asks', async () => {
  const [whole, head, zipped] = [
    await ask('GET', {}),
    await ask('HEAD', {}),
    await ask('GET', { 'accept-encoding': 'gzip' }),
  ];
  assert.deepEqual([head.headers['content-length'], head.rawPayload.length], [whole.headers['content-length'], 0]);
  assert.equal(zipped.headers['content-encoding'], 'gzip');
  assert.ok(gunzipSync(zipped.rawPayload).equals(whole.rawPayload));
});

test('it is counted like any other answer', async () => {
  const count = async () => {
    const { payload } = await app.service.http.inject({ url: '/metrics' });
    const line = /duration_seconds_count\{route="\/search\/store\/v3",method="GET",status="200"\} (\d+)/.exec(payload);
    return Number(line?.[1] ?? 0);
  };
  const before = await count();
  await ask('GET', {});
  // A scrape may return slightly older metrics.
  await until('the answer is counted', async () => (await count()) > before);
  assert.equal(await count(), before + 1);
});

test('chunks of any number and length arrive whole and in order', async () => {
  const http = Fastify();
  http.decorate('unreadAnswers', { refusalOf: () => undefined, hold: () => {} } as never);
  http.decorate('countAnswer', () => {});
  http.decorateRequest('holder', 'test');
  const letters = (bytes: number, nth: number) => Buffer.alloc(bytes, 97 + nth);
  http.get<{ Querystring: { sizes: string } }>('/', (request, reply) => {
    const sizes = request.query.sizes === '' ? [] : request.query.sizes.split(',').map(Number);
    sendJsonBytes(request as never, reply, sizes.map(letters));
  });
  for (const sizes of [[], [0], [1], [65_536], [65_537], [10, 200_000, 0, 3], [70_000, 70_000]]) {
    const { rawPayload, headers } = await http.inject({ url: `/?sizes=${sizes.join(',')}` });
    const expected = Buffer.concat(sizes.map(letters));
    assert.ok(rawPayload.equals(expected), sizes.join());
    assert.equal(headers['content-length'], String(expected.length));
  }
  await http.close();
});
