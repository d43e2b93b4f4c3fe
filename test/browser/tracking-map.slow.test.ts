import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { namedFlavor } from '@protomaps/basemaps';
import type { Page } from 'playwright-core';
import { TileType } from 'pmtiles';
import { saveBranding } from '../../src/access/accounts/brandings.db.ts';
import { moveDriver } from '../../src/fulfillment/deliveries/report-position.flow.ts';
import { givenAssigned } from '../given/driver.ts';
import { archiveOf, givenTiles, readArchive } from '../given/tiles.ts';
import { givenTracked, givenTrackedStore, type Tracked } from '../given/tracked.ts';
import { type App, givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { assertAccessible } from './accessible.ts';
import { type Faults, givenBrowser, openPage } from './browser.ts';
import { MAX_SHIFT, measureShifts, shiftsOf } from './layout-shift.ts';

let app: App;
let storeId: string;
let url: string;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doorstep-tiles-'));
  app = await givenApp({ env: { MAP_TILES: await givenTiles(join(folder, 'town.pmtiles')) } });
  storeId = await givenTrackedStore(app);
  url = await app.service.listen();
});
after(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

for (const [language, width, height] of [
  ['en', 390, 664],
  ['fr', 360, 640],
  ['es', 320, 568],
] as const) {
  test(`at ${width} x ${height} the map takes half of the screen while the driver comes, and the time is in sight`, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    const { link } = await givenOnTheWay();
    const { page, close } = await openPage(browser, `${url}${link}&lang=${language}`, { viewport: { width, height } });
    const [map, minutes] = [await page.locator('#where').boundingBox(), await page.locator('#minutes').boundingBox()];
    const words = await page.locator('.where-words').boundingBox();
    assert.ok(map && minutes && words);
    assert.ok(words.y - map.y >= height / 2 && words.y <= height);
    assert.ok(minutes.y + minutes.height <= height, `the time ends at ${minutes.y + minutes.height}`);
    await close();
  });
}

test("the driver's page shows the way to the next stop, so no other app has to cover it", async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const delivery = await givenAssigned(app, storeId);
  await delivery.call('accept');
  const geolocation = { latitude: 40.7383, longitude: -73.9927, accuracy: 8 };
  const located = { permissions: ['geolocation'], geolocation };
  const { page, faults, requests, close } = await openPage(browser, url + delivery.path, located);
  await page.locator('#driver-map .maplibregl-canvas').waitFor();
  await page.locator('.pin').nth(2).waitFor();
  assert.equal(await page.locator('.pin').count(), 3);
  await page.getByText('Using another app to navigate?').click();
  assert.equal(await page.locator('.apps code').textContent(), app.config.baseUrl + delivery.path);
  await assertAccessible(page, 'the driver’s page');
  assert.deepEqual([faults, requests.filter((request) => !request.startsWith(url))], [[], []]);
  // The link ends with the delivery, and the browser logs each call that returns 404 from then on.
  await delivery.call('pick_up');
  await delivery.call('complete');
  await page.locator('h1', { hasText: /Delivered|no longer works/ }).waitFor();
  await page.locator('#driver-map').waitFor({ state: 'hidden' });
  await close();
});

const drawn = (page: Page) => page.locator('.has-map #map').waitFor();
const placeOf = (page: Page) => page.locator('.pin-driver').getAttribute('style');

async function givenOnTheWay(client: App = app, store: string = storeId): Promise<Tracked> {
  const order = await givenTracked(client, store);
  for (const step of ['confirm', 'assign_driver', 'pick_up']) await order.advance(step);
  return order;
}

/** Colors of avenue names; in dark mode they are lighter than the style's default. */
const NAMES = { light: namedFlavor('light').roads_label_major, dark: '#b8b8b8' } as const;

/** Runs in the browser: counts a picture's pixels of each color. */
const COUNT_DOTS = `async (data, colors) => {
  const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))]));
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  context.drawImage(bitmap, 0, 0);
  const dots = new Uint32Array(context.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer);
  const counts = new Map();
  for (const dot of dots) counts.set(dot, (counts.get(dot) ?? 0) + 1);
  // A pixel is 0xAABBGGRR, a color #rrggbb.
  const dotOf = (color) => Number('0xff' + color.slice(5, 7) + color.slice(3, 5) + color.slice(1, 3));
  return colors.map((color) => counts.get(dotOf(color)) ?? 0);
}`;

/** The number of map pixels of each color, such as #ffffff, measured in a screenshot. */
async function pixelsOf(page: Page, ...colors: string[]): Promise<number[]> {
  const picture = await page.locator('#map').screenshot();
  return page.evaluate<number[]>(`(${COUNT_DOTS})("${picture.toString('base64')}", ${JSON.stringify(colors)})`);
}

