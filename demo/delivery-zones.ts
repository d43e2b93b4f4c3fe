import type { FeedParty } from './feed-line.ts';

/** Degrees from the store to the sides of its own area: west, south, east, north. */
const OWN_AREA = [0.03, 0.018, 0.024, 0.026] as const;
const COURIER_MILES = 6;

/** Two ways to a door: the store's own drivers, at less near by, in an area that is no circle; and a courier farther away. */
export function ownDriversAndCourier({ latitude, longitude }: { latitude: number; longitude: number }): FeedParty[] {
  const [west, south, east, north] = OWN_AREA;
  const corner = (right: number, up: number) => [degrees(longitude + right), degrees(latitude + up)];
  const ring = [corner(-west, -south), corner(east, -south / 2), corner(east, north), corner(-west / 2, north)];
  const area = { type: 'Polygon' as const, coordinates: [[...ring, corner(-west, -south)]] };
  return [
    {
      party: 'first',
      zones: [
        { radius_miles: 1, delivery_fee: flat(99), prep_minutes: [12, 22] },
        { area, delivery_fee: flat(299), order_minimum: 1500 },
      ],
    },
    { party: 'courier', radius_miles: COURIER_MILES, fees: { delivery_fee: flat(499) }, prep_minutes: [18, 30] },
  ];
}

function flat(cents: number) {
  return { delivery_fee_flat: cents, delivery_fee_percent: 0, delivery_fee_taxable: false, threshold_fees: [] };
}

function degrees(value: number): number {
  return Number(value.toFixed(6));
}
