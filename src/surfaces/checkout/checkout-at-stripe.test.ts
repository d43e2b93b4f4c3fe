import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readStripeContract } from '../../../test/contracts/stripe-contract.ts';
import type { StripeDouble } from '../../../test/fakes/stripe-double.ts';
import { pizzeria } from '../../../test/feed-lines.ts';
import { orderBody, productTokens } from '../../../test/given/orders.ts';
import { postForm } from '../../../test/given/post-form.ts';
import { givenStripeShop } from '../../../test/given/stripe-shop.ts';

const contract = readStripeContract(join(import.meta.dirname, '../../../../shared/data/contracts/stripe-openapi.json'));

const shop = await givenStripeShop(contract);
const search = await shop.client.get('/search/store/v3', { latitude: 40.7383, longitude: -73.9927 });
assert.equal(search.body.stores[0].name, pizzeria().name);
const token = (await productTokens(shop.client, search.body.stores[0]._id)).Margherita;
after(() => shop.close());

const openPage = (path: string) => shop.app.get(path, {}, { 'id-token': '' });

async function submit(path: string, form: Record<string, string>) {
  const { statusCode: status, headers, body: text } = await postForm(shop.app, path, form);
  return { status, location: String(headers.location), text };
}

const totalIn = (text: string) => /name="total" value="(\d+)"/.exec(text)?.[1] ?? '';
const sessionsOf = ({ sessions }: StripeDouble) => sessions();

/** A guest's live checkout whose card was entered on Stripe's page. */
async function givenCheckoutWithCard(cardNumber?: string) {
  const guest = { user_name: undefined, user_email: undefined, user_phone: undefined, user_id: undefined };
  const body = orderBody(token, null, { place_order: false, autofill_selected_options: true, ...guest });
  const reply = await shop.client.post('/order/order/v2', body);
  assert.equal(reply.status, 200, reply.text);
  const [orderId, path]: [string, string] = [reply.body.order_id, new URL(reply.body.checkout_url).pathname];
  const typed = { name: 'Ana Pérez', email: 'ana@example.com', phone: '2125550142' };
  const leaving = await submit(path, { action: 'card', total: totalIn((await openPage(path)).text), ...typed });
  const url = /<meta http-equiv="refresh" content="0; url=([^"]+)"/.exec(leaving.text)?.[1];
  const session = sessionsOf(shop.stripe).at(-1) ?? assert.fail('no page of Stripe');
  assert.equal(url, `https://checkout.stripe.test/${session.id}`);
  shop.stripe.completePage(session.id, cardNumber);
  const back = await openPage(new URL(String(session.success_url)).pathname);
  assert.deepEqual(
    [back.status, back.headers.location],
    [302, `${shop.app.config.trackingUrl}${path}?status=success#card`],
  );
  return { orderId, path, typed };
}

test('a guest enters the card on Stripe’s page and places the order: one charge at Stripe, no call outside its contract', async () => {
  const { orderId, path, typed } = await givenCheckoutWithCard();
  const page = await openPage(path);
  assert.match(page.text, /Visa ending in 4242/);
  const form = { action: 'place', total: totalIn(page.text), ...typed };
  const [first, second] = await Promise.all([submit(path, form), submit(path, form)]);
  assert.deepEqual([first.status, second.status, second.location], [303, 303, first.location]);
  assert.deepEqual(await shop.stateOf(orderId), ['awaiting_confirmation', 'charged', Number(form.total), 0]);
  assert.equal(shop.kept(orderId), Number(form.total));
  assert.deepEqual(shop.stripe.faults, []);
});

test('a customer who approves the charge at the bank returns to the checkout and a placed order', async () => {
  const { orderId, path, typed } = await givenCheckoutWithCard('4000002500003155');
  const total = totalIn((await openPage(path)).text);
  const challenged = await submit(path, { action: 'place', total, ...typed });
  const intent =
    shop.stripe.intents().find(({ metadata }) => metadata.order_id === orderId) ?? assert.fail('no charge');
  assert.deepEqual(
    [challenged.status, challenged.text.includes(`https://hooks.stripe.test/authenticate/${intent.id}`)],
    [402, true],
  );
  assert.match(
    JSON.stringify(intent.next_action),
    new RegExp(`"return_url":"${shop.app.config.trackingUrl}${path}/approved"`),
  );
  const early = await openPage(`${path}/approved`);
  assert.equal(early.status, 402, 'not approved yet');
  shop.stripe.authenticate(intent.id, true);
  const done = await openPage(`${path}/approved`);
  assert.equal(done.status, 303);
  assert.deepEqual(await shop.stateOf(orderId), ['awaiting_confirmation', 'charged', Number(total), 0]);
  assert.equal(shop.kept(orderId), Number(total));
  assert.deepEqual(shop.stripe.faults, []);
});

test('Stripe’s answer to the charge is lost: the form sent again finds the charge', async () => {
  const { orderId, path, typed } = await givenCheckoutWithCard();
  const form = { action: 'place', total: totalIn((await openPage(path)).text), ...typed };
  shop.stripe.trouble('/v1/payment_intents', 'lose_answer', 'POST');
  const first = await submit(path, form);
  const second = await submit(path, form);
  assert.equal(second.status, 303, `${first.status} ${second.text}`);
  assert.equal(shop.kept(orderId), Number(form.total));
});
