import { present } from 'doorstep/collections';
import { type Static, Type } from 'typebox';
import type { KeyMode } from '../../access/accounts/account.ts';
import {
  bool,
  cents,
  describedObject,
  flag,
  optionalNumber,
  optionalText,
  optionalWhole,
} from '../../platform/http/api-components.ts';
import type { Fault } from '../../platform/http/refusal.ts';
import { compileRequestPart, EMAIL, invalidRequest } from '../../platform/http/request-schema.ts';
import { isLanguageTag, MAX_TAG_LENGTH, parseLanguage } from '../../platform/languages/language.ts';
import { isJsonObject, type JsonObject } from '../../platform/lib/json-object.ts';
import { readPhone } from '../../platform/lib/phone.ts';
import { addressText, doorAddress, regionOf, userAddress } from '../../supply/addresses/address-parameter.ts';
import { isPostalCodeApart, isRegionApart } from '../../supply/addresses/postal-areas.ts';
import { QUOTE_PREFERENCES } from '../../supply/pricing/quote.ts';
import { readMilli } from '../../supply/pricing/weight.ts';
import { isCode, readCode } from '../../supply/promotions/promotion-code.ts';
import { EXPECTED_REGION, readCountry, readRegion } from '../../supply/stores/region.ts';
import { namesDoor } from '../../supply/stores/street-address.ts';
import { canonicalTimeZone } from '../../supply/stores/time-zone.ts';
import { isSameDropOff } from '../order/drop-off.ts';
import {
  type Customer,
  type Order,
  type OrderRequest,
  type RequestedItem,
  requestedSubstitutes,
} from '../order/order.ts';
import { UPDATABLE_FIELDS } from '../order/order-events.ts';
import { DropOffSchema } from '../order/present-order.ts';
import { readReturnUrl } from '../payments/card-setup.ts';

/* An order's body: its schema, the order that it requests, and its missing or oversized members. */

/** An order's limits; a larger value is `invalid_request`. */
export const MAX_ITEMS = 100;
export const MAX_QUANTITY = 99;
export const MAX_OPTIONS = 500;
const MAX_METADATA_KEYS = 50;
const MAX_MISC_FEES = 20;
/** Up to 64 characters, because spaces and invisible ones do not count. */
const Code = Type.Refine(Type.String({ maxLength: 64 }), isCode, () => 'must be a code of 4 to 32 of A-Z, 0-9 and -');
export const MAX_CODES = 10;
/** Maximum of tips, fees and marked prices: $100,000. */
const MAX_CENTS = 10_000_000;

const amount = (description: string) => cents(description, { minimum: 0, maximum: MAX_CENTS });

const SelectedOption = Type.Object({
  option_id: Type.String({ minLength: 1, maxLength: 512, description: "The product's ID." }),
  quantity: optionalWhole(0, 99, 'Defaults to 1. 0 is the same as not sending the option.'),
  marked_price: Type.Optional(amount("The receipt's price of one, instead of the store's price.")),
});

const MAX_SUBSTITUTES = 10;

const SubstitutionBody = describedObject('What to do if the store lacks the item. Defaults to `refund`.', {
  preference: Type.Enum(['store_choice', 'specific', 'refund'], {
    description: '`store_choice`: a product chosen by the store. `specific`: one of `product_ids`. `refund`: a refund.',
  }),
  product_ids: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
      minItems: 1,
      maxItems: MAX_SUBSTITUTES,
      description: 'Products from the same store. Required with `specific`, and allowed only then.',
    }),
  ),
});

const Item = Type.Object({
  product_id: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'The ID from an inventory or product details.',
  }),
  quantity: Type.Optional(
    Type.Refine(
      Type.Unsafe<number | string>({
        type: ['number', 'string'],
        maxLength: 10,
        description: `A whole number from 1 to ${MAX_QUANTITY}. Defaults to 1. For items sold by weight, a decimal of the product's \`unit\` as a number or a string: a multiple of \`step\` from \`min\` to \`max\`.`,
        examples: [2, 1.5, '0.75'],
      }),
      (quantity) => Number.isInteger(quantity) || readMilli(quantity) !== undefined,
      () => 'must be a whole number, or of goods by weight a decimal of at most three places, such as 1.5',
    ),
  ),
  pieces: optionalWhole(
    1,
    MAX_QUANTITY,
    'The number of pieces, instead of `quantity`, for items sold by weight with a `piece_weight`.',
  ),
  selected_options: Type.Optional(
    Type.Array(SelectedOption, { maxItems: MAX_OPTIONS, description: 'All selected options, including nested ones.' }),
  ),
  notes: optionalText(500, 'Notes for the store.'),
  product_marked_price: Type.Optional(
    amount("The receipt's price of one without options, instead of the store's price."),
  ),
  substitution: Type.Optional(SubstitutionBody),
});

