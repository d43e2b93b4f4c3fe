import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextTurn } from '../../test/until.ts';
import { followStream } from './order-stream.ts';

test('a silent stream counts as lost after 40 seconds, and the next one is connected', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  Object.assign(globalThis, { window: globalThis });
  t.after(() => Reflect.deleteProperty(globalThis, 'window'));
  const happened: string[] = [];
  t.mock.method(globalThis, 'fetch', async (_: string, { signal }: { signal: AbortSignal }) => {
    happened.push('connect');
    const start = (stream: ReadableStreamDefaultController) =>
      signal.addEventListener('abort', () => stream.error(signal.reason));
    return new Response(new ReadableStream({ start }));
  });
  const note = (name: string) => () => void happened.push(name);
  const stream = followStream('/stream', {}, { event() {}, open: note('open'), lost: note('lost'), refused() {} });
  await nextTurn();
  t.mock.timers.tick(39_000);
  await nextTurn();
  assert.deepEqual(happened, ['connect', 'open']);
  t.mock.timers.tick(1000);
  await nextTurn();
  assert.deepEqual(happened, ['connect', 'open', 'lost']);
  t.mock.timers.tick(8000);
  await nextTurn();
  assert.deepEqual(happened, ['connect', 'open', 'lost', 'connect', 'open']);
  stream.stop();
});
