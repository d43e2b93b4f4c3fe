import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createClient } from '../../clients/typescript/src/main.ts';
import { createShop } from '../../examples/ordering-web/shop.ts';
import { prepareDemo } from '../../src/app/cli/prepare-demo.ts';
import { freePort } from '../given/command.ts';
import { type App, givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { closeBrowser, givenBrowser, openPage, payOnCheckout } from './browser.ts';
import { preferOpenSans } from './given-font.ts';

/** The pictures of docs/images: `UPDATE_SCREENSHOTS=1 node --test test/browser/screenshots-docs.slow.test.ts`. */
const FOLDER = join(import.meta.dirname, '../../docs/images');
const skip = process.env.UPDATE_SCREENSHOTS ? false : 'made when UPDATE_SCREENSHOTS is set';
const PHONE = { width: 390, height: 780 };

let app: App;
let shop: Server;
let shopUrl: string;
let folder: string;
before(async () => {
  if (skip) return;
  preferOpenSans();
  folder = mkdtempSync(join(tmpdir(), 'doorstep-pictures-'));
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  app = await givenApp({ env: { DATA_DIR: folder, SANDBOX_PACE: '15', PORT: port, BASE_URL: baseUrl } });
  const { key } = await prepareDemo(app.service, app.config);
  shop = createShop(createClient({ baseUrl: await app.service.listen(), key }));
  await new Promise<void>((done) => shop.listen(0, '127.0.0.1', done));
  shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
});
after(async () => {
  if (skip) return;
  await closeBrowser();
  shop.closeAllConnections();
  shop.close();
  await app.close();
  rmSync(folder, { recursive: true });
});

async function chooseStore(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('button', { name: 'Lantern & Rye Diner' }).click();
  await page.getByRole('region', { name: 'Menu' }).getByRole('button').first().waitFor();
}

async function orderToTheDoor(page: Page): Promise<void> {
  await chooseStore(page);
  await page.getByRole('region', { name: 'Menu' }).getByRole('button').first().click();
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await page.getByRole('link', { name: 'Check out' }).click();
  await payOnCheckout(page);
  await until('the order is delivered', async () => {
    await app.advance({ seconds: 20 });
    return page.locator('#steps').getByText('Delivered').isVisible();
  });
}

for (const [name, act] of [
  ['example-menu', chooseStore],
  ['example-delivered', orderToTheDoor],
] as const) {
  test(`the picture of ${name}`, { skip }, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    const options = {
      viewport: PHONE,
      deviceScaleFactor: 1,
      colorScheme: 'light' as const,
      reducedMotion: 'reduce' as const,
    };
    const { page, close } = await openPage(browser, shopUrl, options);
    await act(page);
    await page.screenshot({ path: join(FOLDER, `${name}-phone-light.png`) });
    await close();
  });
}
