import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { givenTrackedStore } from '../given/tracked.ts';
import { type App, sharedApp } from '../harness.ts';
import { until } from '../until.ts';
import { assertAccessible } from './accessible.ts';
import { givenBrowser, openPage } from './browser.ts';
import { MAX_SHIFT, measureShifts, shiftsOf } from './layout-shift.ts';

let app: App;
let url: string;
before(async () => {
  app = await sharedApp();
  await givenTrackedStore(app, { name: 'Corner Diner' });
  url = await app.service.listen();
});
after(() => app.close());

/** Sections that are not shown leave first: axe takes half a minute of processor time for all of them. */
async function assertShownAccessible(page: Page, what: string): Promise<void> {
  const hidden = "[...document.querySelectorAll('.endpoint')].filter((one) => !one.checkVisibility())";
  await page.evaluate(`${hidden}.forEach((one) => one.remove())`);
  await assertAccessible(page, what);
}

const DESK = { width: 1280, height: 900 };

test('the reference opens with the key of the address, searches stores by its form, and shows them', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, faults, requests, close } = await openPage(browser, `${url}/reference/#key=${app.key}`, {
    viewport: DESK,
  });
  await page.locator('#key').waitFor();
  assert.equal(await page.locator('#key').inputValue(), app.key);
  assert.ok(!page.url().includes(app.key), 'the key stays in no address');
  const section = page.locator('#searchStores');
  await section.getByRole('button', { name: 'Try it' }).click();
  // The example is in Chicago; this test's store is in New York.
  assert.equal(await section.getByLabel('latitude', { exact: true }).inputValue(), '41.8827');
  await section.getByLabel('latitude', { exact: true }).fill('40.7383');
  await section.getByLabel('longitude', { exact: true }).fill('-73.9927');
  await section.getByRole('button', { name: 'Send GET' }).click();
  const answer = /200 .* in \d+ ms[\s\S]*"name": "Corner Diner"/;
  await until('the answer is shown', async () => answer.test(await section.innerText()));
  await t.test("an answer's id fills the form field that names it", async () => {
    await page.locator('#search').fill('product');
    const found = page.locator('#searchProducts');
    await found.getByRole('button', { name: 'Try it' }).click();
    for (const [name, value] of [
      ['query', 'Margherita'],
      ['user_latitude', '40.7383'],
      ['user_longitude', '-73.9927'],
    ] as const)
      await found.getByLabel(name, { exact: true }).fill(value);
    await found.getByRole('button', { name: 'Send GET' }).click();
    let productId: string | undefined;
    await until('the answer is shown', async () => {
      [, productId] = /"product_id": "([^"]+)"/.exec(await found.innerText()) ?? [];
      return productId !== undefined;
    });
    const product = page.locator('#readProduct');
    await product.getByRole('button', { name: 'Try it' }).click();
    assert.equal(await product.getByLabel('product_id', { exact: true }).inputValue(), productId);
    await page.locator('#search').fill('near a coordinate');
  });
  await t.test('an invalid key is refused in the same place', async () => {
    await page.locator('#key').fill('ds_test_none');
    await section.getByRole('button', { name: 'Send GET' }).click();
    await until('the refusal is shown', async () => (await section.innerText()).includes('invalid_api_key'));
  });
  await assertShownAccessible(page, 'with an answer');
  assert.deepEqual(
    faults.filter((fault) => !fault.includes('401')),
    [],
  );
  assert.deepEqual(
    requests.filter((each) => !each.startsWith(url)),
    [],
  );
  await close();
});

test('the search keeps the sections that have its words, and the page is accessible in the dark', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, faults, close } = await openPage(browser, `${url}/reference/`, { viewport: DESK, colorScheme: 'dark' });
  await page.locator('#search').fill('delivers_here upc');
  await until('sections without the words are gone', () => page.locator('#createOrder').isHidden());
  assert.equal(await page.locator('#searchProducts').isVisible(), true);
  assert.match(await page.locator('#found').innerText(), /^\d+ of \d+ sections/);
  assert.deepEqual(faults, []);
  await assertShownAccessible(page, 'dark, searched');
  await close();
});

test('without scripts and on a phone the page is complete, and nothing shifts when its script loads', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, close } = await openPage(browser, `${url}/reference/`, { javaScriptEnabled: false });
  assert.equal(await page.locator('#searchStores').isVisible(), true);
  await page.locator('#searchStores summary', { hasText: 'Fields and answers' }).click();
  await page.locator('#searchStores').getByRole('link', { name: 'With all of Stores' }).click();
  await page.waitForURL('**/reference/?tag=Stores#searchStores');
  await page.locator('#searchStores').getByText('user_latitude').or(page.getByText('maximum_miles')).first().waitFor();
  await page.getByRole('link', { name: 'All endpoints' }).click();
  await page.waitForURL('**/reference/');
  for (const idle of ['#key', '#search', '.try']) assert.equal(await page.locator(idle).first().isVisible(), false);
  await close();
  const phone = await openPage(browser, `${url}/reference/`);
  await phone.page.locator('.try button').first().waitFor();
  await measureShifts(phone.page);
  const { sum, of } = await shiftsOf(phone.page);
  assert.ok(sum <= MAX_SHIFT, `${sum} ${of}`);
  const width = Number(await phone.page.evaluate('document.documentElement.scrollWidth'));
  assert.ok(width <= (phone.page.viewportSize()?.width ?? 0), `${width} px wide`);
  await phone.close();
});

test('the start page is accessible, fits a phone and leads to the reference', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, faults, close } = await openPage(browser, `${url}/`, {
      viewport: { width: 390, height: 844 },
      colorScheme,
    });
    await assertAccessible(page, `the start page, ${colorScheme}`);
    assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 390);
    await page.getByRole('link', { name: 'API reference' }).click();
    await page.waitForURL('**/reference/');
    assert.deepEqual(faults, []);
    await close();
  }
});

test('a group of another surface opens for its link and for the search, and not before', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, faults, close } = await openPage(browser, `${url}/reference/`, { viewport: DESK });
  const section = page.locator('#listStoreOrders');
  await page.locator('#tag-Store summary').first().waitFor();
  assert.equal(await section.isVisible(), false);
  await page.goto(`${url}/reference/#listStoreOrders`);
  await section.waitFor();
  await section.getByRole('heading', { name: 'Answers' }).waitFor();
  await page.locator('#search').fill('printer ticket');
  await page.locator('#tag-Store .endpoint:visible').first().waitFor();
  await page.locator('#search').fill('');
  await section.waitFor({ state: 'hidden' });
  assert.deepEqual(faults, []);
  await close();
});
