import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseClock, epochMsOf, systemClock } from './clock.ts';

test('the system clock’s milliseconds equal its instants’', () => {
  for (let round = 0; round < 2000; round += 1) {
    const before = systemClock.now().epochMilliseconds;
    const ms = epochMsOf(systemClock);
    const after = systemClock.now().epochMilliseconds;
    assert.ok(Number.isInteger(ms) && before <= ms && ms <= after, `${before} ${ms} ${after}`);
  }
});

test('a clock of instants derives milliseconds from its instant', () => {
  assert.equal(epochMsOf({ now: () => Temporal.Instant.from('2026-06-10T17:00:00.123Z') }), 1781110800123);
});

/** A machine whose clocks a test sets, and a database that responds in the middle of each round trip. */
function givenClocks({ aheadMs = 0 } = {}) {
  const epochMs = 1_781_110_800_000;
  const machine = { aheadMs, elapsedMs: 5000 };
  const clock = new DatabaseClock({
    now: () => Temporal.Instant.fromEpochMilliseconds(epochMs + machine.aheadMs + machine.elapsedMs),
    epochMs: () => epochMs + machine.aheadMs + machine.elapsedMs,
    elapsedMs: () => machine.elapsedMs,
  });
  const measure = (roundTripMs: number, databaseAheadMs = 0, part = 0.5) =>
    clock.measure(async () => {
      machine.elapsedMs += roundTripMs * part;
      const readMs = epochMs + machine.elapsedMs + databaseAheadMs;
      machine.elapsedMs += roundTripMs * (1 - part);
      return readMs;
    });
  return { clock, machine, measure, wrongMs: () => clock.epochMs() - epochMs - machine.elapsedMs };
}

test('before its first measurement the clock is the machine’s', () => {
  const { clock, wrongMs } = givenClocks({ aheadMs: 7_200_000 });
  assert.equal(wrongMs(), 7_200_000);
  assert.equal(clock.now().epochMilliseconds, clock.epochMs());
});

test('a measured clock shows the database’s time for any machine clock, also after that is set', async () => {
  const { clock, machine, measure, wrongMs } = givenClocks({ aheadMs: 7_200_000 });
  await measure(20);
  assert.deepEqual([wrongMs(), clock.aheadS], [0, 7200]);
  machine.aheadMs = -1_200_000;
  machine.elapsedMs += 900;
  assert.equal(wrongMs(), 0);
  await measure(20);
  assert.deepEqual([wrongMs(), clock.aheadS], [0, -1200]);
  assert.equal(clock.now().epochMilliseconds, clock.epochMs());
});

test('slow round trips do not move a clock that was measured well; a short one corrects a slow first one', async () => {
  const { measure, wrongMs } = givenClocks();
  await measure(1000, 0, 1);
  assert.equal(wrongMs(), 500);
  await measure(2);
  assert.ok(Math.abs(wrongMs()) <= 1, `${wrongMs()} ms`);
  const before = wrongMs();
  for (const part of [0.25, 0.5, 0.75]) await measure(3000, 0, part);
  assert.equal(wrongMs(), before);
});

test('a database whose clock is set is followed in both directions, to half a round trip', async () => {
  const { measure, wrongMs } = givenClocks();
  await measure(4);
  for (const setMs of [90_000, -30_000, 15]) {
    await measure(4, setMs);
    assert.ok(Math.abs(wrongMs() - setMs) <= 2, `${wrongMs()} ms after ${setMs}`);
  }
});

test('a failed measurement leaves the clock as it was', async () => {
  const { clock, measure, wrongMs } = givenClocks({ aheadMs: 60_000 });
  await measure(4);
  await assert.rejects(clock.measure(() => Promise.reject(new Error('no database'))));
  assert.deepEqual([wrongMs(), clock.aheadS], [0, 60]);
});

test('a step of over 5 s is told from slow round trips and drift, and lets timeouts wait for ten minutes', async () => {
  const { clock, machine, measure } = givenClocks();
  assert.equal(await measure(30_000, 0, 1), 0);
  assert.equal(await measure(2), 0);
  for (let driftMs = 0; driftMs < 20_000; driftMs += 50) assert.equal(await measure(4, driftMs), 0);
  assert.equal(clock.settlesAt(), undefined);
  const stepS = await measure(4, 20_000 - 1_200_000);
  assert.ok(Math.abs(stepS + 1200) < 1, `${stepS}`);
  assert.equal(clock.settlesAt()?.since(clock.now()).total('seconds'), 600);
  machine.elapsedMs += 599_000;
  assert.equal(clock.settlesAt()?.since(clock.now()).total('seconds'), 1);
  machine.elapsedMs += 1000;
  assert.equal(clock.settlesAt(), undefined);
});
