import { MAX_TAG_LENGTH, parseLanguage } from '../../platform/languages/language.ts';
import { readPhone } from '../../platform/lib/phone.ts';
import { readHoursExceptions, readStoreHours } from '../menus/feed-hours.ts';
import { type FeedCatalog, readCatalog } from '../menus/parse-categories.ts';
import { type FeedPromotion, readFeedPromotions } from '../promotions/feed-promotions.ts';
import { asObject, FEED_LIMITS, type FeedObject, type LineFault, type LineReport } from '../stores/feed-fields.ts';
import { isExceptionDate } from '../stores/hours.ts';
import type { DatedRules } from '../stores/hours-rules.ts';
import { DEFAULT_MAX_WAIT_MINUTES, KITCHEN_LIMITS, type Kitchen } from '../stores/kitchen.ts';
import { EXPECTED_REGION } from '../stores/region.ts';
import {
  type Agreement,
  type FeedSettings,
  NO_SCHEDULING,
  type Scheduling,
  type StoreAddress,
  type StoreOrigin,
  type StorePhotos,
  type StoreProfile,
  type StoreType,
} from '../stores/store.ts';
import { DEFAULT_TAX_CLASSES } from '../stores/tax-class.ts';
import { canonicalTimeZone, isCovered, readLocality, timeZoneAt } from '../stores/time-zone.ts';
import { readDelivery, readFees, readModeSettings } from './parse-delivery.ts';

/** A parsed store line. */
export type FeedStore = {
  externalId: string;
  profile: FeedProfile;
  /** Whether the line has these fields; if not, the catalog decides them (`completeProfile`). */
  says: { cuisines: boolean; pickup: boolean };
  catalog: FeedCatalog;
  /** A file next to the feed that contains the catalog. */
  categoriesFile: string | null;
  /** The store's chain, if an open directory names it. */
  brand: string | null;
  /** The store's source records in open directories; null for a store with its own feed. */
  origins: readonly StoreOrigin[] | null;
  settings?: FeedSettings;
  promotions?: readonly FeedPromotion[];
  /** Rules whose dates become exceptions when the store is written (`createStoreRows`). */
  datedRules?: DatedRules;
};

/** A faulty line keeps its id, if it has one, so that its store does not count as missing from the feed. */
export type ParsedStoreLine =
  | { ok: true; store: FeedStore; warnings: readonly LineFault[] }
  | { ok: false; externalId: string | null; faults: readonly LineFault[]; warnings: readonly LineFault[] };

/** A record that is not a store line, without warnings. */
export function rejectedLine(externalId: string | null, faults: readonly LineFault[]): ParsedStoreLine {
  return { ok: false, externalId, faults, warnings: [] };
}

/** Parses a store line's JSON value by docs/feeds.md; reports all errors at once. */
export function parseStoreLine(value: unknown): ParsedStoreLine {
  const report: LineReport = { faults: [], warnings: [] };
  const from = asObject(value, report);
  if (!from) return { ok: false, externalId: null, ...report };
  const externalId = from.requireText('external_id', FEED_LIMITS.idCharacters);
  const { datedRules, ...profile } = readProfile(from);
  const catalog = readCatalog(from);
  const categoriesFile = readCategoriesFile(from, catalog);
  const settings = readSettings(from);
  const promotions = from.has('promotions') ? { promotions: readFeedPromotions(from) } : {};
  if (report.faults.length > 0) return { ok: false, externalId: externalId || null, ...report };
  const says = { cuisines: from.has('cuisines'), pickup: from.has('pickup') };
  const store = {
    externalId,
    profile,
    says,
    catalog,
    categoriesFile,
    brand: null,
    origins: null,
    ...settings,
    ...promotions,
  };
  return { ok: true, store: datedRules ? { ...store, datedRules } : store, warnings: report.warnings };
}

/** Reads channels, courier and terms as they stand; `SettingsPort` checks them. */
function readSettings(from: FeedObject): { settings?: FeedSettings } {
  const channels = from.object('channels')?.fields;
  const courier = from.text('courier', FEED_LIMITS.nameCharacters);
  const terms = from.object('terms')?.fields;
  if (!channels && !courier && !terms) return {};
  return { settings: { ...(channels && { channels }), ...(courier && { courier }), ...(terms && { terms }) } };
}

