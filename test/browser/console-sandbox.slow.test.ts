import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { issueAccessCode } from '../../src/access/sessions/sign-in.flow.ts';
import { pizzeria } from '../feed-lines.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../given/orders.ts';
import { givenStores } from '../given/stores.ts';
import { type App, givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { assertAccessible, assertFits } from './accessible.ts';
import { givenBrowser, openPage } from './browser.ts';
import { signIn, TABLET } from './open-console.ts';

const PHONE = { width: 390, height: 844 };

let app: App;
let url: string;
let storeId: string;
before(async () => {
  app = await givenApp();
  [storeId = ''] = await givenStores(app, [pizzeria()]);
  url = await app.service.listen();
});
after(() => app.close());

const mark = /Sandbox Test orders from Test account/;

test("an account's sandbox order is taken on a console that says Sandbox in every view, on a tablet and a phone", async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { code } = await issueAccessCode(app.service.deps.db, { storeId, accountId: app.accountId }, app.now());
  const { page, faults, close } = await openPage(browser, `${url}/console?sandbox`, {
    viewport: TABLET,
    deviceScaleFactor: 1,
    reducedMotion: 'reduce' as const,
  });
  await page.getByText('Sandbox', { exact: true }).waitFor();
  const check = async (what: string) => {
    await assertAccessible(page, what);
    for (const viewport of [PHONE, TABLET]) {
      await page.setViewportSize(viewport);
      await assertFits(page, `${what} at ${viewport.width}`);
    }
  };
  await assertAccessible(page, 'sign-in');
  await signIn(page, code);
  await page.locator('.pulse.live').waitFor();
  assert.equal(page.url(), `${url}/console?sandbox`);
  const { Margherita } = await productTokens(app, storeId);
  const body = orderBody(Margherita, await givenPaymentMethod(app), { autofill_selected_options: true });
  const placed = await app.post('/order/order/v2', body);
  assert.equal(placed.status, 200, placed.text);
  await app.advance({ seconds: 1 });
  await page.locator('.order.new').waitFor();
  assert.match(await page.locator('.strip.sandbox').innerText(), mark);
  assert.match(await page.title(), /Sandbox|New order/);
  await check('orders');
  await page.emulateMedia({ colorScheme: 'dark' });
  await assertAccessible(page, 'orders in the dark');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('button', { name: /^Kitchen/ }).click();
  await page.locator('.order.kitchen').waitFor();
  await app.post('/order/refund', { order_id: placed.body.order_id, amount: 100, reason: 'Late' });
  await page.getByText('Refunded (app) $1.00 · Late').waitFor();
  await page.getByRole('button', { name: 'More for' }).click();
  await page.getByRole('button', { name: 'Refund…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Or an amount').fill('2,50');
  await dialog
    .getByText(/The customer gets back \$2\.50, of which \$0\.\d\d is tax\. Your statement: .\$2\./)
    .waitFor();
  await dialog.getByLabel('Why?').fill('The crust was burnt');
  await check('refund');
  await dialog.getByRole('button', { name: 'Refund' }).click();
  await page.getByText('Refunded $2.50 · The crust was burnt').waitFor();
  await until('the dialog is closed', async () => (await dialog.count()) === 0);
  assert.deepEqual(await page.getByRole('navigation').getByRole('link').allInnerTexts(), [
    'Orders',
    'New order',
    'Sales',
    'Store',
  ]);
  for (const view of ['Sales', 'Store']) {
    await page.getByRole('navigation').getByRole('link', { name: view }).click();
    await page.locator('.panel').first().waitFor();
    assert.match(await page.locator('.strip.sandbox').innerText(), mark);
    await check(view);
  }
  await page.getByText('You can’t change the store from here').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.equal(page.url(), `${url}/console?sandbox`);
  assert.deepEqual(faults, []);
  await app.post('/order/cancel', { order_id: placed.body.order_id });
  await close();
});

test('at 1024×768 bars take at most 90 pixels, names break between words, and phone numbers stay whole', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { code } = await issueAccessCode(app.service.deps.db, { storeId, accountId: app.accountId }, app.now());
  const viewport = { width: 1024, height: 768 };
  const { page, close } = await openPage(browser, `${url}/console?sandbox`, { viewport, deviceScaleFactor: 1 });
  await signIn(page, code);
  const names = ['Maximiliana-Bartholomea-Wilhelmina Stone', 'Dana', 'Theo'];
  const { Margherita } = await productTokens(app, storeId);
  const paymentMethod = await givenPaymentMethod(app);
  for (const name of names) {
    const body = orderBody(Margherita, paymentMethod, { autofill_selected_options: true, user_name: name });
    assert.equal((await app.post('/order/order/v2', body)).status, 200);
  }
  // As in a browser before the first touch of the page.
  await page.addInitScript("Object.defineProperty(AudioContext.prototype, 'state', { get: () => 'suspended' })");
  await page.reload();
  await page.locator('.order.new').nth(2).waitFor();
  for (const bar of ['sandbox', 'sound', 'ring']) await page.locator(`.strip.${bar}`).waitFor();
  const { height = 999 } = (await page.locator('.bars').boundingBox()) ?? {};
  t.diagnostic(`bars: ${height} px of 768`);
  assert.ok(height <= 90, `${height} px`);
  for (const width of [1024, 820, 390, 1440]) {
    await page.setViewportSize({ width, height: 768 });
    // Columns of a wide screen open without the menus of a narrow one.
    const menu = page.getByRole('button', { name: /^More for order/ }).first();
    await until(`the menu is open at ${width}, with the phone number in one line`, async () => {
      if ((await menu.getAttribute('aria-expanded')) === 'false') await menu.click();
      return (await linesOf(page, '.order .more a')).some((line) => /\(212\)\s555.0199$/.test(line));
    });
    const broken = (await linesOf(page, '.order .name')).filter(
      (line) => !/^((Maximiliana-|Bartholomea-|Wilhelmina|S\.) ?)+$/.test(line),
    );
    assert.deepEqual(broken, [], `the name at ${width}`);
    await assertFits(page, `orders at ${width}`);
  }
  await close();
});

/** The lines in which the first element shows its text; none without such an element. */
async function linesOf(page: Page, selector: string): Promise<string[]> {
  return page.evaluate(`(() => {
    const element = document.querySelector(${JSON.stringify(selector)});
    if (!element) return [];
    const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
    const range = document.createRange();
    const lines = [];
    let bottom = 0;
    for (let at = 0; at < text.data.length; at += 1) {
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      const box = range.getBoundingClientRect();
      if (box.height > 0 && box.top >= bottom - 2) {
        bottom = box.bottom;
        lines.push('');
      }
      lines.push((lines.pop() ?? '') + text.data[at]);
    }
    return lines.map((line) => line.trim());
  })()`);
}
