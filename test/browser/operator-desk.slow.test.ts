import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { type CountedShop, givenCountedShop } from '../given/counted-shop.ts';
import { assertAccessible, assertInReach } from './accessible.ts';
import { givenBrowser, PHONE, pressSlowly } from './browser.ts';
import { DESK, openView, showView } from './operator-view.ts';

async function givenOrder(shop: CountedShop): Promise<string> {
  const { body } = await shop.place(shop.newKey(), { items: [{ ...shop.item(), quantity: 3 }] });
  await shop.post(`/sandbox/orders/${body.order_id}/advance`, { event: 'confirm' });
  return body.order_id;
}

/** Opens a dialog, fills it, reads its preview, and confirms it. */
async function change(page: Page, open: string, fill: (page: Page) => Promise<unknown>, verb: string): Promise<string> {
  await pressSlowly(page.getByRole('button', { name: open }));
  await fill(page);
  await page.getByLabel('Reason').fill('The customer called');
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByText('Customer gets back').waitFor();
  await assertAccessible(page, open);
  await assertInReach(page, open);
  const text = await preview.innerText();
  await page.getByRole('button', { name: verb, exact: true }).click();
  await page.locator('dialog').waitFor({ state: 'detached' });
  return text.replaceAll(/\s+/g, ' ');
}

for (const [name, viewport, colorScheme] of [
  ['desk', DESK, 'light'],
  ['phone', PHONE, 'dark'],
  ['phone on its side', { width: 740, height: 360 }, 'light'],
] as const) {
  test(`on a ${name} an operator refunds, adjusts, tips and cancels, each as its preview said`, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    const shop = await givenCountedShop();
    t.after(() => shop.close());
    const url = await shop.service.listen();
    const orderId = await givenOrder(shop);
    const { page, faults, close } = await openView(browser, shop, url, { viewport, colorScheme });
    await showView(page, url, `orders/${orderId}`);
    const refunded = await change(page, 'Refund…', (one) => one.getByLabel(/Counted, of 3/).fill('1'), 'Refund');
    assert.match(refunded, /Customer gets back \$16\.33/);
    await page.getByText('$16.33').first().waitFor();
    const adjusted = await change(
      page,
      'Adjust an item…',
      (one) => one.getByLabel('Units handed over').fill('2'),
      'Adjust item',
    );
    assert.match(adjusted, /Customer gets back \$17\.96/);
    const tipped = await change(page, 'Raise the tip…', (one) => one.getByLabel('Whole tip').fill('7.5'), 'Raise tip');
    assert.match(tipped, /Card is charged \$5\.50/);
    const canceled = await change(page, 'Cancel…', async () => {}, 'Cancel order');
    assert.match(canceled, /Customer pays in total \$0\.00/);
    await page.getByText('canceled', { exact: true }).first().waitFor();
    await assertAccessible(page, 'the order');
    await assertInReach(page, 'the order');
    assert.deepEqual(
      (await shop.books(orderId)).map(([amount, back]) => amount - back),
      [0, 0],
    );
    assert.deepEqual(faults, []);
    await close();
  });
}
