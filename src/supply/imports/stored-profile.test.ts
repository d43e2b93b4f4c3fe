import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { completeHours } from '../stores/hours.ts';
import { parseStoreLine } from './parse-store-line.ts';
import { storedProfile } from './store-rows.ts';

/** Texts that look like profile members, in every text field. */
const text = fc.constantFrom('Plain', '"hours":null', '{"delivery":{}}', 'a "quoted" \\ name', 'Café ☕', 'a\u2028b');
const someHours = fc.constantFrom<object>(
  {},
  { hours: { operational: 'Mo-Fr 08:00-20:00' } },
  { hours: { operational: '24/7', delivery: null, pickup: { Monday: '09:00AM - 12:00PM' } } },
  { hours: { delivery: 'Mo-Su 10:00-26:00' } },
);
const square = [
  [
    [-74, 40.7],
    [-73.98, 40.7],
    [-73.98, 40.72],
    [-74, 40.72],
    [-74, 40.7],
  ],
];
const someDelivery = fc.constantFrom<object>(
  {},
  { delivery: {} },
  { delivery: { radius_miles: 3.5, prep_minutes: [20, 40] } },
  { delivery: { enabled: false, party: 'third', radius_miles: 0 } },
  { delivery: { area: { type: 'Polygon', coordinates: square } } },
  { delivery: { parties: [{ party: 'first' }, { party: 'courier', radius_miles: 9 }] } },
  { delivery: { parties: [{ party: 'third', prep_minutes: [5, 10] }] } },
);
const exceptions = fc.constantFrom<object>({}, { hours_exceptions: [{ from: '2027-07-04', hours: 'Closed' }] });
const someFacts = fc.constantFrom<object>(
  {},
  { rating: { value: 4.5, count: 12 }, photos: { logo: ['https://cdn.example/logo.png'] }, cuisines: ['thai'] },
  { scheduling: { slot_minutes: 15, capacity: 2 }, fees: { order_minimum: 500, pickup_service_fee: {} } },
  { phone: '2125550100', dollar_signs: 2, online_ordering: false, pickup: { prep_minutes: [5, 9] } },
);
const line = fc
  .tuple(
    fc.record({ external_id: text, name: text, description: text }),
    someHours,
    someDelivery,
    exceptions,
    text,
    someFacts,
  )
  .map(([texts, ownHours, ownDelivery, dates, city, facts]) => ({
    ...texts,
    type: 'restaurant',
    address: { street_addr: '1 Main St', city, state: 'NY', zipcode: '10001', country: 'US' },
    latitude: 40.71,
    longitude: -73.99,
    ...ownHours,
    ...ownDelivery,
    ...facts,
    ...dates,
  }));

test('a stored profile reads back equal for any texts, hours and delivery; channels with the store’s hours are omitted', () => {
  fc.assert(
    fc.property(line, (value) => {
      const parsed = parseStoreLine(value);
      assert.ok(parsed.ok, JSON.stringify(parsed));
      const { hoursExceptions, ...others } = parsed.store.profile;
      const whole = hoursExceptions.length === 0 ? others : { ...others, hoursExceptions };
      const profile = JSON.parse(JSON.stringify(storedProfile(parsed.store.profile)));
      const completed = { ...profile, hours: completeHours(profile.hours) };
      assert.deepEqual(completed, JSON.parse(JSON.stringify(whole)));
      const { operational, ...channels } = profile.hours;
      for (const hours of Object.values(channels)) assert.notDeepEqual(hours, operational);
    }),
    { numRuns: runs(500) },
  );
});
