import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Fastify from 'fastify';
import { type App, givenApp } from '../../test/harness.ts';
import type { Http } from './http.ts';
import { paceAnswers } from './pace-answers.ts';

const READS = 300;

let app: App;
before(async () => {
  app = await givenApp({ env: { RATE_LIMIT_PER_MINUTE: '600' } });
});
after(() => app.close());

test('a flood of large reads comes at the pace of the limit, and what would wait too long is refused', async (t) => {
  const read = () => app.service.http.inject({ url: '/openapi.json' });
  const first = await read();
  assert.equal(first.statusCode, 200);
  assert.ok(first.rawPayload.length > 256 * 1024, `${first.rawPayload.length} bytes`);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let answered = 0;
  const reads = Array.from({ length: READS }, async () => {
    const { statusCode, headers, body } = await read();
    answered += 1;
    return { statusCode, headers, body };
  });
  while (answered === 0) await nextTurn();
  assert.ok(answered < READS, 'some reads wait');
  const all = Promise.all(reads);
  while (answered < READS) {
    t.mock.timers.tick(1000);
    await nextTurn();
  }
  const answers = await all;
  const refused = answers.filter(({ statusCode }) => statusCode === 429);
  assert.ok(refused.length > 0 && refused.length < READS, `${refused.length} refused`);
  for (const { headers, body } of refused) {
    assert.match(body, /Too many large answers; try again in \d+ s\./);
    assert.ok(Number(headers['retry-after']) > 10);
  }
  assert.ok(answers.every(({ statusCode }) => statusCode === 200 || statusCode === 429));
});

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
