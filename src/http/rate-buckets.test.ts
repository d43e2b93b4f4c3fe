import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPeerNumbers, NO_PEERS } from '../lib/peer-numbers.ts';
import { createRateBuckets } from './rate-buckets.ts';

const WINDOW_MS = 60_000;
type Clock = { nowMs: number };
const clockAt = (nowMs: number): Clock => ({ nowMs });

type Process = { hear: ReturnType<typeof createPeerNumbers>['hear']; count: ReturnType<typeof createRateBuckets> };

/** The buckets of processes that hear each other at once; `clock` is what each of them reads. */
function givenProcesses(count: number, limit: number, clock = clockAt(0), scope = 'key'): Process[] {
  const processes: Process[] = [];
  for (let from = 0; from < count; from += 1) {
    const peers = createPeerNumbers((told) => {
      for (const [to, each] of processes.entries()) if (to !== from) each.hear(from, told);
    });
    const buckets = createRateBuckets({ scope, limit, maxBuckets: 100, nowMs: () => clock.nowMs, peers });
    processes.push({ hear: peers.hear, count: buckets });
  }
  return processes;
}

const countAt = (process: Process | undefined, name = 'a') => process?.count(name) ?? assert.fail('no process');

test('the requests of a key count together, whichever process they come to', () => {
  const [a, b] = givenProcesses(2, 10);
  for (let n = 1; n <= 12; n += 1) assert.equal(countAt(n % 2 === 0 ? a : b).count, n);
  assert.equal(countAt(b, 'another key').count, 1);
});

test('a key gets at most a hundredth of its limit more for each further process', () => {
  const processes = givenProcesses(4, 6000);
  let allowed = 0;
  for (let n = 0; n < 20_000; n += 1) if (countAt(processes[n % 4]).count <= 6000) allowed += 1;
  assert.ok(allowed >= 6000 && allowed <= 6000 + 3 * 60, `${allowed}`);
});

test('the window begins with the first request at any process, and ends for each of them', () => {
  const clock = clockAt(0);
  const [a, b] = givenProcesses(2, 10, clock);
  assert.equal(countAt(a).leftMs, WINDOW_MS);
  clock.nowMs = 20_000;
  assert.deepEqual(countAt(b), { count: 2, leftMs: 40_000 });
  clock.nowMs = WINDOW_MS;
  assert.deepEqual(countAt(b), { count: 1, leftMs: WINDOW_MS });
  assert.deepEqual(countAt(a), { count: 2, leftMs: WINDOW_MS });
});

test('a flood that is refused sends no messages', () => {
  let messages = 0;
  const peers = createPeerNumbers(() => {
    messages += 1;
  });
  const count = createRateBuckets({ scope: 'key', limit: 100, maxBuckets: 100, nowMs: () => 0, peers });
  for (let n = 0; n < 100_000; n += 1) count('a');
  assert.ok(messages <= 101, `${messages}`);
});

test('a clock that is set back begins a new window', () => {
  const clock = clockAt(WINDOW_MS);
  const options = { scope: 'key', limit: 10, maxBuckets: 10, nowMs: () => clock.nowMs, peers: NO_PEERS };
  const count = createRateBuckets(options);
  count('a');
  clock.nowMs = 0;
  assert.deepEqual(count('a'), { count: 1, leftMs: WINDOW_MS });
});
