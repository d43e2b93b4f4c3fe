import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pizzeria } from '../../../test/feed-lines.ts';
import {
  at,
  BARE,
  changed,
  faultsOf,
  type Line,
  productOf,
  storeOf,
  warningsOf,
  withProduct,
} from '../../../test/parsed-line.ts';
import { runs } from '../../../test/runs.ts';
import { FEED_LIMITS } from '../stores/feed-fields.ts';
import { plainParty } from '../stores/store.ts';
import { isCovered } from '../stores/time-zone.ts';
import { parseStoreLine } from './parse-store-line.ts';

test('each missing, null or blank required field is an error with its path, all of a line at once', () => {
  const texts = ['external_id', 'name', 'address.street_addr', 'address.city', 'address.state', 'address.zipcode'];
  for (const path of texts) {
    const expected = [`${path}: missing or empty; give it a value`];
    assert.deepEqual(faultsOf(changed(BARE, path)), expected);
    assert.deepEqual(faultsOf(changed(BARE, path, ' \t\u0000 ')), expected);
    assert.deepEqual(faultsOf(changed(BARE, path, null)), expected);
  }
  assert.deepEqual(faultsOf({ address: {} }), [
    'external_id: missing or empty; give it a value',
    'name: missing or empty; give it a value',
    'type: expected present',
    'latitude: expected present',
    'longitude: expected present',
    'address.country: expected US or CA',
    'address.street_addr: missing or empty; give it a value',
    'address.city: missing or empty; give it a value',
    'address.state: missing or empty; give it a value',
    'address.zipcode: missing or empty; give it a value',
  ]);
  assert.deepEqual(faultsOf(changed(BARE, 'address')), ['address: expected present']);
  assert.deepEqual(faultsOf([]), [': expected an object']);
});

test('everything else has a default', () => {
  const { profile, catalog, categoriesFile } = storeOf(BARE);
  const offer = { enabled: false, accepting: true, prepMinutes: [10, 20] };
  assert.deepEqual(profile, {
    name: 'Bare',
    type: 'grocery',
    phone: '',
    phoneNumber: null,
    description: '',
    address: { ...profile.address, streetAddr2: '', country: 'US' },
    latitude: 40.7383,
    longitude: -73.9927,
    timeZone: 'America/New_York',
    hours: { operational: null, delivery: null, pickup: null, dine_in: null },
    hoursExceptions: [],
    cuisines: [],
    dollarSigns: null,
    photos: { food: [], logo: [], store: [] },
    rating: null,
    onlineOrdering: true,
    pickup: offer,
    delivery: { ...offer, parties: [plainParty('first', 5)] },
    fees: {
      deliveryFee: { flatCents: 0, percent: 0, taxable: false, thresholds: [] },
      serviceFee: { flatCents: 0, percent: 0, minCents: 0, maxCents: null, taxable: false },
      pickupServiceFee: null,
      smallOrderFee: { minimumOrderCents: 0, flatCents: 0, percent: 0 },
      orderMinimumCents: 0,
      salesTaxPercent: null,
    },
    scheduling: { enabled: false, slotMinutes: 30, leadMinutes: 60, daysAhead: 3, capacity: null },
  });
  assert.deepEqual([catalog, categoriesFile], [{ categories: [], products: [] }, null]);
  assert.deepEqual(productOf({}), {
    externalId: 'p',
    name: 'P',
    description: null,
    price: 100,
    pickupPrice: 100,
    originalPrice: 100,
    image: null,
    thumbnailImage: null,
    available: true,
    qtyAvailable: null,
    unitSize: null,
    unitOfMeasurement: '',
    upcCode: null,
    isAlcoholic: false,
    food: null,
    inDelivery: true,
    inPickup: true,
    hours: null,
    customizations: [],
  });
});

test('a complete line becomes the same profile', () => {
  const { profile } = storeOf({
    ...pizzeria(),
    rating: { value: 4.6, count: 812 },
    dollar_signs: 2,
    pickup: { accepting: false, prep_minutes: [5, 9] },
    fees: {
      delivery_fee: { delivery_fee_flat: 299, threshold_fees: [{ minimum_subtotal: 4000 }] },
      pickup_service_fee: { service_fee_flat: 50, service_fee_max: 80 },
    },
  });
  assert.deepEqual(profile.rating, { value: 4.6, count: 812 });
  assert.deepEqual(profile.pickup, { enabled: true, accepting: false, prepMinutes: [5, 9] });
  assert.deepEqual(profile.fees.deliveryFee.thresholds, [{ minimumSubtotalCents: 4000, flatCents: 0, percent: 0 }]);
  assert.equal(profile.fees.pickupServiceFee?.maxCents, 80);
  assert.equal(profile.phoneNumber, 12125550123);
});

