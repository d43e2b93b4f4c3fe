import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { findAnyOrder } from '../../src/ordering/order/orders.db.ts';
import { parseLanguage } from '../../src/platform/languages/language.ts';
import { localeOf } from '../../src/texts/catalogs.ts';
import { NEAR_DOOR } from '../feed-lines.ts';
import { ANA, type Assigned, BEN, driverOf, givenAssigned } from '../given/driver.ts';
import { inCash, productTokens } from '../given/orders.ts';
import { givenTrackedStore } from '../given/tracked.ts';
import { type App, givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { assertAccessible, assertWholeTexts } from './accessible.ts';
import { givenBrowser, openPage, PHONE } from './browser.ts';
import { movePhone } from './move-phone.ts';

let app: App;
let storeId: string;
let barId: string;
let url: string;
before(async () => {
  app = await givenApp();
  storeId = await givenTrackedStore(app);
  const wine = { id: 'wine', name: 'Wine', price: 1500, is_alcoholic: true };
  const categories = [{ id: 'drinks', name: 'Drinks', products: [wine] }];
  barId = await givenTrackedStore(app, { external_id: 'bar', name: 'Bar', categories });
  url = await app.service.listen();
});
after(() => app.close());

const STORE = { latitude: 40.7383, longitude: -73.9927 };
const DOOR = { latitude: NEAR_DOOR.user_latitude, longitude: NEAR_DOOR.user_longitude };
const BETWEEN = { latitude: 40.7393, longitude: -73.9919 };
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

test('from assigned to delivered: the position is followed on the tracking page, and a photo proves the delivery', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const delivery = await givenAssigned(app, storeId);
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
  const photo = { name: 'door.jpg', mimeType: 'image/jpeg', buffer: await photoOf(page) };
  await page.locator('#photo').setInputFiles(photo);
  await page.locator('.kept', { hasText: 'Photo saved.' }).waitFor();
  await movePhone(app, context, delivery.orderId, DOOR);
  await shows(customer.page, 'Ana is almost there');
  await press(page);
  await shows(page, 'Delivered');
  await shows(customer.page, 'Delivered');
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

test('over a dead spot the page keeps steps and the last position, says so, and sends both once it is back', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const delivery = await givenAssigned(app, storeId);
  await delivery.call('accept');
  const { page, context, close } = await openDriver(browser, delivery);
  await sharingIs(page, 'on');
  await context.setOffline(true);
  await context.setGeolocation({ ...BETWEEN, accuracy: 8 });
  await sharingIs(page, 'lost');
  await press(page);
  await page.locator('#sending', { hasText: 'We’ll mark it picked up once you’re back online' }).waitFor();
  await context.setGeolocation({ ...DOOR, accuracy: 8 });
  assert.equal((await delivery.state()).body.stage, 'accepted');
  // As the service's clock stands still, it would take the last position for older than the first.
  await app.advance({ minutes: 1 });
  await context.setOffline(false);
  // Steps and positions are sent independently; a position at the door that arrives second is still near the door.
  await page.locator('h1', { hasText: /Deliver to Test|You’re almost there/ }).waitFor();
  await sharingIs(page, 'on');
  await until('the last position is sent', async () => (await driverIn(delivery))?.latitude === DOOR.latitude);
  assert.equal(await page.locator('#sending').textContent(), '');
  await close();
});

test('a position measured while the one before is on its way slowly is sent after it, and taken', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const delivery = await givenAssigned(app, storeId);
  await delivery.call('pick_up');
  const { page, context, close } = await openDriver(browser, delivery);
  await sharingIs(page, 'on');
  const slow = Promise.withResolvers<void>();
  let sent = 0;
  await page.route('**/position*', async (route) => {
    sent += 1;
    await slow.promise;
    await route.continue();
  });
  await app.advance({ minutes: 1 });
  await context.setGeolocation({ ...BETWEEN, accuracy: 8 });
  await until('the first is on its way', () => sent === 1);
  await context.setGeolocation({ ...DOOR, accuracy: 8 });
  await page.clock.install();
  await page.clock.fastForward(5000);
  await app.advance({ seconds: 5 });
  slow.resolve();
  await until('the second is taken', async () => (await driverIn(delivery))?.latitude === DOOR.latitude);
  await close();
});

test('without permission for the position the page says what to do, and every step works', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const delivery = await givenAssigned(app, storeId);
  const { page, faults, close } = await openDriver(browser, delivery, { permissions: [] });
  await page.evaluate(`{
    const sharing = document.getElementById('sharing');
    window.shown = [];
    new MutationObserver(() => shown.push(sharing.dataset.state)).observe(sharing, { attributes: true });
  }`);
  await press(page);
  await sharingIs(page, 'denied');
  assert.match(String(await page.locator('#sharing').textContent()), /Allow it for this page/);
  await shows(page, 'Pick up at Test Pizzeria');
  await press(page);
  await shows(page, 'Deliver to Test');
  await press(page);
  await shows(page, 'Delivered');
  assert.deepEqual(await page.evaluate('shown'), ['asking', 'denied', 'off'], 'what to do stays to be read');
  assert.deepEqual(faults, []);
  await close();
});

