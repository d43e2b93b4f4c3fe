import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseStoreLine } from '../../src/supply/imports/feed/parse-store-line.ts';
import { runs } from '../../test/runs.ts';
import { lineOfTexts, NEW_STORE, type StoreTexts, textsOfLine } from './store-line.ts';

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
  hours: fc.constantFrom(NEW_STORE.hours, '24/7'),
  minutes_from: fc.constantFrom('5', '15'),
  minutes_to: fc.constantFrom('20', '60'),
  pickup: fc.constantFrom('on', ''),
  delivery: fc.constantFrom('first', 'courier', ''),
  radius_miles: fc.constantFrom('3', '0.5'),
  delivery_fee: dollars,
  order_minimum: dollars,
  service_fee_percent: fc.constantFrom('0', '12.5'),
  sales_tax_percent: fc.constantFrom('', '8.875'),
});

test('what is typed is a line that a feed accepts, with its cents, and is typed again when it is edited', () => {
  fc.assert(
    fc.property(texts, (typed) => {
      const line = lineOfTexts(typed);
      const parsed = parseStoreLine({ ...line, external_id: 'x' });
      assert.ok(parsed.ok && parsed.warnings.length === 0, JSON.stringify(parsed));
      const { fees, delivery, pickup } = parsed.store.profile;
      assert.equal((fees.orderMinimumCents / 100).toFixed(2), typed.order_minimum);
      assert.deepEqual([delivery.enabled, pickup.enabled], [typed.delivery !== '', typed.pickup === 'on']);
      const again = textsOfLine(line);
      const radius = typed.delivery === '' ? { radius_miles: again.radius_miles } : {};
      assert.deepEqual(again, { ...typed, ...radius });
    }),
    { numRuns: runs(500) },
  );
});

test('an edit keeps what the form does not show', () => {
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
