/**
 * Random parties with zones around a store, and the preferred one found by brute force. Areas are rectangles, so
 * containment is a comparison. Shares no code with the service.
 */
import fc from 'fast-check';
import type { DeliveryParty, DeliveryZone } from '../../src/supply/stores/store.ts';
import { cents, deliveries, deliveryFeeOf, serviceOf, services, smallOf, smalls } from './carts.ts';
import { deliveryOf, type OracleDelivery, type OracleService, type OracleSmall } from './price-oracle.ts';

/** A radius in miles, or a rectangle in steps from the store. */
type OracleReach = { miles: number } | { west: number; east: number; south: number; north: number };
type Minutes = [number, number];
type OracleZone = {
  reach: OracleReach;
  delivery: OracleDelivery | null;
  minimum: bigint | null;
  minutes: Minutes | null;
};
type OracleParty = {
  kind: DeliveryParty['party'];
  accepting: boolean;
  zones: OracleZone[];
  delivery: OracleDelivery | null;
  service: OracleService | null;
  small: OracleSmall | null;
  minimum: bigint | null;
  minutes: Minutes | null;
};

/** Terms of a store, or of a party for a door. */
export type OracleTerms = {
  delivery: OracleDelivery;
  service: OracleService;
  small: OracleSmall;
  minimum: bigint;
  minutes: Minutes;
};
export type OracleStore = OracleTerms & { parties: OracleParty[] };
export type OracleDoor = { east: number; north: number };

/** 0.01° is 0.69 miles to the north; no radius below is close to a whole number of steps. */
export const STEP = 0.01;
const MILES_OF_STEP = (STEP * Math.PI * 6371.0088) / 180 / 1.609344;

const minutes: fc.Arbitrary<Minutes> = fc
  .tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 3 }))
  .map(([least, more]) => [least, least + more]);
const side = fc.integer({ min: -4, max: 4 });
const reach: fc.Arbitrary<OracleReach> = fc.oneof(
  fc.record({ miles: fc.constantFrom(0, 1, 1.8, 3) }),
  fc.tuple(side, side, side, side).map(([a, b, c, d]) => {
    const [west, south] = [Math.min(a, b), Math.min(c, d)];
    return { west, east: Math.max(a, b, west + 1), south, north: Math.max(c, d, south + 1) };
  }),
);
/** Few distinct fees, so that parties often tie. */
const fewDeliveries = fc.oneof(
  deliveries,
  fc.constantFrom(...[0n, 300n].map((flat) => ({ flat, percent: '0', taxable: false, thresholds: [] }))),
);
const zone: fc.Arbitrary<OracleZone> = fc.record({
  reach,
  delivery: fc.option(fewDeliveries),
  minimum: fc.option(cents(3000)),
  minutes: fc.option(minutes),
});
const NO_FEES = { delivery: null, service: null, small: null, minimum: null };
const ownParty: fc.Arbitrary<OracleParty> = fc.record({
  kind: fc.constantFrom('first', 'third', 'courier'),
  accepting: fc.integer({ min: 0, max: 4 }).map((n) => n > 0),
  zones: fc.array(zone, { minLength: 1, maxLength: 3 }),
  delivery: fc.option(fewDeliveries),
  service: fc.option(services),
  small: fc.option(smalls),
  minimum: fc.option(cents(3000)),
  minutes: fc.option(minutes),
});
/** Half of the parties have no fees of their own. */
const party = fc
  .tuple(ownParty, fc.boolean())
  .map(([one, asks]): OracleParty => ({ ...one, ...(asks ? {} : NO_FEES) }));
export const oracleStores: fc.Arbitrary<OracleStore> = fc.record({
  delivery: fewDeliveries,
  service: services,
  small: smalls,
  minimum: cents(3000),
  minutes,
  parties: fc.array(party, { minLength: 1, maxLength: 4 }),
});
/** Due north, east, south or west, where distance is a multiplication, exact enough for any radius. */
export const oracleDoors: fc.Arbitrary<OracleDoor> = fc.oneof(
  fc.record({ east: fc.constant(0), north: side }),
  fc.record({ east: side, north: side }),
);

function holds(one: OracleReach, { east, north }: OracleDoor): boolean {
  if ('miles' in one) return Math.hypot(east, north) * MILES_OF_STEP <= one.miles;
  return one.west <= east && east <= one.east && one.south <= north && north <= one.north;
}

