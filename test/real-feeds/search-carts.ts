import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { App } from '../harness.ts';

type Product = { name: string; product_id: string; quantity: number; price: number; min_price: number };
type Cart = { pickup: boolean; products: Record<string, Product[]>; grand_total: number; missing: string[] };

/** Searches carts at Wednesday noon in Virginia, while the feeds' market is open. */
export async function searchCarts(t: TestContext, app: App): Promise<void> {
  const cartsOf = async (cart: object, door: object): Promise<Cart[]> => {
    const reply = await app.get('/search/cart', { query: JSON.stringify(cart), ...door });
    assert.equal(reply.status, 200, reply.text);
    return reply.body.carts;
  };

  await t.test('a cart of a market with thousands of products costs the same as an order of it', async () => {
    const door = { user_latitude: 38.9074, user_longitude: -77.4069 };
    const wanted = {
      'white bread': 2,
      eggs: 1,
      butter: 1,
      'orange juice': 1,
      bananas: 3,
      yogurt: 2,
      rice: 1,
      'paper towels': 1,
    };
    const [cart] = await cartsOf(wanted, door);
    assert.ok(cart);
    assert.deepEqual(Object.keys(cart.products), Object.keys(wanted));
    const chosen = Object.values(cart.products).map(([product]) => product as Product);
    const order = await app.post('/order/order/v2', {
      items: chosen.map(({ product_id, quantity }) => ({ product_id, quantity })),
      pickup: cart.pickup,
      include_final_quote: true,
      ...door,
    });
    assert.equal(order.body.final_quote?.quote.total_without_tips, cart.grand_total, order.text);
  });

  await t.test('pizzas of a chain are found from its stores nearby, the cheapest first', async () => {
    const carts = await cartsOf(
      { 'pepperoni pizza': 2, coke: 1 },
      { user_latitude: 38.9, user_longitude: -77.0, pickup: true },
    );
    assert.ok(carts.length > 1);
    const totals = carts.map((cart) => cart.grand_total);
    assert.deepEqual(
      totals,
      totals.toSorted((a, b) => a - b),
    );
    for (const { products, missing } of carts) {
      assert.deepEqual(missing, []);
      assert.match(products['pepperoni pizza']?.[0]?.name ?? '', /pepperoni/i);
      assert.match(products.coke?.[0]?.name ?? '', /coke/i);
    }
  });
}
