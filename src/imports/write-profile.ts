import { memoised } from '../lib/memo.ts';
import type { MinuteRange, StoreHours, WeeklyHours } from '../stores/hours.ts';
import { plainParty } from '../stores/store-defaults.ts';
import type { FeedProfile } from './feed/parse-profile.ts';

/** A profile as JSON on one line: as it is kept, and as it is hashed. */
export type ProfileTexts = { kept: string; hashed: string };

/** Stores of a feed deliver alike, and ask alike fees. Areas make other deliveries, which are longer. */
const MAX_OFFERS = 2000;
const MAX_KEPT_LENGTH = 500;
const NULL_LENGTH = 'null'.length;

/**
 * Writes profiles. Half of a profile is hours, which few texts of a feed describe: each object of hours is written once.
 * What is hashed has its members in the sequence of the profile, as `JSON.stringify` writes them. What is kept has them in
 * the sequence of `jsonb`, by length and then by bytes: PostgreSQL sorts the members of every object that comes unsorted.
 * `omitsHours`: what is kept leaves out channels that have the hours of `operational`, which is half of most profiles.
 */
export function createProfileWriter({ omitsHours = false } = {}): (profile: FeedProfile) => ProfileTexts {
  const writeHours = createHoursWriter(omitsHours);
  const plainDeliveryOf = memoised(plainDelivery, MAX_OFFERS);
  const sortedTextOf = memoised(sortedText, MAX_OFFERS);
  const sorted = (text: string) => (text.length > MAX_KEPT_LENGTH ? text : sortedTextOf(text));
  return (profile) => {
    const hours = writeHours(profile.hours);
    const delivery = JSON.stringify(profile.delivery);
    const plain = delivery.length > MAX_KEPT_LENGTH ? plainDelivery(delivery) : plainDeliveryOf(delivery);
    const fees = JSON.stringify(profile.fees);
    const kept = cutAtNull(JSON.stringify(sortedProfile(profile)), '"fees":null', '"hours":null', '"delivery":null');
    const hashed = cutAtNull(JSON.stringify(hashedProfile(profile)), '"hours":null', '"delivery":null', '"fees":null');
    return {
      kept: kept[0] + sorted(fees) + kept[1] + hours.kept + kept[2] + sorted(delivery) + kept[3],
      hashed: hashed[0] + hours.hashed + hashed[1] + (plain ?? delivery) + hashed[2] + fees + hashed[3],
    };
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

/**
 * A profile without hours, delivery and fees, which are texts. Without exceptions it keeps the JSON, and so the hash, of
 * versions that knew none.
 */
function hashedProfile({ hoursExceptions, ...others }: FeedProfile): object {
  const hashed = { ...others, hours: null, delivery: null, fees: null };
  return hoursExceptions.length === 0 ? hashed : { ...hashed, hoursExceptions };
}

/**
 * The delivery of a store that one party delivers for within a radius, as versions wrote the delivery that knew no other:
 * such a store keeps the hash of these versions. Null for other stores.
 */
function plainDelivery(delivery: string): string | null {
  const { parties, ...offer } = JSON.parse(delivery) as FeedProfile['delivery'];
  const [{ party, zones } = plainParty()] = parties;
  const radiusMiles = zones[0] && 'radiusMiles' in zones[0].reach ? zones[0].reach.radiusMiles : 0;
  const isPlain = JSON.stringify(parties) === JSON.stringify([plainParty(party, radiusMiles)]);
  return isPlain ? JSON.stringify({ ...offer, party, radiusMiles }) : null;
}

const sortedRange = ({ endMinute, startMinute }: MinuteRange): MinuteRange => ({ endMinute, startMinute });

function createHoursWriter(omitsHours: boolean): (hours: StoreHours) => ProfileTexts {
  const written = new WeakMap<WeeklyHours, ProfileTexts>();
  const unknown = { kept: 'null', hashed: 'null' };
  function write(hours: WeeklyHours | null): ProfileTexts {
    if (hours === null) return unknown;
    const known = written.get(hours);
    if (known !== undefined) return known;
    const hashed = JSON.stringify(hours);
    const texts = { kept: JSON.stringify(hours.map((ranges) => ranges.map(sortedRange))), hashed };
    written.set(hours, texts);
    return texts;
  }
  return (hours) => {
    const [operational, delivery] = [write(hours.operational), write(hours.delivery)];
    const [pickup, dineIn] = [write(hours.pickup), write(hours.dine_in)];
    const member = (name: string, { kept }: ProfileTexts) =>
      omitsHours && kept === operational.kept ? '' : `"${name}":${kept},`;
    const channels = member('pickup', pickup) + member('dine_in', dineIn) + member('delivery', delivery);
    return {
      kept: `{${channels}"operational":${operational.kept}}`,
      hashed: `{"operational":${operational.hashed},"delivery":${delivery.hashed},"pickup":${pickup.hashed},"dine_in":${dineIn.hashed}}`,
    };
  };
}
