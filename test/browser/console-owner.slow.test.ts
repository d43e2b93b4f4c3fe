import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { issueAccessCode } from '../../src/access/sessions/sign-in.flow.ts';
import { freePort } from '../given/command.ts';
import { givenConsole, givenStoreKey } from '../given/merchant.ts';
import { givenPhoto } from '../given/photo.ts';
import { type App, type Client, givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { assertAccessible, assertFits } from './accessible.ts';
import { givenBrowser } from './browser.ts';
import { openConsole } from './open-console.ts';

const PHONE = { width: 390, height: 844 };
const TABLET = { width: 1024, height: 768 };
const LOOKS = [PHONE, { width: 820, height: 1180 }, TABLET, { width: 1440, height: 900 }];

let app: App;
let url: string;
before(async () => {
  const port = await freePort();
  app = await givenApp({ env: { PORT: port, BASE_URL: `http://127.0.0.1:${port}` } });
  url = await app.service.listen();
});
after(() => app.close());

/** A store as an operator adds it, without a menu. */
async function givenBareStore(): Promise<{ store: Client; code: string }> {
  const operator = await givenConsole(app, null);
  const added = await operator.post('/operator/stores', {
    name: 'Corner Noodle House',
    type: 'restaurant',
    address: { street_addr: '500 Canal St', city: 'New York', state: 'NY', zipcode: '10013', country: 'US' },
    latitude: 40.7243,
    longitude: -74.0099,
    hours: { operational: 'Mo-Su 11:00-21:00' },
    pickup: { enabled: true, prep_minutes: [15, 25] },
  });
  assert.equal(added.status, 200, added.text);
  const { store_id: storeId } = added.body;
  const { code } = await issueAccessCode(app.service.deps.db, { storeId }, app.now());
  return { store: await givenStoreKey(app, storeId), code };
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const open = (page: Page, view: string) => page.getByRole('link', { name: view, exact: true }).click();
const left = (page: Page) => page.locator('.todo:not(.done) strong').allInnerTexts();

/** Fields and buttons of the view that the notice overlaps. */
const COVERED = `(() => {
  const notices = [...document.querySelectorAll('.toast')];
  const notice = notices[0].getBoundingClientRect();
  const main = document.querySelector('main');
  const bottom = main.getBoundingClientRect().bottom;
  const covered = [...main.querySelectorAll('a, button, input, select, textarea')]
    .filter((one) => Math.min(one.getBoundingClientRect().bottom, bottom) > notice.top)
    .map((one) => one.outerHTML);
  const { bottom: focus } = document.activeElement.getBoundingClientRect();
  return { count: notices.length, covered, isFocusSeen: focus <= notice.top + 1 };
})()`;

test('an owner’s first sign-in lists what is missing before the store can sell, and the list ticks itself off', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { store, code } = await givenBareStore();
  const { page, faults, close } = await openConsole(browser, url, code);
  await page.getByRole('heading', { name: 'What’s left before customers can order' }).waitFor();
  assert.deepEqual(await left(page), ['Menu', 'Photo'], 'the operator typed hours, and orders arrive on this console');
  await assertAccessible(page, 'the list');
  for (const viewport of LOOKS) {
    await page.setViewportSize(viewport);
    await assertFits(page, `the list at ${viewport.width}`);
  }
  await page.getByRole('link', { name: 'Open: Menu' }).click();
  await page.getByLabel('New category', { exact: true }).fill('Noodles');
  await page.keyboard.press('Enter');
  await press(page, 'Add item to Noodles');
  await page.getByLabel('Name', { exact: true }).fill('Pad Thai');
  await page.getByLabel('Price', { exact: true }).fill('12.50');
  await press(page, 'Save and close');
  await page.getByRole('button', { name: 'Edit Pad Thai' }).waitFor();
  await open(page, 'Orders');
  await until('the menu is ticked off', async () => (await left(page)).join() === 'Photo');
  await page.getByRole('link', { name: 'Open: Photo' }).click();
  await page.getByText('From your listing. Hours you set here replace them.').waitFor();
  assert.equal(await page.getByText(/imported/i).count(), 0, 'hours that the operator typed are not imported');
  const photo = { name: 'logo.png', mimeType: 'image/png', buffer: await givenPhoto('png', 64, 64) };
  await page.getByRole('group', { name: 'Logo' }).locator('input').first().setInputFiles(photo);
  await page.getByText('Photos saved').waitFor();
  await open(page, 'Orders');
  await page.locator('.start').waitFor({ state: 'detached' });
  assert.deepEqual((await store.get('/store')).body.missing, []);
  await store.put('/store/photos', { logo: [] });
  await page.reload();
  await press(page, 'Hide');
  await page.reload();
  await page.getByText('No new orders.').waitFor();
  assert.equal(await page.locator('.start').count(), 0, 'a hidden list stays hidden');
  assert.deepEqual(faults, []);
  await close();
});

test('categories typed one after another stand side by side; subcategories, renaming and deleting are behind More', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { store, code } = await givenBareStore();
  const { page, faults, close } = await openConsole(browser, url, code, { viewport: PHONE });
  await open(page, 'Menu');
  for (const name of ['Noodles', 'Drinks']) {
    await page.locator('main input:not([type=search])').first().fill(name);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name }).waitFor();
  }
  const categories = async () => (await store.get('/store/menu')).body.categories;
  const shape = async () =>
    (await categories()).map((one: { name: string; parent_id: string | null }) => [one.name, one.parent_id === null]);
  assert.deepEqual(await shape(), [
    ['Noodles', true],
    ['Drinks', true],
  ]);
  await page.getByRole('button', { name: 'Add item to Noodles' }).waitFor();
  for (const viewport of LOOKS) {
    await page.setViewportSize(viewport);
    const [panel, row] = [page.locator('.menu-category').first(), page.locator('.page > .menu-rename')];
    const [around, box] = [await panel.boundingBox(), await row.boundingBox()];
    assert.deepEqual([box?.x, box?.width], [around?.x, around?.width], `margins at ${viewport.width}`);
    await assertFits(page, `categories at ${viewport.width}`);
  }
  await press(page, 'More: Drinks');
  await assertAccessible(page, 'what a category rarely needs');
  await page.getByLabel('New category in Drinks').fill('Sodas');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Sodas' }).waitFor();
  assert.deepEqual((await shape()).at(-1), ['Sodas', false]);
  await press(page, 'Rename Drinks');
  await page.getByLabel('Category name').fill('Cold drinks');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Cold drinks' }).waitFor();
  await press(page, 'More: Cold drinks');
  await press(page, 'Delete Cold drinks');
  await page.getByText('Deleted: Cold drinks').waitFor();
  assert.deepEqual(await shape(), [['Noodles', true]]);
  assert.deepEqual(faults, []);
  await close();
});

