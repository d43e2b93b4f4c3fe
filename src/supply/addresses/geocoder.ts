import type { Coordinate } from 'doorstep/search-engine/geography';
import { readAddressLine } from '../stores/address-line.ts';
import type { StreetAddress } from '../stores/street-address.ts';

/** The meaning of an address's coordinate, most exact first. */
export const PRECISIONS = ['rooftop', 'street', 'postal_code', 'city'] as const;
export type Precision = (typeof PRECISIONS)[number];

/** The coordinate of an address. `address` is its spelling on one line, and `partsOf` reads missing parts from it. */
export type LocatedAddress = Coordinate & { address: string; precision: Precision; parts?: StreetAddress };

export const partsOf = ({ address, parts }: LocatedAddress): StreetAddress => parts ?? readAddressLine(address);

/** Finds coordinates of addresses in the US and Canada, and their addresses. Failures are OutsideError. */
export interface Geocoder {
  /** Returns up to `MAX_RESULTS` matches, best first; none for an unknown address. */
  geocode(text: string): Promise<readonly LocatedAddress[]>;
  /** Returns up to `MAX_RESULTS` addresses at a coordinate, best first. Optional: some geocoders cannot. */
  reverseGeocode?(at: Coordinate): Promise<readonly LocatedAddress[]>;
}

/** Maximum results per look-up. */
export const MAX_RESULTS = 5;
