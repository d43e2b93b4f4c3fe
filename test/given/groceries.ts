import assert from 'node:assert/strict';
import { type FeedLine, NEAR_DOOR } from '../feed-lines.ts';
import type { App, Reply } from '../harness.ts';
import { givenStores } from './stores.ts';

/** Fees of a store that charges only for its goods. */
export const NO_FEES = {
  delivery_fee: { delivery_fee_flat: 0 },
  service_fee: {},
  small_order_fee: {},
  order_minimum: 0,
  sales_tax_percent: 0,
};

type Goods = Record<string, number | Record<string, unknown>>;

/** A grocery store that is always open, with goods by name: a price, or any product fields. */
export function grocery(id: string, goods: Goods, changes: FeedLine = {}): FeedLine {
  const products = Object.entries(goods).map(([name, given], at) => {
    const more = typeof given === 'number' ? { price: given } : given;
    return { id: `p${at}`, name, ...more };
  });
  return {
    external_id: id,
    name: `Store ${id}`,
    type: 'grocery',
    address: { street_addr: '1 Main St', city: 'New York', state: 'NY', zipcode: '10011', country: 'US' },
    latitude: 40.7401,
    longitude: -73.9901,
    time_zone: 'America/New_York',
    hours: { operational: 'Mo-Su 00:00-24:00' },
    pickup: { enabled: true, prep_minutes: [10, 20] },
    delivery: { enabled: true, party: 'first', radius_miles: 5, prep_minutes: [10, 20] },
    fees: NO_FEES,
    categories: [{ id: 'all', name: 'Goods', products }],
    ...changes,
  };
}

/** Runs with stores that accept orders only meanwhile, passed as ids by name. */
export async function withStores(
  app: App,
  lines: readonly FeedLine[],
  run: (ids: ReadonlyMap<string, string>) => Promise<void>,
): Promise<void> {
  const ids = await givenStores(app, lines);
  try {
    await run(new Map(lines.map((line, at) => [String(line.external_id), ids[at] as string])));
  } finally {
    const gone = lines.map((line) => ({ ...line, online_ordering: false }));
    await givenStores(app, gone);
  }
}

type Cart = Record<string, number | string>;

/** The response of a cart search near the door. */
export async function searchCart(
  app: App,
  cart: Cart,
  more: Record<string, string | number | boolean> = {},
): Promise<Reply['body']> {
  const reply = await app.get('/search/cart', { query: JSON.stringify(cart), ...NEAR_DOOR, ...more });
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
}

type Shown = { store: { name: string } };

/** The stores of a response's carts, in order. */
export const storesIn = ({ carts }: { carts: readonly Shown[] }): string =>
  carts.map(({ store }) => store.name.replace('Store ', '')).join(' ');
