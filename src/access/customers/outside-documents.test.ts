import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutsideDocuments } from './outside-documents.cache.ts';

const URL_OF = 'https://app.example/client.json';

/** Documents from an outside that a test rules, on a clock that it advances. */
function givenDocuments() {
  let ms = 0;
  const calls: { url: string; maxBytes: number | undefined; withinMs: number | undefined }[] = [];
  const outside = { page: { status: 200, text: 'first' } as object };
  const publicHttp = {
    get: async (url: string, _headers: object, maxBytes?: number, withinMs?: number) => {
      calls.push({ url, maxBytes, withinMs });
      return outside.page as never;
    },
  };
  const pass = (seconds: number) => {
    ms += 1000 * seconds;
  };
  const clock = { now: () => Temporal.Instant.fromEpochMilliseconds(ms) };
  const documents = new OutsideDocuments({ publicHttp, clock });
  const read = (use: 'fresh' | 'stale' | 'again' = 'fresh', url = URL_OF, accountId = 'acc_1') =>
    documents.of(url, { accountId, maxBytes: 16_384, use });
  return { calls, outside, read, pass };
}

test('a document is read once an hour, up to 16 KiB within 5 seconds; another account reads nothing again', async () => {
  const { calls, read, pass } = givenDocuments();
  assert.deepEqual(await Promise.all([read(), read(), read('fresh', URL_OF, 'acc_2')]), ['first', 'first', 'first']);
  pass(3599);
  await read();
  assert.deepEqual(calls, [{ url: URL_OF, maxBytes: 16_384, withinMs: 5000 }]);
  pass(2);
  await read();
  assert.equal(calls.length, 2);
});

test('an unreachable document refreshes tokens for 7 days, and connects nobody', async () => {
  const { calls, outside, read, pass } = givenDocuments();
  await read();
  outside.page = { failure: 'refused' };
  pass(3601);
  assert.deepEqual([await read('fresh'), await read('stale')], [undefined, 'first']);
  pass(7 * 86_400 - 3602);
  assert.equal(await read('stale'), 'first');
  pass(2);
  assert.equal(await read('stale'), undefined);
  outside.page = { status: 404, text: 'gone' };
  assert.equal(await read('fresh', 'https://other.example/x'), undefined);
  const failed = calls.length;
  assert.equal(await read('fresh', 'https://other.example/x'), undefined);
  assert.equal(calls.length, failed, 'a failed read counts for 10 seconds');
  pass(11);
  await read('fresh', 'https://other.example/x');
  assert.equal(calls.length, failed + 1);
});

test('keys are read again for an unknown one no more than once a minute', async () => {
  const { calls, read, pass } = givenDocuments();
  for (let nth = 0; nth < 5; nth += 1) await read('again');
  assert.equal(calls.length, 1);
  pass(61);
  await read('again');
  assert.equal(calls.length, 2);
});

test('an account has 30 new addresses a minute; known ones and other accounts’ don’t count', async () => {
  const { read, pass } = givenDocuments();
  for (let nth = 0; nth < 30; nth += 1) await read('fresh', `https://app.example/${nth}`);
  await assert.rejects(read('fresh', 'https://app.example/more'), { code: 'rate_limited' });
  assert.equal(await read('fresh', 'https://app.example/0'), 'first');
  assert.equal(await read('fresh', 'https://app.example/more', 'acc_2'), 'first');
  pass(61);
  assert.equal(await read('fresh', 'https://app.example/other'), 'first');
});
