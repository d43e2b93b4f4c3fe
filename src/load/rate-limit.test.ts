import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimit } from './rate-limit.ts';
import { NO_PEERS, PeerCounters } from './shared-counters.ts';

const WINDOW_MS = 60_000;
type Clock = { nowMs: number };
const clockAt = (nowMs: number): Clock => ({ nowMs });

type Process = { receive: PeerCounters['receive']; limit: RateLimit };

/** The limits of processes that learn of each other at once; `clock` is what each of them reads. */
function givenProcesses(count: number, limit: number, clock = clockAt(0), scope = 'key'): Process[] {
  const processes: Process[] = [];
  for (let from = 0; from < count; from += 1) {
    const peers = new PeerCounters((told) => {
      for (const [to, each] of processes.entries()) if (to !== from) each.receive(from, told);
    });
    const rates = new RateLimit({ scope, limit, nowMs: () => clock.nowMs, peers });
    processes.push({ receive: (from, counts) => peers.receive(from, counts), limit: rates });
  }
  return processes;
}

const countAt = (process: Process | undefined, name = 'a') => process?.limit.count(name) ?? assert.fail('no process');

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
  const peers = new PeerCounters(() => {
    messages += 1;
  });
  const rates = new RateLimit({ scope: 'key', limit: 100, nowMs: () => 0, peers });
  for (let n = 0; n < 100_000; n += 1) rates.count('a');
  assert.ok(messages <= 101, `${messages}`);
});

test('a clock that is set back begins a new window', () => {
  const clock = clockAt(WINDOW_MS);
  const options = { scope: 'key', limit: 10, nowMs: () => clock.nowMs, peers: NO_PEERS };
  const rates = new RateLimit(options);
  rates.count('a');
  clock.nowMs = 0;
  assert.deepEqual(rates.count('a'), { count: 1, leftMs: WINDOW_MS });
});