const ReceiptSpecifications = describedObject('The prices shown on the receipt, and the fees charged on top.', {
  prices_marked: flag('`true` charges the marked prices and shows them on the receipt.'),
  added_fee: Type.Optional(
    describedObject('A fee of your own.', {
      added_fee_flat: Type.Optional(amount('')),
      added_fee_percent: optionalNumber(0, 100, 'The fee as a percentage of the subtotal.'),
      is_added_fee_taxable: flag('Defaults to `false`.'),
    }),
  ),
  unify_service_fee: flag('`true` shows your fee together with the service fee.'),
  disable_email: flag('`true` sends the customer no emails about receipts, changes, cancellations or refunds.'),
  misc_fees: Type.Optional(
    Type.Array(
      Type.Object({
        fee_name: Type.String({ minLength: 1, maxLength: 100, description: "The fee's name on the receipt." }),
        fee_amount: amount(''),
      }),
      { maxItems: MAX_MISC_FEES, description: 'Other fees.' },
    ),
  ),
});

const TIME_ZONE = Type.Refine(
  Type.String({
    maxLength: 64,
    description: "The IANA name of the customer's time zone. Defaults to the store's time zone.",
    examples: ['America/New_York'],
  }),
  (name) => name === '' || canonicalTimeZone(name) !== null,
  () => 'must be the IANA name of a time zone, such as America/New_York',
);

const LANGUAGE = Type.Refine(
  Type.String({
    maxLength: MAX_TAG_LENGTH,
    description:
      "The BCP 47 tag of the language of the customer's pages and messages: English, French or Spanish of any region. Defaults to the account's language, which also replaces other languages.",
    examples: ['fr-CA'],
  }),
  (tag) => tag === '' || isLanguageTag(tag),
  () => 'must be a BCP 47 language tag, such as fr-CA',
);

const TO_PLACE = 'Required to place an order.';
/** Returns the schema of a phone number. */
export const phoneSchema = (description: string) =>
  Type.Refine(
    Type.Unsafe<number | string>({
      type: ['integer', 'string'],
      maxLength: 40,
      description: `${description} A number with ten digits is a US or Canadian number. Other numbers are strings that start with \`+\` and the country code. A string can use any notation and end with an extension.`,
      examples: [13125550123, '+1 312-555-0123', '(312) 555-0123 x12'],
    }),
    (phone) => readPhone(phone) !== undefined,
    () => 'must be a phone number: ten digits, or + and the country code, such as 13125550123 or "+44 20 7183 8750"',
  );
const TO_DELIVER = 'Required to place a delivery.';
const STATE = Type.Refine(
  Type.String({ maxLength: 100, description: `${TO_DELIVER} A US state or Canadian province, as a code or a name.` }),
  (text) => text.trim() === '' || regionOf(text, '') !== null,
  () => `must be ${EXPECTED_REGION.US}, or ${EXPECTED_REGION.CA}`,
);

