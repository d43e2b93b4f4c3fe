import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyWeek } from '../../../test/oracles/arbitrary-hours.ts';
import { storeOf } from '../../../test/oracles/store-search.ts';
import { runs } from '../../../test/runs.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { completeHours, weeklyHours } from '../stores/hours.ts';
import { plainParty, type Store } from '../stores/store.ts';
import { availableAt } from './available-at.ts';
import { quoteFor, slotQuestionOf } from './quote.ts';
import { offeredSlots } from './slots.ts';

const STEP_MINUTES = 30;
/** Longer than the longest pause plus a week of closed days. */
const STEPS = 20 * 48;

function quoteAt(
  store: Store,
  now: Temporal.Instant,
  fullStarts: ReadonlySet<number>,
  door = store as { latitude: number; longitude: number },
) {
  const slots = offeredSlots(slotQuestionOf(store, 'delivery', now, fullStarts));
  return quoteFor({ store, mode: 'delivery', keyMode: 'sandbox', door, preference: 'first_available', now, slots });
}

/** Weeks that are mostly closed, so that slots and openings are days apart. */
const sparseWeeks = fc
  .tuple(anyWeek(STEP_MINUTES), fc.subarray([0, 1, 2, 3, 4, 5, 6], { maxLength: 2 }))
  .map(([week, days]) => weeklyHours((day) => (days.includes(day) ? (week[day] ?? []) : [])));

const closings = fc.record({
  hours: sparseWeeks,
  zone: fc.constantFrom('America/New_York', 'America/St_Johns', 'Pacific/Honolulu'),
  // Includes the weeks where clocks change.
  fromStep: fc.integer({ min: 0, max: 400 * 48 }),
  pausedSteps: fc.option(fc.integer({ min: 1, max: 3 * 48 })),
  scheduling: fc.record({
    enabled: fc.boolean(),
    slotMinutes: fc.constantFrom(30, 60, 240),
    leadMinutes: fc.constantFrom(0, 30, 90, 1500),
    daysAhead: fc.integer({ min: 0, max: 2 }),
    capacity: fc.constant(null),
  }),
  areFull: fc.boolean(),
  // Single dates within a few days when the store is closed or open.
  exceptions: fc.array(
    fc.record({
      inDays: fc.integer({ min: 0, max: 5 }),
      isOpen: fc.boolean(),
      channel: fc.constantFrom('delivery', null),
    }),
    { maxLength: 3 },
  ),
});

test('a closed fulfillment type opens at the first moment its quote has no error', () => {
  let calls = 0;
  fc.assert(
    fc.property(closings, ({ hours, zone, fromStep, pausedSteps, scheduling, areFull, exceptions }) => {
      const now = Temporal.Instant.from('2026-01-01T00:00:00Z').add({ minutes: fromStep * STEP_MINUTES });
      const later = (steps: number) => now.add({ minutes: steps * STEP_MINUTES });
      const store = storeOf('s', {
        hours: completeHours({ operational: hours }),
        hoursExceptions: exceptions.map(({ inDays, isOpen, channel }) => {
          const date = now.toZonedDateTimeISO(zone).toPlainDate().add({ days: inDays }).toString();
          const ranges = isOpen ? [{ startMinute: 600, endMinute: 900 }] : [];
          return { from: date, to: date, ranges, channel };
        }),
        timeZone: zone,
        scheduling,
        pausedUntil: pausedSteps === null ? null : later(pausedSteps),
        delivery: { enabled: true, accepting: true, prepMinutes: [10, 20], parties: [plainParty()] },
        hasCatalog: true,
      });
      const offered = offeredSlots(slotQuestionOf(store, 'delivery', now, new Set())).map(
        ({ startEpochS }) => startEpochS,
      );
      const fullStarts = new Set(areFull ? offered : []);
      const failure = quoteAt(store, now, fullStarts);
      if (!('error' in failure)) return;
      calls += 1;
      const steps = Array.from({ length: STEPS }, (_, n) => n).find(
        (n) => !('error' in quoteAt(store, later(n), fullStarts)),
      );
      const expected = steps === undefined ? null : epochSeconds(later(steps));
      assert.equal(availableAt(failure, { store, mode: 'delivery', now, fullStarts }), expected);
    }),
    { numRuns: runs(800) },
  );
  assert.ok(calls > runs(150), `${calls} closed stores`);
});

test('a fulfillment type that isn’t offered, open or reaching the address has no next order time', () => {
  const now = Temporal.Instant.from('2026-06-10T16:00:00Z');
  const week = weeklyHours(() => [{ startMinute: 60, endMinute: 120 }]);
  const base = { hours: completeHours({ operational: week }), hasCatalog: true };
  const delivery = { enabled: true, accepting: true, prepMinutes: [10, 20] as const, parties: [plainParty()] };
  const stores: [Store, { latitude: number; longitude: number }?][] = [
    [storeOf('s', { ...base, delivery: { ...delivery, enabled: false } })],
    [storeOf('s', { ...base, delivery: { ...delivery, accepting: false } })],
    [storeOf('s', { ...base, delivery: { ...delivery, parties: [{ ...plainParty(), accepting: false }] } })],
    [storeOf('s', { ...base, delivery }), { latitude: 10, longitude: 10 }],
    [storeOf('s', { ...base, delivery, onlineOrdering: false })],
    [storeOf('s', { ...base, delivery, hours: completeHours({}) })],
  ];
  for (const [store, door] of stores) {
    const failure = quoteAt(store, now, new Set(), door);
    assert.ok('error' in failure);
    assert.equal(availableAt(failure, { store, mode: 'delivery', now, fullStarts: new Set() }), null, failure.error);
  }
});
