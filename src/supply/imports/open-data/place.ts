import { cleanText } from '../../../platform/lib/clean-text.ts';
import { type JsonObject, memberOf } from '../../../platform/lib/json-object.ts';
import type { WeeklyHours } from '../../stores/hours.ts';
import type { OsmRule } from '../../stores/osm-dated-hours.ts';
import type { Country, StoreOrigin, StoreType } from '../../stores/store.ts';
import type { LineFault } from '../feed/feed-fields.ts';

/** A place of a directory or of open data, and the outcome of reading a record as one. */

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

/** Why a record of an open directory, with nothing wrong in it, is no store. */
const LEFT_OUT_REASONS = [
  /** Its record names no kind of store (docs/store-kinds.md): a service, a sight. */
  'no_shop',
  'no_name',
  'no_location',
  /** Outside of the US and Canada. */
  'outside',
  'closed_for_good',
  /** Its directory states that it does not exist (Overture: confidence 0). */
  'does_not_exist',
  /** An earlier record of the file, which has no id either, has the same name and coordinate. */
  'repeated',
] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

/** A record as a place. `malformed` is a fault of the record; `path` says where in it. */
export type PlaceReading =
  | { ok: true; place: Place; warnings: readonly LineFault[] }
  | {
      ok: false;
      /** The directory's id, where the record has one. */
      placeId: string | null;
      reason: LeftOutReason | 'malformed';
      path: string;
      message: string;
    };

/** A text or number as clean text; empty without one, and for a text over the limit. */
export function textIn(object: JsonObject, key: string, maxCharacters: number): string {
  return shortText(memberOf(object, key), maxCharacters);
}

export function shortText(value: unknown, maxCharacters: number): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  if (typeof value !== 'string' || value.length > maxCharacters) return '';
  return cleanText(value);
}

const WEB_URL = /^https?:\/\//i;

/** The URL of a page; empty for a URL that a browser could not open. */
export function webUrl(text: string): string {
  return WEB_URL.test(text) && URL.canParse(text) ? text : '';
}
