import assert from 'node:assert/strict';
import { CART_MEMBERS } from '../../src/ordering/place/order-body.ts';
import { writeCursor } from '../../src/platform/http/page-cursor.ts';
import { SAME_SITE } from '../given/merchant.ts';
import type { Client } from '../harness.ts';
import type { AnyAnswer } from './assert-refused.ts';
import type { Shop } from './given-shop.ts';

export type Schema = {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  anyOf?: Schema[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
};
type Parameter = { name: string; in: string; required?: boolean; schema: Schema; example?: unknown };
type Operation = {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
  responses?: Record<string, { content?: Record<string, unknown> }>;
  security?: object[];
};

export type Audience = 'account' | 'store' | 'operator';

export type Endpoint = {
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  audience: Audience;
  query: readonly Parameter[];
  pathNames: readonly string[];
  body: Schema | undefined;
  /** The described body; its placeholders are not filled. */
  example?: unknown;
};

export type WireRequest = { path: string; query: string; body?: string; headers?: Record<string, string> };
/** A request that succeeds, at least in the right state; unknown ones are made from the description. */
export type GoodRequest = {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
};

/** Every endpoint of the OpenAPI document that requires a key of these audiences and is not a stream. */
export function describedEndpoints(shop: Shop, audiences: readonly Audience[] = ['account', 'store']): Endpoint[] {
  const { paths } = shop.service.http.swagger() as unknown as { paths: Record<string, Record<string, Operation>> };
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => !responses?.['200']?.content?.['text/event-stream'])
      .filter(([, { security }]) => security?.length !== 0)
      .map(([method, operation]) => endpointOf(path, method.toUpperCase() as Endpoint['method'], operation)),
  );
  const wanted = endpoints.filter(({ audience }) => audiences.includes(audience));
  assert.ok(wanted.length > 10);
  return wanted;
}

function audienceOf({ security }: Operation): Audience {
  if (!security?.some((way) => 'Console-Session' in way)) return 'account';
  return security.some((way) => 'Bearer' in way) ? 'store' : 'operator';
}

function endpointOf(path: string, method: Endpoint['method'], operation: Operation): Endpoint {
  const { parameters = [], requestBody } = operation;
  return {
    name: `${method} ${path}`,
    method,
    path,
    audience: audienceOf(operation),
    query: parameters.filter((parameter) => parameter.in === 'query'),
    pathNames: parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
    body: requestBody?.content['application/json']?.schema,
    example: requestBody?.content['application/json']?.example,
  };
}

/** The ids and tokens of a shop that good requests use. */
export type NamedInRequests = Pick<Shop, 'ids' | 'accountId' | 'goodOrder'>;

