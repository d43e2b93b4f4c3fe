import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { givenWorkerCounters } from '../../../test/given/counters.ts';
import { runs } from '../../../test/runs.ts';
import { AnswerPace, BURST_MS, BYTES_PER_REQUEST, LARGE_BYTES, MAX_WAIT_MS } from './pace-answers.hook.ts';

const PER_MINUTE = 6000;
const BYTES_OF_A_SECOND = (PER_MINUTE / 60) * BYTES_PER_REQUEST;
const PAGE = 2 * 1024 * 1024;
const at = (nowMs: number, holder = 'a', route = '/orders') => ({ holder, route, nowMs });

test('small answers and other routes never wait, and another holder does not', () => {
  const pace = new AnswerPace(PER_MINUTE);
  for (let n = 0; n < 10_000; n += 1) pace.count(at(0, 'a', '/store'), LARGE_BYTES - 1, 0);
  assert.equal(pace.enter(at(0, 'a', '/store')).waitMs, 0);
  for (let n = 0; n < 100; n += 1) pace.count(at(0), PAGE, 0);
  assert.ok(pace.enter(at(0)).waitMs > 0);
  assert.equal(pace.enter(at(0, 'a', '/store')).waitMs, 0);
  assert.equal(pace.enter(at(0, 'b')).waitMs, 0);
});

test('clients that wait for responses read only the burst, then one response each at the limit', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: PAGE }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), sizes, (connections, bytesOf) => {
      const pace = new AnswerPace(PER_MINUTE);
      const readyMs = new Array<number>(connections).fill(0);
      const endMs = 20_000;
      let read = 0;
      for (let n = 0; ; n += 1) {
        const next = readyMs.indexOf(Math.min(...readyMs));
        const nowMs = readyMs[next] as number;
        if (nowMs >= endMs) break;
        const { waitMs, reserved } = pace.enter(at(nowMs));
        if (waitMs > MAX_WAIT_MS) {
          assert.equal(reserved, 0, 'a refused request reserves nothing');
          readyMs[next] = nowMs + waitMs;
          continue;
        }
        const bytes = bytesOf[n % bytesOf.length] as number;
        pace.count(at(nowMs + waitMs), bytes, reserved);
        if (bytes >= LARGE_BYTES) read += bytes;
        readyMs[next] = nowMs + waitMs + 25;
      }
      const bound = ((endMs + MAX_WAIT_MS + BURST_MS) * BYTES_OF_A_SECOND) / 1000 + connections * PAGE;
      assert.ok(read <= bound, `${read} bytes of at most ${bound}`);
    }),
    { numRuns: runs(50) },
  );
});

test('small responses in between don’t buy a large one: the owed sum stays', () => {
  const pace = new AnswerPace(PER_MINUTE);
  for (let n = 0; n < 60; n += 1) pace.count(at(0), PAGE, 0);
  const { waitMs, reserved } = pace.enter(at(0));
  pace.count(at(0), 100, reserved);
  assert.ok(pace.enter(at(0)).waitMs >= waitMs);
});

test('a reader at the pace never waits, and a pause gives the whole burst back', () => {
  const pace = new AnswerPace(PER_MINUTE);
  const read = (nowMs: number) => {
    const { waitMs, reserved } = pace.enter(at(nowMs));
    pace.count(at(nowMs + waitMs), PAGE, reserved);
    return waitMs;
  };
  const everyMs = (PAGE / BYTES_OF_A_SECOND) * 1000;
  for (let n = 0; n < 100; n += 1) assert.equal(read(n * everyMs), 0);
  const inBurst = Math.floor(BURST_MS / everyMs);
  const startMs = 100 * everyMs + BURST_MS;
  for (let n = 0; n < inBurst; n += 1) assert.equal(read(startMs), 0);
  read(startMs);
  assert.ok(read(startMs) > 0);
});

test('a holder reads at one pace from all workers of the service together, on any of its connections', () => {
  const [here, there] = givenWorkerCounters(2).map((peers) => new AnswerPace(PER_MINUTE, peers));
  const readAt = (pace: typeof here, nowMs: number): number => {
    const { waitMs = 0, reserved = 0 } = pace?.enter(at(nowMs)) ?? {};
    pace?.count(at(nowMs + waitMs), PAGE, reserved);
    return waitMs;
  };
  for (const pace of [here, there]) readAt(pace, 0);
  let read = 2 * PAGE;
  while (readAt(here, 0) === 0) read += PAGE;
  assert.ok(read >= 2 * BYTES_OF_A_SECOND - PAGE && read <= 2 * BYTES_OF_A_SECOND + PAGE, `${read}`);
  assert.ok(readAt(there, 0) > 0, 'what one worker sends, the other knows');
  // A single connection gets the whole rate.
  let bytes = 0;
  for (let nowMs = 60_000; nowMs < 70_000; nowMs += PAGE / (BYTES_OF_A_SECOND / 1000)) {
    assert.equal(Math.round(readAt(there, nowMs)), 0);
    bytes += PAGE;
  }
  assert.ok(bytes >= 10 * BYTES_OF_A_SECOND);
});
