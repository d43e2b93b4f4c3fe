import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BARE, faultsOf, type Line, storeOf } from '../../../test/parsed-line.ts';
import { runs } from '../../../test/runs.ts';
import { FEED_LIMITS } from '../stores/feed-fields.ts';
import { plainParty, plainZone } from '../stores/store.ts';
import { parseStoreLine } from './parse-store-line.ts';

const offer = (delivery: unknown): Line => ({ ...BARE, delivery });
const partiesOf = (delivery: unknown) => storeOf(offer(delivery)).profile.delivery.parties;

/** A square around the store; the argument is half its side in degrees. */
function square(half: number): [number, number][] {
  const { longitude: x, latitude: y } = BARE;
  return [
    [x - half, y - half],
    [x + half, y - half],
    [x + half, y + half],
    [x - half, y + half],
    [x - half, y - half],
  ];
}
const polygon = (...rings: unknown[]) => ({ type: 'Polygon', coordinates: rings });
/** A ring around the store with this many positions. */
function givenRing(positions: number): [number, number][] {
  const points = Array.from({ length: positions - 1 }, (_, n): [number, number] => {
    const angle = (2 * Math.PI * n) / (positions - 1);
    return [BARE.longitude + 0.1 * Math.cos(angle), BARE.latitude + 0.1 * Math.sin(angle)];
  });
  return [...points, points[0] ?? [0, 0]];
}

test('a store delivers by one party within a radius, in an area or in zones', () => {
  assert.deepEqual(partiesOf({}), [plainParty('first', 5)]);
  assert.deepEqual(partiesOf({ party: 'courier', radius_miles: 2.5 }), [plainParty('courier', 2.5)]);
  const area = [[square(0.1), square(0.02)]];
  assert.deepEqual(partiesOf({ area: polygon(...(area[0] ?? [])) })[0]?.zones, [plainZone({ area })]);
  const many = { type: 'MultiPolygon', coordinates: [[square(0.1)], [square(0.02)]] };
  assert.deepEqual(partiesOf({ area: many })[0]?.zones, [plainZone({ area: [[square(0.1)], [square(0.02)]] })]);
  const zones = [
    { radius_miles: 1, delivery_fee: { delivery_fee_flat: 0 } },
    { area: polygon(square(0.1)), order_minimum: 3000, prep_minutes: [30, 45] },
  ];
  const free = { flatCents: 0, percent: 0, taxable: false, thresholds: [] };
  assert.deepEqual(partiesOf({ party: 'third', zones })[0]?.zones, [
    { reach: { radiusMiles: 1 }, deliveryFee: free, orderMinimumCents: null, prepMinutes: null },
    { reach: { area: [[square(0.1)]] }, deliveryFee: null, orderMinimumCents: 3000, prepMinutes: [30, 45] },
  ]);
});

test('each of several delivery providers states its area and terms, or inherits the store’s area', () => {
  const fees = {
    delivery_fee: { delivery_fee_flat: 599 },
    service_fee: { service_fee_percent: 5 },
    small_order_fee: { minimum_order_value: 1000, small_order_fee_flat: 100 },
    order_minimum: 800,
  };
  const parties = [
    { party: 'first', radius_miles: 1 },
    { party: 'courier', accepting: false, fees, prep_minutes: [20, 30] },
  ];
  assert.deepEqual(partiesOf({ radius_miles: 4, parties }), [
    plainParty('first', 1),
    {
      ...plainParty('courier', 4),
      accepting: false,
      prepMinutes: [20, 30],
      fees: {
        deliveryFee: { flatCents: 599, percent: 0, taxable: false, thresholds: [] },
        serviceFee: { flatCents: 0, percent: 5, minCents: 0, maxCents: null, taxable: false },
        smallOrderFee: { minimumOrderCents: 1000, flatCents: 100, percent: 0 },
        orderMinimumCents: 800,
      },
    },
  ]);
});