function knownRequests(shop: NamedInRequests): Record<string, GoodRequest> {
  const { ids, goodOrder } = shop;
  const door = { user_latitude: '40.744', user_longitude: '-73.988', include_quote: 'true' };
  const nearPlaces = {
    location_bias_latitude: '40.74',
    location_bias_longitude: '-73.99',
    location_bias_radius: '5000',
    search_type: 'place',
    open_filter: 'true',
  };
  const everyOrderField = everyField(goodOrder({ place_order: false }), ids.scheduled_id);
  const card = { card_number: '4242424242424242', expiration_month: 12, expiration_year: 2031, cvc: '123' };
  return {
    'GET /search/store/v3': { query: { latitude: '40.74', longitude: '-73.99', query: 'pizza' } },
    'GET /search/product/v4': {
      query: { query: 'soda', user_latitude: '40.74', user_longitude: '-73.99', upc_codes: '036000291452' },
    },
    'GET /search/cart': {
      query: { query: '{"soda":2}', user_latitude: '40.74', user_longitude: '-73.99', full_carts_only: 'false' },
    },
    'GET /places/search': { query: { search: 'pizza 5th ave', ...nearPlaces } },
    'GET /utils/geocode': { query: { address: '10011', latitude: '40.74', longitude: '-73.99' } },
    'GET /utils/add_store': { query: { directory_place_id: 'node/1' } },
    'GET /details/inventory': { query: { store_id: ids.store_id, pickup: 'false', ...door } },
    'GET /details/product': { query: { product_id: ids.product_id, pickup: 'false', ...door } },
    'POST /payment/create': { body: { payment_method: card, user_id: 'u1', user_email: 'u1@example.com' } },
    'POST /payment/setup': {
      body: { user_id: 'u1', user_email: 'u1@example.com', return_url: 'https://shop.example/back' },
    },
    'POST /payment/delete': { body: { user_id: 'u1', payment_method_id: ids.spare_payment_method_id } },
    'GET /payment/list': { query: { user_id: 'u1' } },
    'PUT /account/customers/{user_id}': { path: { user_id: 'vouched' }, body: { email: 'vouched@example.com' } },
    'GET /account/customers/{user_id}': { path: { user_id: 'vouched' } },
    'DELETE /account/customers/{user_id}': { path: { user_id: 'vouched' } },
    'POST /account/forget_user': { body: { user_id: 'nobody' } },
    'GET /sandbox/charges': { query: { order_id: ids.order_id, payment_method_id: ids.payment_method_id } },
    'GET /sandbox/messages': { query: { order_id: ids.order_id } },
    'POST /mcp': { body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} } },
    'POST /account/tracking/webhook/replay': { body: { since: 0 } },
    'POST /order/order/v2': { body: everyOrderField },
    'POST /order/finalize': { body: { order_id: ids.order_id } },
    ...afterPlacing(ids.order_id),
    'GET /account/orders': { query: { order_id: ids.order_id, status: 'in_progress', page: '0' } },
    ...storeRequests(ids.order_id),
    'POST /store/orders': { body: { ...only(everyOrderField, CART_MEMBERS), pay: 'link' } },
    'GET /console/orders/{order_id}/ticket': { path: { order_id: ids.order_id }, query: { document: 'receipt' } },
    'GET /account/requests': { query: { after: 'node.1' } },
    'GET /account/events': { query: { after: writeCursor(1, '1:1:') } },
    'GET /account/orders/{order_id}/events': { path: { order_id: ids.order_id }, query: { after: '1' } },
    'GET /account/orders/{order_id}/proof': { path: { order_id: ids.order_id } },
    'GET /account/orders/{order_id}/proof/photo': { path: { order_id: ids.order_id } },
    ...operatorRequests(shop),
    'POST /sandbox/orders/{order_id}/advance': {
      path: { order_id: ids.order_id },
      body: { event: 'approach', driver_latitude: 40.7, driver_longitude: -73.9 },
    },
  };
}

const SETTINGS: Record<string, GoodRequest> = {
  'GET /store/products': { query: { query: 'soda', off_sale: 'false', after: '0' } },
  'PATCH /store/products/{external_id}': { path: { external_id: 'soda' }, body: { available: true, qty_available: 5 } },
  'PATCH /store/options/{product_external_id}/{option_external_id}': { body: { available: true } },
  'POST /store/menu/items': { body: { category_id: 'specials', item: { name: 'Tea', price: 200 } } },
  'POST /store/menu/categories': { body: { name: 'Tea' } },
  'GET /store/menu/items': { query: { category_id: 'specials' } },
  'PUT /store/menu/sequence': { body: { category_id: null, from: ['pies'], to: ['pies'] } },
  'POST /store/menu/changes/{change_id}/undo': { path: { change_id: '1' } },
  'POST /store/pause': { body: { minutes: 30 } },
  'POST /store/busy': { body: { extra_minutes: 10, until: 'next_opening' } },
  'PUT /store/kitchen': { body: { orders: 8, items: 30, preparation: 'auto' } },
  'PUT /store/hours': { body: { hours: { operational: '24/7' } } },
  'PUT /store/photos': { body: { logo: ['https://cdn.example/logo.png'] } },
};

