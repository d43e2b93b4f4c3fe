import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeHours } from './hours.ts';
import { parseOsmHours } from './osm-hours.ts';
import { storeOpenStateAt } from './store-open-state.ts';

const read = parseOsmHours('Mo-Su 10:00-20:00');
const hours = completeHours({ operational: read.ok ? read.hours : null, delivery: null });
const at = (time: string) => Temporal.Instant.from(`2026-06-10T${time}:00Z`);
const stateOf = (now: string, until: string | null, channel: 'operational' | 'delivery' = 'operational') => {
  const pausedUntil = until === null ? null : at(until);
  const { open, changesAt } = storeOpenStateAt({ hours, timeZone: 'UTC', pausedUntil }, channel, at(now));
  return [open, changesAt?.toString().slice(8, 16) ?? null];
};

test('a pause closes a store until its end, and then its hours decide', () => {
  assert.deepEqual(stateOf('12:00', null), [true, '10T20:00']);
  assert.deepEqual(stateOf('12:00', '13:00'), [false, '10T13:00']);
  assert.deepEqual(stateOf('13:00', '13:00'), [true, '10T20:00']);
  assert.deepEqual(stateOf('19:30', '20:30'), [false, '11T10:00']);
  assert.deepEqual(stateOf('09:00', '09:30'), [false, '10T10:00']);
  assert.deepEqual(stateOf('12:00', '13:00', 'delivery'), [false, null]);
});
