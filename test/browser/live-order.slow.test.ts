import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { findAnyOrder } from '../../src/ordering/order/orders.db.ts';
import { NEAR_DOOR } from '../feed-lines.ts';
import { givenKitchen, type Kitchen } from '../given/kitchen.ts';
import { givenPaymentMethod } from '../given/orders.ts';
import { type App, givenOwnApp } from '../harness.ts';
import { givenBrowser, openPage } from './browser.ts';
import { movePhone } from './move-phone.ts';
import { openConsole } from './open-console.ts';

const STORE = { latitude: 40.7383, longitude: -73.9927 };
const DOOR = { latitude: NEAR_DOOR.user_latitude, longitude: NEAR_DOOR.user_longitude };
const LOCATED = { permissions: ['geolocation'], geolocation: { ...STORE, accuracy: 8 } };

let app: App;
let kitchen: Kitchen;
let url: string;
before(async () => {
  app = await givenOwnApp({ searchThread: true, env: { ORDER_CONFIRM_TIMEOUT_MINUTES: '1440' } });
  // The sandbox gateway acts as the live gateway.
  app.service.deps.gateways.live = app.service.deps.gateways.sandbox;
  kitchen = await givenKitchen(app);
  url = await app.service.listen();
});
after(() => app.close());

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const shows = (page: Page, words: string) => page.locator('h1', { hasText: words }).waitFor();
const orderOf = async (orderId: string) =>
  (await findAnyOrder(app.service.deps.db, orderId)) ?? assert.fail('no order');

/** A live delivery charged to a card. */
async function placeCharged(): Promise<string> {
  const payment_method_id = await givenPaymentMethod(kitchen.client);
  return kitchen.place([{ name: 'Diavola', quantity: 2, notes: 'well done' }], {
    charge_user: true,
    payment_method_id,
  });
}

test('one live order in three browsers, from placing to the door: a second tablet, offline and back in the middle', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const orderId = await placeCharged();
  const customer = await openPage(browser, `${url}/tracking?tracking_id=${orderId}`);
  await shows(customer.page, 'Sending your order to Brick Oven');
  await app.advance({ seconds: 1 });
  const [tablet, second] = [
    await openConsole(browser, url, await kitchen.invite()),
    await openConsole(browser, url, await kitchen.invite()),
  ];
  await shows(customer.page, 'Waiting for Brick Oven to confirm');
  const { page } = tablet;
  await press(page, /^Confirm/);
  await shows(customer.page, 'being prepared');
  await app.advance({ seconds: 1 });
  await second.page.getByRole('button', { name: /^New/ }).getByText('0').waitFor();

  // The first tablet loses its connection while the second continues.
  await page.context().setOffline(true);
  await page.locator('.strip.lost').waitFor();
  await press(second.page, /^Kitchen/);
  await press(second.page, /^Mark ready/);
  await press(second.page, /^Ready \d/);
  await press(second.page, /^Assign driver/);
  await second.page.getByLabel('Name').fill('Rosa');
  await second.page.getByLabel('Phone').fill('(212) 555-0142');
  await second.page.getByRole('dialog').getByRole('button', { name: 'Assign', exact: true }).click();
  await second.page.locator('.order', { hasText: 'Rosa' }).waitFor();
  await page.context().setOffline(false);
  await page.locator('.pulse.live').waitFor();
  await press(page, /^Ready \d/);
  await page.locator('.order', { hasText: 'Rosa' }).waitFor();

  const [listed] = (await (await fetchOrders(page)).json()).orders;
  const driver = await openPage(browser, listed.driver_link.replace(app.config.baseUrl, url), LOCATED);
  const step = () => driver.page.locator('#step:enabled').click();
  await shows(driver.page, 'You’ve got a delivery');
  await step();
  await shows(driver.page, 'Pick up at Brick Oven');
  await step();
  await shows(customer.page, 'Rosa is on the way');
  await app.advance({ seconds: 1 });
  await page.getByText('On the way with').waitFor();
  await movePhone(app, driver.page.context(), orderId, DOOR);
  await shows(customer.page, 'Rosa is almost there');
  await step();
  await shows(driver.page, 'Delivered');
  await shows(customer.page, 'Delivered');
  await app.advance({ seconds: 1 });
  const { status, chargeState, orderNumber } = await orderOf(orderId);
  for (const one of [page, second.page]) {
    await press(one, /^Done/);
    await one.getByRole('heading', { name: `Order ${orderNumber}`, exact: true }).waitFor();
  }
  assert.deepEqual([status, chargeState], ['completed', 'charged']);
  for (const one of [customer, tablet, second, driver]) await one.close();
});

/** Fetches orders as the console does, with its session. */
const fetchOrders = (page: Page) => page.context().request.get(`${url}/store/orders`);
