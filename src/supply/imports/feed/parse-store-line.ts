import { MAX_TAG_LENGTH, parseLanguage } from '../../../platform/languages/language.ts';
import {
  addFault,
  asObject,
  FEED_LIMITS,
  type FeedObject,
  faultAt,
  fieldValue,
  type LineFault,
  type LineReport,
  MISSING,
  MISSING_TEXT,
  type ReadOsmHours,
  readChoice,
  readFlag,
  readNumber,
  readObject,
  readTaxClass,
  readText,
  readTexts,
  readUrls,
  readWhole,
  requireText,
  withNumberAsText,
} from '../../menus/feed-fields.ts';
import { readHoursExceptions, readStoreHours } from '../../menus/feed-hours.ts';
import { type FeedCatalog, readCatalog } from '../../menus/parse-categories.ts';
import { isExceptionDate } from '../../stores/hours.ts';
import { parseOsmHours } from '../../stores/osm-hours.ts';
import { phoneNumberOf } from '../../stores/phone-number.ts';
import {
  type Agreement,
  type Country,
  NO_SCHEDULING,
  type Scheduling,
  type StoreAddress,
  type StoreOrigin,
  type StorePhotos,
  type StoreProfile,
  type StoreType,
} from '../../stores/store.ts';
import { DEFAULT_TAX_CLASSES } from '../../stores/tax-class.ts';
import { canonicalTimeZone, isCovered, timeZoneAt } from '../../stores/time-zone.ts';
import { readDelivery, readFees, readModeSettings } from './parse-delivery.ts';

/** A parsed store line. */
export type FeedStore = {
  externalId: string;
  profile: FeedProfile;
  /** Whether the line has these fields; if not, the catalog decides them (`completeProfile`). */
  says: { cuisines: boolean; pickup: boolean };
  catalog: FeedCatalog;
  /** A file beside the feed that has the catalog. */
  categoriesFile: string | null;
  /** The store's chain, if an open directory names it. */
  brand: string | null;
  /** Records of open directories from which the store was made; null for a store with its own feed. */
  origins: readonly StoreOrigin[] | null;
};

/** A faulty line keeps its id, if it has one, so that its store does not count as missing from the feed. */
export type ParsedStoreLine =
  | { ok: true; store: FeedStore; warnings: readonly LineFault[] }
  | { ok: false; externalId: string | null; faults: readonly LineFault[]; warnings: readonly LineFault[] };

/**
 * Parses a store line's JSON value by docs/feeds.md; reports all faults at once. Bulk callers pass a memoized
 * `readOsmHours` (cached-osm-hours.ts).
 */
export function parseStoreLine(value: unknown, readOsmHours: ReadOsmHours = parseOsmHours): ParsedStoreLine {
  const report: LineReport = { faults: [], warnings: [] };
  const from = asObject(value, null, { report, readOsmHours });
  if (!from) return { ok: false, externalId: null, ...report };
  const externalId = requireText(from, 'external_id', FEED_LIMITS.idCharacters);
  const profile = readProfile(from);
  const catalog = readCatalog(from);
  const categoriesFile = readCategoriesFile(from, catalog);
  if (report.faults.length > 0) return { ok: false, externalId: externalId || null, ...report };
  const says = {
    cuisines: fieldValue(from, 'cuisines') !== undefined,
    pickup: fieldValue(from, 'pickup') !== undefined,
  };
  const store = { externalId, profile, says, catalog, categoriesFile, brand: null, origins: null };
  return { ok: true, store, warnings: report.warnings };
}

function readCategoriesFile(from: FeedObject, catalog: FeedCatalog): string | null {
  const name = readText(from, 'categories_file', FEED_LIMITS.nameCharacters);
  if (!name) return null;
  if (catalog.categories.length > 0)
    faultAt(from, 'categories_file', 'expected instead of categories, not beside them');
  return name;
}

/**
 * Completes a profile from the catalog: a store with products offers pickup unless stated, and a grocery's cuisines are
 * its product categories.
 */
export function completeProfile(
  { profile, says }: Pick<FeedStore, 'profile' | 'says'>,
  catalog: { hasProducts: boolean; topNames: readonly string[] },
): FeedProfile {
  const cuisines = says.cuisines || profile.type !== 'grocery' ? profile.cuisines : catalog.topNames;
  const enabled = says.pickup ? profile.pickup.enabled : catalog.hasProducts;
  return {
    ...profile,
    cuisines: cuisines.slice(0, FEED_LIMITS.cuisines),
    pickup: { ...profile.pickup, enabled },
  };
}

/** A feed store's profile. `phone` is the feed's text, in addition to the parsed number. */
export type FeedProfile = StoreProfile & { phone: string };

const STORE_TYPES: readonly StoreType[] = ['restaurant', 'grocery'];
const COUNTRIES: readonly Country[] = ['US', 'CA'];
const MINUTES_OF_A_YEAR = 525_600;

