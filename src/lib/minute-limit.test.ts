import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createMinuteLimit } from './minute-limit.ts';

const START = Temporal.Instant.from('2026-06-10T17:00:00Z');
const at = (seconds: number) => START.add({ milliseconds: Math.round(seconds * 1000) });

/** A limit that is asked at moments. */
function givenLimit(maxUses: number) {
  let now = START;
  const take = createMinuteLimit(maxUses, { now: () => now });
  return (name: string, moment: Temporal.Instant) => {
    now = moment;
    return take(name);
  };
}

test('a clock that is set back by hours makes no minute longer', () => {
  let now = at(0);
  let elapsedMs = 0;
  const take = createMinuteLimit(1, { now: () => now, elapsedMs: () => elapsedMs });
  assert.deepEqual([take('a'), take('a')], [undefined, 60]);
  now = now.subtract({ hours: 5 });
  elapsedMs = 59_000;
  assert.equal(take('a'), 1);
  elapsedMs = 60_000;
  assert.equal(take('a'), undefined);
});

test('so many are taken and no more, and another once the first is a minute ago', () => {
  const take = givenLimit(2);
  assert.deepEqual([take('a', at(0)), take('a', at(10)), take('a', at(10.5))], [undefined, undefined, 50]);
  assert.deepEqual([take('a', at(59.9)), take('a', at(60)), take('a', at(60))], [1, undefined, 10]);
});

test('one name takes nothing of another', () => {
  const take = givenLimit(1);
  assert.deepEqual([take('a', at(0)), take('b', at(0)), take('a', at(0))], [undefined, undefined, 60]);
});

test('no minute has more than there may be, and who waits as told is let in', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 }),
      (most, steps) => {
        const take = givenLimit(most);
        const taken: number[] = [];
        let seconds = 0;
        for (const step of steps) {
          seconds += step;
          const wait = take('a', at(seconds));
          if (wait === undefined) taken.push(seconds);
          else {
            assert.ok(wait >= 1 && wait <= 60);
            seconds += wait;
            assert.equal(take('a', at(seconds)), undefined);
            taken.push(seconds);
          }
        }
        for (const from of taken) assert.ok(taken.filter((one) => one >= from && one < from + 60).length <= most);
      },
    ),
  );
});
