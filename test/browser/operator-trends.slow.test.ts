import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenLiveShop, step } from '../given/live-shop.ts';
import { givenConsole } from '../given/merchant.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../given/orders.ts';
import { assertAccessible } from './accessible.ts';
import { givenBrowser, PHONE } from './browser.ts';
import { DESK, openView, showView } from './operator-view.ts';

test('filters, charts and resending work on a desk and a phone, light and dark, without a fault of axe', async (t) => {
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
  const { page, faults, close } = await openView(browser, shop.app, url);
  const look = async (what: string) => {
    for (const [viewport, colorScheme] of [
      [PHONE, 'dark'],
      [DESK, 'light'],
    ] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await assertAccessible(page, `${what} ${colorScheme}`);
    }
  };
  await showView(page, url, 'trends');
  await page.getByRole('img', { name: /^Orders per day: at most 3/ }).waitFor();
  // Days without orders are one row.
  assert.equal(await page.locator('tbody tr').count(), 4);
  await look('trends');
  await page.getByRole('combobox', { name: 'Days' }).selectOption('7');
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
  await showView(page, url, `orders/${order}`);
  await page.getByRole('button', { name: 'Send again…' }).first().click();
  await page.getByText('Told afterward').waitFor();
  await page.getByLabel('Reason').fill('It never arrived');
  await look('resend');
  await page.getByRole('button', { name: 'Send again', exact: true }).click();
  await page.getByText('(resent)').first().waitFor();
  assert.deepEqual(faults, []);
  await close();
});

test('views begin with the mode that has orders, remember the chosen one, and say what the other one has', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const shop = await givenLiveShop(t);
  const { app, storeId } = shop;
  const url = await app.service.listen();
  const { Soda } = await productTokens(app, storeId);
  const paymentMethod = await givenPaymentMethod(app);
  for (let count = 0; count < 3; count += 1) {
    const body = orderBody(Soda, paymentMethod, { items: [{ product_id: Soda, quantity: 4 }] });
    const placed = await app.post('/order/order/v2', body);
    assert.equal(placed.status, 200, placed.text);
  }
  await app.advance({ seconds: 2 });
  const operator = await givenConsole(app, null);
  await operator.post(`/operator/stores/${storeId}/invite`, {});
  const { page, faults, close } = await openView(browser, app, url, { viewport: { width: 1440, height: 900 } });
  await page.getByRole('link', { name: '3 orders in the sandbox' }).waitFor();
  await showView(page, url, 'orders');
  await page.getByRole('heading', { name: 'Newest sandbox orders' }).waitFor();
  await page.locator('tbody tr').nth(2).waitFor();
  assert.equal(await page.locator('tbody tr').count(), 3);
  assert.match((await page.locator('tbody time').first().innerText()).trim(), /^(\w+ \d+, )?\d\d:\d\d \S+$/);
  await showView(page, url, 'trends');
  await page.getByRole('img', { name: /^Orders per day: at most 3/ }).waitFor();
  assert.equal(await page.locator('tbody tr').count(), 2, 'days without orders are one row');
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    const boxes = await Promise.all((await page.locator('.charts > section').all()).map((one) => one.boundingBox()));
    const rows = new Set(boxes.map((box) => box?.y));
    assert.deepEqual([boxes.length, rows.size], [4, width === 1440 ? 1 : 2], `no figure alone in a row at ${width}`);
  }
  await page.getByLabel('Mode').selectOption('live');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('link', { name: '3 orders in the sandbox' }).waitFor();
  await assertAccessible(page, 'an empty view');
  await showView(page, url, 'orders');
  await page.getByRole('heading', { name: 'Newest live orders' }).waitFor();
  await page.getByRole('link', { name: '3 orders in the sandbox' }).click();
  await page.getByRole('heading', { name: 'Newest sandbox orders' }).waitFor();
  await page.reload();
  await showView(page, url, 'trends');
  await page.getByRole('img', { name: /^Orders per day: at most 3/ }).waitFor();
  await showView(page, url, 'changes');
  await page.getByRole('cell', { name: 'Invited Test Pizzeria' }).waitFor();
  await assertAccessible(page, 'the history');
  await showView(page, url, 'stores');
  await page.getByLabel('Words of the name, or store ID').fill('pizz');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: 'Test Pizzeria' }).waitFor();
  assert.deepEqual(faults, []);
  await close();
});