async function assertDrawn(page: Page, colorScheme: 'light' | 'dark', t: TestContext): Promise<void> {
  await drawn(page);
  const { earth, major } = namedFlavor(colorScheme);
  const label = NAMES[colorScheme];
  let pixels = [0, 0, 0];
  await until('streets and their names are on the screen', async () => {
    pixels = await pixelsOf(page, earth, major, label);
    return pixels.every((count) => count > 20);
  });
  t.diagnostic(`pixels of ground, avenues, names: ${pixels.join(', ')}`);
  const [ground = 0, avenues = 0] = pixels;
  assert.ok(ground > 50_000 && avenues > 2000);
  await assertAccessible(page, colorScheme);
}

test('streets are drawn in the dark, and the page is accessible by axe’s rules', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, close } = await openPage(browser, url + (await givenOnTheWay()).link, { colorScheme: 'dark' });
  await assertDrawn(page, 'dark', t);
  await close();
});

test('streets come only from the service and move nothing; the keyboard reaches the map; it follows the driver until the reader moves it', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const order = await givenOnTheWay();
  const options = { reducedMotion: 'reduce' as const };
  const { page, faults, requests, close } = await openPage(browser, url + order.link, options);
  await measureShifts(page);
  await assertDrawn(page, 'light', t);
  const { sum, of } = await shiftsOf(page);
  assert.ok(sum < MAX_SHIFT, of.join(' | '));
  assert.ok(requests.some((request) => request.endsWith('/tracking/tiles.pmtiles')));
  const attribution = page.locator('.attribution a');
  assert.equal(await attribution.getAttribute('href'), 'https://www.openstreetmap.org/copyright');
  const stops: string[] = [];
  for (let press = 0; press < 6; press += 1) {
    await page.keyboard.press('Tab');
    stops.push(String(await page.evaluate('document.activeElement.ariaLabel || document.activeElement.textContent')));
  }
  assert.deepEqual(stops.slice(0, 5), [
    ...['Skip to main content', 'Map', 'Zoom in', 'Zoom out', '© OpenStreetMap contributors'],
  ]);
  assert.match(stops[5] ?? '', /^Call /);
  const early = await placeOf(page);
  await moveDriver(app.service.deps, order.orderId, { latitude: 40.7396, longitude: -73.9919, course: 90 });
  await until('the pin has moved', async () => (await placeOf(page)) !== early);
  assert.equal(await page.locator('.pin-driver svg').getAttribute('style'), 'transform: rotate(90deg);');
  await moveDriver(app.service.deps, order.orderId, { latitude: 40.7235, longitude: -74.0065 });
  await page.locator('.where-words', { hasText: '1.7 miles' }).waitFor();
  await until('the map has followed', () => isInSight(page));
  await dragMap(page);
  await moveDriver(app.service.deps, order.orderId, { latitude: 40.7635, longitude: -73.975 });
  await page.locator('.where-words', { hasText: '1.5 miles' }).waitFor();
  await until('the pin is out of sight', async () => !(await isInSight(page)));
  assert.deepEqual([faults, requests.filter((request) => !request.startsWith(url))], [[], []]);
  await close();
});

async function isInSight(page: Page): Promise<boolean> {
  const [map, pin] = [await page.locator('#map').boundingBox(), await page.locator('.pin-driver').boundingBox()];
  if (!map || !pin) return false;
  const isWithin = (at: number, from: number, length: number) => at >= from && at <= from + length;
  const [x, y] = [pin.x + pin.width / 2, pin.y + pin.height / 2];
  return isWithin(x, map.x, map.width) && isWithin(y, map.y, map.height);
}

async function dragMap(page: Page): Promise<void> {
  await page.locator('#map').scrollIntoViewIfNeeded();
  const map = await page.locator('#map').boundingBox();
  if (!map) throw new Error('There is no map.');
  const [x, y] = [map.x + map.width / 2, map.y + 20];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 30, y + 40, { steps: 4 });
  await page.mouse.up();
}

/** Replaces the service's archive with other bytes, of which the tiles fail to load while the network is away. */
async function sendInstead(page: Page, archive: Buffer, isAway = () => false): Promise<void> {
  const { tileDataOffset: tilesFrom } = await readArchive(archive).getHeader();
  await page.route(/tiles\.pmtiles/, (route) => {
    const [, first, last] = /(\d+)-(\d+)/.exec(route.request().headers().range ?? '') ?? [];
    if (Number(first) >= tilesFrom && isAway()) return route.abort();
    return route.fulfill({ status: 206, body: archive.subarray(Number(first), Number(last) + 1) });
  });
}

