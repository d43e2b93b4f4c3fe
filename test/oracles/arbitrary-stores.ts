import type { Area, LongitudeLatitude } from 'doorstep/search-engine/geography';
import fc from 'fast-check';
import { instantOfEpochSeconds } from '../../src/platform/lib/time.ts';
import { SORTS } from '../../src/search/stores/store-query.ts';
import { type DeliveryParty, plainZone } from '../../src/supply/stores/store.ts';
import { queryOf, storeOf } from './store-search.ts';

const WORDS = ['pizza', 'pizzas', 'pizzeria', 'café', 'noodle', 'noodles', 'le', '7-eleven', "joe's"];
/** New York, the Aleutians on both sides of the antimeridian, Nunavut, Guam, American Samoa and the poles. */
const ANCHORS = [
  [40.73, -73.99],
  [52, 179.9],
  [52, -179.9],
  [82.5, -62.3],
  [13.5, 144.8],
  [-14.3, -170.7],
  [90, 0],
  [-90, 12],
] as const;

/** Often zero, so that many stores share a location. */
const arbitraryOffset = fc.oneof(fc.constant(0), fc.integer({ min: -40, max: 40 }));

const arbitraryPlace = fc
  .tuple(fc.constantFrom(...ANCHORS, ANCHORS[0], ANCHORS[0]), arbitraryOffset, arbitraryOffset)
  .map(([[latitude, longitude], north, east]) => ({
    latitude: Math.max(-90, Math.min(90, latitude + north * 0.013)),
    longitude: ((longitude + east * 0.017 + 540) % 360) - 180,
  }));

const NAME_TEXTS = ['pizza', 'PIZZAS', 'pizzeira', 'CAFE', 'nodle', 'noo', 'joes', '!'];
/** What and where stores are, words that say nothing, and a word that nothing has. */
const FACT_TEXTS = 'thai,Restaurants,store,new york,10011,delivery,near me,the,open now,qqqqqqqq'.split(',');
const arbitraryText = fc.oneof(
  fc.array(fc.constantFrom(...NAME_TEXTS), { maxLength: 2 }),
  fc.array(fc.constantFrom(...NAME_TEXTS, ...FACT_TEXTS), { maxLength: 3 }),
);

/** A rectangle, a square with a hole, or a wide area, on the same grid as queries. */
const arbitraryAreaShape = fc.record({
  west: fc.integer({ min: 1, max: 30 }),
  south: fc.integer({ min: 1, max: 30 }),
  east: fc.integer({ min: 1, max: 30 }),
  north: fc.integer({ min: 1, max: 30 }),
  slant: fc.integer({ min: -5, max: 5 }),
  isHollow: fc.boolean(),
  isWide: fc.integer({ min: 0, max: 20 }).map((n) => n === 0),
});

/** Radii that equal no distance in this file. */
const RADII = [0.000_123, 1.234_567, 7.654_321, 31.415_926, 900.271_828];

const arbitraryReach = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...RADII).map((radiusMiles) => ({ radiusMiles })) },
  { weight: 1, arbitrary: arbitraryAreaShape },
);

const arbitraryZones = fc.array(arbitraryReach, { minLength: 1, maxLength: 3 });

type Shape = typeof arbitraryAreaShape extends fc.Arbitrary<infer One> ? One : never;
type Place = { latitude: number; longitude: number };

/** Around the store's position; longitudes run past 180 near the antimeridian, and latitudes end at the poles. */
function areaAround(
  { latitude, longitude }: Place,
  { west, south, east, north, slant, isHollow, isWide }: Shape,
): Area {
  const step = isWide ? 0.5 : 0.013;
  const at = (x: number, y: number): LongitudeLatitude => {
    return [longitude + x * step * (0.017 / 0.013), Math.max(-90, Math.min(90, latitude + y * step))];
  };
  const outline = [at(-west, -south), at(east, -south), at(east + slant, north), at(-west + slant, north)] as const;
  const polygons: Area = [[[...outline, outline[0]]]];
  if (!isHollow || west < 6 || east < 6 || south < 3 || north < 3) return polygons;
  const hole = [at(0, 0), at(0, 1), at(1, 1), at(1, 0), at(0, 0)];
  return [[...(polygons[0] ?? []), hole]];
}

function partiesOf(place: Place, parties: readonly (readonly (Shape | { radiusMiles: number })[])[]): DeliveryParty[] {
  return parties.map((zones, n) => ({
    party: n === 0 ? 'first' : 'courier',
    accepting: n % 2 === 0,
    zones: zones.map((zone, at) => ({
      ...plainZone('radiusMiles' in zone ? zone : { area: areaAround(place, zone) }),
      prepMinutes: at % 2 === 0 ? null : [3 + 5 * n, 20],
    })),
    fees: null,
    prepMinutes: null,
  }));
}

