import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findBranding } from '../../src/access/accounts/brandings.db.ts';
import { setShop } from '../../src/access/accounts/set-shop.flow.ts';
import { findShop } from '../../src/access/accounts/shops.db.ts';
import { freePort } from '../given/command.ts';
import { givenKitchen, type Kitchen } from '../given/kitchen.ts';
import { givenPhoto } from '../given/photo.ts';
import { type App, givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { assertAccessible, assertFits, assertRefusalInSight } from './accessible.ts';
import { givenBrowser, PHONE } from './browser.ts';
import { openConsole } from './open-console.ts';
import { DESK, openView, showView } from './operator-view.ts';

let app: App;
let kitchen: Kitchen;
let url: string;
before(async () => {
  const port = await freePort();
  app = await givenApp({ env: { PORT: port, BASE_URL: `http://127.0.0.1:${port}` } });
  kitchen = await givenKitchen(app);
  url = await app.service.listen();
});
after(() => app.close());

const branding = () => findBranding(app.service.deps.db, app.accountId);

test('an operator sets brand and shop, and leaves the look to the owners of its stores', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, faults, close } = await openView(browser, app, url);
  await showView(page, url, `accounts/${app.accountId}`);
  await page.getByLabel('Name').fill('Pizza Palace');
  const logo = page.getByLabel('Logo');
  await logo.fill('http://logo.example/logo.png');
  await page.getByRole('button', { name: 'Save the brand' }).click();
  await page.getByText('Check: Logo, https').waitFor();
  await assertRefusalInSight(page, 'a logo without https');
  await logo.fill('');
  await page.getByLabel("Owners of the shop's stores").check();
  await page.getByRole('button', { name: 'Save the brand' }).click();
  await page.getByRole('status').getByText('Saved.').first().waitFor();
  await until('the look is the owners’', async () => (await branding()).ownerLook);
  await page.getByRole('combobox', { name: 'Orders' }).selectOption('live');
  await page.getByLabel('Store IDs').fill(kitchen.storeId);
  await page.getByRole('button', { name: 'Save the shop' }).click();
  await until(
    'the shop is on',
    async () => (await findShop(app.service.deps.db, app.accountId))?.storeIds?.[0] === kitchen.storeId,
  );
  await assertAccessible(page, 'brand and shop');
  assert.equal((await branding()).displayName, 'Pizza Palace');
  // The preview may not load the refused address.
  assert.deepEqual(
    faults.filter((fault) => !fault.includes('logo.example')),
    [],
  );
  await close();
});

for (const [name, viewport, colorScheme] of [
  ['desktop', DESK, 'light'],
  ['phone', PHONE, 'dark'],
] as const) {
  test(`on a ${name} an owner sees the brand as it changes, uploads its pictures and saves it`, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    const { db } = app.service.deps;
    const named = { mode: 'live', storeIds: [kitchen.storeId] } as const;
    await db.transaction().execute((tx) => setShop(tx, app.accountId, named, app.now()));
    await db
      .insertInto('brandings')
      .values({ accountId: app.accountId, ownerLook: true, updatedAt: app.now().toString() })
      .onConflict((one) => one.column('accountId').doUpdateSet({ ownerLook: true, displayName: null, coverUrl: null }))
      .execute();
    const { page, faults, close } = await openConsole(browser, url, await kitchen.invite(), { viewport, colorScheme });
    await page.getByRole('navigation').getByRole('link', { name: 'Store' }).click();
    const panel = page.getByRole('region', { name: 'Your brand' });
    await panel.getByLabel('Name').fill('Palazzo');
    await panel.getByLabel('Welcome line').fill('Pies from the stone oven');
    const preview = panel.locator('.brand-preview');
    for (const screen of ['.narrow', '.wide']) {
      const text = await preview.locator(screen).innerText();
      assert.match(text, /Palazzo\s+Pies from the stone oven/, screen);
    }
    await panel.getByLabel('Color').pressSequentially('#FFcc00');
    await panel.getByText(/Text has 4\.[5-9]:1, in #/).waitFor();
    const button = () =>
      page.evaluate<string>("getComputedStyle(document.querySelector('.brand-preview .main')).backgroundColor");
    await until('the preview has the color', async () => (await button()) === 'rgb(255, 204, 0)');
    await panel.getByLabel('Corners').selectOption('Round');
    await panel.getByLabel('Fonts').selectOption('Classic (Lora)');
    await until('the preview has the fonts', () => page.evaluate<boolean>("document.fonts.check('16px Figtree')"));
    const buffer = await givenPhoto('png', 1200, 400);
    const chooser = panel.getByRole('group', { name: 'Cover' }).locator('input[type=file]').first();
    await chooser.setInputFiles({ name: 'oven.png', mimeType: 'image/png', buffer });
    await preview.locator('.wide .cover img').waitFor();
    await assertAccessible(page, 'the brand');
    await assertFits(page, 'the brand');
    await panel.getByRole('button', { name: 'Save brand' }).click();
    await page.getByText('Brand saved.').waitFor();
    const { displayName, color, corners, font, coverUrl } = await branding();
    assert.deepEqual([displayName, color, corners, font], ['Palazzo', '#ffcc00', 'round', 'classic']);
    assert.match(coverUrl ?? '', /\/photos\//);
    assert.deepEqual(faults, []);
    await close();
  });
}