test('a service fee whose minimum is above its maximum rejects the line', () => {
  const line = (minimum: number) => ({
    ...pizzeria(),
    fees: { service_fee: { service_fee_min: minimum, service_fee_max: 300 } },
  });
  assert.deepEqual(faultsOf(line(301)), ['fees.service_fee.service_fee_min: expected at most service_fee_max']);
  assert.deepEqual(faultsOf(line(300)), []);
});

test('text loses surrounding white space, control characters and overrides of its direction, and is always storable', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const { description } = storeOf({ ...BARE, description: text }).profile;
      assert.equal(
        description,
        text
          .replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '')
          .toWellFormed()
          .trim(),
      );
    }),
  );
  assert.equal(storeOf({ ...BARE, name: '\u0000 Joe\u0007s \ud800\n' }).profile.name, 'Joes \ufffd');
  assert.equal(storeOf({ ...BARE, name: 'Pizza \u202Eelpmaxe\u202C' }).profile.name, 'Pizza elpmaxe');
});

test('a value of a wrong type or out of range is an error, never a guess', () => {
  const cases: [string, unknown][] = [
    ['name', 7],
    ['name', 'x'.repeat(FEED_LIMITS.nameCharacters + 1)],
    ['type', 'bakery'],
    ['address.country', 'MX'],
    ['latitude', '40.7'],
    ['latitude', 91],
    ['cuisines', 'pizza'],
    ['cuisines', [7]],
    ['dollar_signs', 2.5],
    ['rating', { value: -1 }],
    ['online_ordering', 'yes'],
    ['pickup', true],
    ['pickup', { prep_minutes: [20, 10] }],
    ['delivery', { party: 'second' }],
    ['delivery', { radius_miles: -1 }],
    ['fees', { order_minimum: 1.5 }],
    ['fees', { sales_tax_percent: 101 }],
    ['fees', { delivery_fee: { threshold_fees: [{}] } }],
    ['scheduling', { slot_minutes: 0 }],
    ['scheduling', { days_ahead: 366 }],
    ['kitchen', {}],
    ['kitchen', { orders: 0 }],
    ['kitchen', { items: 30, max_wait_minutes: 1441 }],
    ['time_zone', 'Mars/Olympus'],
    ['time_zone', 'SystemV/PST8'],
    ['hours', 'Mo-Su 10:00-20:00'],
    ['hours', { operational: 7 }],
    ['categories', {}],
  ];
  for (const [path, value] of cases) {
    const faults = faultsOf(changed(BARE, path, value));
    assert.equal(faults.length, 1, `${path} ${JSON.stringify(value).slice(0, 40)}: ${faults}`);
    assert.ok(faults.join().startsWith(path), faults.join());
  }
});

test('any JSON value gives a store or faults, and throws nothing', () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constant({ Monday: '11:00AM - 02:00AM' }),
    fc.constant('Mo-Su 10:00-20:00'),
  );
  const keys = Object.keys(pizzeria()).concat('photos', 'rating', 'description', 'categories_file');
  fc.assert(
    fc.property(fc.constantFrom(...keys), value, (key, json) => {
      const parsed = parseStoreLine({ ...pizzeria(), [key]: json });
      assert.equal(parsed.ok, !('faults' in parsed && parsed.faults.length > 0));
    }),
    { numRuns: runs(500) },
  );
});

test('a coordinate outside the boxes of the two countries rejects the line, an edge does not', () => {
  const outside: [number, number][] = [
    [0, 0],
    [48.85, 2.35],
    [19.43, -99.13],
    [-33.9, 151.2],
    [24.2, -80],
  ];
  for (const [latitude, longitude] of outside) {
    assert.deepEqual(faultsOf({ ...BARE, latitude, longitude }), [
      'latitude, longitude: expected a coordinate in the US or Canada',
    ]);
  }
  const inside: [number, number][] = [
    [21.3, -157.8],
    [18.4, -66.1],
    [13.4, 144.8],
    [-14.3, -170.7],
    [61.2, -149.9],
  ];
  for (const [latitude, longitude] of inside) assert.deepEqual(faultsOf({ ...BARE, latitude, longitude }), []);
  assert.ok(isCovered(24.3, -125.1) && isCovered(49.5, -66.8) && isCovered(52, 180) && !isCovered(24.29, -100));
});

test('a missing time zone comes from the coordinate, and an old name becomes today’s', () => {
  const zone = (line: Line) => storeOf({ ...BARE, ...line }).profile.timeZone;
  const address = { ...BARE.address, state: 'BC', country: 'CA' };
  assert.equal(zone({ address, latitude: 49.263, longitude: -123.134 }), 'America/Vancouver');
  assert.equal(zone({ time_zone: 'US/Pacific' }), 'America/Los_Angeles');
});

