import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { findAnyOrder } from '../../src/ordering/order/orders.db.ts';
import { parseLanguage } from '../../src/platform/languages/language.ts';
import { localeOf } from '../../src/texts/catalogs.ts';
import { ANA, type Assigned, BETWEEN, DOOR, givenAssigned, givenBar, STORE } from '../given/driver.ts';
import { inCash, productTokens } from '../given/orders.ts';
import { givenTrackedStore } from '../given/tracked.ts';
import { type App, givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { assertAccessible, assertWholeTexts } from './accessible.ts';
import { givenBrowser, openPage, PHONE } from './browser.ts';
import { movePhone } from './move-phone.ts';

/* What only a browser shows of the driver's page. Its states and steps: test/pages/driver.slow.test.ts. */

let app: App;
let storeId: string;
let barId: string;
let url: string;
before(async () => {
  app = await givenApp();
  [storeId, barId] = [await givenTrackedStore(app), await givenBar(app)];
  url = await app.service.listen();
});
after(() => app.close());

const LOCATED = { permissions: ['geolocation'], geolocation: { ...STORE, accuracy: 8 } };

const shows = (page: Page, words: string) => page.locator('h1', { hasText: words }).waitFor();
const press = (page: Page) => page.locator('#step:enabled').click();
const sharingIs = (page: Page, state: string) => page.locator(`#sharing[data-state="${state}"]`).waitFor();
const driverIn = async ({ orderId }: Assigned) => (await findAnyOrder(app.service.deps.db, orderId))?.driver;

async function openDriver(browser: Browser, delivery: Assigned, options: object = LOCATED) {
  const opened = await openPage(browser, url + delivery.path, options);
  return { ...opened, context: opened.page.context() };
}

async function photoOf(page: Page): Promise<Buffer> {
  const url = await page.evaluate(`(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [4000, 3000];
    const pen = canvas.getContext('2d');
    for (let n = 0; n < 4000; n += 1) {
      pen.fillStyle = 'hsl(' + n % 360 + ' 80% 50%)';
      pen.fillRect((n * 733) % 4000, (n * 397) % 3000, 90, 90);
    }
    return canvas.toDataURL('image/jpeg', 1);
  })()`);
  return Buffer.from(String(url).split(',')[1] ?? '', 'base64');
}

test('a delivery in cash, from assigned to delivered: the customer follows the driver, and a photo proves it', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const delivery = await givenAssigned(app, storeId, await inCash(app));
  const customer = await openPage(browser, url + delivery.link);
  const { page, context, faults, requests, close } = await openDriver(browser, delivery);
  await shows(page, 'You’ve got a delivery');
  assert.equal(await page.locator('#sharing').textContent(), '');
  await press(page);
  await shows(page, 'Pick up at Test Pizzeria');
  await sharingIs(page, 'on');
  await until('the store is told', async () => (await driverIn(delivery))?.acceptedEpochS !== undefined);
  await page.getByLabel('2 × Margherita').check();
  await delivery.advance('ready');
  await page.locator('.detail', { hasText: 'The order is ready.' }).waitFor();
  assert.equal(await page.getByLabel('2 × Margherita').isChecked(), true, 'a tick outlives news of the order');
  await press(page);
  await shows(page, 'Deliver to Test');
  await shows(customer.page, 'Ana is on the way');
  await movePhone(app, context, delivery.orderId, BETWEEN);
  await customer.page.locator('.where-words', { hasText: 'miles away' }).waitFor();
  await customer.page.locator('#where .spot-driver').waitFor();
  await page.reload();
  await assertTabStops(page);
  await page.locator('#collected').fill('70,5');
  const photo = { name: 'door.jpg', mimeType: 'image/jpeg', buffer: await photoOf(page) };
  await page.locator('#photo').setInputFiles(photo);
  await page.locator('.kept', { hasText: 'Photo saved.' }).waitFor();
  await movePhone(app, context, delivery.orderId, DOOR);
  await shows(customer.page, 'Ana is almost there');
  await press(page);
  await shows(page, 'Delivered');
  await shows(customer.page, 'Delivered');
  const order = await findAnyOrder(app.service.deps.db, delivery.orderId);
  assert.deepEqual([order?.collectedCents, order?.collectedBy], [7050, 'driver'], 'an entry outlives a photo');
  assert.equal(await page.locator('#announcement').textContent(), 'Delivered. Thanks! You can close this page.');
  const { body: proof } = await app.get(`/account/orders/${delivery.orderId}/proof`);
  assert.ok(proof.photo_url);
  const { rawPayload } = await app.service.http.inject({
    url: `/account/orders/${delivery.orderId}/proof/photo`,
    headers: { 'id-token': app.key },
  });
  assert.ok(rawPayload.length <= 500_000 && photo.buffer.length > 500_000, `${rawPayload.length} bytes`);
  assert.deepEqual([faults, requests.filter((request) => !request.startsWith(url))], [[], []]);
  await close();
  await customer.close();
});

