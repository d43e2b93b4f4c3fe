import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nextAttemptOf } from './retry-message.ts';

const CREATED = Temporal.Instant.from('2026-06-10T17:00:00Z');

/** All attempts of a message that always fails, the first one after `lateHours`. */
function attemptsOf(lateHours: number, chance: () => number): Temporal.Instant[] {
  const at: Temporal.Instant[] = [];
  let next: Temporal.Instant | undefined = CREATED.add({ milliseconds: Math.round(lateHours * 3_600_000) });
  while (next) {
    at.push(next);
    next = nextAttemptOf({ attempts: at.length, createdAt: CREATED }, next, chance());
  }
  return at;
}

test('a message is tried again after 5, 10, 20 seconds and so on, up to every 15 minutes', () => {
  const at = attemptsOf(0, () => 0).slice(0, 11);
  const pauses = at.slice(1).map((instant, n) => at[n]?.until(instant).total('seconds'));
  assert.deepEqual(pauses, [5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
});

test('whatever chance says, it is given up within an hour after a day, or after ten attempts if it was found late', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 100, noNaN: true }),
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
      (late, stream) => {
        const at = attemptsOf(late, () => stream.next().value as number);
        const hours = CREATED.until(at.at(-1) ?? CREATED).total('hours');
        assert.ok(at.length >= 10 && at.length <= 120);
        assert.ok(hours >= 24 && hours < Math.max(24, late) + 1.5);
      },
    ),
    { numRuns: 200 },
  );
});