export type OracleChoice = { index: number; kind: OracleParty['kind']; terms: OracleTerms };

/** The chosen party and its terms, or why there is none. */
export function chooseParty(
  store: OracleStore,
  door: OracleDoor,
  preference: string,
): OracleChoice | 'not_accepting' | 'out_of_range' {
  if (store.parties.every(({ accepting }) => !accepting)) return 'not_accepting';
  const reaching = store.parties.flatMap((one, index) => {
    const inside = one.zones.filter(({ reach: where }) => holds(where, door))[0];
    return inside ? [{ index, party: one, terms: termsOf(store, one, inside) }] : [];
  });
  if (reaching.length === 0) return 'out_of_range';
  const accepting = reaching.filter(({ party: one }) => one.accepting);
  const own = accepting.filter(({ party: one }) => one.kind === 'first');
  const wanted = preference === 'first_party' && own.length > 0 ? own : accepting;
  const fee = ({ terms }: { terms: OracleTerms }) => Number(deliveryOf(terms.delivery, null, store.minimum));
  const wait = ({ terms }: { terms: OracleTerms }) => terms.minutes[1];
  const keys = preference === 'cheapest' ? [fee, wait] : [wait, fee];
  const [first, second] = keys;
  if (!first || !second) throw new RangeError('two keys');
  const leastFirst = wanted.filter((one) => wanted.every((other) => first(one) <= first(other)));
  const least = leastFirst.filter((one) => leastFirst.every((other) => second(one) <= second(other)));
  const [best] = least;
  return best ? { index: best.index, kind: best.party.kind, terms: best.terms } : 'not_accepting';
}

function termsOf(store: OracleStore, one: OracleParty, inside: OracleZone): OracleTerms {
  const firstOf = <T>(...values: (T | null)[]): T => {
    const value = values.find((each) => each !== null);
    if (value === undefined || value === null) throw new RangeError('the store has every term');
    return value;
  };
  return {
    delivery: firstOf(inside.delivery, one.delivery, store.delivery),
    service: firstOf(one.service, store.service),
    small: firstOf(one.small, store.small),
    minimum: firstOf(inside.minimum, one.minimum, store.minimum),
    minutes: firstOf(inside.minutes, one.minutes, store.minutes),
  };
}

/** The parties as a store at that position. */
export function partiesOf(store: OracleStore, place: { latitude: number; longitude: number }): DeliveryParty[] {
  const reachOf = (one: OracleReach): DeliveryZone['reach'] => {
    if ('miles' in one) return { radiusMiles: one.miles };
    const corner = (east: number, north: number): readonly [number, number] => {
      const { longitude, latitude } = placeOf({ east, north }, place);
      return [longitude, latitude];
    };
    const { west, east, south, north } = one;
    const ring = [corner(west, south), corner(east, south), corner(east, north), corner(west, north)];
    return { area: [[[...ring, corner(west, south)]]] };
  };
  return store.parties.map((one) => ({
    party: one.kind,
    accepting: one.accepting,
    prepMinutes: one.minutes,
    zones: one.zones.map((each) => ({
      reach: reachOf(each.reach),
      deliveryFee: orNull(each.delivery, deliveryFeeOf),
      orderMinimumCents: orNull(each.minimum, Number),
      prepMinutes: each.minutes,
    })),
    fees: feesOf(one),
  }));
}

function feesOf(one: OracleParty): DeliveryParty['fees'] {
  const { delivery, service, small, minimum } = one;
  if ([delivery, service, small, minimum].every((fee) => fee === null)) return null;
  return {
    deliveryFee: orNull(delivery, deliveryFeeOf),
    serviceFee: orNull(service, serviceOf),
    smallOrderFee: orNull(small, smallOf),
    orderMinimumCents: orNull(minimum, Number),
  };
}

const orNull = <T, R>(value: T | null, convert: (value: T) => R): R | null => (value === null ? null : convert(value));

/** A door's position. On the equator a step east is as long as a step north. */
export const placeOf = (
  { east, north }: OracleDoor,
  { latitude, longitude }: { latitude: number; longitude: number },
) => ({ latitude: latitude + north * STEP, longitude: longitude + east * STEP });