test('a driver far from the door is asked once more, and decides', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const delivery = await givenAssigned(app, storeId);
  await delivery.call('pick_up');
  const { page, close } = await openDriver(browser, delivery);
  await sharingIs(page, 'on');
  await press(page);
  await page.locator('#far-words', { hasText: 'you’re 0.5 miles from the door' }).waitFor();
  await page.locator('#far-no').click();
  await shows(page, 'Deliver to Test');
  await press(page);
  await page.locator('#far-yes').click();
  await shows(page, 'Delivered');
  await close();
});

test('an order with alcohol is delivered after the box for the ID is ticked; a tick outlives news of the order', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const tokens = await productTokens(app, barId);
  const delivery = await givenAssigned(app, barId, { items: [{ product_id: tokens.Wine }] });
  await delivery.call('pick_up');
  const { page, context, close } = await openDriver(browser, delivery);
  await shows(page, 'Deliver to Test');
  await press(page);
  await page.locator('#sending', { hasText: 'See an ID first' }).waitFor();
  assert.equal(await page.evaluate('document.activeElement.id'), 'id-checked');
  await page.keyboard.press('Space');
  await movePhone(app, context, delivery.orderId, DOOR);
  await shows(page, 'You’re almost there');
  assert.equal(await page.locator('#id-checked').isChecked(), true);
  await press(page);
  await shows(page, 'Delivered');
  await close();
});

test('the driver of an order in cash sees what to collect, and enters what was collected, which outlives a photo', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const delivery = await givenAssigned(app, storeId, await inCash(app));
  await delivery.call('pick_up');
  const { page, faults, close } = await openDriver(browser, delivery, { ...LOCATED, geolocation: DOOR });
  await page.locator('.facts .warn', { hasText: /Collect \$\d+\.\d\d in cash/ }).waitFor();
  const field = page.locator('#collected');
  assert.match(await field.inputValue(), /^\d+\.\d\d$/);
  await field.fill('much');
  await press(page);
  await page.locator('#sending', { hasText: 'Enter the amount you collected' }).waitFor();
  await field.fill('70,5');
  await page.locator('#photo').setInputFiles({ name: 'door.jpg', mimeType: 'image/jpeg', buffer: await photoOf(page) });
  await page.locator('.kept', { hasText: 'Photo saved.' }).waitFor();
  await press(page);
  await shows(page, 'Delivered');
  const order = await findAnyOrder(app.service.deps.db, delivery.orderId);
  assert.deepEqual([order?.collectedCents, order?.collectedBy], [7050, 'driver']);
  assert.deepEqual(faults, []);
  await close();
});

test('a driver who was replaced, or whose order was canceled, sees so on the open page', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const [replaced, canceled] = [await givenAssigned(app, storeId), await givenAssigned(app, storeId)];
  const pages = [await openDriver(browser, replaced), await openDriver(browser, canceled)];
  for (const { page } of pages) {
    await page.clock.install();
    await page.reload();
    await shows(page, 'You’ve got a delivery');
  }
  await driverOf(app, replaced.orderId, BEN);
  await canceled.advance('cancel');
  for (const { page, close } of pages) {
    await page.clock.fastForward(30_000);
    await shows(page, 'This link no longer works');
    await close();
  }
});

test('the keyboard reaches links and the step in the order in which they are read', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const delivery = await givenAssigned(app, storeId);
  await delivery.call('pick_up');
  const { page, close } = await openDriver(browser, delivery);
  const stops: string[] = [];
  for (let n = 0; n < 10; n += 1) {
    await page.keyboard.press('Tab');
    stops.push(String(await page.evaluate('document.activeElement.id || document.activeElement.className')));
  }
  assert.deepEqual(stops, [
    'skip',
    'lang-fr',
    'lang-es',
    'map-door',
    'call-door',
    'photo',
    'map-store',
    'call-store',
    'other-apps',
    'step',
  ]);
  await close();
});

test('without scripts the page tells the whole delivery', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, close } = await openDriver(browser, await givenAssigned(app, storeId), { javaScriptEnabled: false });
  for (const words of ['Test Pizzeria', 'Apt', 'Drop-off']) {
    assert.ok(await page.getByText(words).first().isVisible(), words);
  }
  assert.match(String(await page.locator('noscript').last().textContent()), /Without it, call the store/);
  assert.equal(await page.locator('meta[http-equiv="refresh"]').getAttribute('content'), '30');
  await close();
});

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
  test(`on a phone in ${locale} and the ${colorScheme} every state is in its language, accessible by axe's rules, fits 360 pixels, and its step is in the thumb's reach`, async (t) => {
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

test('the page follows the phone, and a link on it switches the language for its steps too', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const delivery = await givenAssigned(app, storeId);
  const { page, faults, close } = await openDriver(browser, delivery, { ...LOCATED, locale: 'es-US' });
  const [spanish, french] = [localeOf('es', 'US').words.driver, localeOf('fr', 'US').words.driver];
  await shows(page, spanish.headline.assigned);
  await page.getByRole('link', { name: 'Français' }).click();
  await shows(page, french.headline.assigned);
  assert.equal(await page.evaluate('document.documentElement.lang'), 'fr');
  await press(page);
  await shows(page, french.headline.accepted({ store: 'Test Pizzeria' }));
  await page.locator('#sharing', { hasText: french.sharing.on }).waitFor();
  await page.reload();
  await shows(page, french.headline.accepted({ store: 'Test Pizzeria' }));
  assert.deepEqual(faults, []);
  await close();
});