const ELSEWHERE = [2, 48, 3, 49] as const;

for (const [what, prevent] of [
  ['without WebGL', (page: Page) => page.addInitScript('HTMLCanvasElement.prototype.getContext = () => null')],
  ['where the map library does not load', (page: Page) => page.route(/assets\/map-/, (route) => route.abort())],
  ['where the tiles do not load', (page: Page) => page.route(/tiles\.pmtiles/, (route) => route.abort())],
  [
    'where the tiles are of another part of the world',
    (page: Page) => sendInstead(page, archiveOf({ bounds: ELSEWHERE })),
  ],
] as const) {
  test(`${what} the sketch stays, and goes on with the driver`, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    const order = await givenOnTheWay();
    const { page, faults, close } = await openPage(browser, 'about:blank');
    await prevent(page);
    const requested = page.waitForRequest(/assets\/map-|tiles\.pmtiles/);
    await page.goto(url + order.link);
    await requested;
    await page.waitForLoadState('networkidle').catch(() => {});
    await moveDriver(app.service.deps, order.orderId, { latitude: 40.7396, longitude: -73.9919 });
    await page.locator('.where-words', { hasText: 'about 0.4 miles away' }).waitFor();
    assert.equal(await page.locator('.sketch').isVisible(), true);
    assert.equal(await page.locator('#map').isVisible(), false);
    assertNoFaults(faults);
    await close();
  });
}

/** None but loads that were prevented. */
function assertNoFaults(faults: Faults): void {
  const others = faults.filter((fault) => !fault.includes('net::ERR_FAILED'));
  assert.deepEqual(others, []);
}

/** One red pixel. */
const RED = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
);
const SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"/>';

async function assertRed(page: Page, seen: () => string): Promise<void> {
  let red = 0;
  const isRed = async () => {
    [red = 0] = await pixelsOf(page, '#ff0000');
    return red > 50_000;
  };
  await until(() => `red tiles are on the screen: ${red} pixels, ${seen()}`, isRed);
}

test('an archive of pictures is drawn once the network is back, and its attribution is text whatever it holds', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const order = await givenOnTheWay();
  const { page, faults, requests, close } = await openPage(browser, 'about:blank');
  const attribution = 'Town <img src=x onerror=alert(1)><script>alert(2)</script> &lt;b&gt;survey';
  let isAway = true;
  await sendInstead(page, archiveOf({ tileType: TileType.Png, picture: RED, attribution }), () => isAway);
  await page.goto(url + order.link);
  await drawn(page);
  isAway = false;
  await assertRed(page, () => JSON.stringify({ faults, requests }));
  assert.match((await page.locator('.attribution').innerHTML()) ?? '', /^<span>Town .* &lt;b&gt;survey<\/span>$/);
  assertNoFaults(faults);
  await close();
});

test("only the operator's tiles and the brand's logo load from elsewhere", async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const own = await givenApp({ env: { MAP_TILES: 'https://{s}.tiles.example/{z}/{x}/{y}.png' } });
  t.after(() => own.close());
  const logoUrl = 'https://logo.example/logo.svg';
  await saveBranding(own.service.deps.db, own.accountId, { logoUrl, displayName: 'Supper Club' }, own.now());
  const order = await givenOnTheWay(own, await givenTrackedStore(own));
  const address = await own.service.listen();
  const { page, faults, requests, close } = await openPage(browser, 'about:blank');
  await page.route(/logo\.example\//, (route) => route.fulfill({ contentType: 'image/svg+xml', body: SQUARE }));
  const headers = { 'access-control-allow-origin': '*' };
  await page.route(/tiles\.example\//, (route) => route.fulfill({ contentType: 'image/png', body: RED, headers }));
  await page.goto(address + order.link);
  await drawn(page);
  await assertRed(page, () => JSON.stringify({ faults, requests }));
  const logo = page.getByRole('img', { name: 'Supper Club' });
  const { width, height } = (await logo.boundingBox()) ?? assert.fail('no logo');
  assert.deepEqual([width, await page.locator('header').innerText()], [height, ''], 'the logo alone');
  const hosts = requests.map((request) => new URL(request).host.replace(/^[abc]\.tiles/, 'tiles'));
  const elsewhere = new Set(hosts.filter((host) => host !== new URL(address).host && host !== ''));
  assert.deepEqual([[...elsewhere].sort(), faults], [['logo.example', 'tiles.example'], []]);
  await close();
});
