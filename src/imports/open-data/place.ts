import type { WeeklyHours } from '../../stores/hours.ts';
import type { Country, StoreType } from '../../stores/store.ts';
import type { StoreOrigin } from '../../stores/store-origin.ts';

export const PLACE_STATUSES = ['OPERATIONAL', 'CLOSED_TEMPORARILY', 'CLOSED_PERMANENTLY'] as const;
export type PlaceStatus = (typeof PLACE_STATUSES)[number];

/** Parts that a directory does not know are empty. */
export type PlaceAddress = {
  streetAddr: string;
  /** Unit, suite and the like. */
  streetAddr2: string;
  city: string;
  state: string;
  zipcode: string;
};

/** A place as a directory tells of it, in our words, whichever the directory is. */
export type Place = {
  /** The directory's own id. */
  placeId: string;
  name: string;
  address: PlaceAddress;
  /** As the record states it, else by the coordinate; null outside of the US and Canada. */
  country: Country | null;
  latitude: number;
  longitude: number;
  /** As the directory writes it; empty where it knows none. */
  phone: string;
  /** Null where they are unknown. */
  hours: WeeklyHours | null;
  cuisines: readonly string[];
  brand: string | null;
  /** Null for a place that sells neither meals nor groceries. */
  storeType: StoreType | null;
  /** The directory's own word for what it is, such as `restaurant`, `cafe` or `supermarket`. */
  category: string;
  status: PlaceStatus;
  /** A page about it; empty where there is none. */
  link: string;
  origins: readonly StoreOrigin[];
};
