import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import type { Http } from './http/http.ts';
import { wakeQueues } from './wake-queues.hook.ts';

test('requests that may write wake the queues, once they are answered, and reads do not', async (t) => {
  const http = fastify();
  t.after(() => http.close());
  let wakes = 0;
  wakeQueues(http as unknown as Http, () => {
    wakes += 1;
  });
  const wakesBefore: number[] = [];
  http.all('/orders', async () => {
    wakesBefore.push(wakes);
    return 'answered';
  });
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'] as const)
    await http.inject({ method, url: '/orders' });
  assert.deepEqual(wakesBefore, [0, 0, 0, 1, 2, 3]);
  assert.equal(wakes, 3);
});
