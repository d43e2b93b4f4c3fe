import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenPaymentMethod, orderBody } from '../../../test/given/orders.ts';
import { givenPizzeria, type Pizzeria } from '../../../test/given/pizzeria.ts';
import { givenStores } from '../../../test/given/stores.ts';
import type { Reply } from '../../../test/harness.ts';

let shop: Pizzeria;
before(async () => {
  shop = await givenPizzeria();
});
after(() => shop.close());

const BACK = 'https://app.example.com/thanks?cart=7';
const GUEST = { user_name: '', user_email: '', user_phone: undefined, user_id: '', driver_tip_cents: undefined };

type Opened = { orderId: string; path: string };

/** An unplaced order of two pies, whose customer is known unless `changes` say otherwise. */
async function givenCheckout(changes: object = {}): Promise<Opened> {
  const items = [{ product_id: shop.tokens.Margherita, quantity: 2, ...L }];
  const reply = await shop.post('/order/order/v2', orderBody(undefined, shop.card, { place_order: false, items, ...changes }));
  assert.equal(reply.status, 200, reply.text);
  return { orderId: reply.body.order_id, path: new URL(reply.body.checkout_url).pathname };
}
const L = { selected_options: [{ option_id: 'l', quantity: 1 }] };

const open = (path: string, headers: Record<string, string> = {}) => shop.get(path, {}, { 'id-token': '', ...headers });

async function submit(path: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Reply> {
  const origin = new URL(shop.config.trackingUrl).origin;
  const reply = await shop.service.http.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin, ...headers },
    payload: new URLSearchParams(form).toString(),
  });
  const body = /json/.test(String(reply.headers['content-type'])) ? reply.json() : undefined;
  return { status: reply.statusCode, headers: reply.headers as Reply['headers'], text: reply.body, body };
}

const totalIn = ({ text }: Reply) => /name="total" value="(\d+)"/.exec(text)?.[1] ?? '';
const titleOf = ({ text }: Reply) => /<h1[^>]*>([^<]*)<\/h1>/.exec(text)?.[1];
const statusOf = async (orderId: string) => (await shop.orderOf(orderId)).status;

test('an unplaced order is reviewed and placed on its page, and its customer goes on to the tracking page', async () => {
  const { orderId, path } = await givenCheckout();
  const page = await open(path);
  assert.deepEqual([page.status, titleOf(page)], [200, 'Your order from Test Pizzeria']);
  const placed = await submit(path, { action: 'place', total: totalIn(page) });
  const { tracking_link: link, status } = await shop.orderOf(orderId);
  assert.deepEqual([placed.status, placed.headers.location, status], [303, link, 'awaiting_confirmation']);
  assert.equal((await shop.chargesOf(orderId)).length, 1);
});
