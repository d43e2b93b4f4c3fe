import { orderBody } from '../../given/orders.ts';
import { type Endpoint, goodRequestOf, type NamedInRequests } from '../described-endpoints.ts';
import type { Ids } from '../given-shop.ts';
import type { GoodParts, PlannedOperation } from './request-plans.ts';

const DOOR = { latitude: 40.744, longitude: -73.988 };

const PUBLIC: Readonly<Record<string, GoodParts>> = {
  'POST /driver/{token}/accept': { body: DOOR },
  'POST /driver/{token}/pick_up': { body: DOOR },
  'POST /driver/{token}/complete': { body: { ...DOOR, id_checked: true } },
  'POST /driver/{token}/position': { body: { ...DOOR, course: 90, accuracy: 5, age_seconds: 1 } },
  'GET /tracking': { query: { tracking_id: '~order_id~' } },
  'GET /tracking/receipt': { query: { tracking_id: '~order_id~' } },
  'GET /tracking/cancel': { query: { tracking_id: '~order_id~' } },
  'GET /tracking/events': { query: { tracking_id: '~order_id~' } },
  'POST /console/sign-in': { body: { code: 'ABCD-EFGH' } },
  'POST /console/sign-out': { body: {} },
};

/** A request that the operation accepts in some state, with placeholders such as `~order_id~` for ids. */
export function goodPartsOf(operation: PlannedOperation): GoodParts {
  if (operation.security?.length === 0) return PUBLIC[operation.name] ?? {};
  const names =
    'store_id product_id subcategory_id scheduled_id payment_method_id order_id unplaced_order_id spare_payment_method_id';
  const ids = Object.fromEntries(
    names.split(' ').map((name) => [name, `~${name.replace(/^(unplaced|spare)_/, '')}~`]),
  ) as Ids;
  const planned: NamedInRequests = {
    ids,
    accountId: '~account_id~',
    goodOrder: (changes) => orderBody(ids.product_id, ids.payment_method_id, { ...changes, ...ORDER_CHANGES }),
  };
  const { path, query, body } = goodRequestOf(planned, endpointOf(operation));
  const own = OWN[operation.name];
  return { path: namedIds(path), query, body, ...own };
}

/** Chooses the required options, so that a good order can be placed. */
const ORDER_CHANGES = { place_order: true, autofill_selected_options: true };

/** Overrides for known requests that are refused in most states, or change a store that others order from. */
const OWN: Readonly<Record<string, GoodParts>> = {
  'POST /order/order/v2': {
    body: { ...orderBody('~product_id~', '~payment_method_id~', ORDER_CHANGES), customer_order_id: 'c1' },
  },
  // Built from the schema, whose steps are all equally likely.
  'POST /sandbox/orders/{order_id}/advance': { body: undefined },
  'POST /operator/stores/{store_id}/channels': { body: { email: 'kitchen@example.com', remove: ['sms'] } },
  'POST /operator/stores/{store_id}/switches': { body: { accept_pickup: true } },
};

/** Path parameters take an id from the pool of their name, if there is one. */
const namedIds = (path: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(path).filter(([, value]) => value !== 'x'));

function endpointOf({ name, method, path, security, parameters, bodyType, bodySchema }: PlannedOperation): Endpoint {
  const isStore = security?.some((way) => 'Id-Token' in way);
  return {
    name,
    method: method as Endpoint['method'],
    path,
    audience: security === undefined ? 'account' : isStore ? 'store' : 'operator',
    query: parameters.filter((parameter) => parameter.in === 'query') as unknown as Endpoint['query'],
    pathNames: parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name),
    body: bodyType === 'application/json' ? (bodySchema as Endpoint['body']) : undefined,
  };
}
