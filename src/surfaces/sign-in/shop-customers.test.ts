import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { orderBody } from '../../../test/given/orders.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import {
  authorizePath,
  type Browser,
  givenBrowser,
  givenCode,
  givenDynamicClient,
  givenSignInHost,
  HOST,
  type Page,
  postForm,
  REDIRECT,
  verifier,
} from '../../../test/given/sign-in.ts';
import { givenApp } from '../../../test/harness.ts';

/* Shop customers who sign in: the saved data in their next order, which no one else can pay with. */

const shop = await givenPizzeria(givenApp);
await givenSignInHost(shop);
after(() => shop.close());

const NOBODY = {
  user_name: '',
  user_email: undefined,
  user_phone: undefined,
  user_id: '',
  payment_method_id: undefined,
};
const FILLED = { name: 'Ana María Pérez', email: 'ana@example.com', phone: '2125550142' };
const items = () => [{ product_id: shop.tokens.Soda, quantity: 4 }];

/** An unplaced order of the shop, which names no user. */
async function givenCheckout(changes: object = {}): Promise<{ orderId: string; path: string }> {
  const given = { place_order: false, items: items(), ...NOBODY, ...changes };
  const reply = await shop.post('/order/order/v2', orderBody(undefined, null, given));
  assert.equal(reply.status, 200, reply.text);
  return { orderId: reply.body.order_id, path: new URL(reply.body.checkout_url).pathname };
}

async function givenCustomer(contact: string): Promise<Browser> {
  const browser = givenBrowser(shop);
  await browser.signIn('/profile', contact);
  return browser;
}

const totalIn = ({ text }: Page) => /name="total" value="(\d+)"/.exec(text)?.[1] ?? '';
const cardsIn = ({ text }: Page) => [...text.matchAll(/name="card" value="(pm_[^"]+)"/g)].map(([, id = '']) => id);
const fill = async (browser: Browser, path: string, fields: Record<string, string>) =>
  browser.submit(path, { total: totalIn(await browser.open(path)), ...fields });

/** Enters a card on the gateway's page for a checkout. */
async function addCard(browser: Browser, path: string, number: string, fields: Record<string, string> = FILLED) {
  const leaving = await fill(browser, path, { action: 'card', ...fields });
  assert.equal(leaving.status, 200, leaving.text.slice(-2500));
  const setup = new URL(/content="0; url=([^"]+)"/.exec(leaving.text)?.[1] ?? '').pathname;
  const payload = new URLSearchParams({ card_number: number, expiration: '12/40', cvc: '123' }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const url = setup;
  assert.equal((await shop.service.http.inject({ method: 'POST', url, headers, payload })).statusCode, 303);
}

const orderOf = async (orderId: string) => (await shop.get('/account/orders', { order_id: orderId })).body.orders[0];

