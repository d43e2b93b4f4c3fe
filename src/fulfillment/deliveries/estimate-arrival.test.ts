import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MAX_SPEED, MIN_SPEED, minutesToArrive } from '../../ordering/order/arrival.ts';
import { travelMinutes } from '../../supply/stores/time-estimate.ts';
import { recentSpeed, TYPICAL_SPEED } from './driver-location.ts';

const legs = fc.record({
  meters: fc.double({ min: 0, max: 100_000, noNaN: true }),
  seconds: fc.integer({ min: 0, max: 3600 }),
});
const meters = fc.double({ min: 0, max: 50_000, noNaN: true });

const speedAfter = (drive: readonly { meters: number; seconds: number }[]) =>
  drive.reduce<number | undefined>((speed, leg) => recentSpeed(speed, leg), undefined);

test('a recent speed is plausible for a road, for any phone reports', () => {
  fc.assert(
    fc.property(fc.array(legs, { minLength: 1 }), (drive) => {
      const speed = speedAfter(drive) ?? 0;
      assert.ok(speed >= MIN_SPEED && speed <= MAX_SPEED, String(speed));
    }),
  );
});

test('a recent speed lies between the former speed and the move’s; longer moves weigh more', () => {
  const inBounds = fc.double({ min: MIN_SPEED, max: MAX_SPEED, noNaN: true });
  fc.assert(
    fc.property(inBounds, inBounds, fc.integer({ min: 1, max: 600 }), (before, speed, seconds) => {
      const short = recentSpeed(before, { meters: speed * seconds, seconds });
      const long = recentSpeed(before, { meters: speed * seconds * 2, seconds: seconds * 2 });
      const [low, high] = [Math.min(before, speed) - 1e-9, Math.max(before, speed) + 1e-9];
      assert.ok(short >= low && short <= high);
      assert.ok(Math.abs(long - speed) <= Math.abs(short - speed) + 1e-9);
    }),
  );
});

test('many short reports weigh as one long report: the pace of a phone does not decide', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.double({ min: MIN_SPEED, max: MAX_SPEED, noNaN: true }),
      (parts, speed) => {
        const seconds = 5;
        const short = Array.from({ length: parts }, () => ({ meters: speed * seconds, seconds }));
        const long = { meters: speed * seconds * parts, seconds: seconds * parts };
        const reported = short.reduce((before, leg) => recentSpeed(before, leg), 7);
        assert.ok(Math.abs(reported - recentSpeed(7, long)) < 1e-6);
      },
    ),
  );
});

test('the first report after pick-up, and two reports in one second, leave the speed as it is', () => {
  assert.equal(recentSpeed(undefined, { meters: 5000, seconds: 5 }), TYPICAL_SPEED);
  assert.equal(recentSpeed(9, { meters: 5000, seconds: 0 }), 9);
});

test('minutes to the door are whole, never less than one, grow with the way and shrink with the speed', () => {
  const speed = fc.option(fc.double({ min: 0, max: 100, noNaN: true }), { nil: undefined });
  fc.assert(
    fc.property(meters, meters, speed, (near, far, at) => {
      const [least, most] = [Math.min(near, far), Math.max(near, far)].map((way) => minutesToArrive(way, at));
      assert.ok(Number.isInteger(least) && (least ?? 0) >= 1);
      assert.ok((least ?? 0) <= (most ?? 0));
      if (at !== undefined) assert.ok(minutesToArrive(near, at) >= minutesToArrive(near, at + 1));
    }),
  );
});

test('without a recent speed the estimate equals the quote’s, and at the typical speed it agrees within a minute', () => {
  fc.assert(
    fc.property(meters, (way) => {
      const planned = travelMinutes(way / 1609.344);
      assert.equal(minutesToArrive(way, undefined), planned);
      assert.ok(Math.abs(minutesToArrive(way, TYPICAL_SPEED) - planned) <= 1);
    }),
  );
});
