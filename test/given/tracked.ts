import assert from 'node:assert/strict';
import { type FeedLine, NEAR_DOOR, pizzeria } from '../feed-lines.ts';
import type { App, Client } from '../harness.ts';
import { givenPaymentMethod, orderBody, productTokens } from './orders.ts';
import { givenStores } from './stores.ts';

/** Personal data that the link must never reveal to its holder. */
export const PRIVATE = {
  houseNumber: '8642',
  apartment: '19Q',
  zipcode: '10987',
  email: 'private-address@example.com',
  phone: '2125550177',
  familyName: 'Surnameson',
  dropoffNotes: 'gate code 7531',
};

/** Every step of a normal input, in order. */
export const DELIVERY_STEPS = ['confirm', 'ready', 'assign_driver', 'pick_up', 'approach', 'complete'] as const;
export const PICKUP_STEPS = ['confirm', 'ready', 'complete'] as const;

export type Tracked = {
  orderId: string;
  key: string;
  link: string;
  seenLink: string;
  advance(event: string, more?: object): Promise<void>;
};

/** The store of tracked orders; `changes` override its feed line. */
export async function givenTrackedStore(app: App, changes: FeedLine = {}): Promise<string> {
  const [storeId = ''] = await givenStores(app, [pizzeria(changes)]);
  return storeId;
}

/** An order with choices, notes and every kind of fee, placed and charged; `changes` override its request. */
export async function givenTracked(
  client: Client,
  storeId: string,
  { pickup = false, ...changes }: { pickup?: boolean } & Record<string, unknown> = {},
): Promise<Tracked> {
  const tokens = await productTokens(client, storeId, pickup);
  const names = Object.keys(tokens);
  const selected_options = [
    { option_id: 'l', quantity: 1 },
    { option_id: 'olives', quantity: 2 },
  ];
  const items = [
    {
      product_id: tokens.Margherita ?? tokens[names[0] ?? ''],
      quantity: 2,
      selected_options,
      notes: 'well done, please',
    },
    { product_id: tokens.Soda ?? tokens[names[1] ?? ''] },
  ];
  const body = orderBody(undefined, await givenPaymentMethod(client), {
    items,
    pickup,
    user_street_num: PRIVATE.houseNumber,
    user_street_name: `${PRIVATE.houseNumber} W 21st St`,
    user_apt_num: PRIVATE.apartment,
    user_zipcode: PRIVATE.zipcode,
    user_email: PRIVATE.email,
    user_phone: Number(`1${PRIVATE.phone}`),
    user_name: `Test ${PRIVATE.familyName}`,
    user_dropoff_notes: PRIVATE.dropoffNotes,
    ...changes,
  });
  const reply = await client.post('/order/order/v2', body);
  assert.equal(reply.status, 200, reply.text);
  const orderId: string = reply.body.order_id;
  return {
    orderId,
    key: new URL(reply.body.tracking_link).searchParams.get('key') ?? '',
    link: `/tracking${new URL(reply.body.tracking_link).search}`,
    seenLink: `/tracking?tracking_id=${orderId}`,
    async advance(event, more = {}) {
      const step = await client.post(`/sandbox/orders/${orderId}/advance`, { event, ...more });
      assert.equal(step.status, 200, step.text);
    },
  };
}

const EVENING = Temporal.Instant.from('2026-06-10T22:00:00Z').epochMilliseconds / 1000;

/** The `scheduled_id` of the slot from 6:00 to 6:30 PM on the day when tests begin. */
export async function eveningSlot(client: Client, storeId: string, pickup = false): Promise<string> {
  const question = { store_id: storeId, pickup, include_quote: true, ...(pickup ? {} : NEAR_DOOR) };
  const { body } = await client.get('/details/inventory', question);
  const slots: { id: string; minimum: number }[] = body.quote.time_estimate.scheduled;
  return slots.find(({ minimum }) => minimum === EVENING)?.id ?? assert.fail('no slot at 6:00 PM');
}
