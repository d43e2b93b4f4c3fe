import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenLiveShop, step } from '../given/live-shop.ts';
import { assertAccessible } from './accessible.ts';
import { closeBrowser, givenBrowser, PHONE } from './browser.ts';
import { DESK, openView, showView } from './operator-view.ts';

after(closeBrowser);

/** Where to write a picture of each page; nowhere by default. */
const { EVERY_LOOK } = process.env;

test('filters, charts and resending work on desk, tablet and phone, light and dark, without a fault of axe', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const shop = await givenLiveShop(t);
  const url = await shop.app.service.listen();
  const placed: string[] = [];
  for (let count = 0; count < 6; count += 1) {
    placed.push(await shop.place());
    await shop.app.advance({ hours: 9 });
    if (count % 3 === 1) await step(shop, placed.at(-1) ?? '', 'confirm');
    if (count % 3 === 2) await step(shop, placed.at(-1) ?? '', 'cancel');
  }
  const order = await shop.place();
  await shop.app.advance({ seconds: 5 });
  const looks = [
    ['desk', DESK, 'light'],
    ['tablet', { width: 820, height: 1180 }, 'dark'],
    ['phone', PHONE, 'light'],
  ] as const;
  for (const [name, viewport, colorScheme] of looks) {
    const { page, faults, close } = await openView(browser, shop.app, url, { viewport, colorScheme });
    const look = async (what: string) => {
      await assertAccessible(page, `${what} ${name}`);
      if (EVERY_LOOK) await page.screenshot({ path: `${EVERY_LOOK}/${what}-${name}.png`, fullPage: true });
    };
    await showView(page, url, 'trends');
    await page.getByRole('img', { name: /^Orders per day: at most 3/ }).waitFor();
    assert.equal(await page.locator('tbody tr').count(), 30);
    await look('trends');
    await page.getByLabel('Days').selectOption('7');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('Every day of 7 days').waitFor();
    await page.getByRole('link', { name: 'Wed, Jun 10' }).click();
    await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor();
    await page.getByRole('table').waitFor();
    assert.equal(await page.locator('tbody tr').count(), 2);
    await page.getByLabel('Status').selectOption('completed');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('No orders found').waitFor();
    assert.match(page.url(), /status=completed/);
    await page.reload();
    await page.getByText('No orders found').waitFor();
    await page.getByLabel('Day', { exact: true }).fill('');
    await page.getByLabel('Status').selectOption('');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('table').waitFor();
    await look('orders');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    assert.equal((await download).suggestedFilename(), 'orders.csv');
    if (name === 'desk') {
      await showView(page, url, `orders/${order}`);
      await page.getByRole('button', { name: 'Send again…' }).first().click();
      await page.getByText('Told afterward').waitFor();
      await page.getByLabel('Reason').fill('It never arrived');
      await look('resend');
      await page.getByRole('button', { name: 'Send again', exact: true }).click();
      await page.getByText('(resent)').first().waitFor();
    }
    assert.deepEqual(faults, []);
    await close();
  }
});
