import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { prepareDemo } from '../../src/app/cli/prepare-demo.ts';
import { freePort } from '../given/command.ts';
import { grocery } from '../given/groceries.ts';
import { givenStores } from '../given/stores.ts';
import { type App, givenApp } from '../harness.ts';
import { assertAccessible, assertFits } from './accessible.ts';
import { givenBrowser } from './browser.ts';
import { fillContact, openShop, payByCard } from './order-in-shop.ts';

const GOODS = {
  'Chicken breast': { price: 899, sold_by: 'weight', weight: { unit: 'lb' } },
  Bananas: { price: 79, sold_by: 'weight', weight: { unit: 'lb', piece_weight: 0.367 } },
  'Roast beef': { price: 229, sold_by: 'weight', weight: { unit: 'g', price_per: 100 } },
  Soda: 899,
};

let app: App;
let folder: string;
let url: string;
let storeId: string;
before(async () => {
  const port = await freePort();
  folder = mkdtempSync(join(tmpdir(), 'doorstep-shop-weights-'));
  app = await givenApp({ env: { DATA_DIR: folder, PORT: port, BASE_URL: `http://127.0.0.1:${port}` } });
  await prepareDemo(app.service, app.config);
  const changes = {
    latitude: 41.8829,
    longitude: -87.6495,
    time_zone: 'America/Chicago',
    address: { street_addr: '12 Test St', city: 'Chicago', state: 'IL', zipcode: '60607', country: 'US' },
  };
  [storeId = ''] = await givenStores(app, [grocery('market', GOODS, changes)]);
  url = await app.service.listen();
});
after(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const WORDS = {
  en: /^Estimated \$.*you’ll pay up to \$/,
  fr: /^Estimé à .*vous payez au plus/,
  es: /^Estimado: .*como máximo/,
} as const;

for (const language of ['en', 'fr', 'es'] as const) {
  test(`goods by weight from the tile to the order: ${language}`, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    const { page, faults, close } = await openShop(browser, url, `/s/store-${storeId}?lang=${language}`);
    const tile = (name: string) => page.locator('.product', { hasText: name });
    await tile('Chicken breast').locator('.add').click();
    await tile('Chicken breast').locator('.stepper button').last().click();
    await tile('Chicken breast').locator('.stepper button').last().click();
    assert.match(await tile('Chicken breast').innerText(), /8[.,]99.*\/lb/);
    assert.match(await tile('Chicken breast').locator('output').innerText(), /^1[.,]5\slb$/);
    await assertFits(page, 'tiles by weight');
    await assertAccessible(page, 'tiles by weight');
    await tile('Bananas').locator('.product-text').click();
    const sheet = page.getByRole('dialog', { name: 'Bananas' });
    await sheet.locator('.stepper button').last().click();
    await sheet.locator('.stepper button').last().click();
    assert.match(await sheet.locator('output').innerText(), /^3$/);
    await assertFits(page, 'an item by the piece');
    await assertAccessible(page, 'an item by the piece');
    assert.match(await sheet.locator('.sheet-foot').innerText(), /1[.,]1\slb/);
    assert.match(await sheet.locator('button[type=submit]').innerText(), /0[.,]87/);
    await sheet.locator('button[type=submit]').click();
    await tile('Soda').locator('.add').click();
    await page.locator('.cart-bar button').click();
    const review = page.locator('dialog[open]');
    await review.getByText(WORDS[language]).waitFor();
    assert.match(await review.locator('.lines').innerText(), /13[.,]49[\s\S]*0[.,]87[\s\S]*8[.,]99/);
    await assertFits(page, 'a cart by weight');
    await assertAccessible(page, 'a cart by weight');
    await review.locator('button[type=submit]').click();
    await page.waitForURL(/\/checkout\//);
    await page.getByText(WORDS[language]).waitFor();
    await assertFits(page, 'a checkout by weight');
    await assertAccessible(page, 'a checkout by weight');
    await fillContact(page);
    await payByCard(page);
    await page.getByText(WORDS[language]).waitFor();
    assert.match(await page.locator('#receipt').innerText(), /1[.,]5\slb Chicken breast/);
    await assertFits(page, 'a receipt by weight');
    await assertAccessible(page, 'a receipt by weight');
    assert.deepEqual(faults, []);
    await close();
  });
}
