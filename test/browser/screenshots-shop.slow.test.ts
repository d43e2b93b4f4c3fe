import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { DEMO_SOURCE } from '../../demo/catalog.ts';
import { saveBranding } from '../../src/access/accounts/brandings.db.ts';
import { type Demo, prepareDemo } from '../../src/app/cli/prepare-demo.ts';
import { storeIdOf } from '../../src/supply/stores/store-id.ts';
import { freePort } from '../given/command.ts';
import { givenConsole } from '../given/merchant.ts';
import { type App, clientOf, givenApp } from '../harness.ts';
import { givenBrowser, openPage } from './browser.ts';
import { DESK, openView, showView } from './operator-view.ts';
import { fillContact, openShop, payByCard } from './order-in-shop.ts';
import { keepPicture, skip } from './picture.ts';

const PHONE = { width: 390, height: 780 };
const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  phone: { viewport: PHONE },
  'phone-brand-dark': { viewport: PHONE, colorScheme: 'dark' },
  'desktop-brand': { viewport: DESK },
  'desktop-brand-dark': { viewport: DESK, colorScheme: 'dark' },
};
const BRAND = {
  displayName: 'Stone & Basil',
  color: '#b3261e',
  corners: 'round',
  font: 'classic',
  welcome: 'Pies from the stone oven',
} as const;
const PLAIN = { displayName: null, color: null, corners: 'soft', font: 'system', welcome: null } as const;

let app: App;
let demo: Demo;
let folder: string;
let url: string;
const diner = storeIdOf(DEMO_SOURCE, 'chicago-diner');
before(async () => {
  if (skip) return;
  const port = await freePort();
  folder = mkdtempSync(join(tmpdir(), 'doorstep-pictures-'));
  const env = { DATA_DIR: folder, PORT: port, BASE_URL: `http://127.0.0.1:${port}` };
  app = await givenApp({ start: '2026-06-10T22:18:00Z', env });
  demo = await prepareDemo(app.service, app.config);
  url = await app.service.listen();
});
after(async () => {
  if (skip) return;
  await app.close();
  rmSync(folder, { recursive: true });
});

/** From the open cart to the checkout with all that it needs; `look` sees the cart and both states of the checkout. */
async function checkOut(page: Page, look: (what: 'cart' | 'checkout') => Promise<void>): Promise<void> {
  await page.locator('.main.wide:visible').first().click();
  await page.locator('.totals:visible').first().waitFor();
  await look('cart');
  await page
    .getByRole('button', { name: /^Go to checkout/ })
    .last()
    .click();
  await page.waitForURL(/\/checkout\//);
  await fillContact(page);
  await look('checkout');
}

/** Returns the placed order's id. */
async function pay(page: Page): Promise<string> {
  await payByCard(page);
  const [row] = await app.service.deps.db
    .selectFrom('orders')
    .select('orderId')
    .orderBy('placedAt', 'desc')
    .limit(1)
    .execute();
  return row?.orderId ?? assert.fail('no order');
}

async function keepMail(browser: Browser, orderId: string, name: string, options: BrowserContextOptions) {
  const reply = await clientOf(app.service, demo.accountId, demo.key).get('/sandbox/messages', { order_id: orderId });
  const message = reply.body.messages.find(({ kind }: { kind: string }) => kind === 'order_confirmation');
  const page = await browser.newPage({ ...options, javaScriptEnabled: false });
  await page.setContent(message.html);
  await keepPicture(page, name);
  await page.close();
}

for (const [look, options] of Object.entries(LOOKS)) {
  test(`the sheet of all surfaces: ${look}`, { skip }, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    const brand = look === 'phone' ? PLAIN : BRAND;
    await saveBranding(app.service.deps.db, demo.accountId, brand, app.now());
    const { page, close } = await openShop(browser, url, '', { deviceScaleFactor: 1, ...options });
    await page.locator('section[aria-busy=false] .store-card').first().waitFor();
    await keepPicture(page, `sheet-shop-${look}`);
    await page.goto(`${url}/shop/s/store-${diner}`);
    await page.locator('.terms').waitFor();
    await keepPicture(page, `sheet-store-${look}`);
    await page.getByRole('button', { name: /^Two-egg plate/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Two-egg plate' });
    await dialog.getByLabel('Scrambled').check();
    await dialog.getByRole('button', { name: /^Add ·/ }).click();
    await checkOut(page, (what) => keepPicture(page, `sheet-${what}-${look}`));
    const orderId = await pay(page);
    await app.advance({ minutes: 1 });
    await keepPicture(page, `sheet-tracking-${look}`);
    await keepMail(browser, orderId, `sheet-mail-${look}`, options);
    await close();
    const store = await givenConsole(app, diner, demo.accountId);
    const [name = '', value = ''] = store.cookie.split('=');
    const board = await openPage(browser, `${url}/shop/orders`, { deviceScaleFactor: 1, ...options });
    await board.page.context().addCookies([{ name, value, url }]);
    await board.page.goto(`${url}/console?sandbox`);
    await board.page.locator('.order').first().waitFor();
    await keepPicture(board.page, `sheet-console-${look}`);
    await board.close();
    const view = await openView(browser, app, url, { deviceScaleFactor: 1, ...options });
    await showView(view.page, url, options.viewport === DESK ? `accounts/${demo.accountId}` : 'orders');
    await keepPicture(view.page, `sheet-operator-${look}`);
    await view.close();
  });
}
