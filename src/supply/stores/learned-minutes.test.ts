import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { hourOfWeek, learnedPreparation, withLearnedMinutes, withLeastMinutes } from './learned-minutes.ts';
import { MODE_OFF, type Store } from './store.ts';

const stated = fc
  .tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 300 }))
  .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
const learned = fc
  .tuple(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 0, max: 300 }))
  .map(([median, more]) => [median, median + more, 20] as const);

test('the most minutes are the 80th percentile within half and twice the stated ones', () => {
  const property = fc.property(stated, learned, (minutes, hour) => {
    const [least, most] = learnedPreparation(minutes, hour);
    const [, p80] = hour;
    // The integer closest to the learned minutes, of those from half to twice the stated minutes.
    const allowed = Array.from({ length: 2 * minutes[1] + 1 }, (_, n) => n).filter((n) => 2 * n >= minutes[1]);
    const closest = allowed.reduce((best, n) => (Math.abs(n - p80) < Math.abs(best - p80) ? n : best), allowed[0] ?? 0);
    assert.equal(most, closest);
    assert.ok(least <= most && 2 * least >= Math.min(minutes[0], most) && least <= 2 * minutes[0]);
  });
  fc.assert(property, { numRuns: runs(10_000) });
});

test('an hour of the week is of the clock on the wall, on both sides of a change of time', () => {
  for (const at of ['2026-03-02T18:30:00-05:00', '2026-03-09T18:30:00-04:00', '2026-11-02T18:30:00-05:00']) {
    assert.equal(hourOfWeek('America/New_York', Temporal.Instant.from(at)), 18, at);
  }
  assert.equal(hourOfWeek('America/St_Johns', Temporal.Instant.from('2026-06-07T23:59:00-02:30')), 6 * 24 + 23);
});

test('search has the fewest minutes that the store quotes at any hour', () => {
  const store = {
    timeZone: 'America/Chicago',
    pickup: { ...MODE_OFF, enabled: true, prepMinutes: [10, 20] },
    delivery: {
      enabled: true,
      prepMinutes: [20, 30],
      parties: [{ prepMinutes: null, zones: [{ prepMinutes: [30, 40] }, { prepMinutes: null }] }],
    },
    learned: { 18: [12, 25, 20], 19: [4, 9, 31] },
  } as unknown as Store;
  const least = withLeastMinutes(store);
  const prepOf = (one: Store) => [
    one.pickup.prepMinutes,
    one.delivery.prepMinutes,
    ...(one.delivery.parties[0]?.zones.map(({ prepMinutes }) => prepMinutes) ?? []),
  ];
  assert.deepEqual(prepOf(least), [[5, 10], [10, 15], [15, 20], null]);
  const monday = (hour: number) => Temporal.Instant.from(`2026-06-08T${hour}:05:00-05:00`);
  assert.deepEqual(prepOf(withLearnedMinutes(store, monday(18))), [[12, 25], [12, 25], [15, 25], null]);
  assert.equal(withLearnedMinutes(store, monday(20)), store);
});