/** The body of POST /order/order/v2 (docs/orders.md#order-body). */
export const OrderBody = Type.Object({
  order_id: optionalText(64, 'An unplaced order that this request replaces.'),
  order_key: optionalText(
    512,
    'Required with `order_id` for a publishable key: the `key` of its `tracking_link`, or the last part of its `checkout_url`.',
  ),
  place_order: flag('`true` places the order. Otherwise, it is quoted and stored.'),
  items: Type.Array(Item, { minItems: 1, maxItems: MAX_ITEMS, description: 'The items, all from one store.' }),
  pickup: bool('`true` for pickup, `false` for delivery.'),
  driver_tip_cents: Type.Optional(amount('The tip for a delivery. A pickup has no tip.')),
  user_latitude: optionalNumber(-90, 90, "The delivery address's latitude. Required without an address."),
  user_longitude: optionalNumber(-180, 180, "The delivery address's longitude. Required without an address."),
  address: Type.Optional(
    addressText(
      "The delivery address on one line. It's geocoded if there is no coordinate and no `user_street_name` with `user_city` or `user_zipcode`, which take precedence.",
    ),
  ),
  user_street_num: optionalText(50, TO_DELIVER),
  user_street_name: optionalText(200, TO_DELIVER),
  user_apt_num: optionalText(50, 'The apartment, suite or floor.'),
  user_city: optionalText(100, TO_DELIVER),
  user_state: Type.Optional(STATE),
  user_country: optionalText(100, "The address's country."),
  user_zipcode: optionalText(20, TO_DELIVER),
  user_time_zone: Type.Optional(TIME_ZONE),
  user_language: Type.Optional(LANGUAGE),
  user_dropoff_notes: optionalText(1000, 'Instructions for the driver.'),
  user_pickup_notes: optionalText(1000, 'Instructions for the staff who hand off a pickup.'),
  drop_off: Type.Optional(DropOffSchema),
  user_name: optionalText(200, TO_PLACE),
  user_email: Type.Optional(Type.String({ ...EMAIL, description: `${TO_PLACE} Receives the receipt.` })),
  user_phone: Type.Optional(phoneSchema(TO_PLACE)),
  user_id: optionalText(255, `${TO_PLACE} The one that the payment method was created with.`),
  charge_user: flag('Defaults to `true`. `false` places the order without a charge.'),
  include_final_quote: flag('`true` adds the `final_quote` to the response.'),
  disable_sms: flag('`true` sends the customer no text messages.'),
  email_receipt_specifications: Type.Optional(ReceiptSpecifications),
  favorited: flag('Stored with the order.'),
  enable_substitution: flag(
    '`true` allows substitutes. If only products are unavailable, the order moves to the nearest store of the same name that has them. The store may substitute each item without its own `substitution`.',
  ),
  autofill_selected_options: flag('`true` selects missing required options: the defaults, then the cheapest options.'),
  payment_method_id: optionalText(64, 'Required to place an order unless `charge_user` is false or the total is zero.'),
  promotion_codes: Type.Optional(
    Type.Array(Code, {
      maxItems: MAX_CODES,
      description:
        'Promotion codes as the customer typed or pasted them. Letter case, spaces and the kind of dash are ignored. Promotions without a code apply automatically.',
      examples: [['WELCOME5']],
    }),
  ),
  scheduled_id: optionalText(256, "The `id` of one of the quote's slots. Defaults to as soon as possible."),
  quote_preference: Type.Optional(
    Type.Enum([...QUOTE_PREFERENCES], {
      description:
        'The preferred delivery provider if several deliver to the address, as in inventory requests. Defaults to `first_available`. The order keeps it.',
    }),
  ),
  customer_order_id: optionalText(255, 'Your own ID for the order.'),
  checkout_return_url: optionalText(
    2000,
    'The page that `checkout_url` sends the customer to afterward, with `order_id` and `status` (`placed`, `canceled`, `changed`). Must use https, or http on localhost with a sandbox key. Defaults to the tracking page.',
  ),
  metadata: Type.Optional(
    Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
      maxProperties: MAX_METADATA_KEYS,
      description: 'Any data of yours. Stored with the order and returned with it.',
    }),
  ),
});

/** Fields for the items, the customer and the address; only an account may set all others. */
export const CART_MEMBERS = [
  'items',
  'pickup',
  'driver_tip_cents',
  'user_latitude',
  'user_longitude',
  'address',
  'user_street_num',
  'user_street_name',
  'user_apt_num',
  'user_city',
  'user_state',
  'user_country',
  'user_zipcode',
  'user_language',
  'user_dropoff_notes',
  'user_pickup_notes',
  'drop_off',
  'user_name',
  'user_email',
  'user_phone',
  'autofill_selected_options',
  'promotion_codes',
  'scheduled_id',
  'quote_preference',
] as const satisfies readonly (keyof OrderBody)[];

export type OrderBody = Static<typeof OrderBody>;

/** Fields finalizing adds to an order quoted without them, and the codes it must have been quoted with. */
export const MissingMembers = Type.Pick(OrderBody, [
  'user_name',
  'user_email',
  'user_phone',
  'user_id',
  'payment_method_id',
  'promotion_codes',
]);

/**
 * Adds missing fields to a quoted order. A field that differs from the order's is refused with invalid_request, except
 * a payment method that failed to pay.
 */
