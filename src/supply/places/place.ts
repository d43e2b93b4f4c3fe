import { type JsonObject, memberOf } from '../../platform/lib/json-object.ts';
import { cleanText } from '../../platform/lib/plain-text.ts';
import type { LineFault } from '../stores/feed-fields.ts';
import type { WeeklyHours } from '../stores/hours.ts';
import type { HoursRule } from '../stores/hours-rules.ts';
import type { Country, StoreAddress, StoreOrigin, StoreType } from '../stores/store.ts';

/** A place of a directory or of open data, and the outcome of reading one. */

export const PLACE_STATUSES = ['OPERATIONAL', 'CLOSED_TEMPORARILY', 'CLOSED_PERMANENTLY'] as const;
export type PlaceStatus = (typeof PLACE_STATUSES)[number];

/** An address; unknown parts are empty. */
export type PlaceAddress = Omit<StoreAddress, 'country'>;

/** An address as a record states it, before its country and region are read. */
export type StatedAddress = { country: string; region: string; address: Omit<PlaceAddress, 'state'> };

/** A place of any directory. */
export type Place = {
  placeId: string;
  name: string;
  address: PlaceAddress;
  /** The record's country, otherwise its coordinate's; null outside of the US and Canada. */
  country: Country | null;
  latitude: number;
  longitude: number;
  /** The phone number as the directory writes it; empty if unknown. */
  phone: string;
  hours: WeeklyHours | null;
  /** Rules for single dates, if any. */
  datedRules: readonly HoursRule[] | null;
  cuisines: readonly string[];
  brand: string | null;
  /** Null for a place that is not a store (docs/store-kinds.md). */
  storeType: StoreType | null;
  /** The directory's own category, such as `restaurant`, `cafe` or `supermarket`. */
  category: string;
  status: PlaceStatus;
  /** URL of a page about the place; empty without one. */
  link: string;
  origins: readonly StoreOrigin[];
};

/** Why a valid record of an open directory is no store. */
const LEFT_OUT_REASONS = [
  /** The record names no kind of store (docs/store-kinds.md): a service, a sight. */
  'no_shop',
  'no_name',
  'no_location',
  /** Outside of the US and Canada. */
  'outside',
  'closed_for_good',
  /** It will open at a later date. */
  'not_open_yet',
  /** The directory states that it does not exist. */
  'does_not_exist',
  /** An earlier record without id in the file contains the same name and coordinate. */
  'repeated',
] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

/** The outcome of reading a record. `malformed` is an error of the record; `path` locates it. */
export type PlaceReading =
  | { ok: true; place: Place; warnings: readonly LineFault[] }
  | { ok: false; placeId: string | null; reason: LeftOutReason | 'malformed'; path: string; message: string };

/** Cleans a text or number; empty if absent or too long. */
export function textIn(object: JsonObject, key: string, maxCharacters: number): string {
  return shortText(memberOf(object, key), maxCharacters);
}

export function shortText(value: unknown, maxCharacters: number): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  if (typeof value !== 'string' || value.length > maxCharacters) return '';
  return cleanText(value);
}

const WEB_URL = /^https?:\/\//i;

/** The URL of a page; empty if a browser could not open it. */
export const webUrl = (text: string): string => (WEB_URL.test(text) && URL.canParse(text) ? text : '');