function readCategoriesFile(from: FeedObject, catalog: FeedCatalog): string | null {
  const name = from.text('categories_file', FEED_LIMITS.nameCharacters);
  if (!name) return null;
  if (catalog.categories.length > 0) from.fault('categories_file', 'expected instead of categories, not beside them');
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
  return { ...profile, cuisines: cuisines.slice(0, FEED_LIMITS.cuisines), pickup: { ...profile.pickup, enabled } };
}

/** A feed store's profile. `phone` is the feed's text, in addition to the parsed number. */
export type FeedProfile = StoreProfile & { phone: string };

const STORE_TYPES: readonly StoreType[] = ['restaurant', 'grocery'];
const MINUTES_OF_A_YEAR = 525_600;

/** Reads a line's profile with all defaults. The result is meaningless once the line's report contains an error. */
function readProfile(from: FeedObject): FeedProfile & { datedRules?: DatedRules } {
  const name = from.requireText('name', FEED_LIMITS.nameCharacters);
  const type = from.choice('type', STORE_TYPES);
  from.requirePresent('type');
  const place = readPlace(from);
  const address = readAddress(from, place);
  const phone = from.withNumberAsText('phone').text('phone', FEED_LIMITS.phoneCharacters) ?? '';
  const { number: phoneNumber = null, extension: phoneExtension } = readPhone(phone) ?? {};
  if (phone !== '' && phoneNumber === null) from.warn('phone', 'expected a phone number');
  const taxClass = from.taxClass();
  return {
    name,
    type: type ?? 'restaurant',
    phone,
    phoneNumber,
    ...(phoneExtension ? { phoneExtension } : {}),
    description: from.text('description', FEED_LIMITS.descriptionCharacters) ?? '',
    address,
    ...place,
    ...readLanguage(from),
    timeZone: readTimeZone(from, place, address),
    ...readStoreHours(from),
    hoursExceptions: readHoursExceptions(from),
    cuisines: from.texts('cuisines', FEED_LIMITS.cuisines, FEED_LIMITS.nameCharacters),
    dollarSigns: from.whole('dollar_signs', { min: 0, max: 5 }) ?? null,
    photos: readPhotos(from),
    rating: readRating(from),
    onlineOrdering: from.flag('online_ordering', true),
    pickup: readModeSettings(from.object('pickup')),
    delivery: readDelivery(from, place),
    fees: readFees(from, taxClass ?? DEFAULT_TAX_CLASSES[type ?? 'restaurant']),
    ...(taxClass === undefined ? {} : { taxClass }),
    scheduling: readScheduling(from),
    ...readKitchen(from),
    ...readAgreement(from),
  };
}

function readAddress(from: FeedObject, place: { latitude: number; longitude: number }): StoreAddress {
  from.requirePresent('address');
  const object = from.object('address');
  if (!object) return { streetAddr: '', streetAddr2: '', city: '', state: '', zipcode: '', country: 'US' };
  const longest = FEED_LIMITS.addressCharacters;
  const region = object.text('state', longest) ?? '';
  const { country, state } = readLocality({ country: object.text('country', longest) ?? '', region }, place);
  if (country === null) object.fault('country', 'expected US or CA');
  else if (state === null) object.fault('state', `expected ${EXPECTED_REGION[country]}`);
  return {
    streetAddr: object.requireText('street_addr', longest),
    streetAddr2: object.text('street_addr_2', longest) ?? '',
    city: object.requireText('city', longest),
    state: state || (region === '' ? object.requireText('state', longest) : region),
    zipcode: object.withNumberAsText('zipcode', paddedZip).requireText('zipcode', longest),
    country: country ?? 'US',
  };
}

/** A ZIP code may have lost its leading zeros: `2134` is `02134`, `2134-1002` is `02134-1002`. */
const paddedZip = (zip: string) =>
  /^\d{3,4}(?:-\d{4})?$/.test(zip) ? zip.replace(/^\d+/, (digits) => digits.padStart(5, '0')) : zip;