export const arbitraryStore = fc
  .record({
    storeId: fc.integer({ min: 0, max: 500 }).map((n) => `s${n}`),
    place: arbitraryPlace,
    name: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
    type: fc.constantFrom('restaurant', 'grocery'),
    dollarSigns: fc.option(fc.integer({ min: 1, max: 3 })),
    rating: fc.option(fc.record({ value: fc.constantFrom(3, 4, 4.5), count: fc.option(fc.nat(9)) })),
    cuisines: fc.subarray(['Pizza', 'Française', 'thai']),
    modes: fc.record({ pickup: fc.boolean(), delivery: fc.boolean(), minutes: fc.integer({ min: 5, max: 15 }) }),
    isOpenSometimes: fc.boolean(),
    orders: fc.record({ never: fc.integer({ min: 0, max: 7 }), isOff: fc.integer({ min: 0, max: 7 }) }),
    parties: fc.array(arbitraryZones, { minLength: 1, maxLength: 2 }),
    /** Until when the kitchen is busy, in minutes after the epoch. */
    busy: fc.option(fc.record({ minutes: fc.integer({ min: 5, max: 60 }), until: fc.integer({ min: 0, max: 200 }) })),
    /** When the kitchen has room, in minutes after the epoch. */
    room: fc.option(fc.integer({ min: 0, max: 200 }), { nil: null, freq: 1 }),
  })
  .map(({ storeId, place, modes, isOpenSometimes, orders: { never, isOff }, parties, room, busy, ...facts }) => {
    const takes = { onlineOrdering: never !== 1, hasCatalog: never !== 2, hasChannel: never !== 3 };
    const store = storeOf(storeId, { ...facts, ...place, ...takes });
    const prepMinutes: [number, number] = [modes.minutes, modes.minutes + 10];
    const operational = isOpenSometimes ? store.hours.operational : null;
    const [whenPickup, whenDelivery] = [isOff === 1 ? null : operational, isOff === 2 ? null : operational];
    const hours = { ...store.hours, operational, pickup: whenPickup, delivery: whenDelivery };
    const pickup = { ...store.pickup, enabled: modes.pickup, accepting: isOff !== 3, prepMinutes };
    const parts = { enabled: modes.delivery, accepting: isOff !== 4, parties: partiesOf(place, parties) };
    const delivery = { ...store.delivery, ...parts };
    const kitchen = { orders: 1, items: null, maxWaitMinutes: 90 };
    const full = room === null ? {} : { kitchen, roomFrom: instantOfEpochSeconds(room * 60) };
    const slow = busy && { minutes: busy.minutes, until: instantOfEpochSeconds(busy.until * 60) };
    return { ...store, hours, pickup, delivery, ...full, busy: slow };
  });

/** Most queries have few filters, so that results remain to be ranked. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

export const arbitraryQuery = fc
  .record({
    place: arbitraryPlace,
    text: arbitraryText.map((words) => words.join(' ')),
    autocomplete: fc.boolean(),
    storeType: rarely(fc.constantFrom('restaurant', 'grocery')),
    pickup: rarely(fc.boolean()),
    open: fc.boolean(),
    deliversHere: fc.boolean(),
    accepting: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
    maximumMiles: rarely(fc.constantFrom(0, 1, 30, 9000)),
    cuisine: rarely(fc.constantFrom('PIZZA', 'francaise', 'none')),
    dollarSigns: rarely(fc.integer({ min: 1, max: 3 })),
    minimumRating: rarely(fc.constantFrom(4, 4.5)),
    viewport: rarely(
      fc.record({
        south: fc.constantFrom(-90, 40.5, 51.9),
        north: fc.constantFrom(41, 52.1, 90),
        west: fc.constantFrom(-180, 179.5, -74),
        east: fc.constantFrom(180, -179.8, -73.9),
      }),
    ),
    sort: fc.constantFrom(...SORTS),
  })
  .map(({ place, ...rest }) => queryOf({ ...rest, ...place }));

export const arbitraryChange = fc.oneof(
  { weight: 5, arbitrary: fc.record({ upsert: arbitraryStore }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.integer({ min: 0, max: 500 }).map((n) => `s${n}`) }) },
  { weight: 1, arbitrary: fc.record({ upsert: arbitraryStore.map((store) => ({ ...store, listed: false })) }) },
);
