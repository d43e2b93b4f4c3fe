import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeHours, weeklyHours } from '../stores/hours.ts';
import { isProductAvailable, unavailableBecause } from './availability.ts';

const NOON_IN_NEW_YORK = Temporal.Instant.from('2026-06-10T16:00:00Z');
const BREAKFAST = weeklyHours(() => [{ startMinute: 360, endMinute: 660 }]);
const sold = {
  removed: false,
  available: true,
  qtyAvailable: null,
  modes: { delivery: true, pickup: false },
  hours: null,
  categoryHours: [],
  price: 100,
  pickupPrice: 100,
  isAlcoholic: false,
  taxClass: null,
};
const store: Parameters<typeof unavailableBecause>[3] = {
  hours: completeHours({}),
  hoursExceptions: [],
  timeZone: 'America/New_York',
  taxClass: 'prepared_food',
};

test('each reason against ordering a product is distinguished', () => {
  const unavailableReason = (changes: object, mode: 'delivery' | 'pickup' = 'delivery') =>
    unavailableBecause({ ...sold, ...changes }, mode, NOON_IN_NEW_YORK, store);
  assert.equal(unavailableReason({}), undefined);
  assert.equal(unavailableReason({ removed: true }), 'removed');
  assert.equal(unavailableReason({ available: false }), 'off_sale');
  assert.equal(unavailableReason({}, 'pickup'), 'not_in_mode');
  assert.equal(unavailableReason({ qtyAvailable: 0 }), 'sold_out');
  assert.equal(unavailableReason({ hours: BREAKFAST }), 'outside_menu_hours');
  assert.equal(unavailableReason({ categoryHours: [null, BREAKFAST] }), 'outside_menu_hours');
  assert.ok(isProductAvailable({ ...sold, qtyAvailable: 1 }, 'delivery', NOON_IN_NEW_YORK, store));
});

test('at unknown menu hours alcohol of any source is not sold, and everything else is', () => {
  const because = (changes: object, of: object = {}) =>
    unavailableBecause({ ...sold, ...changes }, 'delivery', NOON_IN_NEW_YORK, { ...store, ...of });
  for (const unknown of [{ hours: 'unknown' }, { categoryHours: ['unknown'] }]) {
    assert.equal(because(unknown), undefined);
    assert.equal(
      because({ hours: BREAKFAST, ...unknown, categoryHours: ['unknown', BREAKFAST] }),
      'outside_menu_hours',
    );
    assert.equal(because({ ...unknown, isAlcoholic: true }), 'outside_menu_hours');
    assert.equal(because({ ...unknown, taxClass: 'alcohol' }), 'outside_menu_hours');
    assert.equal(because(unknown, { taxClass: 'alcohol' }), 'outside_menu_hours');
    assert.equal(because({ ...unknown, taxClass: 'soft_drink' }, { taxClass: 'alcohol' }), undefined);
  }
});

test('on a dated exception, products with menu hours are sold only while the store is open; others as usual', () => {
  const lunch = weeklyHours(() => [{ startMinute: 660, endMinute: 900 }]);
  const on = (startMinute: number, endMinute: number) => {
    const exception = { from: '2026-06-10', to: '2026-06-10', ranges: [{ startMinute, endMinute }], channel: null };
    return { ...store, hoursExceptions: [exception] };
  };
  const unavailableReasonAt = (changes: object, at: typeof store) =>
    unavailableBecause({ ...sold, ...changes }, 'delivery', NOON_IN_NEW_YORK, at);
  assert.equal(unavailableReasonAt({ hours: lunch }, store), undefined);
  assert.equal(unavailableReasonAt({ hours: lunch }, on(600, 960)), undefined);
  assert.equal(unavailableReasonAt({ hours: lunch }, on(600, 720)), 'outside_menu_hours');
  assert.equal(unavailableReasonAt({}, on(600, 720)), undefined);
});
