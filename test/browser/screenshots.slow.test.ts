import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Browser } from 'playwright-core';
import { saveBranding } from '../../src/access/accounts/brandings.db.ts';
import { moveDriver } from '../../src/fulfillment/deliveries/report-position.flow.ts';
import { ticketPage } from '../../src/fulfillment/tickets/ticket.page.ts';
import { findAnyOrder } from '../../src/ordering/order/orders.db.ts';
import { type Assigned, givenAssigned } from '../given/driver.ts';
import { givenTracked, givenTrackedStore, type Tracked } from '../given/tracked.ts';
import { type App, givenApp } from '../harness.ts';
import { givenBrowser, openPage } from './browser.ts';
import { keepPicture, skip } from './picture.ts';

const SCALE = 1.5;
const SAMPLE_CUSTOMER = {
  user_name: 'Sample Customer',
  user_street_num: '10',
  user_street_name: 'W 21st St',
  user_apt_num: '4B',
  user_zipcode: '10010',
  user_dropoff_notes: 'Ring twice, please',
};

let app: App;
let storeId: string;
let url: string;
before(async () => {
  if (skip) return;
  app = await givenApp({ start: '2026-06-10T22:18:00Z' });
  storeId = await givenTrackedStore(app, { name: 'Brick Oven' });
  const favicon = null;
  await saveBranding(app.service.deps.db, app.accountId, { displayName: 'Supper Club', favicon }, app.now());
  url = await app.service.listen();
});
after(async () => {
  if (skip) return;
  await app.close();
});

/** An order with a courier and realistic minutes between its steps. */
async function givenEvening(steps: readonly string[], changes: object = {}): Promise<Tracked> {
  const order = await givenTracked(app, storeId, { ...changes });
  const { db } = app.service.deps;
  await sql`update orders set mode = 'sandbox' where order_id = ${order.orderId}`.execute(db);
  for (const step of steps) {
    await app.advance({ minutes: step === 'confirm' ? 1 : 5 });
    await order.advance(step);
  }
  await sql`update orders set mode = 'live', driver = driver || case when driver_stage = 'none' then '{}'::jsonb
    else '{"name": "Demo Driver", "vehicleType": "bicycle"}'::jsonb end where order_id = ${order.orderId}`.execute(db);
  return order;
}

async function shoot(
  browser: Browser,
  order: { link: string },
  name: string,
  dark = false,
  whole = false,
): Promise<void> {
  const { page, close } = await openPage(browser, url + order.link, {
    deviceScaleFactor: whole ? 1 : SCALE,
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce' as const,
    viewport: { width: 390, height: 780 },
  });
  await keepPicture(page, name, whole);
  await close();
}

test('the pictures of the tracking page', { skip }, async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  await shoot(browser, await givenEvening([]), 'tracking-placed');
  const onTheWay = await givenEvening(['confirm', 'ready', 'assign_driver', 'pick_up']);
  await moveDriver(app.service.deps, onTheWay.orderId, { latitude: 40.7396, longitude: -73.9919 });
  await shoot(browser, onTheWay, 'tracking-on-the-way');
  await shoot(browser, onTheWay, 'tracking-on-the-way-dark', true);
  await shoot(browser, onTheWay, 'tracking-whole-page', false, true);
  await shoot(browser, await givenEvening(['confirm', 'assign_driver', 'pick_up', 'complete']), 'tracking-delivered');
  await shoot(browser, await givenEvening(['confirm', 'ready'], { pickup: true }), 'tracking-pickup-ready', true);
  await shoot(browser, await givenEvening(['cancel']), 'tracking-canceled');
  await shoot(browser, { link: '/tracking?tracking_id=unknown' }, 'tracking-not-found');
  await shootReceipt(browser, await givenTracked(app, storeId, SAMPLE_CUSTOMER));
});

test('the pictures of the tickets', { skip }, async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { orderId } = await givenEvening(['confirm'], SAMPLE_CUSTOMER);
  const order = await findAnyOrder(app.service.deps.db, orderId);
  if (!order) throw new Error('The order is gone.');
  const content = {
    copy: 0,
    mayBeRepeated: false,
    brandName: 'Supper Club',
    language: 'en' as const,
    customerLanguage: 'en' as const,
    now: app.now(),
  };
  for (const [document, name] of [['kitchen', 'kitchen-ticket'] as const, ['receipt', 'printed-receipt'] as const]) {
    const page = await browser.newPage({ viewport: { width: 340, height: 400 }, deviceScaleFactor: SCALE });
    await page.setContent(ticketPage(document, order, content));
    await keepPicture(page, name, true);
    await page.close();
  }
});

/** Places the driver's phone for the screenshot, taken once the page says that it shares its position. */
async function shootDriver(browser: Browser, delivery: Assigned, name: string, dark = false): Promise<void> {
  const { page, close } = await openPage(browser, url + delivery.path, {
    deviceScaleFactor: SCALE,
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce' as const,
    viewport: { width: 390, height: 780 },
    permissions: ['geolocation'],
    geolocation: { latitude: 40.7396, longitude: -73.9919, accuracy: 8 },
  });
  const isSharing = (await page.locator('main').getAttribute('data-stage')) !== 'assigned';
  if (isSharing) await page.locator('#sharing[data-state="on"]').waitFor();
  await keepPicture(page, name);
  await close();
}

test("the pictures of the driver's page", { skip }, async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const delivery = await givenAssigned(app, storeId, SAMPLE_CUSTOMER);
  await sql`update orders set mode = 'live' where order_id = ${delivery.orderId}`.execute(app.service.deps.db);
  await shootDriver(browser, delivery, 'driver-new');
  await delivery.call('accept');
  await shootDriver(browser, delivery, 'driver-pick-up', true);
  await delivery.call('pick_up');
  await shootDriver(browser, delivery, 'driver-on-the-way');
});

async function shootReceipt(browser: Browser, { orderId }: Tracked): Promise<void> {
  const { body } = await app.get('/sandbox/messages', { order_id: orderId });
  const receipt = body.messages.find((message: { kind: string }) => message.kind === 'order_confirmation');
  const page = await browser.newPage({ viewport: { width: 600, height: 400 }, javaScriptEnabled: false });
  await page.setContent(receipt.html);
  await keepPicture(page, 'receipt', true);
  await page.close();
}
