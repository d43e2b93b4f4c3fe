import { type Static, Type } from 'typebox';
import type { Fault } from '../lib/errors.ts';
import { compileRequestPart, EMAIL, invalidRequest } from '../lib/request-schema.ts';
import type { OrderRequest, RequestedItem } from './order.ts';
import { presentCustomer } from './present-order.ts';

/** Named limits of an order; what is over them is `invalid_request`. */
const MAX_ITEMS = 100;
const MAX_OPTIONS = 500;
const MAX_METADATA_KEYS = 50;
const MAX_METADATA_TEXT = 500;
const MAX_MISC_FEES = 20;
/** A hundred thousand dollars: no tip, fee or marked price is larger. */
const MAX_CENTS = 10_000_000;

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
const cents = Type.Integer({ minimum: 0, maximum: MAX_CENTS });
const flag = Type.Optional(Type.Boolean());

const Item = Type.Object({
  product_id: Type.String({ minLength: 1, maxLength: 256 }),
  quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 99 })),
  selected_options: Type.Optional(
    Type.Array(
      Type.Object({
        option_id: Type.String({ minLength: 1, maxLength: 512 }),
        quantity: Type.Optional(Type.Integer({ minimum: 0, maximum: 99 })),
        marked_price: Type.Optional(cents),
      }),
      { maxItems: MAX_OPTIONS },
    ),
  ),
  notes: text(500),
  product_marked_price: Type.Optional(cents),
});

const ReceiptSpecifications = Type.Object({
  prices_marked: flag,
  added_fee: Type.Optional(
    Type.Object({
      added_fee_flat: Type.Optional(cents),
      added_fee_percent: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
      is_added_fee_taxable: flag,
    }),
  ),
  unify_service_fee: flag,
  disable_email: flag,
  misc_fees: Type.Optional(
    Type.Array(Type.Object({ fee_name: Type.String({ minLength: 1, maxLength: 100 }), fee_amount: cents }), {
      maxItems: MAX_MISC_FEES,
    }),
  ),
});

/** The body of POST /order/order/v2 (interface.md; decisions, section 9). */
export const OrderBody = Type.Object({
  order_id: text(64),
  place_order: flag,
  items: Type.Array(Item, { minItems: 1, maxItems: MAX_ITEMS }),
  pickup: Type.Boolean(),
  driver_tip_cents: Type.Optional(cents),
  user_latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
  user_longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
  user_street_num: text(50),
  user_street_name: text(200),
  user_apt_num: text(50),
  user_city: text(100),
  user_state: text(100),
  user_country: text(100),
  user_zipcode: text(20),
  user_time_zone: text(64),
  user_dropoff_notes: text(1000),
  user_pickup_notes: text(1000),
  user_name: text(200),
  user_email: Type.Optional(EMAIL),
  user_phone: Type.Optional(Type.Integer({ minimum: 1_000_000, maximum: 999_999_999_999_999 })),
  user_id: text(255),
  charge_user: flag,
  include_final_quote: flag,
  disable_sms: flag,
  email_receipt_specifications: Type.Optional(ReceiptSpecifications),
  favorited: flag,
  enable_substitution: flag,
  autofill_selected_options: flag,
  payment_method_id: text(64),
  scheduled_id: text(256),
  customer_order_id: text(255),
  metadata: Type.Optional(
    Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), { maxProperties: MAX_METADATA_KEYS }),
  ),
});

export type OrderBody = Static<typeof OrderBody>;

/** The order a body asks for, with the defaults of decisions, section 9. */
export function orderRequestOf(body: OrderBody): OrderRequest {
  return {
    items: body.items.map(itemOf),
    mode: body.pickup ? 'pickup' : 'delivery',
    tipCents: body.driver_tip_cents ?? 0,
    customer: customerOf(body),
    chargeUser: body.charge_user ?? true,
    paymentMethodId: body.payment_method_id || null,
    scheduledId: body.scheduled_id || null,
    includeFinalQuote: body.include_final_quote ?? false,
    disableSms: body.disable_sms ?? false,
    receipt: receiptOf(body.email_receipt_specifications ?? {}),
    favorited: body.favorited ?? false,
    enableSubstitution: body.enable_substitution ?? false,
    autofillSelectedOptions: body.autofill_selected_options ?? false,
    customerOrderId: body.customer_order_id ?? '',
    metadata: body.metadata ?? {},
  };
}

