import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { loadPlugins } from '../../src/app/wiring/load-plugins.ts';
import { LANGUAGES } from '../../src/platform/languages/language.ts';
import { localeOf } from '../../src/texts/catalogs.ts';
import { freePort } from '../given/command.ts';
import { givenLiveShop, type LiveShop } from '../given/live-shop.ts';
import { givenOfficialClient } from '../given/official-client.ts';
import { orderBody, productTokens } from '../given/orders.ts';
import { givenFetch } from '../given/page-fetch.ts';
import { givenPizzeria } from '../given/pizzeria.ts';
import { givenSignInHost } from '../given/sign-in.ts';
import { givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { assertAccessible, assertFits } from './accessible.ts';
import { givenBrowser, openPage, PHONE } from './browser.ts';

/* Customers who sign in: for a program that knows the shop's address and no key, and in the shop itself. */

const PHONE_NUMBER = '(312) 555-0142';

async function givenSite(t: TestContext): Promise<{ shop: LiveShop; issuer: string }> {
  const PORT = await freePort();
  const plugins = { PLUGINS: join(import.meta.dirname, '../plugins/card-and-cash.ts'), PAYMENT_GATEWAY: 'both' };
  const env = { PORT, BASE_URL: `http://localhost:${PORT}`, ...plugins };
  const shop = await givenLiveShop(t, undefined, { env, plugins: await loadPlugins(env) });
  await shop.app.service.listen();
  const issuer = await givenSignInHost(shop.app, 'live', 'order.localhost', shop.client.accountId);
  return { shop, issuer };
}

/** The program's own address on the customer's device, which keeps what it is sent. */
async function givenCallback(t: TestContext) {
  const seen: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    seen.push(url);
    response.end('Connected.');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback` };
}

/** Enters the contact and the code of the text message. */
async function signIn({ app, texts }: LiveShop, page: Page, words: ReturnType<typeof localeOf>['words']['signIn']) {
  const earlier = texts.length;
  await page.getByLabel(words.contact).fill(PHONE_NUMBER);
  await page.keyboard.press('Enter');
  await page.getByLabel(words.code, { exact: true }).waitFor();
  await app.advance({ seconds: 1 });
  await until('the text message has come', async () => texts.length > earlier);
  return String(/#(\d{6})$/.exec(texts.at(-1)?.body ?? '')?.[1]);
}

test('from a shop’s address in an app to the first order: no key, four fields and five presses', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { shop, issuer } = await givenSite(t);
  const callback = await givenCallback(t);
  const words = localeOf('en', 'US').words;
  const token = (await productTokens(shop.client, shop.storeId, true)).Soda;
  const began = performance.now();
  const agent = givenOfficialClient(givenFetch(shop.app), issuer, { redirectUrl: callback.url });
  const address = await agent.begin();
  const { page, faults, close } = await openPage(browser, address.href, { viewport: PHONE, javaScriptEnabled: false });
  const code = await signIn(shop, page, words.signIn);
  await page.getByLabel(words.signIn.code, { exact: true }).fill(code);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: words.signIn.allow }).click();
  await page.getByText('Connected.').waitFor();
  await agent.finish(`${callback.url}${callback.seen.at(-1)?.replace('/callback', '')}`);
  const items = [{ product_id: token, quantity: 4 }];
  const quoted = await agent.client.callTool({ name: 'quote_order', arguments: { items, pickup: true } });
  const { order_id: orderId, checkout_url: url } = quoted.structuredContent as {
    order_id: string;
    checkout_url: string;
  };
  assert.ok(url, JSON.stringify(quoted.structuredContent));
  await page.goto(url);
  await page.getByLabel(words.checkout.contact.name).fill('Ana Pérez');
  await page.getByLabel(words.checkout.contact.email).fill('ana@shop.example');
  await page.getByRole('button', { name: words.checkout.card.cashAtPickup }).click();
  await page.locator('#place').click();
  await page.waitForURL(/\/tracking\?/);
  t.diagnostic(`${((performance.now() - began) / 1000).toFixed(1)} s`);
  const { orders } = (await shop.client.get('/account/orders', { order_id: orderId })).body;
  assert.deepEqual([orders[0].status, orders[0].user_phone], ['awaiting_confirmation', 13125550142]);
  assert.match(orders[0].user_id, /^cus_/);
  await page.goto(`${issuer}/profile`);
  await page.getByText('Ana Pérez').waitFor();
  assert.deepEqual(faults, []);
  await agent.client.close();
  await close();
});

test('the pages of the sign-in fit a phone and are accessible, in three languages', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { shop, issuer } = await givenSite(t);
  for (const language of LANGUAGES) {
    const { signIn: says } = localeOf(language, 'US').words;
    const agent = givenOfficialClient(givenFetch(shop.app), issuer, { redirectUrl: 'https://app.example/callback' });
    const address = await agent.begin();
    address.searchParams.set('ui_locales', language);
    const { page, faults, close } = await openPage(browser, address.href, { viewport: PHONE });
    const check = async (name: string, heading: string | RegExp) => {
      await page.getByRole('heading', { name: heading }).first().waitFor();
      await assertAccessible(page, `${name} in ${language}`);
      await assertFits(page, name);
    };
    await check('the contact', says.title({ brand: 'Pizza & Palace' }));
    const code = await signIn(shop, page, says);
    await check('the code', says.codeTitle);
    await page.getByLabel(says.code, { exact: true }).fill(code);
    await page.keyboard.press('Enter');
    await check('the consent', says.consentTitle({ app: 'app.example', brand: 'Pizza & Palace' }));
    for (const [path, heading] of [
      ['/profile', says.account],
      ['/connections', says.connections],
    ] as const) {
      await page.goto(`${issuer}${path}?lang=${language}`);
      await check(path, heading);
    }
    await page.goto(`${issuer}/?lang=${language}`);
    await page.locator('a[href^="/profile"]').waitFor();
    assert.deepEqual(faults, []);
    await close();
  }
});

test('a shop customer pays the next order with the saved card, in three languages', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const PORT = await freePort();
  const shop = await givenPizzeria(() => givenApp({ env: { PORT, BASE_URL: `http://localhost:${PORT}` } }));
  await shop.service.listen();
  const issuer = await givenSignInHost(shop, 'sandbox', 'order.localhost');
  const guest = { user_name: undefined, user_email: undefined, user_phone: undefined, user_id: undefined };
  const items = [{ product_id: shop.tokens.Soda, quantity: 4 }];
  const givenCheckout = async (): Promise<string> => {
    const given = { place_order: false, items, payment_method_id: undefined, ...guest };
    return (await shop.post('/order/order/v2', orderBody(undefined, null, given))).body.checkout_url;
  };
  const { signIn: says, checkout } = localeOf('en', 'US').words;
  const { page, faults, close } = await openPage(browser, await givenCheckout(), { viewport: PHONE });
  t.after(async () => {
    await close();
    await shop.close();
  });
  await assertFits(page, 'the checkout of a guest');
  await page.getByRole('link', { name: checkout.card.signIn }).click();
  await page.getByLabel(says.contact).fill('ana@example.com');
  await page.keyboard.press('Enter');
  await page.getByLabel(says.code, { exact: true }).fill('000000');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/checkout\//);
  await page.getByLabel(checkout.contact.name).fill('Ana Pérez');
  await page.getByLabel(checkout.contact.phone).fill('(212) 555-0142');
  await page.locator('button[value=card]').first().click();
  await page.locator('#card_number').fill('4242424242424242');
  await page.locator('#expiration').fill('12/40');
  await page.locator('#cvc').fill('123');
  await page.locator('button[value=save]').click();
  await page.locator('#place').click();
  await page.waitForURL(/\/tracking\?/);
  for (const language of LANGUAGES) {
    const words = localeOf(language, 'US').words;
    await page.goto(`${await givenCheckout()}?lang=${language}`);
    assert.equal(await page.locator('#name').inputValue(), 'Ana Pérez');
    assert.ok(await page.getByRole('radio', { name: /4242/ }).isChecked());
    await assertAccessible(page, `the checkout in ${language}`);
    await assertFits(page, `the checkout in ${language}`);
    await page.locator('#phone').fill('(212) 555-0142');
    await page.locator('#place').click();
    await page.waitForURL(/\/tracking\?/);
    await page.goto(`${issuer}/profile?lang=${language}`);
    await page.getByRole('heading', { name: words.signIn.cards }).waitFor();
    await assertAccessible(page, `the profile in ${language}`);
    await assertFits(page, `the profile in ${language}`);
  }
  await page.getByRole('button', { name: /4242/ }).click();
  await page.getByRole('heading', { name: localeOf('es', 'US').words.signIn.addresses }).waitFor();
  assert.equal(await page.getByText('4242').count(), 0);
  assert.deepEqual(faults, []);
});
