import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { givenTrackedStore } from '../given/tracked.ts';
import { givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { assertAccessible, assertTextAccessible } from './accessible.ts';
import { givenBrowser, openPage, PHONE } from './browser.ts';
import { MAX_SHIFT, measureShifts, shiftsOf } from './layout-shift.ts';

/* What only a browser shows of the start page, the documents and the API reference. */

const WIDE = { width: 1440, height: 900 };
const LOOKS = [
  { viewport: WIDE, colorScheme: 'light' },
  { viewport: PHONE, colorScheme: 'dark' },
] as const;

const app = await givenApp();
await givenTrackedStore(app, { name: 'Corner Diner' });
const url = await app.service.listen();

for (const look of LOOKS) {
  test(`documents are accessible, keep still, fit their window and load from the service only: ${look.colorScheme}`, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    for (const path of ['/docs/', '/docs/orders', '/docs/webhooks']) {
      const { page, faults, requests, close } = await openPage(browser, url + path, { ...look, deviceScaleFactor: 1 });
      await measureShifts(page);
      if (path !== '/docs/orders') await assertAccessible(page, `${look.colorScheme} ${path}`);
      await assertFitsWidth(page, path);
      await assertStill(page, path);
      assert.deepEqual([faults, requests.filter((one) => !one.startsWith(url))], [[], []], path);
      await close();
    }
  });
}

async function assertFitsWidth(page: Page, what: string): Promise<void> {
  const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
  assert.ok(width <= (page.viewportSize()?.width ?? 0), `${what}: ${width} px wide`);
}

async function assertStill(page: Page, what: string): Promise<void> {
  const { sum, of } = await shiftsOf(page);
  assert.ok(sum <= MAX_SHIFT, `${what}: ${sum} ${of}`);
}

test('the text of long pages is accessible: lists, links, code, and a heading for each cell of a table', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, close } = await openPage(browser, `${url}/docs/webhooks`, { viewport: WIDE });
  for (const path of ['/docs/orders', '/docs/feeds', '/docs/alerts']) {
    const [, text] = /<main[^>]*>([\s\S]*)<\/main>/.exec((await app.get(path)).text) ?? [];
    // All pages share one frame that persists across navigations; loading a page takes longer.
    await page.evaluate(`document.querySelector('main').innerHTML = ${JSON.stringify(text)}`);
    await assertTextAccessible(page, 'main', path);
  }
  await close();
});

test('the keyboard skips to the text, finds a section despite a typo, and opens it', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, faults, close } = await openPage(browser, `${url}/docs/adr/0003-change-clock`, { viewport: WIDE });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('#page-text:focus').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('idempotncy key');
  await page.locator('#site-results a').first().waitFor();
  await assertAccessible(page, 'results');
  const first = (await page.locator('#site-results a').first().getAttribute('href')) ?? '';
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(new URL(first, `${url}/docs/adr/0003-change-clock`).href);
  assert.match(page.url(), /\/docs\/[\w-]+#[\w-]+$/);
  assert.equal(await page.locator(`[id="${new URL(page.url()).hash.slice(1)}"]`).count(), 1);
  await page.locator('#site-search').fill('zzzzqqqq');
  await page.locator('#site-count', { hasText: 'Nothing found' }).waitFor({ state: 'attached' });
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#site-results').isVisible(), false);
  assert.deepEqual(faults, []);
  await close();
});

test('without scripts documents and reference are complete, and hide controls that need scripts', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, close } = await openPage(browser, `${url}/docs/webhooks`, {
    viewport: PHONE,
    javaScriptEnabled: false,
  });
  assert.equal(await page.locator('#site-search').isVisible(), false);
  await page.getByText('Pages', { exact: true }).click();
  await page
    .getByRole('navigation', { name: 'Pages', exact: true })
    .getByRole('link', { name: 'Integration guide' })
    .click();
  await page.waitForURL(`${url}/docs/integrating`);
  await page.goto(`${url}/reference/`);
  assert.equal(await page.locator('#searchStores').isVisible(), true);
  await page.locator('#searchStores summary', { hasText: 'Fields and answers' }).click();
  await page.locator('#searchStores').getByRole('link', { name: 'With all of Stores' }).click();
  await page.waitForURL('**/reference/?tag=Stores#searchStores');
  await page.locator('#searchStores').getByText('user_latitude').or(page.getByText('maximum_miles')).first().waitFor();
  await page.getByRole('link', { name: 'All endpoints' }).click();
  await page.waitForURL('**/reference/');
  for (const idle of ['#key', '#search', '.try']) assert.equal(await page.locator(idle).first().isVisible(), false);
  await close();
});

