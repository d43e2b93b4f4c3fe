import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { givenPacedHttp } from '../../../test/given/paced-http.ts';
import { Refusal } from '../http/refusal.ts';
import { limitLargePages } from './pace-answers.hook.ts';

const MIB = 1024 * 1024;

/** A route with pages of a mebibyte; each request's holder is also its owner. */
function givenPages(t: TestContext, bytes = MIB) {
  const http = givenPacedHttp(t, ({ query }) => (query as { of: string }).of);
  http.setErrorHandler((error, _request, reply) => reply.code(error instanceof Refusal ? 429 : 500).send());
  const inTurn = limitLargePages('pages', 100);
  http.get('/pages', async (request) => {
    const page = await inTurn(request, request.holder, async () => {
      await nextTurn();
      return 'page';
    });
    http.countAnswer(request, bytes);
    return page;
  });
  const answered: Record<string, number[]> = {};
  const read = async (of: string) => {
    const { statusCode } = await http.inject({ url: `/pages?of=${of}` });
    answered[of] = [...(answered[of] ?? []), statusCode];
  };
  const turns = async () => {
    for (let turn = 0; turn < 300; turn += 1) await nextTurn();
  };
  return { read, turns, answered, reads: (of: string, count: number) => Array.from({ length: count }, () => read(of)) };
}

test('large pages that are asked together before their size is known come at the pace of the limit', async (t) => {
  const { reads, turns, answered } = givenPages(t);
  const all = Promise.all(reads('flood', 40));
  await turns();
  const atOnce = answered.flood?.filter((status) => status === 200).length ?? 0;
  assert.ok(atOnce >= 1 && atOnce <= 5, `${atOnce} at once`);
  t.mock.timers.tick(2000);
  await turns();
  const later = answered.flood?.filter((status) => status === 200).length ?? 0;
  assert.ok(later > atOnce && later <= atOnce + 3, `${later} after two seconds`);
  for (let second = 0; second < 12; second += 1) {
    t.mock.timers.tick(1000);
    await turns();
  }
  await all;
  assert.deepEqual([...new Set(answered.flood)].sort(), [200, 429]);
});

test('a page of another owner has its turn while the pages of a flood wait', async (t) => {
  const { read, reads, turns, answered } = givenPages(t);
  const floods = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].flatMap((of) => reads(of, 12));
  await turns();
  await read('neighbor');
  assert.deepEqual(answered.neighbor, [200]);
  for (let second = 0; second < 12; second += 1) {
    t.mock.timers.tick(1000);
    await turns();
  }
  await Promise.all(floods);
});

test('small pages never wait', async (t) => {
  const { reads, answered } = givenPages(t, 1000);
  await Promise.all(reads('reader', 60));
  assert.deepEqual(new Set(answered.reader), new Set([200]));
});