test('a phone becomes digits with the country code, or none; however odd, it is kept and rejects nothing', () => {
  const phone = (text: unknown) => {
    const { profile } = storeOf({ ...BARE, phone: text });
    return [profile.phone, profile.phoneNumber];
  };
  assert.deepEqual(phone('(925) 326-7172'), ['(925) 326-7172', 19253267172]);
  assert.deepEqual(phone('+1 604 555 0199'), ['+1 604 555 0199', 16045550199]);
  assert.deepEqual(phone(9253267172), ['9253267172', 19253267172]);
  for (const odd of ['Coming Soon!', '--', '0', '(000) 000-0000', '356-342', '1-800-FLOWERS', '+1 900']) {
    assert.deepEqual(phone(odd), [odd, null]);
    assert.deepEqual(warningsOf({ ...BARE, phone: odd }), ['phone: expected a phone number']);
  }
  assert.deepEqual(warningsOf({ ...BARE, phone: '(925) 326-7172 x5' }), []);
  assert.equal(storeOf(changed(BARE, 'address.zipcode', '0774O X')).profile.address.zipcode, '0774O X');
});

test('a channel that is missing follows operational; OpenStreetMap rules are read', () => {
  const { hours } = storeOf({
    ...BARE,
    hours: { operational: { Friday: '11:00AM - 02:00AM' }, delivery: 'Mo-Sa 11:30-21:30' },
  }).profile;
  assert.deepEqual(hours.operational?.[4], [{ startMinute: 660, endMinute: 1560 }]);
  assert.deepEqual(hours.operational?.[0], []);
  assert.deepEqual(hours.delivery?.[5], [{ startMinute: 690, endMinute: 1290 }]);
  assert.deepEqual([hours.pickup, hours.dine_in], [hours.operational, hours.operational]);
});

test('hours without a channel are unknown, with a warning', () => {
  const line = { ...BARE, hours: { Monday: '11AM - 9PM' } };
  assert.equal(storeOf(line).profile.hours.operational, null);
  assert.match(warningsOf(line).join(), /^hours: expected an object with at least one of operational, /);
});

test('a rule that a week cannot express leaves its channel unknown, with a warning and without a fault', () => {
  const line = { ...BARE, hours: { operational: 'Mo-Su 10:00-20:00', delivery: 'sunrise-sunset' } };
  const { hours } = storeOf(line).profile;
  assert.equal(hours.delivery, null);
  assert.deepEqual(hours.pickup, hours.operational);
  assert.match(warningsOf(line).join(), /^hours\.delivery: expected weekly hours, or dates: .*; left unknown$/);
  assert.match(
    warningsOf(withProduct({ hours: 'Dec 25 10:00-12:00' })).join(),
    /categories\[0\]\.products\[0\]\.hours: .*; left unknown, so sold in the store's hours, and alcohol not at all$/,
  );
});

test('a ZIP code or barcode gets its lost leading zeros back, and a wrong check digit is a warning', () => {
  const zip = (value: unknown) => storeOf(changed(BARE, 'address.zipcode', value)).profile.address.zipcode;
  fc.assert(
    fc.property(fc.integer({ min: 501, max: 99_950 }), fc.constantFrom('', ' '), (number, space) => {
      const whole = String(number).padStart(5, '0');
      for (const lost of [number, `${space}${number}${space}`, whole]) assert.equal(zip(lost), whole);
      assert.equal(zip(`${number}-1002`), `${whole}-1002`);
    }),
  );
  for (const other of ['M5H 2N2', '12', '0774O X']) assert.equal(zip(other), other);
  const upc = (value: unknown) => productOf({ upc_code: value })?.upcCode;
  assert.deepEqual(
    [upc(49000042566), upc('049000042566'), upc(12345670)],
    ['049000042566', '049000042566', '12345670'],
  );
  assert.deepEqual(warningsOf(withProduct({ upc_code: 49000042566 })), []);
  assert.deepEqual(warningsOf(withProduct({ upc_code: '049000042565' })), [
    `${at('upc_code')}: expected a bar code whose last digit is its check digit`,
  ]);
  assert.deepEqual(warningsOf(withProduct({ upc_code: 'SKU-1' })), []);
});

test('nulls in a list are left out', () => {
  const withNulls = (list: readonly unknown[]) =>
    fc.array(fc.nat({ max: list.length }), { minLength: 1, maxLength: 4 }).map((places) => {
      const out = [...list];
      for (const at of places) out.splice(at, 0, null);
      return out;
    });
  fc.assert(
    fc.property(
      withNulls(['pizza', 'pasta']),
      withNulls(['Mo-Fr 09:00-17:00', 'Sa 10:00-12:00']),
      (cuisines, hours) => {
        const line = { ...pizzeria(), cuisines, hours: { operational: hours } };
        const plain = {
          ...pizzeria(),
          cuisines: ['pizza', 'pasta'],
          hours: { operational: hours.filter((one) => one !== null) },
        };
        assert.deepEqual(storeOf(line).profile, storeOf(plain).profile);
      },
    ),
  );
});