function itemOf(item: OrderBody['items'][number]): RequestedItem {
  return {
    productId: item.product_id,
    quantity: item.quantity ?? 1,
    selectedOptions: (item.selected_options ?? []).map((option) => ({
      optionId: option.option_id,
      quantity: option.quantity ?? null,
      markedPriceCents: option.marked_price ?? null,
    })),
    notes: item.notes ?? '',
    markedPriceCents: item.product_marked_price ?? null,
  };
}

function customerOf(body: OrderBody): OrderRequest['customer'] {
  return {
    userId: body.user_id ?? '',
    name: body.user_name?.trim() ?? '',
    email: body.user_email ?? '',
    phone: body.user_phone ?? null,
    latitude: body.user_latitude ?? null,
    longitude: body.user_longitude ?? null,
    streetNum: body.user_street_num?.trim() ?? '',
    streetName: body.user_street_name?.trim() ?? '',
    aptNum: body.user_apt_num?.trim() ?? '',
    city: body.user_city?.trim() ?? '',
    state: body.user_state?.trim() ?? '',
    zipcode: body.user_zipcode?.trim() ?? '',
    country: body.user_country?.trim() ?? '',
    timeZone: body.user_time_zone ?? '',
    dropoffNotes: body.user_dropoff_notes ?? '',
    pickupNotes: body.user_pickup_notes ?? '',
  };
}

function receiptOf(specifications: Static<typeof ReceiptSpecifications>): OrderRequest['receipt'] {
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

/** What is missing to price the order: a delivery needs to know where to. */
export function missingToQuote(request: OrderRequest): Fault[] {
  const missing = request.mode === 'delivery' ? missingOf(presentCustomer(request.customer, ''), DOOR_FIELDS) : [];
  return [...missing, ...tooLongMetadata(request.metadata)];
}

const DOOR_FIELDS = ['user_latitude', 'user_longitude'];
const CUSTOMER_FIELDS = ['user_name', 'user_email', 'user_phone', 'user_id'];
const ADDRESS_FIELDS = ['user_street_num', 'user_street_name', 'user_city', 'user_state', 'user_zipcode'];

/** What is missing to place it besides. */
export function missingToPlace(request: OrderRequest): Fault[] {
  const given = { ...presentCustomer(request.customer, ''), payment_method_id: request.paymentMethodId };
  return missingOf(given, neededToPlace(request.mode === 'delivery', request.chargeUser));
}

function neededToPlace(isDelivery: boolean, chargesUser: boolean): string[] {
  return [...CUSTOMER_FIELDS, ...(chargesUser ? ['payment_method_id'] : []), ...(isDelivery ? ADDRESS_FIELDS : [])];
}

const parseBody = compileRequestPart(OrderBody, 'body');

/**
 * Reads the body of POST /order/order/v2. One that is wrong in itself is told what it lacks to be quoted, and placed
 * if it asks for that, in the same refusal.
 */
export function readOrderBody(data: unknown): ReturnType<typeof parseBody> {
  const parsed = parseBody(data);
  if (!('error' in parsed) || !isObject(data)) return parsed;
  const faults = parsed.error.extras.errors ?? [];
  const named = new Set(faults.map(({ name }) => name));
  return { error: invalidRequest([...faults, ...lackingIn(data).filter(({ name }) => !named.has(name))]) };
}

function lackingIn(body: Record<string, unknown>): Fault[] {
  const isDelivery = body.pickup === false;
  const toQuote = isDelivery ? DOOR_FIELDS : [];
  const toPlace = body.place_order === true ? neededToPlace(isDelivery, body.charge_user !== false) : [];
  return missingOf(body, [...toQuote, ...toPlace]);
}

function missingOf(given: Readonly<Record<string, unknown>>, needed: readonly string[]): Fault[] {
  const isBlank = (value: unknown) => (typeof value === 'string' ? value.trim() === '' : (value ?? null) === null);
  return needed.filter((name) => isBlank(given[name])).map(required);
}

function isObject(data: unknown): data is Record<string, unknown> {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

function tooLongMetadata(metadata: OrderRequest['metadata']): Fault[] {
  const size = JSON.stringify(metadata).length;
  const limit = MAX_METADATA_KEYS * MAX_METADATA_TEXT;
  return size > limit ? [{ in: 'body', name: 'metadata', message: `must not exceed ${limit} characters of JSON` }] : [];
}

function required(name: string): Fault {
  return { in: 'body', name, message: 'is required' };
}