test('an invalid area, zone or provider rejects the line with its path', () => {
  const { longitude: x, latitude: y } = BARE;
  const swapped = square(0.1).map(([longitude, latitude]) => [latitude, longitude]);
  const cases: [object, string][] = [
    [{ area: [] }, 'delivery.area: expected an object'],
    [{ area: { coordinates: [square(1)] } }, 'delivery.area.type: expected present'],
    [{ area: { type: 'Polygon' } }, 'delivery.area.coordinates: expected present'],
    [{ area: { type: 'Point', coordinates: [x, y] } }, 'delivery.area.type: expected Polygon or MultiPolygon'],
    [{ area: polygon() }, 'delivery.area.coordinates: expected a list that is not empty'],
    [{ area: polygon(7) }, 'delivery.area.coordinates[0]: expected a list that is not empty'],
    [
      {
        area: polygon([
          [x, y],
          ['0', y],
        ]),
      },
      'delivery.area.coordinates[0][1]: expected [longitude, latitude]',
    ],
    [
      { area: { type: 'MultiPolygon', coordinates: [[square(1)], [square(1), [[x]]]] } },
      'delivery.area.coordinates[1][1][0]: expected [longitude, latitude]',
    ],
    [{ area: polygon(givenRing(2001)) }, 'delivery.area.coordinates: expected at most 2000 positions'],
    [
      { area: polygon(swapped) },
      `delivery.area.coordinates: expected [longitude, latitude] within 1000 miles of the store, not [${swapped[0]?.join(', ')}]`,
    ],
    [
      {
        area: polygon([
          [x, y],
          [x + 1, y + 1],
          [x + 1, y],
          [x, y + 1],
          [x, y],
        ]),
      },
      'delivery.area.coordinates: expected a valid area; this one has an edge that crosses another',
    ],
    [{ area: polygon(square(1)), radius_miles: 3 }, 'delivery.area: expected one of radius_miles, area, zones'],
    [{ zones: [] }, 'delivery.zones: expected at least one zone'],
    [{ zones: [{ delivery_fee: {} }] }, 'delivery.zones[0].area: expected area or radius_miles, and not both'],
    [
      { zones: [{ radius_miles: 1 }, { radius_miles: 1001 }] },
      'delivery.zones[1].radius_miles: expected a number from 0 to 1000',
    ],
    [
      { parties: [{ party: 'courier', zones: [{ area: polygon(square(1).slice(0, 4)) }] }] },
      'delivery.parties[0].zones[0].area.coordinates: expected a valid area; this one has a ring that is not closed',
    ],
    [{ parties: [] }, 'delivery.parties: expected at least one party'],
    [{ zones: { radius_miles: 1 } }, 'delivery.zones: expected a list'],
    [{ zones: [1] }, 'delivery.zones[0]: expected an object'],
    [{ parties: 'first' }, 'delivery.parties: expected a list'],
    [{ parties: ['first'] }, 'delivery.parties[0]: expected an object'],
    [{ parties: [{ radius_miles: 1 }] }, 'delivery.parties[0].party: expected present'],
    [{ party: 'first', parties: [{ party: 'courier' }] }, 'delivery.party: expected only without parties'],
    [
      { parties: [{ party: 'first', fees: { delivery_fee: { delivery_fee_flat: 1.5 } } }] },
      'delivery.parties[0].fees.delivery_fee.delivery_fee_flat: expected whole cents',
    ],
  ];
  for (const [delivery, fault] of cases) {
    const faults = faultsOf(offer(delivery));
    assert.equal(faults.length, 1, `${fault}: ${faults}`);
    assert.ok(faults.join().startsWith(fault), faults.join());
  }
});

test('parties, zones and the positions of their areas are bounded', () => {
  const zone = { radius_miles: 1 };
  const zones = (count: number) => Array.from({ length: count }, () => zone);
  const parties = (count: number) => Array.from({ length: count }, () => ({ party: 'courier' }));
  assert.deepEqual(faultsOf(offer({ zones: zones(FEED_LIMITS.deliveryZones) })), []);
  assert.deepEqual(faultsOf(offer({ zones: zones(FEED_LIMITS.deliveryZones + 1) })), [
    'delivery.zones: expected at most 100 entries',
  ]);
  assert.deepEqual(faultsOf(offer({ parties: parties(FEED_LIMITS.deliveryParties) })), []);
  assert.deepEqual(faultsOf(offer({ parties: parties(FEED_LIMITS.deliveryParties + 1) })), [
    'delivery.parties: expected at most 10 entries',
  ]);
  const wide = { area: polygon(givenRing(2000)) };
  const ten = Array.from({ length: 10 }, () => wide);
  assert.deepEqual(faultsOf(offer({ zones: ten })), []);
  const [a, b, c, d] = square(1);
  const beyond = { area: polygon([a, c, b, d, a]) };
  // An area beyond the size limit is not validated further, so its own error is not reported.
  assert.match(faultsOf(offer(beyond)).join(), /valid area/);
  assert.deepEqual(faultsOf(offer({ zones: [...ten, beyond] })), [
    'delivery: expected at most 20000 positions in all areas together',
  ]);
  assert.deepEqual(faultsOf(offer({ zones: [...ten, { area: polygon(square(1)) }] })), [
    'delivery: expected at most 20000 positions in all areas together',
  ]);
});

test('any delivery gives a store with at least one party and one zone, or faults, and throws nothing', () => {
  const shape = fc.record(
    {
      type: fc.constantFrom('Polygon', 'MultiPolygon', 'Point'),
      coordinates: fc.oneof(fc.jsonValue(), fc.constant([square(0.1)]), fc.constant([[square(0.1)]])),
    },
    { requiredKeys: [] },
  );
  const reach = {
    radius_miles: fc.oneof(fc.constantFrom(0, 3), fc.jsonValue()),
    area: fc.oneof(shape, fc.jsonValue()),
    zones: fc.array(fc.record({ radius_miles: fc.constant(1), area: shape }, { requiredKeys: [] }), { maxLength: 3 }),
    prep_minutes: fc.constantFrom([1, 2], [2, 1], 7),
  };
  const party = fc.record(
    { party: fc.constantFrom('first', 'third', 7), fees: fc.jsonValue(), ...reach },
    { requiredKeys: [] },
  );
  const delivery = fc.record(
    { party: fc.constant('courier'), parties: fc.array(party, { maxLength: 2 }), ...reach },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(delivery, (one) => {
      const parsed = parseStoreLine(offer(one));
      if (!parsed.ok) return parsed.faults.every(({ path }) => path.startsWith('delivery'));
      const { parties } = parsed.store.profile.delivery;
      return parties.length > 0 && parties.every(({ zones }) => zones.length > 0);
    }),
    { numRuns: runs(300) },
  );
});