function afterPlacing(orderId: string): Record<string, GoodRequest> {
  const items = [{ index: 0, quantity: 1 }];
  return {
    'POST /order/cancel': { body: { order_id: orderId, reason: 'customer_request' } },
    'POST /order/update': { body: { order_id: orderId, user_apt_num: '4B', user_dropoff_notes: 'Ring twice' } },
    'POST /order/tip': { body: { order_id: orderId, driver_tip_cents: 5000 } },
    'POST /order/refund': { body: { order_id: orderId, items, reason: 'cold' } },
  };
}

function storeRequests(orderId: string): Record<string, GoodRequest> {
  const steps = ['acknowledge', 'ready', 'pick_up', 'complete'].map((step) => [step, {}] as const);
  const bodies = new Map<string, object>([
    ...steps,
    ['confirm', { preparation_minutes: 20 }],
    ['assign_driver', { name: 'Ana', phone: 12125550123, vehicle_type: 'car' }],
    ['print', { document: 'kitchen' }],
    ['cancel', { reason: 'kitchen_closed' }],
    ['refund', { amount: 100, reason: 'cold' }],
    ['delay', { minutes: 10 }],
  ]);
  const requests = [...bodies].map(([step, body]) => [
    `POST /store/orders/{order_id}/${step}`,
    { path: { order_id: orderId }, body },
  ]);
  return {
    ...SETTINGS,
    ...Object.fromEntries(requests),
    'GET /store/orders': { query: { since: '0', status: 'in_progress' } },
    'POST /store/orders/{order_id}/items/{index}': {
      path: { order_id: orderId, index: '0' },
      body: { quantity: 1, substitute_product_id: 'soda' },
    },
  };
}

const EARLIER_PAGE = writeCursor('2026-01-01T00:00:00Z', 'x');

function operatorRequests({ ids, accountId }: NamedInRequests): Record<string, GoodRequest> {
  const store = { path: { store_id: ids.store_id } };
  // Targets a store that does not exist, because the shop's own store must stay on sale.
  const noStore = { path: { store_id: '0'.repeat(24) } };
  return {
    'GET /operator/orders': { query: { query: 'A1', mode: 'sandbox', before: EARLIER_PAGE } },
    'GET /operator/orders/{order_id}': { path: { order_id: ids.order_id } },
    'GET /operator/accounts': { query: { query: 'Test', before: EARLIER_PAGE } },
    'GET /operator/accounts/{account_id}': { path: { account_id: accountId } },
    'POST /operator/accounts': { body: { name: 'Supper Club' } },
    'POST /operator/accounts/{account_id}/keys': { path: { account_id: accountId }, body: { mode: 'sandbox' } },
    'POST /operator/accounts/{account_id}/limits': {
      path: { account_id: accountId },
      body: { negative_markup: false, limits: { sms: 5000, emails: 'default', unplaced_orders: 'unlimited' } },
    },
    'GET /operator/stores': { query: { query: 'test', source: 'test', after: ids.store_id } },
    'GET /operator/stores/{store_id}': store,
    'POST /operator/stores/{store_id}/channels': {
      ...noStore,
      body: { email: 'kitchen@example.com', sms: '+12125550123', printer: 'printer:9100', operator: true },
    },
    'POST /operator/stores/{store_id}/invitations': { ...noStore, body: { email: 'owner@example.com' } },
    'POST /operator/stores/{store_id}/switches': { ...noStore, body: { accept_pickup: true } },
    'POST /operator/stores/{store_id}/keys': { ...store, body: { sandbox_account_id: accountId } },
    'GET /operator/imports': { query: { before: '5' } },
    'GET /operator/imports/{run_no}': { path: { run_no: '1' } },
    'GET /operator/merges': { query: { before: EARLIER_PAGE } },
    'GET /operator/actions': { query: { before: '5', target: 'x' } },
  };
}

const only = (body: Record<string, unknown>, members: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([name]) => members.includes(name)));

