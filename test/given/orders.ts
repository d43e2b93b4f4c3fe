import assert from 'node:assert/strict';
import { NEAR_DOOR } from '../feed-lines.ts';
import type { Client } from '../harness.ts';

/** Valid on the real clock too. */
export const CARD = { card_number: 4242424242424242, expiration_year: 2099, expiration_month: 12, cvc: 123 };

/** A payment method of user `u1`; its card can be charged unless another number is given. */
export async function givenPaymentMethod(
  client: Client,
  cardNumber: number | string = CARD.card_number,
): Promise<string> {
  const card = { ...CARD, card_number: cardNumber };
  const reply = await client.post('/payment/create', {
    payment_method: card,
    user_email: 'u1@example.com',
    user_id: 'u1',
  });
  assert.equal(reply.status, 200, reply.text);
  return reply.body.payment_method_id;
}

/** How an order of user `u1` is paid in cash. */
export async function inCash(client: Client): Promise<{ payment_method_id: string }> {
  const user = { user_email: 'u1@example.com', user_id: 'u1' };
  const reply = await client.post('/payment/create', { payment_token: 'cash', ...user });
  assert.equal(reply.status, 200, reply.text);
  return { payment_method_id: reply.body.payment_method_id };
}

/** Product tokens by name from a store's inventory. */
export async function productTokens(client: Client, storeId: string, pickup = false): Promise<Record<string, string>> {
  const reply = await client.get('/details/inventory', { store_id: storeId, pickup });
  assert.equal(reply.status, 200, reply.text);
  type Category = { menu_item_list: { name: string; product_id: string }[] };
  const items = (reply.body.categories as Category[]).flatMap((category) => category.menu_item_list);
  return Object.fromEntries(items.map((item) => [item.name, item.product_id]));
}

/** Body of a delivery order of one item, to be placed; `changes` override its members. */
export function orderBody(productId: string | undefined, paymentMethodId: string | null, changes: object = {}) {
  return {
    place_order: true,
    items: [{ product_id: productId }],
    pickup: false,
    driver_tip_cents: 200,
    ...NEAR_DOOR,
    user_street_num: '10',
    user_street_name: 'W 21st St',
    user_city: 'New York',
    user_state: 'NY',
    user_country: 'US',
    user_zipcode: '10010',
    user_name: 'Test Customer',
    user_email: 'u1@example.com',
    user_phone: 12125550199,
    user_id: 'u1',
    include_final_quote: true,
    ...(paymentMethodId === null ? {} : { payment_method_id: paymentMethodId }),
    ...changes,
  };
}