export function completedRequest(
  { request, status, chargeAttempt }: Pick<Order, 'request' | 'status' | 'chargeAttempt'>,
  { payment_token: token = '', ...body }: Static<typeof MissingMembers> & { payment_token?: string },
): OrderRequest {
  const given = requestedCustomer({ ...body, items: [], pickup: false });
  const { customer } = request;
  const isPlaced = status !== 'unplaced';
  const paysWith = !isPlaced && chargeAttempt > 0 ? '' : (request.paymentMethodId ?? '');
  const known = {
    user_name: [customer.name, given.name],
    user_email: [customer.email, given.email],
    user_phone: [customer.phone ?? '', given.phone ?? ''],
    user_id: [customer.userId, given.userId],
    payment_method_id: [paysWith, body.payment_method_id ?? ''],
    payment_token: [isPlaced ? '' : paysWith, token],
  };
  const message = 'is not what the order was quoted with; quote it again to change it';
  const faults = Object.entries(known).flatMap(([name, [own, other]]) =>
    own === '' || other === '' || own === other ? [] : [{ in: 'body' as const, name, message }],
  );
  const { promotionCodes = [] } = request;
  const codes = (body.promotion_codes ?? promotionCodes).map(readCode);
  if (codes.join() !== promotionCodes.join()) faults.push({ in: 'body', name: 'promotion_codes', message });
  if (faults.length > 0) throw invalidRequest(faults);
  return {
    ...request,
    paymentMethodId: body.payment_method_id || request.paymentMethodId,
    customer: {
      ...customer,
      name: customer.name || given.name,
      email: customer.email || given.email,
      phone: customer.phone ?? given.phone,
      phoneExtension: customer.phone === null ? given.phoneExtension : customer.phoneExtension,
      userId: customer.userId || given.userId,
    },
  };
}

/** The changeable parts of a placed order. */
export const UpdatedMembers = Type.Pick(OrderBody, [...UPDATABLE_FIELDS]);

/** The request with the fields of the body, and the names of changed fields. */
export function updatedRequest(
  request: OrderRequest,
  body: Static<typeof UpdatedMembers>,
): { request: OrderRequest; changed: (typeof UPDATABLE_FIELDS)[number][] } {
  const given = requestedCustomer({ ...body, items: [], pickup: false });
  const fields = {
    user_name: 'name',
    user_phone: 'phone',
    user_apt_num: 'aptNum',
    user_dropoff_notes: 'dropoffNotes',
    user_pickup_notes: 'pickupNotes',
    drop_off: 'dropOff',
  } as const;
  const { customer } = request;
  const isSame = (name: (typeof UPDATABLE_FIELDS)[number]) =>
    name === 'drop_off'
      ? isSameDropOff(given.dropOff, customer.dropOff)
      : given[fields[name]] === customer[fields[name]] &&
        (name !== 'user_phone' || given.phoneExtension === customer.phoneExtension);
  const changed = UPDATABLE_FIELDS.filter((name) => body[name] !== undefined && !isSame(name));
  const members = Object.fromEntries(changed.map((name) => [fields[name], given[fields[name]]]));
  const phoneExtension = (body.user_phone === undefined ? customer : given).phoneExtension;
  return { request: { ...request, customer: { ...customer, ...members, phoneExtension } }, changed };
}

/** A cart in our words: the requested order, and where to look up an address without coordinate and street. */
export type Cart = { request: OrderRequest; address?: string | null | undefined };

/** The cart of a body, for every endpoint. */
export const cartOf = (body: OrderBody): Cart => ({ request: orderRequestOf(body), address: body.address });

/** The order that a body requests, with defaults filled in. */
export function orderRequestOf(body: OrderBody): OrderRequest {
  return {
    items: body.items.map((item) => requestedItem(item, body.enable_substitution)),
    mode: body.pickup ? 'pickup' : 'delivery',
    tipCents: body.driver_tip_cents ?? 0,
    customer: requestedCustomer(body),
    chargeUser: body.charge_user ?? true,
    paymentMethodId: body.payment_method_id || null,
    scheduledId: body.scheduled_id || null,
    quotePreference: body.quote_preference ?? 'first_available',
    includeFinalQuote: body.include_final_quote ?? false,
    disableSms: body.disable_sms ?? false,
    receipt: requestedReceipt(body.email_receipt_specifications ?? {}),
    favorited: body.favorited ?? false,
    enableSubstitution: body.enable_substitution ?? false,
    autofillSelectedOptions: body.autofill_selected_options ?? false,
    customerOrderId: body.customer_order_id ?? '',
    metadata: body.metadata ?? {},
    ...(body.promotion_codes?.length ? { promotionCodes: body.promotion_codes.map(readCode) } : {}),
    ...(body.checkout_return_url ? { checkoutReturnUrl: body.checkout_return_url } : {}),
  };
}

