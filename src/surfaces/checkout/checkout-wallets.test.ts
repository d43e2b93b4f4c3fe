import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readStripeContract } from '../../../test/contracts/stripe-contract.ts';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenFolder } from '../../../test/given/folder.ts';
import { givenHeldShop } from '../../../test/given/held-orders.ts';
import { orderBody, productTokens } from '../../../test/given/orders.ts';
import { postForm } from '../../../test/given/post-form.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenStripeShop } from '../../../test/given/stripe-shop.ts';
import type { Client } from '../../../test/harness.ts';

const contract = readStripeContract(join(import.meta.dirname, '../../../../shared/data/contracts/stripe-openapi.json'));
const folder = givenFolder('doorstep-wallets');
const DOMAIN_FILE = '/.well-known/apple-developer-merchantid-domain-association';
const SHEET = /data-wallet="([^"]+)"/;
const CONTACT = { name: 'Ana Pérez', email: 'ana@example.com', phone: '2125550142' };

const file = join(folder, 'domain-file');
writeFileSync(file, '7B22707370');
const shop = await givenStripeShop(contract, {
  STRIPE_PUBLISHABLE_KEY: 'pk_live_shown',
  STRIPE_APPLE_DOMAIN_FILE: file,
});
const [storeId = ''] = await givenStores(shop.app, [pizzeria()]);
after(() => shop.close());

const openPage = (path: string) => shop.app.get(path, {}, { 'id-token': '' });

const submit = (path: string, form: Record<string, string>) => postForm(shop.app, path, form);

async function givenCheckout(client = shop.client, changes: object = {}) {
  const token = (await productTokens(client, storeId)).Margherita;
  return storeCart(client, orderBody(token, null, { autofill_selected_options: true, ...changes }));
}

/** Stores a guest's cart, and opens its checkout. */
async function storeCart(client: Client, cart: object) {
  const guest = { user_name: undefined, user_email: undefined, user_phone: undefined, user_id: undefined };
  const body = { ...cart, ...guest, place_order: false };
  const reply = await client.post('/order/order/v2', body);
  assert.equal(reply.status, 200, reply.text);
  const [orderId, path]: [string, string] = [reply.body.order_id, new URL(reply.body.checkout_url).pathname];
  const page = await openPage(path);
  return { orderId, path, page, total: /name="total" value="(\d+)"/.exec(page.text)?.[1] ?? '' };
}

const sheetIn = (text: string) => String(SHEET.exec(text)?.[1]).replaceAll('&quot;', '"');

test('the policy allows the library only on a live order’s checkout, with payments in its frame', async () => {
  const { page, path } = await givenCheckout();
  const policy = String(page.headers['content-security-policy']).split(';');
  for (const directive of [
    "script-src 'self' https://js.stripe.com",
    "frame-src 'self' https://js.stripe.com https://hooks.stripe.com",
    "connect-src 'self' https://api.stripe.com",
  ]) {
    assert.ok(policy.includes(directive), `${directive} in ${policy}`);
  }
  assert.match(String(page.headers['permissions-policy']), /payment=\(self "https:\/\/js\.stripe\.com"/);
  assert.doesNotMatch(page.text, /<script[^>]+stripe\.com/);
  const sandbox = await givenCheckout(shop.app);
  for (const other of [sandbox.page, await openPage('/checkout/unknown'), await openPage(`${path}x`)]) {
    assert.doesNotMatch(String(other.headers['content-security-policy']), /stripe/);
    assert.match(String(other.headers['permissions-policy']), /payment=\(\)/);
    assert.doesNotMatch(other.text, /data-wallet|payment_token/);
  }
  const uncharged = await givenCheckout(shop.client, { charge_user: false });
  assert.doesNotMatch(uncharged.page.text, /data-wallet/);
});

test('the module of the wallet and Apple’s file are served', async () => {
  const { page } = await givenCheckout();
  const [, module = ''] = /"module":"([^"]+)"/.exec(sheetIn(page.text)) ?? [];
  const script = await openPage(module);
  assert.equal(script.status, 200);
  assert.match(script.text, /js\.stripe\.com/);
  assert.deepEqual([(await openPage(DOMAIN_FILE)).status, (await openPage(DOMAIN_FILE)).text], [200, '7B22707370']);
});

test('the token of a wallet pays once, however often its form is sent', async () => {
  const { orderId, path, total } = await givenCheckout();
  const form = { action: 'wallet', payment_token: shop.stripe.givenToken('pm'), total, ...CONTACT };
  // The gateway answers the second of two calls under one key only once the first is over.
  const both = await Promise.all([submit(path, form), submit(path, form)]);
  for (const { statusCode } of both) assert.ok([303, 503].includes(statusCode), String(statusCode));
  const again = await submit(path, form);
  assert.equal(again.statusCode, 303, again.body);
  assert.deepEqual(await shop.stateOf(orderId), ['awaiting_confirmation', 'charged', Number(total), 0]);
  assert.equal(shop.kept(orderId), Number(total));
  assert.deepEqual(shop.stripe.faults, []);
});

test('an unknown token is a failure at the card, and a missing contact is named before the token is taken', async () => {
  const { orderId, path, total } = await givenCheckout();
  for (const payment_token of ['pm_unknown', '4242424242424242', 'x'.repeat(255)]) {
    const reply = await submit(path, { action: 'wallet', payment_token, total, ...CONTACT });
    assert.equal(reply.statusCode, 422);
    assert.match(reply.body, /id="card-fault" role="alert"/);
  }
  const before = shop.stripe.requests.length;
  const reply = await submit(path, { action: 'wallet', payment_token: shop.stripe.givenToken('pm'), total });
  assert.equal(reply.statusCode, 422);
  assert.match(reply.body, /Enter your name/);
  assert.equal(shop.stripe.requests.length, before);
  assert.deepEqual(await shop.stateOf(orderId), ['unplaced', 'none', 0, 0]);
});

test('another total than the one of the sheet is shown and not charged', async () => {
  const { orderId, path, total } = await givenCheckout();
  const stale = String(Number(total) - 1);
  const form = { action: 'wallet', payment_token: shop.stripe.givenToken('pm'), total: stale, ...CONTACT };
  assert.equal((await submit(path, form)).statusCode, 409);
  assert.equal(shop.kept(orderId), 0);
});

test('the sheet of goods by weight has the most that they may come to, which the card holds', async () => {
  const held = await givenHeldShop(shop.app, { client: shop.client });
  const items = [{ product_id: held.tokens.Chicken, quantity: '1.5' }, { product_id: held.tokens.Soda }];
  const cart = orderBody('', null, { items, pickup: true, driver_tip_cents: 0 });
  const { orderId, path, page, total } = await storeCart(shop.client, cart);
  const { label, amountCents } = JSON.parse(sheetIn(page.text));
  assert.deepEqual([label, amountCents, total], [`${pizzeria().name}, up to`, 1483 + 250, String(1349 + 250)]);
  const form = { action: 'wallet', payment_token: shop.stripe.givenToken('pm'), total, ...CONTACT };
  const reply = await submit(path, form);
  assert.equal(reply.statusCode, 303, reply.body);
  const intent = shop.stripe.intents().find(({ metadata }) => metadata.order_id === orderId);
  assert.deepEqual([intent?.amount, intent?.status], [1483 + 250, 'requires_capture']);
});