/** Reads the coordinate. Outside of the US and Canada, both fields are reported together. */
function readPlace(from: FeedObject): { latitude: number; longitude: number } {
  for (const key of ['latitude', 'longitude']) from.requirePresent(key);
  const latitude = from.number('latitude', { min: -90, max: 90 });
  const longitude = from.number('longitude', { min: -180, max: 180 });
  if (latitude === undefined || longitude === undefined) return { latitude: 0, longitude: 0 };
  if (!isCovered(latitude, longitude)) {
    const both = { parent: from.path, key: 'latitude, longitude' };
    from.addFault(both, 'expected a coordinate in the US or Canada');
  }
  return { latitude, longitude };
}

function readTimeZone(
  from: FeedObject,
  { latitude, longitude }: { latitude: number; longitude: number },
  { country, state }: StoreAddress,
): string {
  const name = from.text('time_zone', FEED_LIMITS.nameCharacters);
  if (!name) return from.report.faults.length > 0 ? 'UTC' : timeZoneAt(latitude, longitude, country, state);
  const zone = canonicalTimeZone(name);
  if (zone === null) from.fault('time_zone', 'expected a time zone such as America/New_York');
  return zone ?? 'UTC';
}

/** Reads a store's language. Without one, the store's own setting applies, otherwise English. */
function readLanguage(from: FeedObject): Pick<StoreProfile, 'language'> {
  const tag = from.text('language', MAX_TAG_LENGTH);
  const language = parseLanguage(tag);
  if (tag && !language) from.fault('language', 'expected en, fr or es');
  return language ? { language } : {};
}

function readPhotos(from: FeedObject): StorePhotos {
  const photos = from.object('photos');
  if (!photos) return { food: [], logo: [], store: [] };
  return { food: photos.urls('food'), logo: photos.urls('logo'), store: photos.urls('store') };
}

function readRating(from: FeedObject): StoreProfile['rating'] {
  const rating = from.object('rating');
  const value = rating?.number('value', { min: 0, max: 100 });
  if (!rating || value === undefined) return null;
  return { value, count: rating.whole('count', { min: 0, max: FEED_LIMITS.quantity }) ?? null };
}

/** Reads who agreed, and when, that the store is sold. */
function readAgreement(from: FeedObject): { agreement?: Agreement } {
  const agreement = from.object('agreement');
  if (!agreement) return {};
  const signedOn = agreement.requireText('signed_on', FEED_LIMITS.nameCharacters);
  if (signedOn !== '' && !isExceptionDate(signedOn)) {
    agreement.fault('signed_on', 'expected a date such as 2026-11-01');
  }
  const by = agreement.requireText('by', FEED_LIMITS.nameCharacters);
  const reference = agreement.text('reference', FEED_LIMITS.nameCharacters) || null;
  return { agreement: { signedOn, by, reference } };
}

/** Reads the kitchen capacity per quarter of an hour: orders, items or both. */
function readKitchen(from: FeedObject): { kitchen?: Kitchen } {
  const kitchen = from.object('kitchen');
  if (!kitchen) return {};
  const { perQuarter: max, maxWaitMinutes } = KITCHEN_LIMITS;
  const orders = kitchen.whole('orders', { min: 1, max }) ?? null;
  const items = kitchen.whole('items', { min: 1, max }) ?? null;
  if (!kitchen.has('orders') && !kitchen.has('items')) from.fault('kitchen', 'expected orders, items or both');
  const wait = kitchen.whole('max_wait_minutes', { min: 0, max: maxWaitMinutes });
  return { kitchen: { orders, items, maxWaitMinutes: wait ?? DEFAULT_MAX_WAIT_MINUTES } };
}

function readScheduling(from: FeedObject): Scheduling {
  const scheduling = from.object('scheduling');
  if (!scheduling) return NO_SCHEDULING;
  const { slotMinutes, leadMinutes, daysAhead } = NO_SCHEDULING;
  return {
    enabled: scheduling.flag('enabled', true),
    slotMinutes: scheduling.whole('slot_minutes', { min: 1, max: 1440 }) ?? slotMinutes,
    leadMinutes: scheduling.whole('lead_minutes', { min: 0, max: MINUTES_OF_A_YEAR }) ?? leadMinutes,
    daysAhead: scheduling.whole('days_ahead', { min: 0, max: 365 }) ?? daysAhead,
    capacity: scheduling.whole('capacity', { min: 0, max: FEED_LIMITS.quantity }) ?? null,
  };
}
