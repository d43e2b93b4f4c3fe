import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areaContains, circleRing, milesBetween } from 'doorstep/search-engine/geography';
import type { FeedLine } from '../../test/feed-lines.ts';
import { kitchen, readJoined } from '../../test/food-entities.ts';
import { GOOGLE_FOOD_LIMITS } from './entity.ts';

const STORE = { latitude: 41.8843, longitude: -87.6484 };
const area = (id: string, more: FeedLine, service = 'r1/delivery'): FeedLine => ({
  '@type': 'ServiceArea',
  '@id': id,
  serviceId: service,
  ...more,
});
const fee = (id: string, price: unknown, more: FeedLine = {}): FeedLine => ({
  '@type': 'Fee',
  '@id': id,
  serviceId: 'r1/delivery',
  feeType: 'DELIVERY',
  price,
  priceCurrency: 'USD',
  ...more,
});
const circle = (meters: number) => ({ geoRadius: meters });
/** A square around the store in Google's notation; `half` is half its side in degrees. */
function square(half: number, apart = ' '): string {
  const { latitude: y, longitude: x } = STORE;
  const at = (north: number, east: number) => `${(y + north * half).toFixed(4)}${apart}${(x + east * half).toFixed(4)}`;
  return [at(-1, -1), at(-1, 1), at(1, 1), at(1, -1), at(-1, -1)].join(' ');
}

function read(...entities: FeedLine[]) {
  const parsed = readJoined(kitchen(...entities));
  assert.ok(parsed.ok, JSON.stringify(parsed));
  const { delivery, fees } = parsed.store.profile;
  assert.equal(delivery.parties.length, 1);
  const warnings = parsed.warnings.map(({ path, message }) => `${path}: ${message}`);
  return { zones: delivery.parties[0]?.zones ?? [], fees, delivery, warnings };
}
const holds = ({ zones }: ReturnType<typeof read>, north: number, east: number) =>
  zones.map(({ reach }) =>
    'area' in reach
      ? areaContains(reach.area, STORE.longitude + east, STORE.latitude + north)
      : milesBetween(STORE, { latitude: STORE.latitude + north, longitude: STORE.longitude + east }) <=
        reach.radiusMiles,
  );
const flatsOf = ({ zones }: ReturnType<typeof read>) => zones.map(({ deliveryFee }) => deliveryFee?.flatCents ?? null);

test('polygons are areas: latitudes come first, commas may part them, and an open ring is closed', () => {
  const one = read(area('shape', { polygon: [square(0.02)] }));
  assert.deepEqual([holds(one, 0.019, -0.019), holds(one, 0.021, 0)], [[true], [false]]);
  assert.deepEqual(one.warnings, []);
  assert.deepEqual(read(area('shape', { polygon: square(0.02, ',') })).zones, one.zones);
  const open = square(0.02).split(' ').slice(0, 8).join(' ');
  assert.deepEqual(read(area('shape', { polygon: open })).zones, one.zones);
});

test('areas without terms of their own are one area, or the widest circle', () => {
  const { latitude: y, longitude: x } = STORE;
  const away = `${y + 1} ${x} ${y + 1} ${x + 1} ${y + 2} ${x} ${y + 1} ${x}`;
  const two = read(area('a', { polygon: [square(0.02), away] }), area('b', { polygon: [square(0.01)] }));
  assert.equal(two.zones.length, 1);
  assert.deepEqual([holds(two, 1.1, 0.1), holds(two, 0, 0), holds(two, 0.5, 0)], [[true], [true], [false]]);
  const circles = read(area('a', circle(1609.344)), area('b', circle(4828.032)));
  assert.deepEqual(
    circles.zones.map(({ reach }) => reach),
    [{ radiusMiles: 3 }],
  );
});

test('a circle around another point than the store is a polygon on it', () => {
  const center = { latitude: 41.95, longitude: -87.7 };
  const moved = read(area('a', { ...circle(1609.344), geoMidpointLatitude: 41.95, geoMidpointLongitude: '-87.7' }));
  assert.deepEqual(
    moved.zones.map(({ reach }) => reach),
    [{ area: [[circleRing(center, 1, 64)]] }],
  );
});

test('a fee of an area is the fee of its zone; the smallest of the zones that hold a door counts', () => {
  const stated = read(
    area('far', { polygon: [square(0.05)] }),
    area('near', circle(800)),
    fee('all', '4.99'),
    fee('free', 0, { eligibleTransactionVolumeMin: 40 }),
    fee('near-fee', '1.50', { eligibleRegion: ['near'] }),
  );
  assert.deepEqual([stated.fees.deliveryFee.flatCents, flatsOf(stated)], [499, [150, null]]);
  assert.deepEqual(stated.zones[0]?.deliveryFee?.thresholds, [
    { minimumSubtotalCents: 4000, flatCents: 0, percent: 0 },
  ]);
  assert.deepEqual(
    [holds(stated, 0, 0), holds(stated, 0.04, 0)],
    [
      [true, true],
      [false, true],
    ],
  );
  assert.deepEqual(stated.warnings, []);
});