test('an item’s form asks for alcohol, names the currency and begins with a required choice of one; notices cover nothing', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { store, code } = await givenBareStore();
  const { page, faults, close } = await openConsole(browser, url, code, { viewport: TABLET });
  await open(page, 'Menu');
  await page.getByLabel('New category', { exact: true }).fill('Drinks');
  await page.keyboard.press('Enter');
  await press(page, 'Add item to Drinks');
  for (const [name, price] of [
    ['House red', '9'],
    ['Lager', '7.5'],
  ] as const) {
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Price', { exact: true }).fill(price);
    await page.getByLabel('Contains alcohol').check();
    await press(page, 'Add option group');
    const howMany = page.getByLabel('How many may be chosen?');
    assert.equal(await howMany.inputValue(), '1');
    assert.equal(await page.getByLabel('Choose at least').count(), 0);
    await howMany.selectOption('Another number');
    assert.equal(await page.getByLabel('At most', { exact: true }).inputValue(), '1');
    await page.getByLabel('Group name').fill('Size');
    await page.getByLabel('Option', { exact: true }).fill('Glass');
    const sign = await page.evaluate(
      "getComputedStyle(document.querySelector('.menu-option .money'), '::before').content",
    );
    assert.equal(sign, '"$"');
    await page.getByLabel('Choose at least').fill('2');
    assert.equal(
      await page.getByLabel('At most', { exact: true }).inputValue(),
      '2',
      'the maximum follows the minimum',
    );
    await howMany.selectOption('One or none');
    await howMany.selectOption('Exactly one');
    await press(page, 'Save and add another');
    await page.getByText(`Saved: ${name}`).waitFor();
    await until('the form is empty', async () => (await page.getByLabel('Name', { exact: true }).inputValue()) === '');
  }
  for (const viewport of LOOKS) {
    await page.setViewportSize(viewport);
    // A notice disappears after a while: each width has its own.
    const name = `Water ${viewport.width}`;
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Price', { exact: true }).fill('2');
    await press(page, 'Save and add another');
    await page.getByText(`Saved: ${name}`).waitFor();
    // A field at the very bottom of the form, which a notice over the page would hide.
    await page.locator('summary').last().focus();
    await page.evaluate('document.activeElement.scrollIntoView({ block: "end" })');
    assert.deepEqual(await page.evaluate(COVERED), { count: 1, covered: [], isFocusSeen: true }, `${viewport.width}`);
  }
  const { categories } = (await store.get('/store/menu')).body;
  const { items } = (await store.get('/store/menu/items', { category_id: categories[0].category_id })).body;
  assert.equal(items.length, 2 + LOOKS.length);
  for (const { is_alcoholic: isAlcoholic, customizations } of items.slice(0, 2)) {
    const [{ min_choice_options: min, max_choice_options: max }] = customizations;
    assert.deepEqual([isAlcoholic, min, max], [true, 1, 1]);
  }
  assert.deepEqual(faults, []);
  await close();
});

