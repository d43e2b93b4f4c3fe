import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { BEAT_MS, watchSilence } from './watch-silence.ts';

const MINUTE_MS = 60_000;

beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
afterEach(() => mock.timers.reset());

function givenWatch() {
  const seen = { silences: 0 };
  const watch = watchSilence(() => {
    seen.silences += 1;
  });
  return { seen, watch };
}

test('a worker that tells nothing for a minute is stuck, which is said once', () => {
  const { seen } = givenWatch();
  mock.timers.tick(MINUTE_MS - 1);
  assert.equal(seen.silences, 0);
  mock.timers.tick(1);
  mock.timers.tick(MINUTE_MS);
  assert.equal(seen.silences, 1);
});

test('a worker that tells something within each minute is not stuck', () => {
  const { seen, watch } = givenWatch();
  for (let n = 0; n < 10; n += 1) {
    mock.timers.tick(MINUTE_MS - BEAT_MS);
    watch.hear();
  }
  assert.equal(seen.silences, 0);
});

test('a worker that has ended is not watched', () => {
  const { seen, watch } = givenWatch();
  watch.stop();
  mock.timers.tick(2 * MINUTE_MS);
  assert.equal(seen.silences, 0);
});
