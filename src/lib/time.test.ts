import assert from 'node:assert/strict';
import { test } from 'node:test';
import { epochSeconds, instantOfEpochSeconds } from './time.ts';

test('seconds are whole, rounded down on both sides of 1970, and lead back to their moment', () => {
  assert.equal(epochSeconds(Temporal.Instant.from('2026-06-10T17:00:00.999Z')), 1_781_110_800);
  assert.equal(epochSeconds(Temporal.Instant.from('1969-12-31T23:59:59.5Z')), -1);
  assert.equal(instantOfEpochSeconds(1_781_110_800).toString(), '2026-06-10T17:00:00Z');
});
