import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type App, givenApp } from '../../../test/harness.ts';

const LIMIT = 3;
let app: App;

before(async () => {
  app = await givenApp({ env: { RATE_LIMIT_PER_MINUTE: String(LIMIT) } });
});
after(() => app.close());

test('a key has its requests again a minute after the first of them, and no sooner', async () => {
  const ask = async () => {
    const { status, headers } = await app.get('/search/store/v3', { latitude: 1, longitude: 2 });
    const { 'ratelimit-remaining': remaining, 'ratelimit-reset': reset, 'retry-after': retryAfter } = headers;
    return [status, remaining, reset, retryAfter];
  };
  assert.deepEqual(await ask(), [200, '2', '60', undefined]);
  await app.advance({ seconds: 20 });
  assert.deepEqual(await ask(), [200, '1', '40', undefined]);
  assert.deepEqual(await ask(), [200, '0', '40', undefined]);
  await app.advance({ seconds: 39 });
  assert.deepEqual(await ask(), [429, '0', '1', '1']);
  await app.advance({ seconds: 1 });
  assert.deepEqual(await ask(), [200, '2', '60', undefined]);
});
