import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenWorkerCounters } from '../../../test/given/counters.ts';
import { RateLimit } from './rate-limit.ts';
import { NO_PEERS } from './shared-counters.ts';

const WINDOW_MS = 60_000;
type Clock = { nowMs: number };
const clockAt = (nowMs: number): Clock => ({ nowMs });

/** The rate limits of one node's workers, which share `clock`. */
function givenWorkers(count: number, clock = clockAt(0)): RateLimit[] {
  const options = { scope: 'key', nowMs: () => clock.nowMs };
  return givenWorkerCounters(count).map((peers) => new RateLimit({ ...options, peers }));
}

const countAt = (worker: RateLimit | undefined, name = 'a') => worker?.count(name) ?? assert.fail('no worker');

test('the requests of a key count together, whichever worker they come to', () => {
  const [a, b] = givenWorkers(2);
  for (let n = 1; n <= 12; n += 1) assert.equal(countAt(n % 2 === 0 ? a : b).count, n);
  assert.equal(countAt(b, 'another key').count, 1);
});

test('a key gets its limit and no more, however many workers it asks', () => {
  const workers = givenWorkers(4);
  let allowed = 0;
  for (let n = 0; n < 20_000; n += 1) if (countAt(workers[n % 4]).count <= 6000) allowed += 1;
  assert.equal(allowed, 6000);
});

test('the window begins with the first request at any worker, and ends for each of them', () => {
  const clock = clockAt(0);
  const [a, b] = givenWorkers(2, clock);
  assert.equal(countAt(a).leftMs, WINDOW_MS);
  clock.nowMs = 20_000;
  assert.deepEqual(countAt(b), { count: 2, leftMs: 40_000 });
  clock.nowMs = WINDOW_MS;
  assert.deepEqual(countAt(b), { count: 1, leftMs: WINDOW_MS });
  assert.deepEqual(countAt(a), { count: 2, leftMs: WINDOW_MS });
});

test('a clock that is set back begins a new window', () => {
  const clock = clockAt(WINDOW_MS);
  const options = { scope: 'key', nowMs: () => clock.nowMs, peers: NO_PEERS };
  const rates = new RateLimit(options);
  rates.count('a');
  clock.nowMs = 0;
  assert.deepEqual(rates.count('a'), { count: 1, leftMs: WINDOW_MS });
});
