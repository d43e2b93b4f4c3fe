import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { issueAccessCode } from '../../src/access/sessions/sign-in.flow.ts';
import { pizzeria } from '../feed-lines.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../given/orders.ts';
import { givenStores } from '../given/stores.ts';
import { type App, givenApp } from '../harness.ts';
import { assertAccessible, assertFits } from './accessible.ts';
import { closeBrowser, givenBrowser, openPage } from './browser.ts';
import { signIn, TABLET } from './open-console.ts';

const LOOKS = [
  { viewport: TABLET, colorScheme: 'light' },
  { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const;

let app: App;
let url: string;
let storeId: string;
before(async () => {
  app = await givenApp();
  [storeId = ''] = await givenStores(app, [pizzeria()]);
  url = await app.service.listen();
});
after(async () => {
  await closeBrowser();
  await app.close();
});

const mark = /Sandbox Test orders from Test account/;

for (const look of LOOKS) {
  test(`at ${look.viewport.width} pixels an account's sandbox order is taken on a console that says Sandbox in every view`, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    const { code } = await issueAccessCode(app.service.deps.db, { storeId, accountId: app.accountId }, app.now());
    const { page, faults, close } = await openPage(browser, `${url}/console?sandbox`, {
      ...look,
      deviceScaleFactor: 1,
      reducedMotion: 'reduce' as const,
    });
    await page.getByText('Sandbox', { exact: true }).waitFor();
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
    assert.match(await page.locator('.bar.sandbox').innerText(), mark);
    assert.match(await page.title(), /Sandbox|New order/);
    await assertAccessible(page, 'orders');
    await assertFits(page, 'orders');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('button', { name: /^Kitchen/ }).click();
    await page.locator('.order.kitchen').waitFor();
    assert.deepEqual(await page.getByRole('navigation').getByRole('link').allInnerTexts(), [
      'Orders',
      'Sales',
      'Store',
    ]);
    for (const view of ['Sales', 'Store']) {
      await page.getByRole('navigation').getByRole('link', { name: view }).click();
      await page.locator('.panel').first().waitFor();
      assert.match(await page.locator('.bar.sandbox').innerText(), mark);
      await assertAccessible(page, view);
      await assertFits(page, view);
    }
    await page.getByText('You can’t change the store from here').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.equal(page.url(), `${url}/console?sandbox`);
    assert.deepEqual(faults, []);
    await app.post('/order/cancel', { order_id: placed.body.order_id });
    await close();
  });
}