test('several delivery services become zones with fees and minutes; unsupported terms are reported', () => {
  const second = {
    '@type': 'Service',
    '@id': 'r1/far',
    serviceType: 'DELIVERY',
    restaurantId: 'r1',
    menuId: 'r1/menu',
  };
  const hours = {
    '@type': 'ServiceHours',
    '@id': 'far-hours',
    serviceId: 'r1/far',
    orderType: 'ASAP',
    leadTimeMin: 45,
    leadTimeMax: 60,
    opens: '00:00',
    closes: '23:59',
  };
  const stated = read(
    second,
    hours,
    area('near', circle(1609.344)),
    area('far', { polygon: [square(0.1)] }, 'r1/far'),
    fee('near-fee', '1.00'),
    fee('far-fee', '7.00', { serviceId: 'r1/far' }),
    fee('near-service', '2.00', { feeType: 'SERVICE' }),
    fee('far-service', '3.00', { feeType: 'SERVICE', serviceId: 'r1/far' }),
  );
  assert.deepEqual(
    stated.zones.map((zone) => [zone.deliveryFee?.flatCents ?? null, zone.prepMinutes]),
    [
      [null, [20, 30]],
      [700, [45, 60]],
    ],
  );
  assert.equal(stated.fees.deliveryFee.flatCents, 100);
  assert.equal(stated.fees.serviceFee.flatCents, 200);
  assert.deepEqual(stated.warnings, [
    'Service r1/far: expected one delivery service; its hours and service fee apply to all of them',
    'Fee far-service: expected one service fee; left out',
  ]);
});

test('an area or a fee that cannot be kept is left out with a warning, and the store is imported', () => {
  const swapped = square(0.02).split(' ').reverse().join(' ');
  const { longitude: x } = STORE;
  const { zones, warnings } = read(
    area('words', { polygon: ['north side'] }),
    area('cross', { polygon: [`41 ${x} 42 ${x + 1} 42 ${x} 41 ${x + 1} 41 ${x}`] }),
    area('swapped', { polygon: [swapped] }),
    area('zip', { postalCode: '60607' }),
    area('wide', circle(1_700_000)),
    fee('elsewhere', 1, { eligibleRegion: 'unknown' }),
    fee('by-meter', 1, { pricePerMeter: 0.1 }),
  );
  assert.deepEqual(
    zones.map(({ reach }) => reach),
    [{ radiusMiles: 5 }],
  );
  assert.deepEqual(
    warnings.map((warning) => warning.replace(/this one has an edge.*;/, 'it crosses itself;')),
    [
      'Fee elsewhere: expected eligibleRegion or serviceAreaId of a delivery fee, and an area of its service; left out',
      'Fee by-meter: expected a fee without pricePerMeter, validFrom, validThrough; left out',
      'ServiceArea words: expected polygons of latitudes and longitudes, separated by spaces; left out',
      'ServiceArea cross: expected a valid polygon; it crosses itself; left out',
      'ServiceArea swapped: expected a polygon within 1000 miles of the store; left out',
      'ServiceArea zip: expected a polygon, or a circle with geoRadius; left out',
      'ServiceArea wide: expected a circle of at most 1000 miles; left out',
    ],
  );
});

test('more areas than a line may have are left out one by one', () => {
  const many = Array.from({ length: 102 }, (_, n) => [
    area(`a${n}`, { polygon: [square(0.001 * (n + 1))] }),
    fee(`f${n}`, n + 1, { eligibleRegion: [`a${n}`] }),
  ]).flat();
  const { zones, warnings } = read(...many);
  assert.equal(zones.length, 100);
  assert.deepEqual(
    warnings,
    ['a100', 'a101'].map((id) => `ServiceArea ${id}: expected at most 100 areas of 20000 positions; left out`),
  );
});

test('no more areas of a restaurant are checked than the limit, and one warning counts the others', () => {
  const { areasPerStore } = GOOGLE_FOOD_LIMITS;
  const many = Array.from({ length: areasPerStore + 5 }, (_, n) => area(`area-${n}`, circle(100 + n)));
  const { zones, warnings } = read(...many);
  assert.deepEqual(
    zones.map(({ reach }) => reach),
    [{ radiusMiles: Math.round(((99 + areasPerStore) / 1609.344) * 1000) / 1000 }],
  );
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? '', new RegExp(`at most ${areasPerStore} areas of one restaurant, not ${many.length}`));
});