/** Reads a line's profile with all defaults. The result is meaningless once the line's report has a fault. */
function readProfile(from: FeedObject): FeedProfile {
  const name = requireText(from, 'name', FEED_LIMITS.nameCharacters);
  const type = readChoice(from, 'type', STORE_TYPES);
  if (fieldValue(from, 'type') === undefined) faultAt(from, 'type', MISSING);
  const address = readAddress(from);
  const phone = readText(withNumberAsText(from, 'phone'), 'phone', FEED_LIMITS.phoneCharacters) ?? '';
  const place = readPlace(from);
  const taxClass = readTaxClass(from);
  return {
    name,
    type: type ?? 'restaurant',
    phone,
    phoneNumber: phone === '' ? null : phoneNumberOf(phone, address.country),
    description: readText(from, 'description', FEED_LIMITS.descriptionCharacters) ?? '',
    address,
    ...place,
    ...readLanguage(from),
    timeZone: readTimeZone(from, place, address.country),
    hours: readStoreHours(from),
    hoursExceptions: readHoursExceptions(from),
    cuisines: readTexts(from, 'cuisines', FEED_LIMITS.cuisines, FEED_LIMITS.nameCharacters),
    dollarSigns: readWhole(from, 'dollar_signs', { min: 0, max: 5 }) ?? null,
    photos: readPhotos(from),
    rating: readRating(from),
    onlineOrdering: readFlag(from, 'online_ordering', true),
    pickup: readModeSettings(readObject(from, 'pickup')),
    delivery: readDelivery(from, place),
    fees: readFees(from, taxClass ?? DEFAULT_TAX_CLASSES[type ?? 'restaurant']),
    ...(taxClass === undefined ? {} : { taxClass }),
    scheduling: readScheduling(from),
    ...readAgreement(from),
  };
}

function readAddress(from: FeedObject): StoreAddress {
  if (fieldValue(from, 'address') === undefined) faultAt(from, 'address', MISSING);
  const object = readObject(from, 'address');
  if (!object) return { streetAddr: '', streetAddr2: '', city: '', state: '', zipcode: '', country: 'US' };
  if (fieldValue(object, 'country') === undefined) faultAt(object, 'country', MISSING_TEXT);
  const longest = FEED_LIMITS.addressCharacters;
  return {
    streetAddr: requireText(object, 'street_addr', longest),
    streetAddr2: readText(object, 'street_addr_2', longest) ?? '',
    city: requireText(object, 'city', longest),
    state: requireText(object, 'state', longest),
    zipcode: requireText(withNumberAsText(object, 'zipcode'), 'zipcode', longest),
    country: readChoice(object, 'country', COUNTRIES) ?? 'US',
  };
}

/** Reads the coordinate. Outside of the US and Canada, both fields together are at fault. */
function readPlace(from: FeedObject): { latitude: number; longitude: number } {
  for (const key of ['latitude', 'longitude']) if (fieldValue(from, key) === undefined) faultAt(from, key, MISSING);
  const latitude = readNumber(from, 'latitude', { min: -90, max: 90 });
  const longitude = readNumber(from, 'longitude', { min: -180, max: 180 });
  if (latitude === undefined || longitude === undefined) return { latitude: 0, longitude: 0 };
  if (!isCovered(latitude, longitude)) {
    const both = { parent: from.path, key: 'latitude, longitude' };
    addFault(from.report, both, 'expected a coordinate in the US or Canada');
  }
  return { latitude, longitude };
}

function readTimeZone(from: FeedObject, place: { latitude: number; longitude: number }, country: Country): string {
  const name = readText(from, 'time_zone', FEED_LIMITS.nameCharacters);
  if (!name) return from.report.faults.length > 0 ? 'UTC' : timeZoneAt(place.latitude, place.longitude, country);
  const zone = canonicalTimeZone(name);
  if (zone === null) faultAt(from, 'time_zone', 'expected a time zone such as America/New_York');
  return zone ?? 'UTC';
}

/** Reads a store's language. Without one, the store's own setting applies, else English. */
function readLanguage(from: FeedObject): Pick<StoreProfile, 'language'> {
  const tag = readText(from, 'language', MAX_TAG_LENGTH);
  const language = parseLanguage(tag);
  if (tag && !language) faultAt(from, 'language', 'expected en, fr or es');
  return language ? { language } : {};
}

function readPhotos(from: FeedObject): StorePhotos {
  const photos = readObject(from, 'photos');
  if (!photos) return { food: [], logo: [], store: [] };
  return { food: readUrls(photos, 'food'), logo: readUrls(photos, 'logo'), store: readUrls(photos, 'store') };
}

function readRating(from: FeedObject): StoreProfile['rating'] {
  const rating = readObject(from, 'rating');
  const value = rating && readNumber(rating, 'value', { min: 0, max: 100 });
  if (!rating || value === undefined) return null;
  return { value, count: readWhole(rating, 'count', { min: 0, max: FEED_LIMITS.quantity }) ?? null };
}

/** Reads who agreed, and when, that the store is sold. */
function readAgreement(from: FeedObject): { agreement?: Agreement } {
  const agreement = readObject(from, 'agreement');
  if (!agreement) return {};
  const signedOn = requireText(agreement, 'signed_on', FEED_LIMITS.nameCharacters);
  if (signedOn !== '' && !isExceptionDate(signedOn)) {
    faultAt(agreement, 'signed_on', 'expected a date such as 2026-11-01');
  }
  const by = requireText(agreement, 'by', FEED_LIMITS.nameCharacters);
  const reference = readText(agreement, 'reference', FEED_LIMITS.nameCharacters) || null;
  return { agreement: { signedOn, by, reference } };
}

function readScheduling(from: FeedObject): Scheduling {
  const scheduling = readObject(from, 'scheduling');
  if (!scheduling) return NO_SCHEDULING;
  const { slotMinutes, leadMinutes, daysAhead } = NO_SCHEDULING;
  return {
    enabled: readFlag(scheduling, 'enabled', true),
    slotMinutes: readWhole(scheduling, 'slot_minutes', { min: 1, max: 1440 }) ?? slotMinutes,
    leadMinutes: readWhole(scheduling, 'lead_minutes', { min: 0, max: MINUTES_OF_A_YEAR }) ?? leadMinutes,
    daysAhead: readWhole(scheduling, 'days_ahead', { min: 0, max: 365 }) ?? daysAhead,
    capacity: readWhole(scheduling, 'capacity', { min: 0, max: FEED_LIMITS.quantity }) ?? null,
  };
}
