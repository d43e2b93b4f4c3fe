import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenApp } from '../../../test/harness.ts';

const LIMIT = 3;

// Jobs of each minute run in the first step of the test, which may take a second more by its clock.
const app = await givenApp({ start: '2026-06-10T17:00:45Z', env: { RATE_LIMIT_PER_MINUTE: String(LIMIT) } });
await app.advance({ seconds: 0 });
after(() => app.close());

test('a key has its requests again a minute after the first of them, and no sooner', async () => {
  const ask = async () => {
    const { status, headers } = await app.get('/search/store/v3', { latitude: 1, longitude: 2 });
    const { 'ratelimit-remaining': remaining, 'ratelimit-reset': reset, 'retry-after': retryAfter } = headers;
    return [status, remaining, reset, retryAfter];
  };
  const first = app.now();
  const leftS = () => 60 - app.now().since(first).total('seconds');
  assert.deepEqual(await ask(), [200, '2', '60', undefined]);
  await app.advance({ seconds: 20 });
  assert.deepEqual(await ask(), [200, '1', String(leftS()), undefined]);
  assert.deepEqual(await ask(), [200, '0', String(leftS()), undefined]);
  await app.advance({ seconds: leftS() - 1 });
  assert.deepEqual(await ask(), [429, '0', '1', '1']);
  await app.advance({ seconds: 1 });
  assert.deepEqual(await ask(), [200, '2', '60', undefined]);
});

test('a request beyond it leaves nothing behind, and other keys and public endpoints go on', async () => {
  const [spent, other] = [await app.givenClient(), await app.givenClient()];
  const finalize = () => spent.post('/order/finalize', { order_id: 'none' }, { 'idempotency-key': 'limited' });
  for (let n = 0; n < LIMIT; n += 1) assert.equal((await spent.get('/account/orders')).status, 200);
  const refused = await finalize();
  assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
  for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json', '/reference/', '/docs/'])
    assert.equal((await spent.get(path)).status, 200, path);
  assert.equal((await other.get('/account/orders')).status, 200);
  await app.advance({ minutes: 1 });
  assert.equal((await finalize()).body.code, 'order_not_found', 'the key is good for the outcome');
});