test('named taxes replace the single rate: exact and up to eight', () => {
  const gst = { name: 'GST', percent: 5 };
  const qst = { name: ' QST ', percent: 9.975 };
  const feesOf = (fees: object) => storeOf({ ...BARE, fees }).profile.fees;
  const { taxes, salesTaxPercent } = feesOf({ taxes: [gst, qst] });
  assert.deepEqual([taxes, salesTaxPercent], [[gst, { name: 'QST', percent: 9.975 }], 14.975]);
  assert.equal(feesOf({ taxes: [gst, qst], sales_tax_percent: 14.975 }).salesTaxPercent, 14.975);
  const tenths = { name: 'A', percent: 0.1 };
  assert.equal(feesOf({ taxes: [tenths, { name: 'B', percent: 0.2 }] }).salesTaxPercent, 0.3);
  assert.deepEqual(['taxes' in feesOf({ taxes: [] }), 'taxes' in feesOf({ sales_tax_percent: 8 })], [false, false]);
  const wrong: [object, string][] = [
    [
      { taxes: [gst, qst], sales_tax_percent: 15 },
      'fees.sales_tax_percent: expected 14.975, the sum of taxes on grocery; it may be left out',
    ],
    [{ taxes: [{ percent: 5 }] }, 'fees.taxes[0].name: missing or empty; give it a value'],
    [{ taxes: [{ name: 'GST' }] }, 'fees.taxes[0].percent: expected present'],
    [{ taxes: [{ name: 'GST', percent: 1.23456789 }] }, 'fees.taxes[0].percent: expected at most six decimals'],
    [
      {
        taxes: [
          { name: 'A', percent: 60 },
          { name: 'B', percent: 60 },
        ],
      },
      'fees.taxes: expected at most 100 percent together',
    ],
    [
      { taxes: [gst, qst, { name: 'gst', percent: 5 }] },
      'fees.taxes[2].name: expected unique within taxes of the same class',
    ],
    [{ taxes: [...'ABCDEFGHI'].map((name) => ({ name, percent: 1 })) }, 'fees.taxes: expected at most 8 entries'],
    [{ taxes: 'GST' }, 'fees.taxes: expected a list'],
  ];
  for (const [fees, fault] of wrong) assert.deepEqual(faultsOf({ ...BARE, fees }), [fault], JSON.stringify(fees));
});

test('a tax applies to its classes, and the single rate is their sum on the store’s class', () => {
  const low = { name: 'Sales tax', percent: 1, classes: ['grocery'] };
  const full = { name: 'Sales tax', percent: 6.25, classes: ['candy', 'soft_drink', 'candy'] };
  const city = { name: 'City tax', percent: 0.5 };
  const taxes = [low, full, city];
  const of = (fields: object) => storeOf({ ...BARE, ...fields }).profile;
  const grocery = of({ fees: { taxes, sales_tax_percent: 1.5 } });
  assert.deepEqual(grocery.fees.taxes, [low, { ...full, classes: ['candy', 'soft_drink'] }, city]);
  assert.deepEqual([grocery.fees.salesTaxPercent, 'taxClass' in grocery], [1.5, false]);
  const shop = of({ fees: { taxes }, tax_class: 'candy' });
  assert.deepEqual([shop.fees.salesTaxPercent, shop.taxClass], [6.75, 'candy']);
  const known = 'prepared_food, grocery, candy, soft_drink, alcohol, supplement, general, exempt';
  const wrong: [object, string][] = [
    [{ tax_class: 'food' }, `tax_class: expected one of ${known}`],
    [
      { fees: { taxes, sales_tax_percent: 7.75 } },
      'fees.sales_tax_percent: expected 1.5, the sum of taxes on grocery; it may be left out',
    ],
    [
      { fees: { taxes: [{ ...low, classes: ['grocery', 'exempt'] }] } },
      `fees.taxes[0].classes[1]: expected one of ${known}, without exempt`,
    ],
    [
      { fees: { taxes: [{ ...low, classes: [] }] } },
      'fees.taxes[0].classes: expected a class; left out: every class but exempt',
    ],
    [
      { fees: { taxes: [low, { ...full, classes: ['grocery'] }] } },
      'fees.taxes[1].name: expected unique within taxes of the same class',
    ],
    [
      { categories: [{ id: 'c', name: 'C', tax_class: 'x', products: [] }] },
      `categories[0].tax_class: expected one of ${known}`,
    ],
  ];
  for (const [fields, fault] of wrong)
    assert.deepEqual(faultsOf({ ...BARE, ...fields }), [fault], JSON.stringify(fields));
});