/** Asserts that the shown sections are accessible; axe would take half a minute of processor time for the others. */
async function assertShownAccessible(page: Page, what: string): Promise<void> {
  const hidden = "[...document.querySelectorAll('.endpoint')].filter((one) => !one.checkVisibility())";
  await page.evaluate(`${hidden}.forEach((one) => one.remove())`);
  await assertAccessible(page, what);
}

test('the reference sends requests with the key of its address, finds sections, and opens closed groups', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, faults, requests, close } = await openPage(browser, `${url}/reference/#key=${app.key}`, {
    viewport: { width: 1280, height: 900 },
  });
  assert.equal(await page.locator('#key').inputValue(), app.key);
  assert.ok(!page.url().includes(app.key), 'the key stays in no address');
  const send = async (id: string, fields: Readonly<Record<string, string>>, answer: RegExp) => {
    const section = page.locator(id);
    for (const [name, value] of Object.entries(fields)) await section.getByLabel(name, { exact: true }).fill(value);
    await section.getByRole('button', { name: 'Send GET' }).click();
    await section.getByRole('status').filter({ hasText: answer }).waitFor();
    return answer.exec(await section.innerText())?.[1];
  };
  const tryIt = (id: string) => page.locator(id).getByRole('button', { name: 'Try it' }).click();
  await tryIt('#searchStores');
  // The example is in Chicago; this test's store is in New York.
  assert.equal(await page.locator('#searchStores').getByLabel('latitude', { exact: true }).inputValue(), '41.8827');
  const store = { latitude: '40.7383', longitude: '-73.9927' };
  await send('#searchStores', store, /200 .* in \d+ ms[\s\S]*"name": "Corner Diner"/);
  await tryIt('#searchProducts');
  const product = { query: 'Margherita', user_latitude: '40.7383', user_longitude: '-73.9927' };
  const productId = await send('#searchProducts', product, /"product_id": "([^"]+)"/);
  await tryIt('#readProduct');
  const field = page.locator('#readProduct').getByLabel('product_id', { exact: true });
  assert.equal(await field.inputValue(), productId, "an answer's ID fills the field that names it");
  await page.locator('#key').fill('ds_test_none');
  await send('#searchStores', {}, /invalid_api_key/);
  await page.locator('#search').fill('near a coordinate');
  await page.locator('#found', { hasText: /^\d+ of \d+ sections/ }).waitFor();
  await assertShownAccessible(page, 'with an answer');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.reload();
  const closed = page.locator('#listStoreOrders');
  await page.locator('.try button').first().waitFor();
  assert.equal(await closed.isVisible(), false);
  await page.goto(`${url}/reference/#listStoreOrders`);
  await closed.getByRole('heading', { name: 'Answers' }).waitFor();
  await page.locator('#search').fill('printer ticket');
  await page.locator('#tag-Store .endpoint:visible').first().waitFor();
  await page.locator('#search').fill('');
  await closed.waitFor({ state: 'hidden' });
  await page.locator('#search').fill('delivers_here upc');
  await until('sections without the words are gone', () => page.locator('#createOrder').isHidden());
  assert.equal(await page.locator('#searchProducts').isVisible(), true);
  await assertShownAccessible(page, 'dark, searched');
  const others = requests.filter((one) => !one.startsWith(url));
  assert.deepEqual([faults.filter((fault) => !fault.includes('401')), others], [[], []]);
  await close();
});

test('the reference keeps still and fits a phone', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, close } = await openPage(browser, `${url}/reference/`);
  await page.locator('.try button').first().waitFor();
  await measureShifts(page);
  await assertStill(page, 'reference');
  await assertFitsWidth(page, 'reference');
  await close();
});

test('the start page is accessible, fits a phone and leads to the reference', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, faults, close } = await openPage(browser, `${url}/`, { viewport: { width: 390, height: 844 } });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await assertAccessible(page, `the start page, ${colorScheme}`);
    await assertFitsWidth(page, 'the start page');
  }
  await page.getByRole('link', { name: 'API reference' }).click();
  await page.waitForURL('**/reference/');
  assert.deepEqual(faults, []);
  await close();
});
