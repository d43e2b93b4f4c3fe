import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseStoreLine } from '../../src/supply/imports/parse-store-line.ts';
import { formatHours } from '../../src/supply/stores/format-hours.ts';
import type { WeeklyHours } from '../../src/supply/stores/hours.ts';
import { readHours } from '../../src/supply/stores/read-hours.ts';
import { anyWeek } from '../../test/oracles/arbitrary-hours.ts';
import { runs } from '../../test/runs.ts';
import { lineOfTexts, NEW_STORE, type StoreTexts, textsOfLine } from './store-line.ts';

/** The week as it is kept: touching ranges are one. */
function parsedWeek(days: unknown): WeeklyHours {
  const parsed = readHours(days);
  assert.ok(parsed.ok);
  return parsed.hours;
}

const word = fc.stringMatching(/^[A-Za-z][A-Za-z ]{0,20}[A-Za-z]$/);
const dollars = fc.integer({ min: 0, max: 100_000 }).map((cents) => (cents / 100).toFixed(2));
const texts: fc.Arbitrary<StoreTexts> = fc.record({
  name: word,
  type: fc.constantFrom('restaurant', 'grocery'),
  phone: fc.constantFrom('', '+12125550142'),
  street_addr: word,
  street_addr_2: fc.constantFrom('', '4B'),
  city: word,
  state: fc.constant('NY'),
  zipcode: fc.constant('10011'),
  country: fc.constant('US'),
  latitude: fc.constant('40.7383'),
  longitude: fc.constant('-73.9927'),
  hours: fc.constantFrom('', '', 'Mo-Fr 11:00-21:00; Sa 12:00-23:00', '24/7'),
  week: anyWeek().map((week) => parsedWeek(formatHours(week))),
  minutes_from: fc.constantFrom('5', '15'),
  minutes_to: fc.constantFrom('20', '60'),
  pickup: fc.constantFrom('on', ''),
  delivery: fc.constantFrom('first', 'courier', ''),
  radius_miles: fc.constantFrom('3', '0.5'),
  delivery_fee: dollars,
  order_minimum: dollars,
  service_fee_percent: fc.constantFrom('0', '12.5'),
  sales_tax_percent: fc.constantFrom('', '8.875'),
  scheduling: fc.constantFrom('on', ''),
});

test('typed values make a line a feed accepts, with its cents, and return to the form when edited', () => {
  fc.assert(
    fc.property(texts, (typed) => {
      const line = lineOfTexts(typed);
      const parsed = parseStoreLine({ ...line, external_id: 'x' });
      assert.ok(parsed.ok && parsed.warnings.length === 0, JSON.stringify(parsed));
      const { fees, delivery, pickup, scheduling } = parsed.store.profile;
      assert.equal((fees.orderMinimumCents / 100).toFixed(2), typed.order_minimum);
      assert.deepEqual([delivery.enabled, pickup.enabled], [typed.delivery !== '', typed.pickup === 'on']);
      assert.equal(scheduling?.enabled ?? false, typed.scheduling === 'on');
      if (typed.hours === '')
        assert.deepEqual(formatHours(parsed.store.profile.hours.operational), formatHours(typed.week));
      const again = textsOfLine(line);
      const radius = typed.delivery === '' ? { radius_miles: again.radius_miles } : {};
      const week = typed.hours === '' ? {} : { week: NEW_STORE.week };
      assert.deepEqual(again, { ...typed, ...radius, ...week });
    }),
    { numRuns: runs(500) },
  );
});

test('an edit keeps fields the form doesn’t show', () => {
  const line = lineOfTexts({ ...NEW_STORE, name: 'Corner', latitude: '40', longitude: '-74' });
  const threshold = [{ minimum_subtotal: 4000, delivery_fee_flat: 0, delivery_fee_percent: 0 }];
  const rich = {
    ...line,
    description: 'Since 1990',
    cuisines: ['noodles'],
    fees: { ...line.fees, delivery_fee: { delivery_fee_flat: 299, threshold_fees: threshold } },
  };
  assert.deepEqual(lineOfTexts({ ...textsOfLine(rich), name: 'Corner' }, rich), rich);
});
