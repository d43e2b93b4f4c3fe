import type { Customer, Order } from '../../ordering/orders/order.ts';
import { momentInWords } from '../../ordering/orders/wording/format-time.ts';
import { METERS_PER_MILE } from '../../platform/lib/geo/sphere.ts';
import { instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { splitStreet } from '../../supply/pricing/street.ts';
import type { Country } from '../../supply/stores/store.ts';
import { canonicalTimeZone } from '../../supply/stores/time-zone.ts';

/**
 * The zone of the times that the page shows: the customer's for a delivery where the order has it, else the store's. A zone
 * that this node's time zone data lacks is no reason to show no page.
 */
export function zoneOf({ request, quote }: Order): string {
  const { timeZone } = request.customer;
  return request.mode === 'delivery' && canonicalTimeZone(timeZone) !== null ? timeZone : quote.store.timeZone;
}

/** `6:45 PM` on a day like `now`, else `Fri, Jun 12, 6:45 PM`. */
export function clockWords(epochS: number, now: Temporal.Instant, timeZone: string): string {
  return momentInWords(instantOfEpochSeconds(epochS), timeZone, now);
}

/** For `datetime` attributes. */
export function isoOf(epochS: number, timeZone: string): string {
  return instantOfEpochSeconds(epochS)
    .toZonedDateTimeISO(timeZone)
    .toString({ timeZoneName: 'never', fractionalSecondDigits: 0 });
}

/** The last two digits, by which its owner knows it and nobody else does. */
export function maskedPhone(phone: number): string {
  return `•••• ••${String(phone).slice(-2)}`;
}

/**
 * Street and town of the door, so that the customer can check them. A link may be passed on: the words hold no house
 * number, apartment or zipcode, not even from another field.
 */
export function destinationWords({ streetNum, streetName, city, state, zipcode }: Customer): string {
  const street = splitStreet(streetName).streetName;
  const hides = (part: string) => [streetNum, zipcode].some((secret) => secret.length > 0 && hasWord(part, secret));
  return [street, city, state].filter((part) => part !== '' && !hides(part)).join(', ');
}

function hasWord(text: string, word: string): boolean {
  return ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `.includes(` ${word.toLowerCase().trim()} `);
}

/** The store's address without postal code and country, which no customer needs to find it. */
export function storeAddressWords(address: string): string {
  return address.replace(/,\s*(US|CA)$/, '').replace(/\s+(\d{5}(-\d{4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d)$/i, '');
}

/** `0.8 miles`, in Canada `1.3 km`; short distances are in feet or meters. */
export function distanceWords(miles: number, country: Country): string {
  const meters = miles * METERS_PER_MILE;
  if (country === 'CA') return meters < 1000 ? `${rounded(meters, 50)} m` : `${(meters / 1000).toFixed(1)} km`;
  return miles < 0.19 ? `${rounded(miles * 5280, 100)} feet` : `${miles.toFixed(1)} miles`;
}

function rounded(value: number, step: number): number {
  return Math.max(step, Math.round(value / step) * step);
}

/** `Car`, `Bicycle`: the courier's word, capitalised for the start of a line. */
export function vehicleWords({ driver }: Order): string | undefined {
  const words = driver.vehicleType?.trim().replaceAll('_', ' ');
  return words ? words.charAt(0).toUpperCase() + words.slice(1) : undefined;
}

/** The first letter of a name, in capitals; a name may begin with a sign of several characters. */
export function initialOf(name: string): string {
  const [first] = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(name);
  return first?.segment.toUpperCase() ?? '';
}