const isChosen = ({ quantity }: { quantity?: number }): boolean => quantity !== 0;

export function requestedItem(item: OrderBody['items'][number], enablesSubstitution = false): RequestedItem {
  return {
    productId: item.product_id,
    ...requestedQuantity(item),
    // Options of quantity 0 are not chosen, so they are not stored.
    selectedOptions: (item.selected_options ?? []).filter(isChosen).map((option) => ({
      optionId: option.option_id,
      quantity: option.quantity ?? null,
      markedPriceCents: option.marked_price ?? null,
    })),
    notes: item.notes ?? '',
    markedPriceCents: item.product_marked_price ?? null,
    ...substitutionOf(item.substitution ?? (enablesSubstitution ? { preference: 'store_choice' } : {})),
  };
}

/** A whole number means units or a weight, as the product is sold; anything else has an amount. */
function requestedQuantity({
  quantity,
  pieces,
}: Pick<OrderBody['items'][number], 'quantity' | 'pieces'>): Pick<RequestedItem, 'quantity' | 'amount'> {
  if (typeof quantity === 'number' && Number.isInteger(quantity) && pieces === undefined) return { quantity };
  return { quantity: 1, amount: present({ milli: readMilli(quantity), pieces }) };
}

/** A body's fields without effect: the tip of a pickup. */
export const withoutEffect = ({ pickup, driver_tip_cents: tipCents = 0 }: OrderBody): Fault[] =>
  pickup && tipCents > 0
    ? [{ in: 'body', name: 'driver_tip_cents', message: 'is ignored: a pickup has no driver to tip' }]
    : [];

/** `product_ids` apply only to `specific`; the default is not stored. */
function substitutionOf({
  preference = 'refund',
  product_ids: productIds = [],
}: Partial<Static<typeof SubstitutionBody>> = {}): Pick<RequestedItem, 'substitution'> {
  if (preference === 'refund') return {};
  return { substitution: preference === 'specific' ? { preference, productIds } : { preference } };
}

function dropOffOf(dropOff: Static<typeof DropOffSchema> | undefined): Pick<Customer, 'dropOff'> {
  if (!dropOff) return {};
  const { where, utensils, code } = dropOff;
  return { dropOff: { where, utensils, code } };
}

function requestedCustomer(body: OrderBody): OrderRequest['customer'] {
  const phone = readPhone(body.user_phone);
  return {
    userId: body.user_id ?? '',
    name: body.user_name?.trim() ?? '',
    email: body.user_email ?? '',
    phone: phone?.number ?? null,
    phoneExtension: phone?.extension ?? '',
    latitude: body.user_latitude ?? null,
    longitude: body.user_longitude ?? null,
    ...userAddress(body),
    timeZone: body.user_time_zone ?? '',
    dropoffNotes: body.user_dropoff_notes ?? '',
    pickupNotes: body.user_pickup_notes ?? '',
    ...dropOffOf(body.drop_off),
    ...requestedLanguage(body),
  };
}

/** A language without texts counts as absent. */
function requestedLanguage({ user_language: tag }: OrderBody): Pick<Customer, 'language'> {
  const language = parseLanguage(tag);
  return language ? { language } : {};
}

function requestedReceipt(specifications: Static<typeof ReceiptSpecifications>): OrderRequest['receipt'] {
  const { added_fee: fee } = specifications;
  return {
    pricesMarked: specifications.prices_marked ?? false,
    addedFee: {
      flatCents: fee?.added_fee_flat ?? 0,
      percent: fee?.added_fee_percent ?? 0,
      taxable: fee?.is_added_fee_taxable ?? false,
    },
    unifyServiceFee: specifications.unify_service_fee ?? false,
    disableEmail: specifications.disable_email ?? false,
    miscFees: (specifications.misc_fees ?? []).map((misc) => ({ name: misc.fee_name, amountCents: misc.fee_amount })),
  };
}