test('after new items, Back returns to the category whose button was pressed', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { store, code } = await givenBareStore();
  for (const name of ['Soups', 'Noodles', 'Rice', 'Sweets', 'Drinks', 'Extras'])
    await store.post('/store/menu/categories', { name });
  const { page, faults, close } = await openConsole(browser, url, code, { viewport: PHONE });
  await open(page, 'Menu');
  const opener = page.getByRole('button', { name: 'Add item to Drinks' });
  await opener.scrollIntoViewIfNeeded();
  const scrolled = () => page.evaluate<number>("document.getElementById('main').scrollTop");
  const top = await scrolled();
  assert.ok(top > 0);
  await opener.press('Enter');
  for (const name of ['Cola', 'Water']) {
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Price', { exact: true }).fill('2');
    await press(page, 'Save and add another');
    await page.getByText(`Saved: ${name}`).waitFor();
  }
  await press(page, 'Back');
  await until('the button has the focus', async () => opener.evaluate((one) => one.matches(':focus')));
  assert.ok((await scrolled()) >= top);
  await page.getByText('Water', { exact: true }).waitFor();
  assert.deepEqual(faults, []);
  await close();
});

test('no list of the console is shown as empty while its last read failed', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { code } = await givenBareStore();
  const { page, close } = await openConsole(browser, url, code, { viewport: TABLET });
  const body = '{"code":"not_ready"}';
  await page.route(/\/store\//, (route) =>
    route.request().resourceType() === 'document'
      ? route.continue()
      : route.fulfill({ status: 503, contentType: 'application/json', body }),
  );
  const EMPTY = /^(?!Loading)/;
  for (const view of ['orders', 'menu', 'offers', 'sales', 'statements', 'store']) {
    await page.goto(`${url}/console#${view}`);
    await page.reload();
    await page.getByRole('alert').filter({ hasText: /\S/ }).first().waitFor();
    await until('nothing is read any more', async () => (await page.locator('[aria-busy=true]').count()) === 0);
    assert.deepEqual(await page.locator('main .empty', { hasText: EMPTY }).allInnerTexts(), [], view);
  }
  await page.goto(`${url}/console#menu`);
  await press(page, 'History');
  await page.getByRole('dialog').getByRole('alert').filter({ hasText: /\S/ }).waitFor();
  assert.equal(await page.getByText('No changes yet').count(), 0);
  await close();
});

test('a tap on an item’s name opens it, and “until tomorrow” stands beside “sold out”', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { store, code } = await givenBareStore();
  const { category } = (await store.post('/store/menu/categories', { name: 'Noodles' })).body;
  const item = { name: 'Singapore mei fun with shrimp', price: 1690 };
  const added = await store.post('/store/menu/items', { category_id: category.category_id, item });
  const { item_id: itemId } = added.body.item;
  const { page, faults, close } = await openConsole(browser, url, code, { viewport: PHONE, hasTouch: true });
  await open(page, 'Menu');
  await page.getByText(item.name, { exact: true }).tap();
  await page.getByRole('heading', { name: `Edit ${item.name}` }).waitFor();
  await press(page, 'Back');
  await page.getByRole('switch', { name: `${item.name} available` }).click();
  const tomorrow = page.getByRole('button', { name: `${item.name} sold out until tomorrow` });
  await tomorrow.click();
  await page.getByText(/· back .*11:00 AM/).waitFor();
  assert.equal(await tomorrow.getAttribute('aria-pressed'), 'true');
  await assertAccessible(page, 'sold out');
  for (const viewport of LOOKS) {
    await page.setViewportSize(viewport);
    await assertFits(page, `sold out at ${viewport.width}`);
  }
  const product = async () => (await store.get('/store/products', { query: 'mei' })).body.products[0];
  assert.notEqual((await product()).available_at, null);
  await press(page, 'History');
  await page.getByText(/Back on sale – → .*11:00 AM/).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
  await tomorrow.click();
  await page.getByText(/· back /).waitFor({ state: 'detached' });
  const { available, available_at: at } = await product();
  assert.deepEqual([available, at], [false, null]);
  await tomorrow.click();
  await page.getByText(/· back /).waitFor();
  await app.advance({ hours: 48 });
  assert.deepEqual(
    (({ external_id: id, available: isOn }) => [id, isOn])(await product()),
    [itemId, true],
    'it comes back by itself',
  );
  assert.deepEqual(faults, []);
  await close();
});
