import type { WeeklyHours } from '../../stores/hours.ts';
import type { OsmRule } from '../../stores/osm-dated-hours.ts';
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

/** A place of a directory; every directory is read into this shape. */
export type Place = {
  /** The directory's own id. */
  placeId: string;
  name: string;
  address: PlaceAddress;
  /** As the record states it, else by the coordinate; null outside of the US and Canada. */
  country: Country | null;
  latitude: number;
  longitude: number;
  /** As the directory writes it; empty when unknown. */
  phone: string;
  /** Null where they are unknown. */
  hours: WeeklyHours | null;
  /** The rules that give single dates other hours than the week; null without such rules. */
  datedRules: readonly OsmRule[] | null;
  cuisines: readonly string[];
  brand: string | null;
  /** Null for a place that is no store (docs/store-kinds.md). */
  storeType: StoreType | null;
  /** The directory's own category, such as `restaurant`, `cafe` or `supermarket`. */
  category: string;
  status: PlaceStatus;
  /** The URL of a page about the place; empty without one. */
  link: string;
  origins: readonly StoreOrigin[];
};
