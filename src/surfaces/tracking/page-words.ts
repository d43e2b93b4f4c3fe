import type { Customer, Order } from '../../ordering/order/order.ts';
import { type Html, html } from '../../platform/lib/html.ts';
import { instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { splitStreet } from '../../supply/pricing/street.ts';
import { canonicalTimeZone } from '../../supply/stores/time-zone.ts';
import type { Locale } from '../../texts/catalogs.ts';

/**
 * Returns the time zone of the page: for a delivery the customer's if the order has it, else the store's. Also the
 * store's if this node's time zone data lacks the customer's zone.
 */
export function zoneOf({ request, quote }: Order): string {
  const { timeZone } = request.customer;
  return request.mode === 'delivery' && canonicalTimeZone(timeZone) !== null ? timeZone : quote.store.timeZone;
}

/** Returns a moment in the format of `datetime` attributes. */
export function isoOf(epochS: number, timeZone: string): string {
  return instantOfEpochSeconds(epochS)
    .toZonedDateTimeISO(timeZone)
    .toString({ timeZoneName: 'never', fractionalSecondDigits: 0 });
}

/** Masks a phone number except its last two digits, by which its owner recognizes it. */
export function maskedPhone(phone: number): string {
  return `•••• ••${String(phone).slice(-2)}`;
}

/**
 * Returns street and town of the address, so that the customer can check them. A link may be passed on, so house
 * number, apartment and zipcode are removed, even if they are in another field.
 */
export function destinationWords({ streetNum, streetName, city, state, zipcode }: Customer): string {
  const street = splitStreet(streetName).streetName;
  const hides = (part: string) => [streetNum, zipcode].some((secret) => secret.length > 0 && hasWord(part, secret));
  return [street, city, state].filter((part) => part !== '' && !hides(part)).join(', ');
}

function hasWord(text: string, word: string): boolean {
  return ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `.includes(` ${word.toLowerCase().trim()} `);
}

/** Returns the store's address without postal code and country, which customers do not need. */
export function storeAddressWords(address: string): string {
  return address.replace(/,\s*(US|CA)$/, '').replace(/(?<!\s)\s+(\d{5}(-\d{4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d)$/i, '');
}

/** Names the driver's vehicle: `Car`, `Bicycle`. A courier's word without a translation is shown unchanged. */
export function vehicleWords({ driver }: Pick<Order, 'driver'>, { words }: Locale): string | undefined {
  const known: Readonly<Record<string, string>> = words.customer.vehicle;
  const word = driver.vehicleType?.trim().replaceAll('_', ' ') ?? '';
  if (word === '') return undefined;
  const code = word.toLowerCase();
  return (Object.hasOwn(known, code) ? known[code] : undefined) ?? word.charAt(0).toUpperCase() + word.slice(1);
}

/** Returns a sentence with one of its pieces as an element. */
export function withMark(sentence: string, piece: string, mark: (piece: string) => Html): Html {
  const at = sentence.indexOf(piece);
  if (piece === '' || at === -1) return html`${sentence}`;
  return html`${sentence.slice(0, at)}${mark(piece)}${sentence.slice(at + piece.length)}`;
}

/** Returns the first letter of a name, in upper case; a letter may consist of several characters. */
export function initialOf(name: string): string {
  const [first] = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(name);
  return first?.segment.toUpperCase() ?? '';
}