/** Maximum length of the whole `metadata` as JSON. */
const MAX_METADATA_CHARACTERS = 25_000;
const MAX_METADATA_KEY_CHARACTERS = 100;
/** Maximum characters of the ids, notes and options of all items, enough for several thousand chosen options. */
const MAX_ITEMS_CHARACTERS = 100_000;
/** Characters that an option's quantity, markup and member names count as. */
const MAX_OPTION_CHARACTERS = 50;
/** Fields of a body, and the fields of the customer that they become. */
const DOOR_FIELDS = { user_latitude: 'latitude', user_longitude: 'longitude' } as const;
const CUSTOMER_FIELDS = { user_name: 'name', user_email: 'email', user_phone: 'phone', user_id: 'userId' } as const;
const ADDRESS_FIELDS = {
  user_street_num: 'streetNum',
  user_street_name: 'streetName',
  user_city: 'city',
  user_state: 'state',
  user_zipcode: 'zipcode',
} as const;
const NEEDED_FIELDS = { ...DOOR_FIELDS, ...CUSTOMER_FIELDS, ...ADDRESS_FIELDS };
const DOOR_MEMBERS = Object.keys(DOOR_FIELDS);
const ADDRESS_MEMBERS = Object.keys(ADDRESS_FIELDS);
const PAYMENT = 'payment_method_id';

/** The members of an address that lie far from its door, as sent or as found, or in another country than the state. */
export function contradictions({ mode, customer }: OrderRequest, isFound: boolean): Fault[] {
  const { latitude, longitude, state, zipcode } = customer;
  const country = readCountry(customer.country);
  const isForeign = state !== '' && country !== undefined && readRegion(state, country) === null;
  if (mode === 'pickup' || latitude === null || longitude === null) return [];
  const door = { latitude, longitude };
  const message = `is over 100 miles from ${isFound ? 'where the street was found' : 'user_latitude and user_longitude'}`;
  return [
    ...(isForeign ? [{ in: 'body' as const, name: 'user_country', message: 'does not have the user_state' }] : []),
    ...(isRegionApart(state, door) ? [{ in: 'body' as const, name: 'user_state', message }] : []),
    ...(isPostalCodeApart(zipcode, door) ? [{ in: 'body' as const, name: 'user_zipcode', message }] : []),
  ];
}

/** Fields missing for a quote. A delivery needs a coordinate, or an address to look up. */
export function missingToQuote({ mode, customer }: OrderRequest, address: string | null): Fault[] {
  if (mode === 'pickup') return [];
  const missing = missingOf(membersOf(customer), DOOR_MEMBERS);
  return missing.length === DOOR_MEMBERS.length && doorAddress(customer, address) ? [] : missing;
}

/** An order's facts besides its request: its total, and the `address` to be looked up. */
type Known = { totalCents?: number; address?: string | null };

/**
 * Fields that are missing for placing, besides a quote's. A total of zero needs no payment method, so only that field
 * is no error while the total is unknown.
 */
export function missingToPlace(request: OrderRequest, { totalCents, address = null }: Known = {}): Fault[] {
  const given = { ...membersOf(request.customer), [PAYMENT]: request.paymentMethodId };
  const needed = neededToPlace(request.mode === 'delivery', request.chargeUser && totalCents !== 0);
  const missing = missingOf(given, request.placedBy ? needed.filter((name) => name !== 'user_email') : needed);
  const isLookedUp = request.customer.latitude === null && doorAddress(request.customer, address)?.name === 'address';
  const left = isLookedUp ? missing.filter(({ name }) => !ADDRESS_MEMBERS.includes(name)) : missing;
  const faults = withoutNumber(left, request.customer);
  return totalCents === undefined && faults.every(({ name }) => name === PAYMENT) ? [] : faults;
}

/** A street that names its door needs no number: a rural box, or the number in the name. */
function withoutNumber(missing: readonly Fault[], street: Pick<Customer, 'streetNum' | 'streetName'>): Fault[] {
  return missing.filter(({ name }) => name !== 'user_street_num' || !namesDoor(street));
}

/** Members that are missing for finalizing; no address is taken there, because another door needs another quote. */
export function missingToFinalize(request: OrderRequest, known: Known = {}): Fault[] {
  const message = 'is required: quote the order again with its order_id and an address';
  const missing = missingToPlace(request, known);
  return missing.map((fault) => (ADDRESS_MEMBERS.includes(fault.name) ? { ...fault, message } : fault));
}

