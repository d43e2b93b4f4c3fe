import type { Customer, Order } from '../../ordering/orders/order.ts';
import type { Locale } from '../../platform/languages/catalogs.ts';
import { type Html, html } from '../../platform/lib/html.ts';
import { instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { splitStreet } from '../../supply/pricing/street.ts';
import { canonicalTimeZone } from '../../supply/stores/time-zone.ts';

/**
 * The zone of the times that the page shows: the customer's for a delivery where the order has it, else the store's. A zone
 * that this node's time zone data lacks is no reason to show no page.
 */
export function zoneOf({ request, quote }: Order): string {
  const { timeZone } = request.customer;
  return request.mode === 'delivery' && canonicalTimeZone(timeZone) !== null ? timeZone : quote.store.timeZone;
}

/** For `datetime` attributes. */
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

/** `Car`, `Bicycle`: what the driver drives; a courier's word that no text knows is shown as it came. */
export function vehicleWords({ driver }: Pick<Order, 'driver'>, { words }: Locale): string | undefined {
  const known: Readonly<Record<string, string>> = words.customer.vehicle;
  const word = driver.vehicleType?.trim().replaceAll('_', ' ') ?? '';
  if (word === '') return undefined;
  const code = word.toLowerCase();
  return (Object.hasOwn(known, code) ? known[code] : undefined) ?? word.charAt(0).toUpperCase() + word.slice(1);
}

/** A sentence with one of its pieces as an element. */
export function withMark(sentence: string, piece: string, mark: (piece: string) => Html): Html {
  const at = sentence.indexOf(piece);
  if (piece === '' || at === -1) return html`${sentence}`;
  return html`${sentence.slice(0, at)}${mark(piece)}${sentence.slice(at + piece.length)}`;
}

/** The first letter of a name, in capitals; a name may begin with a sign of several characters. */
export function initialOf(name: string): string {
  const [first] = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(name);
  return first?.segment.toUpperCase() ?? '';
}
