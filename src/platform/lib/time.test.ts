import assert from 'node:assert/strict';
import { test } from 'node:test';
import { epochSeconds, instantOfEpochSeconds, parseMoment } from './time.ts';

test('seconds are whole, rounded down on both sides of 1970, and lead back to their moment', () => {
  assert.equal(epochSeconds(Temporal.Instant.from('2026-06-10T17:00:00.999Z')), 1_781_110_800);
  assert.equal(epochSeconds(Temporal.Instant.from('1969-12-31T23:59:59.5Z')), -1);
  assert.equal(instantOfEpochSeconds(1_781_110_800).toString(), '2026-06-10T17:00:00Z');
});

test('a moment is read from the year 1 to the last second of the year 9999, and no other text', () => {
  assert.equal(parseMoment('9999-12-31T23:59:59Z')?.toString(), '9999-12-31T23:59:59Z');
  assert.equal(parseMoment('0001-01-01T00:00:00Z')?.toString(), '0001-01-01T00:00:00Z');
  for (const text of [
    '+010000-01-01T00:00:00Z',
    '0000-12-31T23:59:59Z',
    '-000001-01-01T00:00:00Z',
    '2026-06-10',
    'x',
  ]) {
    assert.equal(parseMoment(text), undefined, text);
  }
});
