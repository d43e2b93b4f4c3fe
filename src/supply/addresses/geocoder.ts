import type { Coordinate } from '../../platform/lib/geo/sphere.ts';

/** What a coordinate of an address stands for, most exact first. */
export const PRECISIONS = ['rooftop', 'street', 'postal_code', 'city'] as const;
export type Precision = (typeof PRECISIONS)[number];

/** The coordinate of an address. `address` is the geocoder's own spelling on one line. */
export type LocatedAddress = Coordinate & { address: string; precision: Precision };

/** Finds coordinates of addresses in the US and Canada. Failures are OutsideError. */
export interface Geocoder {
  /** Returns at most `MAX_RESULTS` matches, best first; none for an unknown address. */
  geocode(text: string): Promise<readonly LocatedAddress[]>;
}

/** Maximum results per look-up. */
export const MAX_RESULTS = 5;
