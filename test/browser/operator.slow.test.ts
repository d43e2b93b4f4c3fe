import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { listActions } from '../../src/surfaces/operator/actions.db.ts';
import { givenLiveShop, type LiveShop } from '../given/live-shop.ts';
import { until } from '../until.ts';
import { assertAccessible } from './accessible.ts';
import { givenBrowser, PHONE } from './browser.ts';
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
  const orderId = await shop.place();
  const row = page.locator('tr.rings');
  await row.waitFor();
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
    'health',
    'alerts',
    'changes',
    ...details,
  ];
}

test('every view is free of faults of accessibility, on a desk and a phone, light and dark', async (t) => {
  const given = await givenView(t);
  if (!given) return;
  const { shop, browser, url } = given;
  const orderId = await shop.place();
  const looks = [
    { viewport: DESK, colorScheme: 'light' },
    { viewport: PHONE, colorScheme: 'dark' },
  ];
  for (const look of looks) {
    const { page, faults, close } = await openView(browser, shop.app, url, look);
    for (const view of viewsOf(shop, orderId)) {
      await showView(page, url, view);
      await assertAccessible(page, `${view} ${look.colorScheme} ${look.viewport.width}`);
      await isWithin(page);
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
