import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
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
/** Output folder for every page in every look, for visual review; not committed. */
const { UPDATE_SCREENSHOTS, EVERY_LOOK } = process.env;
const skip = UPDATE_SCREENSHOTS || EVERY_LOOK ? false : 'made when UPDATE_SCREENSHOTS or EVERY_LOOK is set';
const SIZES = { wide: { width: 1280, height: 800 }, phone: { width: 390, height: 780 } } as const;
type Size = keyof typeof SIZES;
const SCHEMES = ['light', 'dark'] as const;

let app: App;
let shop: Server;
let urls: { service: string; shop: string };
let key: string;
let folder: string;
before(async () => {
  if (skip) return;
  preferOpenSans();
  folder = mkdtempSync(join(tmpdir(), 'doorstep-pictures-'));
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  app = await givenApp({ env: { DATA_DIR: folder, SANDBOX_PACE: '15', PORT: port, BASE_URL: baseUrl } });
  key = (await prepareDemo(app.service, app.config)).key;
  const service = await app.service.listen();
  shop = createShop(createClient({ baseUrl: service, key }));
  await new Promise<void>((done) => shop.listen(0, '127.0.0.1', done));
  urls = { service, shop: `http://127.0.0.1:${(shop.address() as AddressInfo).port}` };
});
after(async () => {
  if (skip) return;
  await closeBrowser();
  shop.closeAllConnections();
  shop.close();
  await app.close();
  rmSync(folder, { recursive: true });
});

/** Actions on a page before its screenshot. */
type Scene = { name: string; address(): string; act?(page: Page): Promise<void> };

const SCENES: readonly Scene[] = [
  { name: 'docs-front', address: () => `${urls.service}/docs/` },
  { name: 'docs-tutorial', address: () => `${urls.service}/docs/tutorial` },
  { name: 'docs-quotes', address: () => `${urls.service}/docs/quotes#money` },
  { name: 'docs-search', address: () => `${urls.service}/docs/`, act: searchDocs },
  { name: 'reference', address: () => `${urls.service}/reference/#key=${key}` },
  { name: 'reference-answer', address: () => `${urls.service}/reference/#key=${key}`, act: tryStores },
  { name: 'example-menu', address: () => urls.shop, act: chooseStore },
  { name: 'example-delivered', address: () => urls.shop, act: orderToTheDoor },
];
/** The documents' screenshots: a scene with its size and color scheme. */
const SHOWN = ['example-menu-phone-light', 'example-delivered-phone-light'];

async function searchDocs(page: Page): Promise<void> {
  await page.locator('#site-search').fill('idempotency');
  await page.locator('#site-results a').first().waitFor();
}

async function tryStores(page: Page): Promise<void> {
  const section = page.locator('#searchStores');
  await section.getByRole('button', { name: 'Try it' }).click();
  await section.getByRole('button', { name: 'Send GET' }).click();
  await section.getByRole('region', { name: 'Answer' }).waitFor();
  await section.getByRole('button', { name: 'Send GET' }).scrollIntoViewIfNeeded();
}

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

for (const { name, address, act } of SCENES) {
  test(`the pictures of ${name}`, { skip }, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    for (const size of Object.keys(SIZES) as Size[]) {
      for (const colorScheme of SCHEMES) {
        const picture = `${name}-${size}-${colorScheme}`;
        if (!EVERY_LOOK && !SHOWN.includes(picture)) continue;
        const { page, close } = await openPage(browser, address(), {
          viewport: SIZES[size],
          deviceScaleFactor: 1,
          colorScheme,
          reducedMotion: 'reduce' as const,
        });
        await act?.(page);
        if (EVERY_LOOK) mkdirSync(EVERY_LOOK, { recursive: true });
        if (EVERY_LOOK) await page.screenshot({ path: join(EVERY_LOOK, `${picture}.png`) });
        if (UPDATE_SCREENSHOTS && SHOWN.includes(picture))
          await page.screenshot({ path: join(FOLDER, `${picture}.png`) });
        await close();
      }
    }
  });
}
