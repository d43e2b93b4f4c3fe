import {
  isJsonObject,
  type JsonObject,
  listIn,
  localityOfRecord,
  MINUTES_PER_DAY,
  MINUTES_PER_WEEK,
  type MinuteRange,
  memberOf,
  objectIn,
  objectsIn,
  PLACE_STATUSES,
  type Place,
  type PlaceStatus,
  type StatedAddress,
  textIn,
  type WeeklyHours,
  webUrl,
  weekOfRanges,
  writeStreet,
} from 'doorstep/plugin';
import { googleStoreType } from './store-type.ts';

/** Maximum length of texts; longer ones are no name, address or phone number. */
const MAX_TEXT_CHARACTERS = 500;
const MAX_ID_CHARACTERS = 1024;
const MAX_URL_CHARACTERS = 2048;

/** Reads Google's Place; undefined without id, name or coordinate. */
export function googlePlaceOf(from: JsonObject): Place | undefined {
  const placeId = textIn(from, 'id', MAX_ID_CHARACTERS);
  const name = textIn(objectIn(from, 'displayName'), 'text', MAX_TEXT_CHARACTERS);
  const spot = googlePoint(objectIn(from, 'location'));
  if (placeId === '' || name === '' || !spot) return undefined;
  const types = [memberOf(from, 'primaryType'), ...listIn(from, 'types')].filter((type) => typeof type === 'string');
  const stated = googleAddress(from);
  const { country, state } = localityOfRecord(stated, spot);
  return {
    placeId,
    name,
    address: { ...stated.address, state: state ?? '' },
    country,
    ...spot,
    phone: textIn(from, 'internationalPhoneNumber', MAX_TEXT_CHARACTERS),
    hours: googleHoursOf(memberOf(from, 'regularOpeningHours')),
    datedRules: null,
    cuisines: [],
    brand: null,
    storeType: googleStoreType(types),
    category: types[0]?.slice(0, MAX_TEXT_CHARACTERS) ?? '',
    status: googleStatus(memberOf(from, 'businessStatus')),
    link: webUrl(textIn(from, 'googleMapsUri', MAX_URL_CHARACTERS)) || mapsLink(placeId, name),
    origins: [],
  };
}

/** Writes a link to the place in Google Maps, because Google's content may not be shown on another map. */
const mapsLink = (placeId: string, name: string): string =>
  `https://www.google.com/maps/search/?${new URLSearchParams({ api: '1', query: name, query_place_id: placeId })}`;

/** Reads a status; a place without one is operational. */
const googleStatus = (value: unknown): PlaceStatus =>
  PLACE_STATUSES.find((status) => status === value) ?? 'OPERATIONAL';

/** Reads a coordinate. JSON made from protocol buffers may omit a 0. */
function googlePoint(location: JsonObject): { latitude: number; longitude: number } | undefined {
  const latitude = memberOf(location, 'latitude') ?? 0;
  const longitude = memberOf(location, 'longitude') ?? 0;
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined;
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return undefined;
  return Object.keys(location).length === 0 ? undefined : { latitude, longitude };
}

function googleAddress(from: JsonObject): StatedAddress {
  const components = objectsIn(from, 'addressComponents');
  const addressPart = (text: 'longText' | 'shortText', ...types: readonly string[]): string => {
    for (const type of types) {
      const found = components.find((component) => listIn(component, 'types').includes(type));
      if (found) return textIn(found, text, MAX_TEXT_CHARACTERS);
    }
    return '';
  };
  const [streetNum, streetName] = [addressPart('longText', 'street_number'), addressPart('longText', 'route')];
  return {
    country: addressPart('shortText', 'country'),
    region: addressPart('shortText', 'administrative_area_level_1'),
    address: {
      streetAddr: writeStreet({ streetNum, streetName }),
      streetAddr2: addressPart('longText', 'subpremise'),
      city: addressPart('longText', 'locality', 'sublocality_level_1', 'sublocality', 'administrative_area_level_3'),
      zipcode: addressPart('longText', 'postal_code'),
    },
  };
}

/** Maximum periods, far more than a real week has. */
const MAX_PERIODS = 100;

/**
 * Reads Google's regularOpeningHours as weekly hours; null if missing or unreadable. Google's week begins on Sunday. A
 * period that opens Sunday 0:00 and never closes means always open; no period means never open.
 */
export function googleHoursOf(openingHours: unknown): WeeklyHours | null {
  const periods = isJsonObject(openingHours) ? memberOf(openingHours, 'periods') : undefined;
  if (!Array.isArray(periods) || periods.length > MAX_PERIODS) return null;
  const ranges = periods.map((period) => (isJsonObject(period) ? weekRangeOf(period) : null));
  return ranges.includes(null) ? null : weekOfRanges(ranges.filter((range) => range !== null));
}

/** Returns minutes from Monday 0:00. The end is after the start, by up to a week. */
function weekRangeOf(period: JsonObject): MinuteRange | null {
  const startMinute = minuteOfWeek(memberOf(period, 'open'));
  const close = memberOf(period, 'close');
  if (startMinute === null) return null;
  if (close === undefined) return { startMinute, endMinute: startMinute + MINUTES_PER_WEEK };
  const end = minuteOfWeek(close);
  if (end === null) return null;
  return { startMinute, endMinute: end > startMinute ? end : end + MINUTES_PER_WEEK };
}

/** Returns the minute of the week of a point; absent members are 0. */
function minuteOfWeek(point: unknown): number | null {
  if (!isJsonObject(point)) return null;
  const { day = 0, hour = 0, minute = 0 } = point;
  if (!isWholeNumberUpTo(day, 6) || !isWholeNumberUpTo(hour, 23) || !isWholeNumberUpTo(minute, 59)) return null;
  return ((day + 6) % 7) * MINUTES_PER_DAY + hour * 60 + minute;
}

const isWholeNumberUpTo = (value: unknown, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;
