import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { listActions } from '../../src/access/sessions/actions.db.ts';
import { givenLiveShop, type LiveShop, step } from '../given/live-shop.ts';
import { givenConsole } from '../given/merchant.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../given/orders.ts';
import { done } from '../harness.ts';
import { until } from '../until.ts';
import { assertAccessible, assertInReach, assertTargets } from './accessible.ts';
import { givenBrowser, PHONE, pressSlowly } from './browser.ts';
import { DESK, openView, showView } from './operator-view.ts';

/* What only a browser shows of the operator's view. Its states and changes: test/pages/operator.slow.test.ts. */

const LOOKS = [
  [DESK, 'light'],
  [PHONE, 'dark'],
  [{ width: 740, height: 360 }, 'light'],
] as const;

async function givenView(t: TestContext): Promise<{ shop: LiveShop; browser: Browser; url: string } | undefined> {
  const browser = await givenBrowser(t);
  if (!browser) return undefined;
  const shop = await givenLiveShop(t);
  return { shop, browser, url: await shop.app.service.listen() };
}

test('an operator answers a ringing order, pressing slowly while a colleague answers a second', async (t) => {
  const given = await givenView(t);
  if (!given) return;
  const { shop, browser, url } = given;
  const { page, faults, close } = await openView(browser, shop.app, url);
  await page.getByText('All clear.').waitFor();
  const other = await shop.place();
  const orderId = await shop.place();
  await page.getByText('No answer yet · 2').waitFor();
  const row = page.locator('tr.rings', { has: page.locator(`a[href="#/orders/${orderId}"]`) });
  const before = page.locator('tr.rings', { has: page.locator(`a[href="#/orders/${other}"]`) });
  const colleague = await openView(browser, shop.app, url);
  await pressSlowly(row.getByRole('button', { name: 'Confirm…' }), async () => {
    await step(shop, other, 'confirm');
    await colleague.page.getByText('No answer yet · 1').waitFor();
  });
  await colleague.close();
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
  await before.waitFor({ state: 'detached' });
  assert.match(await row.innerText(), /Test Pizzeria/);
  await until('the title says it', async () => (await page.title()).includes('UNCONFIRMED'));
  await row.getByRole('button', { name: 'Confirm…' }).click();
  await page.getByRole('button', { name: '30', exact: true }).click();
  await page.getByRole('button', { name: 'Confirm with 30 min' }).click();
  await page.getByText('All clear.').waitFor();
  const [action] = await listActions(shop.app.service.deps.db, { target: orderId, limit: 1 });
  assert.deepEqual(action?.details, { preparation_minutes: 30 });
  assert.deepEqual(faults, []);
  await close();
});

/** Asserts that a page is accessible, and its controls in reach, on a desk, on a phone, and on a phone on its side. */
async function assertLooks(page: Page, what: string): Promise<void> {
  for (const [viewport, colorScheme] of LOOKS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await assertAccessible(page, `${what} ${viewport.width} ${colorScheme}`);
    await assertInReach(page, `${what} ${viewport.width}`);
  }
}

test('the dialogs that change an order are accessible and in reach on a desk, a phone and a phone on its side', async (t) => {
  const given = await givenView(t);
  if (!given) return;
  const { browser, url } = given;
  const { app, storeId, place } = given.shop;
  const { Soda } = await productTokens(app, storeId);
  const items = [{ product_id: Soda, quantity: 4 }];
  const body = orderBody(Soda, await givenPaymentMethod(app), { items });
  const { order_id: paid } = await done(app.post('/order/order/v2', body));
  await done(app.post(`/sandbox/orders/${paid}/advance`, { event: 'confirm' }));
  const live = await place();
  await app.advance({ seconds: 5 });
  const { page, faults, close } = await openView(browser, app, url);
  for (const [orderId, open, field, typed, shown, verb] of [
    [live, 'Send again…', 'Reason', 'It never arrived', 'Told afterward', 'Send again'],
    [paid, 'Refund…', /Soda, of 4/, '1', 'Customer gets back', 'Refund'],
    [paid, 'Adjust an item…', 'Units handed over', '2', 'Customer gets back', 'Adjust item'],
    [paid, 'Raise the tip…', 'Whole tip', '7.5', 'Card is charged', 'Raise tip'],
    [paid, 'Cancel…', 'Reason', 'The store is closed', 'Customer gets back', 'Cancel order'],
  ] as const) {
    await page.setViewportSize(DESK);
    await showView(page, url, `orders/${orderId}`);
    await pressSlowly(page.getByRole('button', { name: open }).first());
    await page.getByLabel(field).fill(typed);
    await page.getByLabel('Reason').fill('The customer called');
    await page.getByRole('region', { name: 'Preview' }).getByText(shown).waitFor();
    await assertLooks(page, open);
    await page.getByRole('button', { name: verb, exact: true }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
  }
  await page.getByText('canceled', { exact: true }).first().waitFor();
  await assertLooks(page, 'the order');
  assert.deepEqual(faults, []);
  await close();
});

test('every view is accessible, fits, and has targets large enough, on a desk and a phone, light and dark', async (t) => {
  const given = await givenView(t);
  if (!given) return;
  const { browser, url } = given;
  const { app, client, storeId, place } = given.shop;
  const orderId = await place();
  await done((await givenConsole(app, null)).post(`/operator/stores/${storeId}/invite`, {}));
  for (const [viewport, colorScheme] of LOOKS.slice(0, 2)) {
    const hasTouch = viewport === PHONE;
    const { page, faults, close } = await openView(browser, app, url, { viewport, colorScheme, hasTouch });
    for (const view of [
      ...'waiting orders stores statements taxes tips merges accounts imports plugins health alerts'.split(' '),
      ...'changes trends promotions operators stores/new'.split(' '),
      `orders/${orderId}`,
      `stores/${storeId}`,
      `statements/${storeId}`,
      `accounts/${client.accountId}`,
      'trends?mode=sandbox',
    ]) {
      await showView(page, url, view);
      await assertAccessible(page, `${view} ${colorScheme} ${viewport.width}`);
      await assertWithin(page);
      await assertTargets(page, hasTouch ? 44 : 24, view);
    }
    assert.deepEqual(faults, []);
    await close();
  }
});

/** Asserts that nothing is wider than the screen, except tables that scroll on their own. */
async function assertWithin(page: Page): Promise<void> {
  const { scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number } = await page.evaluate(
    '({ scrollWidth: document.documentElement.scrollWidth, clientWidth: document.documentElement.clientWidth })',
  );
  assert.ok(scrollWidth <= clientWidth, `${scrollWidth} px in ${clientWidth} px`);
}