/** Reports oversized fields, because they are stored with the order and sent with every page of orders. */
export function sizeFaults({ metadata, items }: OrderRequest): Fault[] {
  const faults: Fault[] = [];
  const fault = (name: string, message: string) => faults.push({ in: 'body', name, message });
  if (Object.keys(metadata).some((key) => key.length > MAX_METADATA_KEY_CHARACTERS)) {
    fault('metadata', `must have names of at most ${MAX_METADATA_KEY_CHARACTERS} characters`);
  }
  if (JSON.stringify(metadata).length > MAX_METADATA_CHARACTERS) {
    fault('metadata', `must not exceed ${MAX_METADATA_CHARACTERS} characters of JSON`);
  }
  const characters = items.reduce(
    (sum, { productId, notes, selectedOptions, substitution }) =>
      sum +
      productId.length +
      notes.length +
      requestedSubstitutes(substitution).reduce((size, id) => size + id.length, 0) +
      selectedOptions.reduce((size, o) => size + o.optionId.length + MAX_OPTION_CHARACTERS, 0),
    0,
  );
  if (characters > MAX_ITEMS_CHARACTERS) fault('items', `must not exceed ${MAX_ITEMS_CHARACTERS} characters together`);
  return faults;
}

/** Checks the checkout's return URL, which must be https, or in the sandbox may be on this machine. */
export function returnUrlFaults({ checkoutReturnUrl }: OrderRequest, mode: KeyMode): Fault[] {
  if (checkoutReturnUrl === undefined) return [];
  const name = 'checkout_return_url';
  const read = readReturnUrl(checkoutReturnUrl, { name, allowsLocal: mode === 'sandbox' });
  return 'fault' in read ? [read.fault] : [];
}

/** The preference `specific` requires products. */
export function substitutionFaults({ items }: OrderRequest): Fault[] {
  return items.flatMap(({ substitution }, index) =>
    substitution?.preference === 'specific' && substitution.productIds.length === 0
      ? [required(`items[${index}].substitution.product_ids`)]
      : [],
  );
}

function neededToPlace(isDelivery: boolean, chargesUser: boolean): string[] {
  return [...Object.keys(CUSTOMER_FIELDS), ...(chargesUser ? [PAYMENT] : []), ...(isDelivery ? ADDRESS_MEMBERS : [])];
}

const parseBody = compileRequestPart(OrderBody, 'body');

/**
 * Parses the body of POST /order/order/v2. An error also names the members that are missing for a quote and, if the
 * body requests it, for placing.
 */
export function readOrderBody(data: unknown): ReturnType<typeof parseBody> {
  const parsed = parseBody(data);
  if (!('error' in parsed) || !isJsonObject(data)) return parsed;
  const faults = parsed.error.extras.errors ?? [];
  const named = new Set(faults.map(({ name }) => name));
  return { error: invalidRequest([...faults, ...findMissingMembers(data).filter(({ name }) => !named.has(name))]) };
}

function findMissingMembers(body: JsonObject): Fault[] {
  const isDelivery = body.pickup === false;
  const hasSome = (names: readonly string[]) => missingOf(body, names).length < names.length;
  const hasAddress = hasSome(['address']) || (hasSome(['user_street_name']) && hasSome(['user_city', 'user_zipcode']));
  const toQuote = isDelivery && (!hasAddress || hasSome(DOOR_MEMBERS)) ? DOOR_MEMBERS : [];
  const toPlace = body.place_order === true ? neededToPlace(isDelivery, body.charge_user !== false) : [];
  const { user_street_name: streetName } = body;
  const street = { streetNum: '', streetName: typeof streetName === 'string' ? streetName : '' };
  return withoutNumber(missingOf(body, [...toQuote, ...toPlace]), street);
}

function missingOf(given: Readonly<Record<string, unknown>>, needed: readonly string[]): Fault[] {
  const isBlank = (value: unknown) => (typeof value === 'string' ? value.trim() === '' : (value ?? null) === null);
  return needed.filter((name) => isBlank(given[name])).map(required);
}

const required = (name: string): Fault => ({ in: 'body', name, message: 'is required' });

/** The customer under the body's field names, to find missing fields. */
const membersOf = (customer: Customer): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(NEEDED_FIELDS).map(([member, field]) => [member, customer[field]]));
