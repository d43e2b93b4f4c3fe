import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { type App, givenApp } from '../harness.ts';
import { assertAccessible } from './accessible.ts';
import { givenBrowser, openPage } from './browser.ts';

let app: App;
let url: string;
let shop: Server;
let back: string;
before(async () => {
  app = await givenApp();
  url = await app.service.listen();
  // The referring shop's page, on a different origin than the service.
  shop = createServer((_request, response) => response.end('<!doctype html><title>Shop</title><h1>Shop</h1>'));
  await new Promise<void>((done) => shop.listen(0, '127.0.0.1', done));
  back = `http://localhost:${(shop.address() as AddressInfo).port}/cart`;
});
after(async () => {
  shop.closeAllConnections();
  shop.close();
  await app.close();
});

const listed = async (user_id: string) => (await app.get('/payment/list', { user_id })).body.payment_methods;

async function openCardPage(browser: Browser, user_id: string, options: BrowserContextOptions = {}) {
  const reply = await app.post('/payment/setup', { user_id, user_email: 'u1@example.com', return_url: back });
  assert.equal(reply.status, 200, reply.text);
  return openPage(browser, url + new URL(reply.body.url).pathname, options);
}

for (const [what, options] of [
  ['on a phone', {}],
  ['without JavaScript', { javaScriptEnabled: false }],
] as const) {
  test(`a customer ${what} mistypes a card, fixes it, and is back at the shop with the card saved`, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    const { page, faults, close } = await openCardPage(browser, what, options);
    await page.getByLabel('Card number').fill('4242 4242 4242 4241');
    await page.getByLabel('Expiration date').fill('12/40');
    await page.getByLabel('Security code').fill('123');
    await page.getByRole('button', { name: 'Save card' }).click();
    await page.getByRole('alert').waitFor();
    assert.match(String(await page.getByRole('alert').textContent()), /Check your card number\./);
    assert.equal(await page.getByLabel('Card number').getAttribute('aria-invalid'), 'true');
    assert.deepEqual(await listed(what), []);
    await page.getByLabel('Card number').fill('4242 4242 4242 4242');
    await page.getByLabel('Expiration date').fill('12/40');
    await page.getByLabel('Security code').fill('123');
    await page.getByRole('button', { name: 'Save card' }).press('Enter');
    await page.waitForURL(`${back}?status=success`);
    assert.deepEqual(
      (await listed(what)).map(({ last4 }: { last4: string }) => last4),
      ['4242'],
    );
    assert.deepEqual(
      faults.filter((fault) => !/status of 422/.test(fault)),
      [],
    );
    await close();
  });
}

test('a customer who cancels is back at the shop, and no card is saved', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, faults, close } = await openCardPage(browser, 'canceled');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL(`${back}?status=canceled`);
  assert.deepEqual(await listed('canceled'), []);
  assert.deepEqual(faults, []);
  await page.goBack();
  await page.getByRole('heading', { name: 'This link has expired' }).waitFor();
  await close();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the card page is accessible in ${colorScheme}, before and after a fault, and fits a narrow phone`, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    const { page, requests, close } = await openCardPage(browser, 'axe', { colorScheme, bypassCSP: true });
    const check = async () => {
      await assertAccessible(page, colorScheme);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), true);
    };
    await check();
    await page.getByRole('button', { name: 'Save card' }).click();
    await page.getByRole('alert').waitFor();
    await check();
    assert.deepEqual(
      requests.filter((request) => !request.startsWith(url) && !request.startsWith('data:')),
      [],
    );
    await close();
  });
}
