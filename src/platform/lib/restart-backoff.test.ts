import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { RestartBackoff } from './restart-backoff.ts';

const HOUR_MS = 3_600_000;

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
afterEach(() => mock.timers.reset());

test('the pause doubles up to ten seconds, and a steady run resets it', () => {
  const backoff = new RestartBackoff();
  const pauses = [0, 0, 0, 0, 0, 0, 0, 59_000, HOUR_MS, 0].map((ranMs) => backoff.restart(ranMs, () => {}));
  assert.deepEqual(pauses, [200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 200, 400]);
});

test('a canceled start doesn’t happen', () => {
  const backoff = new RestartBackoff();
  let starts = 0;
  const start = () => {
    starts += 1;
  };
  backoff.restart(0, start);
  mock.timers.tick(200);
  backoff.restart(0, start);
  backoff.cancel();
  mock.timers.tick(HOUR_MS);
  assert.equal(starts, 1);
});
