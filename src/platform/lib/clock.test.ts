import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEpochMs, epochMsOf, systemClock } from './clock.ts';

/** The sub-millisecond parts that are truncated from the clock's moment and from the elapsed time. */
const CUT_MS = 2;

test('the milliseconds of the system clock are those of its instants', () => {
  for (let round = 0; round < 2000; round += 1) {
    const before = systemClock.now().epochMilliseconds;
    const ms = epochMsOf(systemClock);
    const after = systemClock.now().epochMilliseconds;
    assert.ok(Number.isInteger(ms) && before - CUT_MS <= ms && ms <= after, `${before} ${ms} ${after}`);
  }
});

test('a clock that tells instants alone tells the milliseconds of its instant', () => {
  assert.equal(epochMsOf({ now: () => Temporal.Instant.from('2026-06-10T17:00:00.123Z') }), 1781110800123);
});

test('a process suspended between two clock readings is neither early nor late', () => {
  let realMs = 1000;
  let stallMs = 7;
  const epochMs = createEpochMs(
    () => realMs,
    () => {
      const systemMs = realMs;
      realMs += stallMs;
      stallMs = 0;
      return systemMs;
    },
  );
  assert.equal(epochMs(), realMs);
  realMs += 9;
  assert.equal(epochMs(), realMs);
});

test('a process suspended before each clock reading is never early', () => {
  let realMs = 1000;
  const standStill = () => {
    realMs += 3;
    return realMs;
  };
  const epochMs = createEpochMs(standStill, standStill);
  for (let round = 0; round < 20; round += 1) assert.ok(epochMs() <= realMs);
});
