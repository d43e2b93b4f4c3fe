import type { Fault } from '../http/refusal.ts';
import { compileRequestPart, invalidRequest } from '../http/request-schema.ts';
import { namedIn } from './adjustments/named-substitutes.ts';
import type { OrderRequest } from './order.ts';
import { OrderBody } from './order-body.ts';
import { presentCustomer } from './present-order.ts';

/** Of the whole `metadata` as JSON. */
const MAX_METADATA_CHARACTERS = 25_000;
const MAX_METADATA_KEY_CHARACTERS = 100;
/** Characters of the ids, notes and options of all items: some thousand chosen options. */
const MAX_ITEMS_CHARACTERS = 100_000;
/** An option's quantity and mark-up, and the names of its members, as JSON. */
const OPTION_CHARACTERS = 50;
const DOOR_FIELDS = ['user_latitude', 'user_longitude'];
const CUSTOMER_FIELDS = ['user_name', 'user_email', 'user_phone', 'user_id'];
const ADDRESS_FIELDS = ['user_street_num', 'user_street_name', 'user_city', 'user_state', 'user_zipcode'];

/** Missing members for a quote: a delivery needs a position. */
export function missingToQuote(request: OrderRequest): Fault[] {
  return request.mode === 'delivery' ? missingOf(presentCustomer(request.customer, ''), DOOR_FIELDS) : [];
}

/** Further missing members for placing the order. */
export function missingToPlace(request: OrderRequest): Fault[] {
  const given = { ...presentCustomer(request.customer, ''), payment_method_id: request.paymentMethodId };
  return missingOf(given, neededToPlace(request.mode === 'delivery', request.chargeUser));
}

/** Members that are too large: they are stored with the order, and sent with every page of orders. */
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
      namedIn(substitution).reduce((size, id) => size + id.length, 0) +
      selectedOptions.reduce((size, o) => size + o.optionId.length + OPTION_CHARACTERS, 0),
    0,
  );
  if (characters > MAX_ITEMS_CHARACTERS) fault('items', `must not exceed ${MAX_ITEMS_CHARACTERS} characters together`);
  return faults;
}

/** The preference `specific` needs the products that it means. */
export function substitutionFaults({ items }: OrderRequest): Fault[] {
  return items.flatMap(({ substitution }, index) =>
    substitution?.preference === 'specific' && substitution.productIds.length === 0
      ? [required(`items[${index}].substitution.product_ids`)]
      : [],
  );
}

function neededToPlace(isDelivery: boolean, chargesUser: boolean): string[] {
  return [...CUSTOMER_FIELDS, ...(chargesUser ? ['payment_method_id'] : []), ...(isDelivery ? ADDRESS_FIELDS : [])];
}

const parseBody = compileRequestPart(OrderBody, 'body');

/**
 * Reads the body of POST /order/order/v2. The refusal of a malformed body also names the members that are missing for a
 * quote, and for placing where the body asks for it.
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

function required(name: string): Fault {
  return { in: 'body', name, message: 'is required' };
}
