import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import type { BrowserContextOptions, Locator } from 'playwright-core';
import { type ShopChanges, setShop } from '../../src/access/accounts/set-shop.flow.ts';
import { phoneOnOneLine } from '../../src/platform/lib/phone.ts';
import { type FeedLine, pizzeria } from '../feed-lines.ts';
import { freePort } from '../given/command.ts';
import { givenConsole, givenStoreKey } from '../given/merchant.ts';
import { givenStores } from '../given/stores.ts';
import { givenTiles } from '../given/tiles.ts';
import { type App, givenApp } from '../harness.ts';
import { assertAccessible, assertFits } from './accessible.ts';
import { givenBrowser, openPage } from './browser.ts';

/* The shop of a chain with branches in two cities, before and after a visitor gives an address. */

const HERE = { latitude: 41.8827, longitude: -87.6493 };

const branch = (id: string, street: string, city: string, more: FeedLine = {}): FeedLine => ({
  ...pizzeria(),
  external_id: id,
  name: `Stone & Basil ${id}`,
  address: { street_addr: street, city, state: 'IL', zipcode: city === 'Chicago' ? '60607' : '60201', country: 'US' },
  ...HERE,
  time_zone: 'America/Chicago',
  ...more,
});

let app: App;
let folder: string;
let url: string;
let ids: readonly string[];
before(async () => {
  const port = await freePort();
  folder = mkdtempSync(join(tmpdir(), 'doorstep-branches-'));
  const baseUrl = `http://127.0.0.1:${port}`;
  const area = [-87.8, 41.8, -87.5, 42.1] as const;
  const tiles = await givenTiles(join(folder, 'chicago.pmtiles'), { area, zooms: [8, 9, 10, 11] });
  app = await givenApp({ env: { DATA_DIR: folder, PORT: port, BASE_URL: baseUrl, MAP_TILES: tiles } });
  // Any picture that the service has.
  const picture = `${baseUrl}/shop/s/${'0'.repeat(24)}/code.svg`;
  const holiday = app
    .now()
    .add({ hours: 5 * 24 })
    .toString()
    .slice(0, 10);
  ids = await givenStores(app, [
    branch('East', '56 Elm St', 'Chicago', { hours: { operational: 'Mo-Su off' }, longitude: -87.62 }),
    branch('West', '12 Test St', 'Chicago'),
    branch('North', '34 Oak Ave', 'Evanston', { latitude: 42.0451, longitude: -87.6877 }),
    branch('Bare', '78 Ash St', 'Chicago', { categories: [] }),
    branch('Grand', '90 Fir St', 'Chicago', {
      longitude: -87.68,
      photos: { store: [picture], logo: [picture] },
      hours_exceptions: [{ from: holiday, to: holiday, hours: 'off' }],
    }),
  ]);
  const owner = await givenConsole(app, ids.at(-1) ?? null);
  const offer = { kind: 'percent', percent: 20, code: 'TWENTY', listed: true };
  assert.equal((await owner.post('/store/promotions', offer)).status, 200);
  await app.advance({ seconds: 2 });
  await set({ mode: 'sandbox', storeIds: ids, isDefault: true });
  url = `${await app.service.listen()}/shop`;
});
after(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const set = (changes: ShopChanges) =>
  app.service.deps.db.transaction().execute((tx) => setShop(tx, app.accountId, changes, app.now()));

async function open(t: TestContext, path = '', options: BrowserContextOptions = {}) {
  const browser = await givenBrowser(t);
  if (!browser) return undefined;
  const opened = await openPage(browser, url + path, { reducedMotion: 'reduce', ...options });
  return opened;
}

const AT_HOME: BrowserContextOptions = { geolocation: HERE, permissions: ['geolocation'] };

test("the device's position fills the address: a whole one at the cart is corrected, and the order keeps it", async (t) => {
  const opened = await open(t, '', AT_HOME);
  if (!opened) return;
  const { page, faults, close } = opened;
  const match = {
    ...HERE,
    latitude: HERE.latitude + 0.0001,
    address: '930 W Randolph St, Chicago, IL 60607, USA',
    components: {
      ...{ street_num: '930', street_name: 'W Randolph St', apt_num: '' },
      ...{ city: 'Chicago', state: 'IL', zipcode: '60607' },
    },
    precision: 'rooftop',
  };
  await page.route('**/utils/geocode?*', (route) => route.fulfill({ json: { results: [match] } }));
  await page.getByRole('button', { name: 'Use my location' }).click();
  await page.getByText('Deliver to 930 W Randolph St, Chicago, IL 60607').waitFor();
  await page.getByRole('button', { name: 'Change' }).click();
  assert.equal(await page.getByLabel('Your address').inputValue(), match.address);
  await page.reload();
  await page.getByRole('link', { name: 'Stone & Basil West' }).click();
  await page.getByRole('button', { name: 'Add Soda' }).click();
  await page.getByRole('button', { name: /^View cart/ }).click();
  const street = page.getByLabel('Street and number');
  assert.equal(await street.inputValue(), '930 W Randolph St');
  assert.equal(await page.getByLabel('ZIP or postal code').inputValue(), '60607');
  await assertAccessible(page, 'a cart with an address that was found');
  await assertFits(page, 'a cart with an address that was found');
  await street.fill('932 W Randolph St');
  const more = page.getByRole('dialog').getByRole('button', { name: 'One more Soda' });
  await more.click();
  await more.click();
  await page.getByRole('button', { name: /^Go to checkout/ }).click();
  await page.waitForURL(/\/checkout\//);
  const order_id = String(await page.evaluate("JSON.parse(localStorage.getItem('doorstep.shop.orders'))[0].orderId"));
  const [order] = (await app.get('/account/orders', { order_id })).body.orders;
  const { user_street_num: number, user_zipcode: zip, user_latitude: latitude } = order;
  assert.deepEqual([number, zip, latitude], ['932', '60607', HERE.latitude]);
  // The browser itself reports the refusal of a cart below the order minimum.
  assert.deepEqual(
    faults.filter((fault) => !fault.includes('422')),
    [],
  );
  await close();
});

test('before an address: delivery or pickup, where, and branches by city; then open branches with distances', async (t) => {
  const opened = await open(t, '', AT_HOME);
  if (!opened) return;
  const { page, faults, close } = opened;
  const titles = () => page.locator('h2.found').allInnerTexts();
  const cards = () => page.locator('.store-card h3').allInnerTexts();
  const top = (of: Locator) => of.evaluate((one) => one.getBoundingClientRect().top);
  const [mode, where] = [page.getByRole('group', { name: 'Delivery or pickup' }), page.getByLabel('Your address')];
  assert.ok((await top(mode)) < (await top(where)));
  assert.deepEqual(await titles(), ['4 places', 'Chicago', 'Evanston']);
  assert.deepEqual(
    await cards(),
    ['West', 'Grand', 'East', 'North'].map((name) => `Stone & Basil ${name}`),
  );
  assert.match(await page.locator('.store-card').first().innerText(), /12 Test St/);
  await page.getByLabel('Pickup').check();
  await page.getByRole('button', { name: 'Use my location' }).click();
  await page.getByText('Pick up near Chicago, IL 60607').waitFor();
  await page.locator('.store-card .about b').first().waitFor();
  assert.deepEqual(await titles(), ['4 places', 'Closed now']);
  assert.match(await page.locator('.store-card', { hasText: 'North' }).innerText(), /11.4 mi.*34 Oak Ave/s);
  assert.match((await cards()).at(-1) ?? '', /East$/);
  await page.getByLabel('Delivery').check();
  await page.getByText('Deliver to').waitFor();
  await page.locator('.store-card', { hasText: 'North' }).waitFor({ state: 'detached' });
  await assertAccessible(page, 'branches near an address');
  await assertFits(page, 'branches near an address');
  assert.equal(await page.locator('.store-card', { hasText: 'West' }).locator('.picture').innerText(), 'S');
  await page.locator('.store-card', { hasText: 'West' }).locator('.about').click({ force: true });
  await page.getByRole('heading', { level: 1, name: 'West' }).waitFor();
  assert.deepEqual(faults, []);
  await close();
});

test('branches are shown on a map loaded once it is opened; each pin leads to its store', async (t) => {
  const opened = await open(t);
  if (!opened) return;
  const { page, faults, requests, close } = opened;
  const isOfMap = (request: string) => /pmtiles|\/map-|maplibre/.test(request);
  assert.deepEqual(requests.filter(isOfMap), []);
  await page.getByText('Map', { exact: true }).click();
  await page.locator('.branches .maplibregl-canvas').waitFor();
  await page.locator('.branches a.pin').nth(3).waitFor();
  assert.equal(await page.locator('.branches a.pin').count(), 4);
  await assertAccessible(page, 'the map of branches');
  await page.getByRole('link', { name: 'Stone & Basil North' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'North' }).waitFor();
  assert.ok(requests.some(isOfMap));
  assert.deepEqual([faults, requests.filter((request) => !request.startsWith(new URL(url).origin))], [[], []]);
  await close();
});

test('a map that cannot be loaded says so, and the list stays', async (t) => {
  const opened = await open(t);
  if (!opened) return;
  const { page, close } = opened;
  await page.route(/pmtiles/, (route) => route.abort());
  await page.getByText('Map', { exact: true }).click();
  await page.getByRole('alert').getByText('The map couldn’t be loaded.').waitFor();
  assert.equal(await page.locator('.store-card').count(), 4);
  await assertAccessible(page, 'the list without its map');
  await close();
});

/** The first dish's top edge is no more than here, by the size of the window. */
const FIRST_DISH = [
  { width: 390, height: 844, maxTop: 560 },
  { width: 1280, height: 800, maxTop: 640 },
] as const;

for (const { maxTop, ...viewport } of FIRST_DISH) {
  test(`hours, phone and directions are one tap away, and the first dish is in sight: ${viewport.width}`, async (t) => {
    const opened = await open(t, '', { ...AT_HOME, viewport });
    if (!opened) return;
    const { page, close } = opened;
    await page.getByRole('button', { name: 'Use my location' }).click();
    await page.getByText('Deliver to').waitFor();
    for (const name of ['West', 'Grand', 'East']) {
      await page.goto(`${url}/s/any-${ids[['East', 'West', 'North', 'Bare', 'Grand'].indexOf(name)]}`);
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.locator(name === 'East' ? '.notice' : '.terms').waitFor();
      const { top } = await page
        .locator('.product')
        .first()
        .evaluate((one) => one.getBoundingClientRect());
      t.diagnostic(`${name}: ${top} px`);
      assert.ok(top <= maxTop, `${name}: ${top} px`);
      const call = page.getByRole('link', { name: phoneOnOneLine('12125550123') });
      assert.equal(await call.getAttribute('href'), 'tel:+12125550123');
      assert.match(
        (await page.getByRole('link', { name: 'Directions' }).getAttribute('href')) ?? '',
        /41\.8827,-87\.6/,
      );
      await assertAccessible(page, `the head of ${name}`);
      await assertFits(page, `the head of ${name}`);
    }
    await page.goto(`${url}/s/any-${ids.at(-1)}`);
    await page.getByText(/^Closed \w+, \w+ \d+$/).waitFor();
    await page.locator('.offer', { hasText: 'TWENTY' }).waitFor();
    await page.getByRole('button', { name: 'Hours', exact: true }).click();
    await page.getByRole('dialog').getByText('90 Fir St').waitFor();
    assert.equal(await page.getByRole('dialog').locator('dt').count(), 7);
    await close();
  });
}

test('a time that is chosen before the menu is the cart’s, and the checkout’s', async (t) => {
  const opened = await open(t, '', AT_HOME);
  if (!opened) return;
  const { page, close } = opened;
  await page.getByLabel('Pickup').check();
  await page.goto(`${url}/s/any-${ids[1]}`);
  await page.getByRole('button', { name: /^When:/ }).click();
  const sheet = page.getByRole('dialog', { name: 'When' });
  await sheet.getByLabel('When').selectOption({ index: 1 });
  const time = await sheet.getByLabel('Time').locator('option:checked').innerText();
  await page.getByRole('button', { name: 'Use this time' }).click();
  await page.getByRole('button', { name: 'Add Last Slice' }).click();
  await page.getByRole('button', { name: /^View cart/ }).click();
  assert.equal(await page.getByRole('dialog').getByLabel('Time').locator('option:checked').innerText(), time);
  await page.getByRole('button', { name: /^Go to checkout/ }).click();
  await page.waitForURL(/\/checkout\//);
  await page
    .getByText(time.split(' ')[0] ?? '')
    .first()
    .waitFor();
  await close();
});

test('a dish off sale or sold out at the store looks the same as one marked by its feed', async (t) => {
  const categories = [
    {
      id: 'all',
      name: 'All',
      products: ['fed', 'set'].flatMap((by) => [
        { id: `${by}-on`, name: `On sale ${by}`, price: 500 },
        { id: `${by}-out`, name: `Sold out ${by}`, price: 500, qty_available: by === 'fed' ? 0 : 5 },
        { id: `${by}-off`, name: `Off sale ${by}`, price: 500, available: by !== 'fed' },
      ]),
    },
  ];
  const [dishesId = ''] = await givenStores(app, [branch('Dishes', '5 Yew St', 'Chicago', { categories })]);
  const key = await givenStoreKey(app, dishesId);
  assert.equal((await key.patch('/store/products/set-out', { qty_available: 0 })).status, 200);
  assert.equal((await key.patch('/store/products/set-off', { available: false })).status, 200);
  await app.catchUp();
  await set({ storeIds: [...ids, dishesId] });
  t.after(() => set({ storeIds: ids }));
  const opened = await open(t, `/s/any-${dishesId}`);
  if (!opened) return;
  const { page, close } = opened;
  const shownOf = async (by: string) => {
    const texts = await page.locator('.product', { hasText: ` ${by}` }).allInnerTexts();
    return texts.map((text) => text.replace(` ${by}`, ''));
  };
  assert.deepEqual(await shownOf('set'), await shownOf('fed'));
  assert.deepEqual(await page.locator('.product.off').count(), 2);
  await page.getByText('Sold out', { exact: true }).first().waitFor();
  await close();
});

test('a position with only a postal code leaves the street to type; one without an address works', async (t) => {
  const opened = await open(t, '', AT_HOME);
  if (!opened) return;
  const { page, close } = opened;
  await page.getByRole('button', { name: 'Use my location' }).click();
  await page.getByText('Deliver to Chicago, IL 60607').waitFor();
  await page.route('**/utils/geocode?*', (route) => route.abort());
  await page.getByRole('button', { name: 'Change' }).click();
  await page.getByRole('button', { name: 'Use my location' }).click();
  await page.getByText(/Deliver to your location/).waitFor();
  await page.locator('.store-card').first().waitFor();
  await close();
});
