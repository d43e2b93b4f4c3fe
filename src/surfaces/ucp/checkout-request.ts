import { present } from 'doorstep/collections';
import { Type } from 'typebox';
import { TIP_PERCENTS } from '../../ordering/money/offered-tips.ts';
import { DROP_OFF_PLACES } from '../../ordering/order/order.ts';
import { itemIndexIn, type OrderFault } from '../../ordering/order/order-faults.ts';
import { MAX_ITEMS } from '../../ordering/place/order-body.ts';
import type { Fault } from '../../platform/http/refusal.ts';
import { compileRequestPart, invalidRequest } from '../../platform/http/request-schema.ts';
import { isJsonObject, type JsonObject, listIn, objectIn, objectsIn } from '../../platform/lib/json-object.ts';
import type { Mode } from '../../supply/stores/store.ts';
import { readStreet } from '../../supply/stores/street-address.ts';
import type { Locale } from '../../texts/catalogs.ts';
import type { UcpCheckout } from './checkout.ts';
import { CHECKOUT_REQUEST, type CheckoutRequest, type Location, type Message } from './contract.ts';
import { orderedCodes } from './discounts.ts';
import { orderedQuantity } from './quantities.ts';

/** What a platform asks of a checkout, as the body of an order; and the faults of that body, as messages with paths. */

export const CheckoutBody = Type.Unsafe<CheckoutRequest>({
  ...CHECKOUT_REQUEST,
  properties: {
    ...CHECKOUT_REQUEST.properties,
    line_items: { ...CHECKOUT_REQUEST.properties.line_items, minItems: 1, maxItems: MAX_ITEMS },
  },
});
const parse = compileRequestPart(CheckoutBody, 'body');

/** Reads a body; refuses with invalid_request what is none. Of the rest nothing is kept, payment least of all. */
export function readCheckoutRequest(body: unknown): CheckoutRequest {
  nameAddresses(body);
  const parsed = parse(body);
  if ('error' in parsed) throw parsed.error;
  const { food_establishment, line_items, buyer, tip, fulfillment } = parsed.value as CheckoutRequest;
  return {
    line_items,
    ...present({ food_establishment, buyer, tip, fulfillment }),
  };
}

/** Gives an address that has the other draft's name ours too, so that it is read and checked alike. */
function nameAddresses(body: unknown): void {
  if (!isJsonObject(body)) return;
  for (const method of objectsIn(objectIn(body, 'fulfillment'), 'methods')) {
    const { destination } = method;
    if (isJsonObject(destination) && 'postal_address' in destination) {
      Object.assign(destination, { address: destination.postal_address });
    }
  }
}

/** The one method of a cart; undefined where there are none or several. */
export function methodOf({ fulfillment }: CheckoutRequest) {
  const [method, ...others] = fulfillment?.methods ?? [];
  return others.length === 0 ? method : undefined;
}

type Method = NonNullable<ReturnType<typeof methodOf>>;

/** What the contract's types leave out: a destination's members, and those that differ between the drafts. */
type Address = NonNullable<Location['address']>;
type Destination = { address?: Address; geo?: { latitude: number; longitude: number } };

const destinationOf = ({ destination = {} }: Method) => destination as Destination;

/** Preferences of a delivery, and the places of our orders that they mean. */
export const PREFERENCES = DROP_OFF_PLACES.map((place) => ({ id: place }));

/** The body of an order that the cart stands for (docs/orders.md#body-of-an-order). */
export function orderBodyOf(input: UcpCheckout['input'], mode: Mode) {
  const { buyer = {}, line_items: lines, codes, wanted = [] } = input;
  const { name, phone } = recipientOf(input);
  return {
    items: lines.map(({ id, dish, quantity }) => ({
      product_id: dish.id,
      ...orderedQuantity(quantity, wanted.find((line) => line.id === id)?.amount),
      selected_options: (dish.modifications ?? []).map(({ id, quantity: units = 1 }) => ({
        option_id: id,
        quantity: units,
      })),
      notes: dish.note ?? '',
    })),
    pickup: mode === 'pickup',
    ...present({ promotion_codes: codes && orderedCodes(codes) }),
    ...given({ user_name: name, user_email: buyer.email, user_phone: phone }),
    ...doorOf(methodOf(input), mode),
  };
}

type Person = NonNullable<CheckoutRequest['buyer']>;
const nameOf = ({ first_name: first, last_name: last }: Person) => [first, last].filter(Boolean).join(' ');

/** The recipient in a shop's destination. */
function personThere(input: UcpCheckout['input']): Person {
  const { destination = {} } = (input.wanted && methodOf(input)) ?? {};
  return objectIn(destination as JsonObject, 'address');
}

/** The recipient of an order: of a shop the one in the destination, else the buyer. */
function recipientOf(input: UcpCheckout['input']) {
  const [{ buyer = {} }, there] = [input, personThere(input)];
  return { name: nameOf(there) || nameOf(buyer), phone: there.phone_number || buyer.phone_number };
}

