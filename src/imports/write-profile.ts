import { memoised } from '../lib/memo.ts';
import type { MinuteRange, StoreHours, WeeklyHours } from '../stores/hours.ts';
import type { FeedProfile } from './feed/parse-store-line.ts';

/** Stores of a feed deliver alike, and ask alike fees. Areas make other deliveries, which are longer. */
const MAX_OFFERS = 2000;
const MAX_CACHED_LENGTH = 500;
const NULL_LENGTH = 'null'.length;

/**
 * Writes profiles as JSON on one line; equal profiles have equal texts. Half of a profile is hours: each week is serialized
 * once and cached. Members are in the order of `jsonb` (by length, then by bytes), so that PostgreSQL need not sort them.
 */
export function createProfileWriter(): (profile: FeedProfile) => string {
  const writeHours = createHoursWriter();
  const sortedTextOf = memoised(sortedText, MAX_OFFERS);
  const sorted = (text: string) => (text.length > MAX_CACHED_LENGTH ? text : sortedTextOf(text));
  return (profile) => {
    const [fees, delivery] = [JSON.stringify(profile.fees), JSON.stringify(profile.delivery)];
    const parts = cutAtNull(JSON.stringify(sortedProfile(profile)), '"fees":null', '"hours":null', '"delivery":null');
    return parts[0] + sorted(fees) + parts[1] + writeHours(profile.hours) + parts[2] + sorted(delivery) + parts[3];
  };
}

/**
 * The JSON of a profile, cut where three members are null, which follow each other. Quotes within a text of JSON are escaped,
 * and no object before such a member has a member of its name: the first of its name is the profile's.
 */
function cutAtNull(json: string, first: string, second: string, third: string): [string, string, string, string] {
  const one = json.indexOf(first) + first.length;
  const two = json.indexOf(second, one) + second.length;
  const three = json.indexOf(third, two) + third.length;
  const [head, tail] = [json.slice(0, one - NULL_LENGTH), json.slice(three)];
  return [head, json.slice(one, two - NULL_LENGTH), json.slice(two, three - NULL_LENGTH), tail];
}

/** A profile without hours, delivery and fees, which are texts, in the sequence of `jsonb`. */
function sortedProfile({ name, type, phone, photos, pickup, rating, address, ...others }: FeedProfile): object {
  const { cuisines, latitude, timeZone, longitude, scheduling, description, hoursExceptions } = others;
  const { dollarSigns, phoneNumber, onlineOrdering } = others;
  const { city, state, country, zipcode, streetAddr, streetAddr2 } = address;
  const { enabled, capacity, daysAhead, leadMinutes, slotMinutes } = scheduling;
  return {
    fees: null,
    name,
    type,
    hours: null,
    phone,
    photos,
    pickup,
    rating: rating && { count: rating.count, value: rating.value },
    address: { city, state, country, zipcode, streetAddr, streetAddr2 },
    cuisines,
    delivery: null,
    latitude,
    timeZone,
    longitude,
    scheduling: { enabled, capacity, daysAhead, leadMinutes, slotMinutes },
    description,
    dollarSigns,
    phoneNumber,
    onlineOrdering,
    hoursExceptions: hoursExceptions.length === 0 ? undefined : hoursExceptions,
  };
}

/** The same JSON with the members of all objects in the sequence of `jsonb`. Names of members are ASCII. */
function sortedText(text: string): string {
  return JSON.stringify(JSON.parse(text, (_key, value: unknown) => (isObject(value) ? sortedMembers(value) : value)));
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function sortedMembers(object: object): object {
  const byName = ([one]: [string, unknown], [other]: [string, unknown]) =>
    one.length - other.length || (one < other ? -1 : 1);
  return Object.fromEntries(Object.entries(object).sort(byName));
}

const sortedRange = ({ endMinute, startMinute }: MinuteRange): MinuteRange => ({ endMinute, startMinute });

function createHoursWriter(): (hours: StoreHours) => string {
  const written = new WeakMap<WeeklyHours, string>();
  function write(hours: WeeklyHours | null): string {
    if (hours === null) return 'null';
    const known = written.get(hours);
    if (known !== undefined) return known;
    const text = JSON.stringify(hours.map((ranges) => ranges.map(sortedRange)));
    written.set(hours, text);
    return text;
  }
  return (hours) => {
    const operational = write(hours.operational);
    const member = (name: 'pickup' | 'dine_in' | 'delivery') => {
      const text = write(hours[name]);
      return text === operational ? '' : `"${name}":${text},`;
    };
    return `{${member('pickup')}${member('dine_in')}${member('delivery')}"operational":${operational}}`;
  };
}