/** Asserts that the keyboard reaches links, fields and the step in the order in which they are read. */
async function assertTabStops(page: Page): Promise<void> {
  const stops: string[] = [];
  for (let n = 0; n < 11; n += 1) {
    await page.keyboard.press('Tab');
    stops.push(String(await page.evaluate('document.activeElement.id || document.activeElement.className')));
  }
  const read = ['skip', 'lang-fr', 'lang-es', 'map-door', 'call-door', 'collected', 'photo', 'map-store', 'call-store'];
  assert.deepEqual(stops, [...read, 'other-apps', 'step']);
}

async function assertFit(page: Page, what: string): Promise<void> {
  await assertAccessible(page, what);
  const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
  assert.ok(width <= PHONE.width, `${what}: ${width} px wide`);
  await assertWholeTexts(page, what);
  if ((await page.locator('#step').count()) === 0) return;
  const button = await page.locator('#step').boundingBox();
  assert.ok(button);
  assert.ok(button.height >= 60 && button.y + button.height <= PHONE.height, `${what}: the step is in reach`);
}

for (const [locale, colorScheme] of [
  ['en-US', 'light'],
  ['fr-CA', 'dark'],
] as const) {
  test(`every state is in the phone's language, accessible, fits 360 pixels, and has its step in reach: ${locale}, ${colorScheme}`, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    const language = parseLanguage(locale) ?? 'en';
    const { driver } = localeOf(language, 'US').words;
    const tokens = await productTokens(app, barId);
    const drop_off = { where: 'hand_to_me', utensils: false, code: true };
    const body = { items: [{ product_id: tokens.Wine }], drop_off, ...(await inCash(app)) };
    const delivery = await givenAssigned(app, barId, body);
    const options = { ...LOCATED, locale, colorScheme, reducedMotion: 'reduce' as const };
    const { page, close } = await openDriver(browser, delivery, options);
    assert.equal(await page.evaluate('document.documentElement.lang'), language);
    await shows(page, driver.headline.assigned);
    await assertFit(page, 'assigned');
    for (const [headline, what] of [
      [driver.headline.accepted({ store: 'Bar' }), 'accepted'],
      [driver.headline.pickedUp({ customer: 'Test' }), 'picked up'],
    ] as const) {
      await press(page);
      await shows(page, headline);
      await sharingIs(page, 'on');
      await assertFit(page, what);
    }
    const order = await findAnyOrder(app.service.deps.db, delivery.orderId);
    await page.locator('#handover-code').fill(order?.handoverCode ?? '');
    await page.locator('#id-checked').check();
    await press(page);
    await page.locator('#far').waitFor();
    await assertFit(page, 'far');
    await page.locator('#far-yes').click();
    await shows(page, driver.headline.delivered);
    await assertFit(page, 'delivered');
    await page.reload();
    await shows(page, driver.ended.title);
    await assertFit(page, 'ended');
    await close();
    assert.equal((await driverIn(delivery))?.name, ANA.name);
  });
}