function everyField(order: Record<string, unknown>, scheduledId: string): Record<string, unknown> {
  const [item] = order.items as [{ product_id: string }];
  const added = { added_fee_flat: 50, added_fee_percent: 1.5, is_added_fee_taxable: true };
  return {
    ...order,
    items: [
      {
        ...item,
        quantity: 1,
        notes: 'ring twice',
        substitution: { preference: 'specific', product_ids: [item.product_id] },
        product_marked_price: 1500,
        selected_options: [{ option_id: 's', quantity: 1, marked_price: 10 }],
      },
    ],
    scheduled_id: scheduledId,
    autofill_selected_options: true,
    metadata: { table: 4 },
    email_receipt_specifications: {
      prices_marked: true,
      added_fee: added,
      misc_fees: [{ fee_name: 'Bag', fee_amount: 10 }],
    },
  };
}

export function goodRequestOf(shop: NamedInRequests, endpoint: Endpoint): Required<GoodRequest> {
  const known = knownRequests(shop)[endpoint.name] ?? {};
  const made = Object.fromEntries(
    endpoint.query
      .filter(({ required }) => required)
      .map(({ name, schema, example }) => [name, String(example ?? exampleOf(schema))]),
  );
  return {
    path: known.path ?? Object.fromEntries(endpoint.pathNames.map((name) => [name, 'x'])),
    query: known.query ?? made,
    body:
      known.body ?? ((endpoint.body ? (endpoint.example ?? exampleOf(endpoint.body)) : {}) as Record<string, unknown>),
  };
}

function exampleOf(schema: Schema): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return exampleOf(schema.anyOf[0]);
  if (schema.type === 'object') {
    const members = (schema.required ?? []).map((name) => [name, exampleOf(schema.properties?.[name] ?? {})]);
    return Object.fromEntries(members);
  }
  if (schema.type === 'array') return [exampleOf(schema.items ?? {})];
  if (schema.type === 'boolean') return true;
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1;
  return 'x'.repeat(Math.max(1, schema.minLength ?? 1));
}

/** Paths of a body's fields, including nested ones and array elements. */
export function fieldsOf(schema: Schema | undefined, at: readonly (string | number)[] = []): (string | number)[][] {
  if (!schema) return [];
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, one]) => [
    [...at, name],
    ...fieldsOf(one, [...at, name]),
  ]);
  return schema.items ? [[...at, 0], ...fieldsOf(schema.items, [...at, 0])] : members;
}

/** The body with this value at the path of a field. */
export function withValue(body: unknown, [first, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (first === undefined) return value;
  if (typeof first === 'number') return [withValue(Array.isArray(body) ? body[first] : undefined, rest, value)];
  const members = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  return { ...members, [first]: withValue(members[first], rest, value) };
}

export function wireRequest(endpoint: Endpoint, { path, query, body }: Required<GoodRequest>): WireRequest {
  const named = endpoint.path.replace(/\{(\w+)\}/g, (_all, name: string) => path[name] ?? 'x');
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return { path: named, query: pairs.join('&'), ...(endpoint.body ? { body: JSON.stringify(body) } : {}) };
}

export type Credentials = Pick<Client, 'key'> & { headers?: Record<string, string> };

/** The key of the shop's account, that of the store for the account's sandbox orders, or an operator's session. */
export function keyFor(
  { key, storeKey, ownerCookie, operatorCookie }: Shop,
  { audience, path }: Endpoint,
): Credentials {
  // The owner's endpoints take the owner's session alone.
  if (audience === 'operator' && path.startsWith('/store/'))
    return { key: '', headers: { ...SAME_SITE, cookie: ownerCookie } };
  if (audience === 'operator') return { key: '', headers: { ...SAME_SITE, cookie: operatorCookie } };
  return { key: audience === 'account' ? key : storeKey };
}

export async function sendWire(
  { service }: Shop,
  { key, headers: session = {} }: Credentials,
  method: Endpoint['method'],
  { path, query, body, headers = {} }: WireRequest,
): Promise<AnyAnswer> {
  const reply = await service.http.inject({
    method,
    url: query === '' ? path : `${path}?${query}`,
    headers: {
      'id-token': key,
      ...session,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: reply.statusCode, headers: reply.headers, text: reply.body };
}
