import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { listActions } from '../../src/access/sessions/actions.db.ts';
import { givenLiveShop, type LiveShop, step } from '../given/live-shop.ts';
import { endSessions } from '../given/merchant.ts';
import { until } from '../until.ts';
import { assertAccessible, assertTargets } from './accessible.ts';
import { givenBrowser, PHONE, pressSlowly } from './browser.ts';
import { DESK, openView, showView } from './operator-view.ts';

async function givenView(t: TestContext): Promise<{ shop: LiveShop; browser: Browser; url: string } | undefined> {
  const browser = await givenBrowser(t);
  if (!browser) return undefined;
  const shop = await givenLiveShop(t);
  return { shop, browser, url: await shop.app.service.listen() };
}

test('a new order appears and rings without loading again, and a confirmation takes it away', async (t) => {
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

test('without storage the view works; an ended session leads to the sign-in at the next press', async (t) => {
  const given = await givenView(t);
  if (!given) return;
  const { page, close } = await openView(given.browser, given.shop.app, given.url);
  const denied = '{ get() { throw new DOMException("denied", "SecurityError"); } }';
  await page.addInitScript(`Object.defineProperty(window, 'localStorage', ${denied})`);
  await page.reload();
  await page.getByText('All clear.').waitFor();
  await endSessions(given.shop.app);
  const press = page.getByRole('link', { name: 'Stores' }).first().click();
  // The page's own refresh may leave it before the press, which then finds no link.
  press.catch(() => {});
  await page.getByLabel('Access code').waitFor();
  assert.equal(new URL(page.url()).pathname, '/console');
  await close();
});

/** The addresses of all views, including an order, a store and an account. */
function viewsOf({ client, storeId }: LiveShop, orderId: string): string[] {
  const { accountId } = client;
  const details = [`orders/${orderId}`, `stores/${storeId}`, `statements/${storeId}`, `accounts/${accountId}`];
  return [
    'waiting',
    'orders',
    'stores',
    'statements',
    'taxes',
    'tips',
    'merges',
    'accounts',
    'imports',
    'plugins',
    'health',
    'alerts',
    'changes',
    'trends',
    'promotions',
    'operators',
    'stores/new',
    ...details,
  ];
}

test('every view is free of faults of accessibility and has targets large enough, on a desk and a phone, light and dark', async (t) => {
  const given = await givenView(t);
  if (!given) return;
  const { shop, browser, url } = given;
  const orderId = await shop.place();
  const looks = [
    { viewport: DESK, colorScheme: 'light', hasTouch: false },
    { viewport: PHONE, colorScheme: 'dark', hasTouch: true },
  ];
  for (const look of looks) {
    const { page, faults, close } = await openView(browser, shop.app, url, look);
    for (const view of viewsOf(shop, orderId)) {
      await showView(page, url, view);
      await assertAccessible(page, `${view} ${look.colorScheme} ${look.viewport.width}`);
      await isWithin(page);
      await assertTargets(page, look.hasTouch ? 44 : 24, view);
    }
    assert.deepEqual(faults, []);
    await close();
  }
});

/** Asserts that nothing is wider than the screen, except tables that scroll on their own. */
async function isWithin(page: Page): Promise<void> {
  const { scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number } = await page.evaluate(
    '({ scrollWidth: document.documentElement.scrollWidth, clientWidth: document.documentElement.clientWidth })',
  );
  assert.ok(scrollWidth <= clientWidth, `${scrollWidth} px in ${clientWidth} px`);
}

test('no list is shown as empty while its last read failed, and a refused read leads to the sign-in', async (t) => {
  const given = await givenView(t);
  if (!given) return;
  const { shop, browser, url } = given;
  const orderId = await shop.place();
  const { page, close } = await openView(browser, shop.app, url);
  let status = 503;
  const answer = { contentType: 'application/json', body: '{"code":"not_ready","detail":"Try again later."}' };
  await page.route(/\/operator\/(?!me$|orders\/waiting)/, (route) => route.fulfill({ ...answer, status }));
  for (const view of viewsOf(shop, orderId).filter((one) => one !== 'waiting' && one !== 'stores/new')) {
    await page.goto(`${url}/console/operator#/${view}`);
    const main = page.locator(`main[data-view="${view}"]`);
    await main.getByRole('alert').filter({ hasText: 'Try again later.' }).first().waitFor();
    await main
      .locator('.empty', { hasText: /^Loading/ })
      .first()
      .waitFor({ state: 'detached' });
    assert.deepEqual(await main.locator('.empty').allInnerTexts(), [], view);
  }
  status = 401;
  const signIn = page.waitForRequest(`${url}/console`);
  await page.getByRole('link', { name: 'Stores' }).first().click();
  await signIn;
  await close();
});
