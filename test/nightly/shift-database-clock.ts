import { DatabaseClock } from '../../src/platform/lib/clock.ts';
import { shiftOfThisProcess } from './shift-clock.ts';

// A preload of `hourAhead`.
const aheadMs = shiftOfThisProcess() ?? 0;
const { measure } = DatabaseClock.prototype;
DatabaseClock.prototype.measure = function (readEpochMs) {
  return measure.call(this, async () => (await readEpochMs()) + aheadMs);
};
