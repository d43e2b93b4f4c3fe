import { writeCursor } from '../../../src/platform/http/page-cursor.ts';
/**
 * Placeholders until a request is sent: `~order_id~` is the attacker's order, `~other.order_id~` another account's,
 * `~bent.order_id~` an altered id. Neither JSON nor URL encoding changes these characters.
 */
export const ID_PATTERN = /~(?:(other|bent)\.)?(\w+)~/g;

const POOL_OF_FIELD: Readonly<Record<string, string>> = {
  order_id: 'order_id',
  tracking_id: 'order_id',
  store_id: 'store_id',
  product_id: 'product_id',
  product_ids: 'product_id',
  subcategory_id: 'subcategory_id',
  scheduled_id: 'scheduled_id',
  payment_method_id: 'payment_method_id',
  account_id: 'account_id',
  sandbox_account_id: 'account_id',
  session_id: 'session_id',
  key_id: 'key_id',
  webhook_id: 'webhook_id',
  merge_id: 'merge_id',
  run_no: 'run_no',
  setup_id: 'setup_id',
  link: 'link',
  token: 'driver_token',
};

/** Ids for a field: six of the account's own to each foreign or altered one. */
export function idsFor(name: string): string[] {
  const pool = POOL_OF_FIELD[name];
  if (pool === undefined) return [];
  return [...Array.from({ length: 6 }, () => `~${pool}~`), `~other.${pool}~`, `~bent.${pool}~`];
}

const SANDBOX_CARDS = [
  '4242424242424242',
  '4000000000000002',
  '4000002500003155',
  '5555555555554444',
  4242424242424242,
];
const DATES = ['01/01/2026', '06/10/2026', '12/31/9999', '02/30/2026'];

/** Values by field name that pass validation. */
const LIKELY: Readonly<Record<string, readonly unknown[]>> = {
  latitude: [40.74, 40.7383],
  longitude: [-73.99, -73.9927],
  user_latitude: [40.744],
  user_longitude: [-73.988],
  location_bias_latitude: [40.74],
  location_bias_longitude: [-73.99],
  query: [
    'pizza',
    'soda',
    '{"soda":2}',
    '{"margherita":1,"olives":3}',
    'tiramisu',
    '036000291452',
    '{"soda":99}',
    '{}',
  ],
  search: ['pizza 5th ave', 'cafe'],
  upc_codes: ['036000291452', '036000291452,1,,0'],
  cuisine: ['pizza', 'pizza,thai'],
  diet: ['vegan', 'vegan,halal', 'gluten_free'],
  without: ['milk', 'milk,peanuts', 'tree_nuts'],
  projections: ['name', 'name,address.city', '_id,name', 'a.b.c.d.e'],
  user_state: ['NY', 'New York'],
  user_country: ['US', 'CA'],
  user_city: ['New York'],
  user_zipcode: ['10010'],
  user_street_num: ['10'],
  user_street_name: ['W 21st St'],
  user_time_zone: ['America/New_York', 'Mars/Olympus'],
  user_email: ['u1@example.com'],
  user_phone: [12125550199],
  user_id: ['u1', 'u1', 'u2'],
  status: ['in_progress', 'in_progress,completed', 'canceled'],
  start_date: DATES,
  end_date: DATES,
  option_id: ['s', 'l', 'sq', 'olives', 'thin', 'pan'],
  external_id: ['soda', 'margherita', 'last', 'few'],
  substitute_product_id: ['soda', 'few', 'margherita'],
  product_external_id: ['margherita'],
  option_external_id: ['olives', 'l', 'sq'],
  card_number: SANDBOX_CARDS,
  expiration_month: [12, '12'],
  expiration_year: [2099, '2099'],
  expiration: ['12/99', '12 / 2099'],
  cvc: [123, '123'],
  payment_token: ['tok_visa', 'tok_declined', 'pm_x'],
  action: ['cancel', 'save', ''],
  return_url: ['https://shop.example/back', 'javascript:alert(1)', 'https://shop.example/back?a=b#c'],
  endpoint: ['https://example.com/hook', 'http://169.254.169.254/', 'https://[::1]/'],
  courier: ['uber_direct', 'uber-direct', 'x'],
  document: ['kitchen', 'receipt'],
  code: ['ABCD-EFGH'],
  directory_place_id: ['node/1', 'node/2'],
  email: ['kitchen@example.com', 'a@example.com, b@example.com'],
  sms: ['+12125550123'],
  webhook: ['https://example.com/store'],
  printer: ['printer:9100', '127.0.0.1:1'],
  before: [
    1,
    5,
    ...['2026-06-10T17:00:00Z', '2026-13-01T00:00:00Z', '+275760-09-13T00:00:00Z'].map((at) => writeCursor(at, 'x')),
  ],
  since: [0, 1781110800, 8640000000000],
  challenge: ['abc'],
  version: ['0', '1'],
  preparation_minutes: [1, 20],
  driver_tip_cents: [0, 200, 5000],
  quantity: [1, 2],
  index: [0, 0, 1],
  hours: [{ operational: '24/7' }, { operational: 'Mo-Fr 09:00-17:00' }, { operational: 'PH off; week 1-53 Mo' }, null],
  hours_exceptions: [[{ date: '2026-12-25', hours: 'closed' }], [{ date: '2026-02-30' }], [], null],
  name: ['page.js', 'map.js', 'style.css', 'icon.svg', '../page.js', 'inter.woff2'],
};

export const likelyValues = (name: string): readonly unknown[] => LIKELY[name] ?? [];
