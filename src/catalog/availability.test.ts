import assert from 'node:assert/strict';
import { test } from 'node:test';
import { weeklyHours } from '../stores/hours.ts';
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
};

test('each reason for which a product cannot be ordered is distinguished', () => {
  const reasonOf = (changes: object, mode: 'delivery' | 'pickup' = 'delivery') =>
    unavailableBecause({ ...sold, ...changes }, mode, NOON_IN_NEW_YORK, 'America/New_York');
  assert.equal(reasonOf({}), undefined);
  assert.equal(reasonOf({ removed: true }), 'removed');
  assert.equal(reasonOf({ available: false }), 'off_sale');
  assert.equal(reasonOf({}, 'pickup'), 'not_in_mode');
  assert.equal(reasonOf({ qtyAvailable: 0 }), 'sold_out');
  assert.equal(reasonOf({ hours: BREAKFAST }), 'outside_menu_hours');
  assert.equal(reasonOf({ categoryHours: [null, BREAKFAST] }), 'outside_menu_hours');
  assert.ok(isProductAvailable({ ...sold, qtyAvailable: 1 }, 'delivery', NOON_IN_NEW_YORK, 'America/New_York'));
});
