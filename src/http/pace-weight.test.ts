import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Fastify from 'fastify';
import type { Http } from './http.ts';
import { paceAnswers } from './pace-answers.ts';

test('a byte of a route with a weight counts so many times', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const http = Fastify() as unknown as Http;
  t.after(() => http.close());
  http.decorateRequest('holder', '');
  http.decorateRequest('client', { getter: () => ({ kind: 'public', name: '' }) } as never);
  http.addHook('onRequest', async (request) => {
    request.holder = request.url;
  });
  paceAnswers(http, 600);
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
  /** Reads one after the other, until a read waits. */
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
