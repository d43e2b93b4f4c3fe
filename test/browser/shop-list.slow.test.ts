import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { prepareDemo } from '../../src/app/cli/prepare-demo.ts';
import { freePort } from '../given/command.ts';
import { type App, givenApp } from '../harness.ts';
import { assertAccessible, assertFits } from './accessible.ts';
import { closeBrowser, givenBrowser, openPage } from './browser.ts';

let app: App;
let url: string;
let folder: string;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'doorstep-shop-'));
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  app = await givenApp({ env: { DATA_DIR: folder, PORT: port, BASE_URL: baseUrl } });
  await prepareDemo(app.service, app.config);
  url = `${await app.service.listen()}/shop`;
});
after(async () => {
  await closeBrowser();
  await app.close();
  rmSync(folder, { recursive: true });
});

test('a visitor types an address, narrows the list and opens a store; the address stays on the device', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, faults, requests, close } = await openPage(browser, url);
  await page.getByRole('heading', { name: 'Stores near' }).waitFor();
  assert.ok((await page.locator('.store-card').count()) > 5, 'the first view has stores');
  await assertAccessible(page, 'the list before an address');
  await assertFits(page, 'the list before an address');
  await page.getByLabel('Your address').fill('nowhere at all');
  await page.getByRole('button', { name: 'Show stores' }).click();
  await page.getByText('We can’t find that address.').waitFor();
  await page.getByLabel('Your address').fill('939 W Randolph St, Chicago, IL 60607');
  requests.length = 0;
  await page.getByRole('button', { name: 'Show stores' }).click();
  await page.getByText('Deliver to 939 W Randolph St').waitFor();
  await page.locator('.store-card .facts b').first().waitFor();
  assert.match(await page.locator('.stores').innerText(), /\d+–\d+ min/);
  assert.match(await page.locator('.stores').innerText(), /\$\d+\.\d\d delivery|Free delivery/);
  assert.ok(requests.length <= 3 + (await page.locator('.store-card img').count()), requests.join('\n'));
  await page.getByLabel('Search stores and dishes').fill('two-egg plate');
  await page.getByLabel('Search stores and dishes').press('Enter');
  await page.getByRole('link', { name: 'Lantern & Rye Diner' }).waitFor();
  assert.match(page.url(), /\?q=two-egg\+plate$/);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await assertAccessible(page, `a search, ${colorScheme}`);
  }
  await assertFits(page, 'a search');
  await page.getByLabel('Pickup').check();
  await page.getByText('Pick up near').waitFor();
  await page.reload();
  await page.getByText('Pick up near 939 W Randolph St').waitFor();
  await page.getByRole('link', { name: 'Lantern & Rye Diner' }).click();
  await page.getByRole('heading', { level: 1, name: 'Lantern & Rye Diner' }).waitFor();
  await page.goto(`${url}?lang=fr`);
  await page.locator('.store-card').first().waitFor();
  await page.locator('input[name=open]').check();
  await page.waitForURL(/\?open=1&lang=fr$/);
  await page.locator('.store-card a').first().click();
  await page.waitForURL(/\/s\/.*\?lang=fr$/);
  // The browser itself reports the refusal of the address that does not exist.
  assert.deepEqual(
    faults.filter((fault) => !fault.includes('422')),
    [],
  );
  await close();
});

test('without scripts the list, its filters and the menu can be read, in the language of the browser', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, close } = await openPage(browser, url, { javaScriptEnabled: false, locale: 'es-US' });
  await page.getByRole('heading', { name: 'Pide a domicilio o para recoger' }).waitFor();
  await page.getByLabel('Abiertas ahora').check();
  await page.getByRole('searchbox').fill('diner');
  await page.getByRole('searchbox').press('Enter');
  await page.waitForURL(/\?q=diner&open=1/);
  await page.getByRole('link', { name: 'Lantern & Rye Diner' }).click();
  await page.getByText('Two-egg plate').first().waitFor();
  await close();
});
