import { present } from 'doorstep/collections';
import { itemIndexIn, type OrderFault } from '../../ordering/order/order-faults.ts';
import type { Fault } from '../../platform/http/refusal.ts';
import type { Mode } from '../../supply/stores/store.ts';
import { readStreet } from '../../supply/stores/street-address.ts';
import type { Locale } from '../../texts/catalogs.ts';
import type { Address, CheckoutRequest, Person } from './checkout.ts';
import type { Message } from './contract.ts';
import { orderedCodes } from './discounts.ts';
import { orderedQuantity } from './quantities.ts';

/** A platform's checkout request as an order body, and that body's errors as messages with paths. */

export const methodOf = ({ fulfillment }: CheckoutRequest) => fulfillment?.methods[0];

/** The order's body for the cart (docs/orders.md#order-body). */
export function orderBodyOf(input: CheckoutRequest, mode: Mode) {
  const { buyer = {}, line_items: lines, codes, wanted } = input;
  const { name, phone } = recipientOf(input);
  return {
    items: lines.map(({ id, dish, quantity }) => ({
      product_id: dish.id,
      ...orderedQuantity(quantity, wanted.find((line) => line.id === id)?.amount),
      selected_options: dish.modifications.map(({ id, quantity: units }) => ({ option_id: id, quantity: units })),
    })),
    pickup: mode === 'pickup',
    ...present({ promotion_codes: codes && orderedCodes(codes) }),
    ...given({ user_name: name, user_email: buyer.email, user_phone: phone }),
    ...(mode === 'pickup' ? {} : doorOf(methodOf(input)?.destination?.address)),
  };
}

const nameOf = ({ first_name: first, last_name: last }: Person) => [first, last].filter(Boolean).join(' ');

/** The recipient in the destination. */
const personThere = (input: CheckoutRequest): Person => methodOf(input)?.destination?.address ?? {};

/** The recipient of an order: the one in the destination, otherwise the buyer. */
function recipientOf(input: CheckoutRequest) {
  const [{ buyer = {} }, there] = [input, personThere(input)];
  return { name: nameOf(there) || nameOf(buyer), phone: there.phone_number || buyer.phone_number };
}

/** Leaves out unsent fields and empty texts. */
const given = (members: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== ''));

function doorOf(address: Address = {}) {
  const { streetNum, streetName } = readStreet(address.street_address ?? '');
  return given({
    user_street_num: streetNum,
    user_street_name: streetName,
    user_apt_num: address.extended_address,
    user_city: address.address_locality,
    user_state: address.address_region,
    user_zipcode: address.postal_code,
    user_country: address.address_country,
  });
}

const METHOD = '$.fulfillment.methods[0]';
export const ADDRESS = `${METHOD}.destinations[0]`;
/** The path of the option that says when. */
export const OPTION = `${METHOD}.groups[0].selected_option_id`;

/** The paths in a checkout for the fields of an order's body. */
const PATHS: Readonly<Record<string, string>> = {
  items: '$.line_items',
  pickup: `${METHOD}.type`,
  scheduled_id: OPTION,
  user_name: '$.buyer.first_name',
  user_email: '$.buyer.email',
  user_phone: '$.buyer.phone_number',
  user_language: '$.context.language',
  user_street_num: `${ADDRESS}.street_address`,
  user_street_name: `${ADDRESS}.street_address`,
  user_apt_num: `${ADDRESS}.extended_address`,
  user_city: `${ADDRESS}.address_locality`,
  user_state: `${ADDRESS}.address_region`,
  user_zipcode: `${ADDRESS}.postal_code`,
  user_country: `${ADDRESS}.address_country`,
  user_latitude: ADDRESS,
  user_longitude: ADDRESS,
  address: ADDRESS,
};

function pathOf(name: string): string {
  const index = itemIndexIn(name);
  if (index === undefined) return PATHS[name] ?? '$';
  return `$.line_items[${index}].${name.split('.')[1] === 'quantity' ? 'quantity' : 'item'}`;
}

export function recoverable(code: string, path: string, content: string): Message {
  return { type: 'error', code, path, content, severity: 'recoverable' };
}

/** Errors of the recipient, at the destination that names it. */
export function atRecipient(input: CheckoutRequest, messages: readonly Message[]): Message[] {
  const there = personThere(input);
  return messages.map((message) => {
    const member = (['first_name', 'phone_number'] as const).find((name) => message.path === `$.buyer.${name}`);
    return member && there[member] ? { ...message, path: `${ADDRESS}.${member}` } : message;
  });
}

/** Missing or invalid fields of an order's body, with one message for each path. */
export function messagesOfMembers(faults: readonly Fault[], locale: Locale): Message[] {
  const byPath = new Map(faults.map(({ name, message }) => [pathOf(name), message]));
  return [...byPath].map(([path, message]) => {
    const code = message.startsWith('is required') ? 'missing' : 'invalid';
    return recoverable(code, path, memberInWords(path, locale));
  });
}

function memberInWords(path: string, { words: { checkout } }: Locale): string {
  const { contact, faults, refused } = checkout;
  if (path === '$.buyer.first_name') return contact.noName;
  if (path === '$.buyer.email') return contact.badEmail;
  if (path === '$.buyer.phone_number') return contact.badPhone;
  return path.startsWith(ADDRESS) ? faults.address : refused.unreadable;
}

/** Why an order cannot be quoted, in words of the buyer. */
export function messageOfFault({ code, name, because, quoteError }: OrderFault, message: string): Message {
  const path = pathOf(name);
  switch (code) {
    case 'product_unavailable':
      return recoverable(IS_STOCK.has(because ?? 'sold_out') ? 'out_of_stock' : 'item_unavailable', path, message);
    case 'invalid_options':
      return recoverable(because === 'off_sale' ? 'out_of_stock' : 'invalid_modifications', path, message);
    case 'order_minimum_not_met':
      return recoverable('minimum_order_unmet', '$.totals', message);
    case 'slot_unavailable':
      return recoverable('slot_unavailable', path, message);
    case 'pickup_not_supported':
      return recoverable('location_closed', `${METHOD}.type`, message);
    case 'quote_unavailable': {
      if (quoteError === 'OUT_OF_RANGE') return recoverable('address_undeliverable', ADDRESS, message);
      return recoverable('location_closed', METHOD, message);
    }
    case 'invalid_request':
      return recoverable('invalid', path, message);
    default:
      return recoverable('item_unavailable', path, message);
  }
}

/** Reasons that pass while the store has the product on its menu. */
const IS_STOCK: ReadonlySet<string> = new Set(['sold_out', 'off_sale']);
