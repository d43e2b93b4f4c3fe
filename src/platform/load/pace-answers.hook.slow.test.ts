import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { givenApp } from '../../../test/harness.ts';

const READS = 300;

const app = await givenApp({ env: { RATE_LIMIT_PER_MINUTE: '600' } });
after(() => app.close());

test('a flood of large reads is limited to its rate, and reads that would wait too long are rejected', async (t) => {
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
    assert.match(body, /Too many large responses\. Try again in \d+ s\./);
    assert.ok(Number(headers['retry-after']) > 10);
  }
  assert.ok(answers.every(({ statusCode }) => statusCode === 200 || statusCode === 429));
});
