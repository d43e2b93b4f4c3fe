import { cleanText } from '../../../platform/lib/clean-text.ts';
import { type JsonObject, memberOf } from '../../../platform/lib/json-object.ts';
import type { WeeklyHours } from '../../stores/hours.ts';
import type { OsmRule } from '../../stores/osm-dated-hours.ts';
import type { Country, StoreOrigin, StoreType } from '../../stores/store.ts';
import type { LineFault } from '../feed/feed-fields.ts';

/** A place of a directory or open data, and the outcome of reading one. */

export const PLACE_STATUSES = ['OPERATIONAL', 'CLOSED_TEMPORARILY', 'CLOSED_PERMANENTLY'] as const;
export type PlaceStatus = (typeof PLACE_STATUSES)[number];

/** Unknown parts are empty. */
export type PlaceAddress = {
  streetAddr: string;
  /** Unit, suite and so on. */
  streetAddr2: string;
  city: string;
  state: string;
  zipcode: string;
};

/** A directory's place; every directory is read into this shape. */
export type Place = {
  /** The directory's id. */
  placeId: string;
  name: string;
  address: PlaceAddress;
  /** As stated by the record, else by coordinate; null outside the US and Canada. */
  country: Country | null;
  latitude: number;
  longitude: number;
  /** As the directory writes it; empty if unknown. */
  phone: string;
  /** Null if unknown. */
  hours: WeeklyHours | null;
  /** The rules for single dates; null without any. */
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

/** Why a valid record of an open directory is no store. */
const LEFT_OUT_REASONS = [
  /** It names no kind of store (docs/store-kinds.md): a service, a sight. */
  'no_shop',
  'no_name',
  'no_location',
  /** Outside of the US and Canada. */
  'outside',
  'closed_for_good',
  /** Its directory says it does not exist (Overture: confidence 0). */
  'does_not_exist',
  /** An earlier record of the file without id has the same name and coordinate. */
  'repeated',
] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

/** A record as a place. `malformed` is a fault of the record; `path` locates it. */
export type PlaceReading =
  | { ok: true; place: Place; warnings: readonly LineFault[] }
  | {
      ok: false;
      /** The directory's id, if any. */
      placeId: string | null;
      reason: LeftOutReason | 'malformed';
      path: string;
      message: string;
    };

/** A text or number as clean text; empty if absent or too long. */
export function textIn(object: JsonObject, key: string, maxCharacters: number): string {
  return shortText(memberOf(object, key), maxCharacters);
}

export function shortText(value: unknown, maxCharacters: number): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  if (typeof value !== 'string' || value.length > maxCharacters) return '';
  return cleanText(value);
}

const WEB_URL = /^https?:\/\//i;

/** A page's URL; empty if a browser could not open it. */
export function webUrl(text: string): string {
  return WEB_URL.test(text) && URL.canParse(text) ? text : '';
}
