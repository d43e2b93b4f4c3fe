import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { setPermissions } from '../../src/access/budgets/account-limits.db.ts';
import { pizzeria } from '../feed-lines.ts';
import { orderBody, productTokens } from '../given/orders.ts';
import { givenToken } from '../given/sign-in.ts';
import { givenStores } from '../given/stores.ts';
import { givenShopApp, HOST, SHOPPING, type ShopApp } from './given-shop.ts';

/* Ten customers whose programs name each other's orders, carts, checkouts and cards at random. */

const CALLS = 2000;
const TOOLS = ['get_order', 'place_order', 'cancel_order', 'list_orders', 'quote_order', 'get_cart', 'cancel_cart'];
const SHOP_TOOLS = ['get_checkout', 'update_checkout', 'complete_checkout', 'cancel_checkout', 'get_order over UCP'];
const CALL = fc.record({
  one: fc.nat(9),
  other: fc.nat(9),
  name: fc.constantFrom(...TOOLS, ...SHOP_TOOLS),
  isPlaced: fc.boolean(),
  withCard: fc.boolean(),
});

type Owner = { token: string; userId: string; cardId: string; orders: string[]; cartId: string; checkoutId: string };

async function givenOwner(
  app: ShopApp,
  token: string,
  item: string,
  nth: number,
): Promise<Owner & { secrets: string[] }> {
  const email = `owner${nth}@example.com`;
  const { token: access, userId } = await givenToken(app, email);
  const user = { user_id: userId, user_email: email, user_name: `Owner Number${nth}`, user_phone: 12125550100 + nth };
  const payment_method = { card_number: 4242424242424242, expiration_year: 2099, expiration_month: 12, cvc: 123 };
  const card = await app.post('/payment/create', { payment_method, user_id: userId, user_email: email });
  const cardId: string = card.body.payment_method_id;
  const items = [{ product_id: token, quantity: 4 }];
  const placed = await app.post('/order/order/v2', orderBody(undefined, cardId, { ...user, items }));
  const open = await app.post('/order/order/v2', orderBody(undefined, null, { ...user, items, place_order: false }));
  const headers = { authorization: `Bearer ${access}` };
  const lines = { line_items: [{ item: { id: item }, quantity: 4 }] };
  const cart = await app.ask('/carts', lines, { headers });
  const fulfillment = { methods: [{ type: 'pickup' }] };
  const checkout = await app.ask('/checkout-sessions', { ...lines, fulfillment }, { headers });
  const owner = { token: access, userId, cardId, cartId: cart.body.id, checkoutId: checkout.body.id };
  const orders: string[] = [placed.body.order_id, open.body.order_id];
  const secrets = [email, `Number${nth}`, `1212555010${nth}`, cardId, ...orders, owner.cartId, owner.checkoutId];
  assert.ok(
    secrets.every((text) => typeof text === 'string'),
    JSON.stringify([placed.body, open.body, cart.body, checkout.body]),
  );
  return { ...owner, orders, secrets };
}

test('nothing of one customer reaches another in 2,000 random calls of ten tokens', async (t) => {
  const app = await givenShopApp(SHOPPING, { VISITOR_CARTS_PER_HOUR: '10000', VISITOR_REQUESTS_PER_HOUR: '1000000' });
  t.after(() => app.close());
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  await app.setShop({ mode: 'sandbox', storeIds: [storeId], ucp: 'sandbox' });
  await app.service.deps.trackingSites.refresh();
  const { db } = app.service.deps;
  await setPermissions(db, app.accountId, { agentOrders: 'place' });
  const soda = (await productTokens(app, storeId)).Soda ?? '';
  const owners: Awaited<ReturnType<typeof givenOwner>>[] = [];
  for (let nth = 0; nth < 10; nth += 1) owners.push(await givenOwner(app, soda, soda, nth));
  const ownersOf = async () =>
    (
      await sql<{ id: string; user: string; card: string | null }>`select order_id as id,
    user_id as user, request->>'paymentMethodId' as card from orders`.execute(db)
    ).rows;
  const before = new Map((await ownersOf()).map(({ id, user }) => [id, user]));

  for (const [nth, { one: caller, other: named, ...call }] of fc.sample(CALL, CALLS).entries()) {
    const [one, other] = [owners[caller] ?? assert.fail(), owners[named] ?? assert.fail()];
    const { sent, text } = await send(app, one, other, { ...call, soda, key: `k${nth}` });
    for (const [index, { secrets }] of owners.entries()) {
      const shown = index === caller ? [] : secrets.filter((secret) => !sent.includes(secret) && text.includes(secret));
      assert.deepEqual(shown, [], `${call.name} of ${caller} shows ${shown} of ${index}: ${text.slice(0, 500)}`);
    }
    if (call.name === 'get_order') assert.equal(/order_not_found/.test(text), caller !== named, text.slice(0, 500));
    if (call.name === 'get_checkout' && caller !== named) assert.match(text, /not_found/);
    // Keys and visitors have bounds of a minute.
    if (nth % 100 === 99) await app.advance({ seconds: 61 });
  }
  for (const { id, user, card } of await ownersOf()) {
    assert.equal(user, before.get(id) ?? user, id);
    const owner = owners.find(({ userId }) => userId === user);
    assert.ok(card === null || card === owner?.cardId, `${id} of ${user} is paid with ${card}`);
  }
});

type Call = { name: string; isPlaced: boolean; withCard: boolean; soda: string; key: string };

/** Sends a call in the name of one customer that names what is of another; returns both texts. */
async function send(app: ShopApp, one: Owner, other: Owner, { name, isPlaced, withCard, soda, key }: Call) {
  const headers = { authorization: `Bearer ${one.token}` };
  const orderId = other.orders[isPlaced ? 0 : 1] ?? '';
  const meta = { 'idempotency-key': key };
  if (name === 'get_order over UCP') {
    return {
      sent: orderId,
      text: JSON.stringify((await app.ask(`/orders/${orderId}`, {}, { method: 'GET', headers })).body),
    };
  }
  if (/cart$|checkout$/.test(name)) {
    const id = name.endsWith('cart') ? other.cartId : other.checkoutId;
    const instrument = { id: other.cardId, handler_id: 'card_token', type: 'card', selected: true };
    const checkout = { line_items: [{ item: { id: soda }, quantity: 4 }], payment: { instruments: [instrument] } };
    const { body } = await app.tool(name, { id, ...(name.includes('checkout') && { checkout }) }, meta, { headers });
    return { sent: id + other.cardId, text: JSON.stringify(body) };
  }
  const { user_id: _, user_name: _name, user_email: _email, user_phone: _phone, ...body } = orderBody(soda, null);
  const { place_order: _place, include_final_quote: _shown, ...cart } = body as Record<string, unknown>;
  const items = [{ product_id: soda, quantity: 4 }];
  const quoted = { ...cart, items, ...(withCard && { payment_method_id: other.cardId }) };
  const given = name === 'list_orders' ? {} : { order_id: orderId, ...(name === 'quote_order' && quoted) };
  const reply = await app.service.http.inject({
    method: 'POST',
    url: '/mcp',
    headers: { host: HOST, ...headers },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
  });
  assert.ok(reply.statusCode < 500, reply.body);
  return { sent: JSON.stringify(given), text: reply.body };
}
