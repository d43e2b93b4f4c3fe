import { memoised } from '../lib/memo.ts';
import type { StoreHours, WeeklyHours } from '../stores/hours.ts';
import { plainParty } from '../stores/store-defaults.ts';
import type { FeedProfile } from './feed/parse-profile.ts';

/** A profile as JSON on one line: as it is kept, and as it is hashed. */
export type ProfileTexts = { kept: string; hashed: string };

/** Stores of a feed deliver alike. Areas make other deliveries, which are longer. */
const MAX_DELIVERIES = 2000;
const MAX_KEPT_LENGTH = 500;
const NO_HOURS = '"hours":null';

/**
 * Writes profiles as `JSON.stringify` does. Half of a profile is hours, which few texts of a feed describe: each object of
 * hours is written once. What is hashed differs from what is kept in one member, which is replaced.
 */
export function createProfileWriter(): (profile: FeedProfile) => ProfileTexts {
  const writeHours = createHoursWriter();
  const plainDeliveryOf = memoised(plainDelivery, MAX_DELIVERIES);
  return (profile) => {
    const text = JSON.stringify(keptProfile(profile));
    // Quotes within a text of JSON are escaped: the first member of this name is a member of the profile itself.
    const at = text.indexOf(NO_HOURS);
    const kept = `${text.slice(0, at)}"hours":${writeHours(profile.hours)}${text.slice(at + NO_HOURS.length)}`;
    const delivery = JSON.stringify(profile.delivery);
    const plain = delivery.length > MAX_KEPT_LENGTH ? plainDelivery(delivery) : plainDeliveryOf(delivery);
    // Hours have a member of this name too, which is a list or null.
    return {
      kept,
      hashed: plain === null ? kept : kept.replace(`"delivery":${delivery}`, () => `"delivery":${plain}`),
    };
  };
}

/** A profile without its hours. Without exceptions it keeps the JSON, and so the hash, of versions that knew none. */
function keptProfile({ hoursExceptions, ...others }: FeedProfile): object {
  const kept = { ...others, hours: null };
  return hoursExceptions.length === 0 ? kept : { ...kept, hoursExceptions };
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

function createHoursWriter(): (hours: StoreHours) => string {
  const written = new WeakMap<WeeklyHours, string>();
  function write(hours: WeeklyHours | null): string {
    if (hours === null) return 'null';
    const known = written.get(hours);
    if (known !== undefined) return known;
    const text = JSON.stringify(hours);
    written.set(hours, text);
    return text;
  }
  return ({ operational, delivery, pickup, dine_in }) =>
    `{"operational":${write(operational)},"delivery":${write(delivery)},"pickup":${write(pickup)},"dine_in":${write(dine_in)}}`;
}