test('a customer signs in from the checkout, and the next one begins with name, card and address', async () => {
  const { orderId, path } = await givenCheckout();
  const ana = givenBrowser(shop);
  const guest = await ana.open(path);
  const signIn = (/href="(\/profile[^"]+)"/.exec(guest.text)?.[1] ?? '').replaceAll('&amp;', '&');
  assert.match(guest.text, /Sign in to pay with a saved card/);
  assert.equal((await ana.signIn(signIn)).location, path);
  const signedIn = await ana.open(path);
  assert.doesNotMatch(signedIn.text, /Sign in to pay/);
  assert.match(signedIn.text, /id="email"[^>]* value="ana@example.com"/);
  await addCard(ana, path, '4242424242424242');
  const ready = await ana.open(path);
  assert.equal(cardsIn(ready).length, 1);
  const placed = await ana.submit(path, { action: 'place', total: totalIn(ready), ...FILLED });
  assert.equal(placed.status, 303, placed.text);
  const order = await orderOf(orderId);
  assert.match(order.user_id, /^cus_/);

  const next = await givenCheckout();
  const begun = await ana.open(next.path);
  assert.match(begun.text, /id="name"[^>]* value="Ana María Pérez"/);
  assert.match(begun.text, /name="card" value="pm_[^"]+" checked/);
  const [card = ''] = cardsIn(begun);
  const again = await ana.submit(next.path, { action: 'place', total: totalIn(begun), ...FILLED, card });
  assert.equal(again.status, 303, again.text);
  assert.equal((await orderOf(next.orderId)).user_id, order.user_id);

  const profile = await ana.open('/profile');
  for (const kept of [/Ana María Pérez · ana@example\.com/, /Visa ending in 4242/, /name="address" value="[^"]*10010"/])
    assert.match(profile.text, kept);
  assert.equal(profile.text.split(/\/tracking\?tracking_id=/).length, 3);
  assert.match(String(profile.headers['cache-control']), /no-store/);
  const front = await ana.open('/');
  assert.match(front.text, /href="\/profile">Account</);
  assert.match(front.text, /"customer":\{"addresses":\[\{"address":/);
  assert.match(String(front.headers['cache-control']), /no-store/);
});

test('stored items are removed one by one, and signing out clears this browser', async () => {
  const ben = await givenCustomer('ben@example.com');
  const { path } = await givenCheckout();
  await addCard(ben, path, '5555555555554444');
  assert.equal((await fill(ben, path, { action: 'place', ...FILLED })).status, 303);
  const { text } = await ben.open('/profile');
  const card = /name="card" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const address = /name="address" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const other = await givenCustomer('other-ben@example.com');
  for (const browser of [other, ben]) {
    await browser.open('/profile');
    await browser.submit('/profile', { step: 'remove_card', card });
    await browser.open('/profile');
    await browser.submit('/profile', { step: 'remove_address', address });
    const shown = (await ben.open('/profile')).text;
    assert.equal(shown.includes(card) && shown.includes(address), browser === other);
  }
  await ben.submit('/profile', { step: 'sign_out' });
  assert.equal(ben.cookies.has('doorstep_customer'), false);
  assert.match((await ben.open('/profile')).text, /Sign in to Pizza/);
  assert.match((await ben.open('/')).text, /href="\/profile">Sign in</);
});

test('a saved card pays only in its customer’s session', async (t) => {
  const ana = await givenCustomer('payer@example.com');
  const first = await givenCheckout();
  await addCard(ana, first.path, '4000000000009995');
  const declined = await fill(ana, first.path, { action: 'place', ...FILLED });
  assert.equal(declined.status, 402, declined.text);
  const [card = ''] = cardsIn(declined);
  assert.match(card, /^pm_/);
  const mallory = await givenCustomer('mallory@example.com');
  await t.test('not by the link of an unplaced order', async () => {
    for (const browser of [givenBrowser(shop), mallory]) {
      const page = await browser.open(first.path);
      assert.doesNotMatch(page.text, /9995/);
      assert.equal(
        (await browser.submit(first.path, { action: 'place', total: totalIn(page), ...FILLED, card })).status,
        422,
      );
    }
    assert.deepEqual(cardsIn(await ana.open(first.path)), [card]);
  });
  await t.test('an order belongs to the customer who places it, not to a viewer', async () => {
    const { orderId, path } = await givenCheckout();
    await fill(mallory, path, { action: 'tip-500', ...FILLED });
    const guest = givenBrowser(shop);
    await addCard(guest, path, '4242424242424242');
    assert.equal((await fill(guest, path, { action: 'place', ...FILLED })).status, 303);
    assert.equal((await orderOf(orderId)).user_id, orderId);
    assert.doesNotMatch((await mallory.open('/profile')).text, new RegExp(orderId));
  });
  await t.test('not by its ID on an order of another customer or of a guest', async () => {
    for (const browser of [givenBrowser(shop), mallory]) {
      const { path } = await givenCheckout();
      assert.equal((await fill(browser, path, { action: 'place', ...FILLED, card })).status, 422);
    }
  });
  await t.test('not by a program that sends the form of the checkout itself', async () => {
    const { client_id } = await givenDynamicClient(shop);
    const code = await givenCode(ana, authorizePath(client_id));
    const fields = {
      grant_type: 'authorization_code',
      client_id,
      code,
      redirect_uri: REDIRECT,
      code_verifier: verifier,
    };
    const { access_token: token } = (await postForm(shop, '/oauth/token', fields)).body;
    const {
      user_id: _,
      place_order: _place,
      include_final_quote: _shown,
      ...body
    } = shop.bodyOf('Soda') as Record<string, unknown>;
    const given = { ...body, items: items(), payment_method_id: card };
    const reply = await shop.service.http.inject({
      method: 'POST',
      url: '/mcp',
      headers: { host: HOST, authorization: `Bearer ${token}` },
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'quote_order', arguments: given } },
    });
    const { checkout_url: url, ...answer } = reply.json().result.structuredContent;
    assert.ok(url, JSON.stringify(answer));
    const path = new URL(url).pathname;
    assert.equal((await fill(givenBrowser(shop), path, { action: 'place' })).status, 422);
    assert.deepEqual(cardsIn(await ana.open(path)), [card]);
    const guest = givenBrowser(shop);
    await addCard(guest, path, '4242424242424242');
    assert.equal((await fill(guest, path, { action: 'place' })).status, 303);
    assert.equal(cardsIn(await ana.open((await givenCheckout()).path)).length, 1, 'a card for once is not saved');
  });
});

test('an account without a shop at its own host shows no sign-in on its checkouts', async () => {
  const { path } = await givenCheckout();
  const { text } = await shop.get(path, {}, { 'id-token': '' });
  assert.doesNotMatch(text, /profile/);
});
