import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { givenPacedHttp } from '../../../test/given/paced-http.ts';

test('a byte of a route with a weight counts so many times', async (t) => {
  const http = givenPacedHttp(t, ({ url }) => url);
  const bytes = 1024 * 1024;
  for (const [path, config] of [
    ['/plain', {}],
    ['/heavy', { paceWeight: 2 }],
  ] as const) {
    http.get(path, { config }, async (request) => {
      http.countAnswer(request, bytes);
      return '';
    });
  }
  /** Sends reads one at a time until one has to wait. */
  const answeredAtOnce = async (url: string) => {
    for (let count = 0; ; count += 1) {
      let isAnswered = false;
      const read = http.inject({ url }).then(() => {
        isAnswered = true;
      });
      for (let turn = 0; turn < 100 && !isAnswered; turn += 1) await nextTurn();
      if (isAnswered) continue;
      t.mock.timers.tick(60_000);
      await read;
      return count;
    }
  };
  const plain = await answeredAtOnce('/plain');
  const heavy = await answeredAtOnce('/heavy');
  assert.ok(heavy > 0 && plain > heavy, `${plain} at once, ${heavy} of the weighed route`);
});