/** Leaves out what was not sent, and empty texts. */
const given = (members: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== ''));

function doorOf(method: Method | undefined, mode: Mode): JsonObject {
  if (!method) return {};
  if (mode === 'pickup') return given({ user_pickup_notes: method.notes });
  const { address = {}, geo } = destinationOf(method);
  const { streetNum, streetName } = readStreet(address.street_address ?? '');
  const where = preferenceOf(method);
  return {
    ...given({
      user_street_num: streetNum,
      user_street_name: streetName,
      user_apt_num: address.extended_address,
      user_city: address.address_locality,
      user_state: address.address_region,
      user_zipcode: address.postal_code,
      user_country: address.address_country,
      user_dropoff_notes: method.notes,
    }),
    ...(geo ? { user_latitude: geo.latitude, user_longitude: geo.longitude } : {}),
    ...present({ drop_off: where && { where, utensils: true, code: false } }),
  };
}

/** The place of the chosen preference, which one draft has at the method. */
export function preferenceOf(method: Method): (typeof DROP_OFF_PLACES)[number] | undefined {
  const name = 'selected_preference_option_ids';
  const chosen = [...listIn(method.destination ?? {}, name), ...listIn(method, name)];
  return PREFERENCES.find(({ id }) => chosen.includes(id))?.id;
}

/** Whether the tip is a share of the subtotal, in percent, or an amount. Refuses an option that there is not. */
export function requestedTip({ tip }: CheckoutRequest): { percent: number } | { cents: number } {
  if (tip?.selected_option_id === undefined) return { cents: tip?.custom_amount ?? 0 };
  const percent = TIP_PERCENTS.find((one) => tipId(one) === tip.selected_option_id);
  if (percent !== undefined) return { percent };
  const message = `must be one of ${TIP_PERCENTS.map(tipId).join(', ')}`;
  throw invalidRequest([{ in: 'body', name: 'tip.selected_option_id', message }]);
}

const tipId = (percent: number) => `tip_${percent}`;
export const TIP_OPTIONS = TIP_PERCENTS.map((percent) => ({ id: tipId(percent), unit: 'percentage', amount: percent }));

const METHOD = '$.fulfillment.methods[0]';
const ADDRESS = `${METHOD}.destination.address`;

/** Where a member of an order's body stands in a checkout. */
const PATHS: Readonly<Record<string, string>> = {
  items: '$.line_items',
  pickup: `${METHOD}.type`,
  driver_tip_cents: '$.tip.custom_amount',
  scheduled_id: `${METHOD}.requested_fulfillment_time`,
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
  user_latitude: `${METHOD}.destination`,
  user_longitude: `${METHOD}.destination`,
  address: `${METHOD}.destination`,
  'drop_off.where': `${METHOD}.destination.selected_preference_option_ids`,
  user_dropoff_notes: `${METHOD}.notes`,
  user_pickup_notes: `${METHOD}.notes`,
};
const OF_ITEM: Readonly<Record<string, string>> = {
  product_id: 'dish',
  quantity: 'quantity',
  selected_options: 'dish.modifications',
  notes: 'dish.note',
};

function pathOf(name: string): string {
  const index = itemIndexIn(name);
  if (index === undefined) return PATHS[name] ?? '$';
  const [, member = ''] = name.split('.');
  return `$.line_items[${index}].${OF_ITEM[member.replace(/\[.*/, '')] ?? 'dish'}`;
}

export function recoverable(code: string, path: string, content: string): Message {
  return { type: 'error', code, path, content, severity: 'recoverable' };
}

/** Faults of the recipient, at the destination that names it. */
export function atRecipient(input: UcpCheckout['input'], messages: readonly Message[]): Message[] {
  const there = personThere(input);
  return messages.map((message) => {
    const [, member] = /^\$\.buyer\.(first_name|phone_number)$/.exec(message.path ?? '') ?? [];
    return member && there[member] ? { ...message, path: `${ADDRESS}.${member}` } : message;
  });
}

/** Members of an order's body that are missing or wrong, one message for each place. */
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
  return path.startsWith(`${METHOD}.destination`) ? faults.address : refused.unreadable;
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
      return recoverable('location_closed', path, message);
    case 'pickup_not_supported':
      return recoverable('location_closed', `${METHOD}.type`, message);
    case 'quote_unavailable': {
      if (quoteError === 'OUT_OF_RANGE') return recoverable('address_undeliverable', `${METHOD}.destination`, message);
      return recoverable('location_closed', '$.food_establishment', message);
    }
    case 'invalid_request':
      return recoverable('invalid', path, message);
    default:
      return recoverable('item_unavailable', path, message);
  }
}

/** Reasons that pass while the store has the dish on its menu. */
const IS_STOCK: ReadonlySet<string> = new Set(['sold_out', 'off_sale']);
