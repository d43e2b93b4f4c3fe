import { type Html, html } from 'doorstep/html';
import type { Customer, Order } from '../../ordering/order/order.ts';
import { orderZone } from '../../ordering/order/order-times.ts';
import { instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { readAddressLine } from '../../supply/stores/address-line.ts';
import { streetWithoutDoor, writeAddress } from '../../supply/stores/street-address.ts';
import type { Locale } from '../../texts/catalogs.ts';

/** Returns a moment in the format of `datetime` attributes. */
export function isoOf(epochS: number, order: Order): string {
  return instantOfEpochSeconds(epochS)
    .toZonedDateTimeISO(orderZone(order)[0])
    .toString({ timeZoneName: 'never', fractionalSecondDigits: 0 });
}

/** Masks a phone number except its last two digits, so that its owner recognizes it. */
export const maskedPhone = (phone: number): string => `•••• ••${String(phone).slice(-2)}`;

/**
 * Returns street and town of the address, so that the customer can check them. A link may be passed on, so house
 * number, apartment and zipcode are removed, even if they are in another field.
 */
export function destinationWords({ streetNum, streetName, city, state, zipcode }: Customer): string {
  const street = streetWithoutDoor({ streetNum, streetName });
  const hides = (part: string) => [streetNum, zipcode].some((secret) => secret.length > 0 && hasWord(part, secret));
  // A number that still leads the street is the street's own: 12 Mile Rd.
  const [first, ...others] = street.split(' ');
  const isStreetHidden = hides(first === streetNum ? others.join(' ') : street);
  const shown = [isStreetHidden ? '' : street, ...[city, state].filter((part) => !hides(part))];
  return shown.filter((part) => part !== '').join(', ');
}

function hasWord(text: string, word: string): boolean {
  return ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `.includes(` ${word.toLowerCase().trim()} `);
}

/** Returns the store's address without postal code and country, which customers do not need. */
export function storeAddressWords(address: string): string {
  return writeAddress({ ...readAddressLine(address), zipcode: '' });
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
