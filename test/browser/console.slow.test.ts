import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { insertNotices } from '../../src/fulfillment/store-channels/store-notices.db.ts';
import { dispatchAllEvents } from '../../src/ordering/order/dispatch-events.flow.ts';
import { givenKitchen, type Kitchen } from '../given/kitchen.ts';
import { endSessions, givenConsole, givenStoreKey, givenStoreLink } from '../given/merchant.ts';
import { type App, givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { assertAccessible, assertFits } from './accessible.ts';
import { givenBrowser, openPage } from './browser.ts';
import { type Console, openConsole, signIn, TABLET } from './open-console.ts';

const PHONE = { width: 390, height: 780 };
const COLA = [{ name: 'Cola', quantity: 3 }];

let app: App;
let kitchen: Kitchen;
let url: string;
before(async () => {
  app = await givenApp({ env: { ORDER_CONFIRM_TIMEOUT_MINUTES: '1440' } });
  kitchen = await givenKitchen(app);
  url = await app.service.listen();
});
after(() => app.close());

/** Counts the tones that a page plays. */
const COUNT_NOTES = `window.notes = 0; const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) { window.notes += 1; return start.apply(this, when); };`;
const notesOf = (page: Page) => page.evaluate('window.notes').then(Number);
const mark = (page: Page) => page.evaluate('window.isTheSame = true');
const isTheSame = (page: Page) => page.evaluate('window.isTheSame === true');

const openTablet = async (browser: Browser, options = {}): Promise<Console> =>
  openConsole(browser, url, await kitchen.invite(), options);
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const lane = (page: Page, name: RegExp) => press(page, name);
const statusOf = async (orderId: string) =>
  (await kitchen.client.get('/account/orders', { order_id: orderId })).body.orders[0].status;
const numberOf = async (orderId: string): Promise<string> =>
  (await kitchen.client.get('/account/orders', { order_id: orderId })).body.orders[0].order_number;
const card = (page: Page, number: string) =>
  page.locator('article.order', { has: page.getByRole('heading', { name: `Order ${number}`, exact: true }) });
test('sign-in: a wrong code and a used code say so, a right one opens the console in any spelling, once', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const code = await kitchen.invite();
  const { page, faults, requests, close } = await openPage(browser, `${url}/console`, { viewport: TABLET });
  await signIn(page, 'ABCD-EFGH-JKLM');
  await page.getByRole('alert').getByText('That code didn’t work').waitFor();
  await signIn(page, ` ${code.toLowerCase().replaceAll('-', ' ')} `);
  await page.locator('.pulse.live').waitFor();
  const cookies = await page.context().cookies();
  assert.deepEqual(
    cookies.map(({ httpOnly, sameSite }) => ({ httpOnly, sameSite })),
    [{ httpOnly: true, sameSite: 'Strict' }],
  );
  const other = await openPage(browser, `${url}/console`);
  await signIn(other.page, code);
  await other.page.getByRole('alert').getByText('already used').waitFor();
  await other.close();
  assert.deepEqual(
    faults.filter((fault) => !fault.includes('401')),
    [],
  );
  assert.deepEqual(
    requests.filter((request) => !request.startsWith(url)),
    [],
  );
  await close();
});

test('a session can be ended from another tablet, which then shows the sign-in form; signing out does the same', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const [first, second] = [await openTablet(browser), await openTablet(browser)];
  await second.page.getByRole('link', { name: 'Store' }).click();
  await second.page.getByText('This tablet', { exact: true }).waitFor();
  const others = second.page.getByRole('button', { name: /^Sign out Linux/ });
  while ((await others.count()) > 0) {
    const count = await others.count();
    await others.first().click();
    await until('one tablet fewer', async () => (await others.count()) < count);
  }
  // The tablet notices on its next connection, and may have noticed already.
  await first.page.evaluate("dispatchEvent(new Event('online'))");
  await first.page.getByText('This tablet was signed out').waitFor();
  await press(second.page, 'Sign out');
  await second.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await first.close();
  await second.close();
});

test('an ended session leads to the sign-in at the next press, and no list is shown as empty', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, close } = await openTablet(browser);
  await endSessions(app);
  let refused = 0;
  page.on('response', (reply) => {
    if (reply.status() === 401) refused += 1;
  });
  // The page's own refresh may leave it before the press, which then finds no link.
  page
    .getByRole('link', { name: 'Menu' })
    .click()
    .catch(() => {});
  await page.getByLabel('Access code').waitFor();
  assert.ok(refused >= 1);
  assert.equal(await page.locator('.empty').count(), 0);
  await close();
});

test('a new order is on the page by the stream, without a reload, and rings until it is acknowledged', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  await kitchen.endOrders();
  const { page, faults, close } = await openTablet(browser);
  await page.clock.install();
  await page.reload();
  await page.locator('.pulse.live').waitFor();
  await page.evaluate(COUNT_NOTES);
  await page.locator('body').click();
  await mark(page);
  // Blocks reading the list, so that the order can only arrive by the stream.
  await page.route('**/store/orders', (route) => route.abort());
  const orderId = await kitchen.place(COLA, { user_name: 'Ada' });
  await dispatchAllEvents(app.service.deps);
  const number = await numberOf(orderId);
  await card(page, number).waitFor();
  await page.getByText(`New order ${number}`).waitFor();
  await until('the title reports it', async () => (await page.title()) === '(1) New order');
  await until('the title blinks', async () => (await page.title()) === 'Brick Oven · Doorstep');
  await until('it rings, and rings again', async () => (await notesOf(page)) >= 6);
  await press(page, 'I’m on it');
  await until('the bar is gone', async () => (await page.locator('.strip.ring').count()) === 0);
  const silent = await notesOf(page);
  await page.clock.fastForward(10_000);
  assert.equal(await notesOf(page), silent);
  assert.equal(await page.title(), 'Brick Oven · Doorstep');
  assert.equal(await isTheSame(page), true);
  assert.deepEqual(
    faults.filter((fault) => !fault.includes('ERR_FAILED')),
    [],
  );
  await close();
});

test('an order that is offered later than it was placed rings as well, on a tablet whose clock is behind', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  await kitchen.endOrders();
  const { page, close } = await openTablet(browser);
  const orderId = await kitchen.place(COLA);
  const number = await numberOf(orderId);
  const offerAt = app.now().add({ minutes: 10 }).toString();
  await app.service.deps.db.updateTable('orders').set({ offerAt }).where('orderId', '=', orderId).execute();
  await page.reload();
  await page.getByText('No new orders').waitFor();
  await app.advance({ minutes: 11 });
  await page.context().setOffline(true);
  await page.locator('.strip.lost').waitFor();
  await page.context().setOffline(false);
  await page.getByText(`New order ${number}`).waitFor();
  await close();
});

test('an order is confirmed with its minutes, ready and handed over, from lane to lane', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  await kitchen.endOrders();
  const orderId = await kitchen.place(COLA, { pickup: true, user_name: 'Bo' });
  const number = await numberOf(orderId);
  const { page, faults, close } = await openTablet(browser);
  await card(page, number).getByText('15 min', { exact: true }).waitFor();
  await card(page, number).getByRole('button', { name: '5 minutes more' }).click();
  await card(page, number).getByText('20 min', { exact: true }).waitFor();
  await card(page, number).getByRole('button', { name: 'Confirm' }).click();
  await lane(page, /^Kitchen/);
  await card(page, number).getByText('20 min', { exact: true }).waitFor();
  await card(page, number).getByRole('button', { name: 'Mark ready' }).click();
  await lane(page, /^Ready \d/);
  await card(page, number).getByRole('button', { name: 'Handed to customer' }).click();
  await lane(page, /^Done/);
  await card(page, number).waitFor();
  assert.deepEqual(faults, []);
  await close();
});

for (const [step, body, said] of [
  ['confirm', { preparation_minutes: 5 }, 'was already confirmed, to be ready by'],
  ['cancel', { reason: 'too_busy' }, 'has just been canceled: Too busy'],
] as const) {
  test(`a confirmation after another tablet's ${step} says what has happened meanwhile`, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    await kitchen.endOrders();
    const orderId = await kitchen.place(COLA, { pickup: true });
    const number = await numberOf(orderId);
    const { page, close } = await openTablet(browser);
    await card(page, number).waitFor();
    const other = await givenConsole(app, kitchen.storeId);
    // The page must not learn of it before the button is pressed.
    await page.route(`**/store/orders/${orderId}/confirm`, async (route) => {
      await other.post(`/store/orders/${orderId}/${step}`, body);
      await route.continue();
    });
    await card(page, number).getByRole('button', { name: 'Confirm' }).click();
    await page.getByText(`Order ${number} ${said}`).waitFor();
    await close();
  });
}

test('declined with a reason after a second step; what is typed outlives a step on another tablet', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  await kitchen.endOrders();
  const orderId = await kitchen.place(COLA);
  const number = await numberOf(orderId);
  const { page, faults, close } = await openTablet(browser);
  await card(page, number).getByRole('button', { name: 'Decline' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Decline order' }).click({ force: true });
  assert.equal(await statusOf(orderId), 'awaiting_confirmation', 'without a reason nothing is canceled');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await card(page, number).getByRole('button', { name: 'Decline' }).click();
  await dialog.getByLabel('Something else').check();
  await dialog.getByLabel('In your own words').fill('The oven is broken');
  const other = await givenConsole(app, kitchen.storeId);
  await other.post(`/store/orders/${orderId}/confirm`, { preparation_minutes: 5 });
  await app.advance({ seconds: 1 });
  await dialog.getByRole('button', { name: 'Cancel order' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await lane(page, /^Done/);
  await card(page, number).getByText('Canceled: The oven is broken').waitFor();
  assert.deepEqual(faults, []);
  await close();
});

test('without a connection the console says so at once, and when it is back shows what it missed', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  await kitchen.endOrders();
  const known = await numberOf(await kitchen.place(COLA));
  const { page, close } = await openTablet(browser);
  await mark(page);
  await card(page, known).waitFor();
  await page.context().setOffline(true);
  await page.getByText('You’re offline. New orders won’t arrive. Reconnecting…').waitFor();
  await card(page, known).getByRole('button', { name: 'Confirm' }).click();
  await card(page, known).getByText('nothing changed').waitFor();
  const missed = await numberOf(await kitchen.place(COLA));
  assert.equal(await card(page, missed).count(), 0);
  await page.context().setOffline(false);
  await page.locator('.pulse.live').waitFor();
  await card(page, missed).waitFor();
  assert.equal(await page.locator('.strip.lost').count(), 0);
  await card(page, known).getByRole('button', { name: 'Confirm' }).click();
  await lane(page, /^Kitchen/);
  await card(page, known).waitFor();
  assert.equal(await isTheSame(page), true);
  await close();
});

test('a stream that falls silent is taken for lost after 40 seconds, and connected again', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, close } = await openTablet(browser);
  await page.clock.install();
  await page.addInitScript(`const real = fetch; let count = 0;
    window.fetch = (url, options) => String(url).endsWith('/stream') && (count += 1) === 1
      ? (window.silentFrom = new Date, Promise.resolve(new Response(new ReadableStream({ start(stream) {
          options.signal.addEventListener('abort', () => stream.error(new Error('aborted'))); } }))))
      : real(url, options).then((answer) => (window.streams = count, answer));`);
  const streams = () => page.evaluate('window.streams > 1').then(Boolean);
  await page.reload();
  await page.locator('#main .lane').waitFor();
  await page.clock.pauseAt(Number(await page.evaluate('+window.silentFrom')) + 39_000);
  assert.equal(await streams(), false);
  await page.clock.fastForward(2000);
  await page.clock.resume();
  await page.locator('.strip.lost, .strip.looking').waitFor();
  await page.clock.fastForward(10_000);
  await until('a second stream', streams);
  await page.locator('.pulse.live').waitFor();
  await close();
});

test('a newer version is loaded while the list of orders is idle, and not over a form', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  await kitchen.endOrders();
  const { page, close } = await openTablet(browser);
  await page.clock.install();
  await page.reload();
  await page.locator('.pulse.live').waitFor();
  await mark(page);
  await page.route('**/console', async (route) => {
    if (route.request().resourceType() !== 'fetch') return route.continue();
    const answer = await route.fetch();
    return route.fulfill({ body: (await answer.text()).replace(/src="[^"]+\.js"/, 'src="newer.js"') });
  });
  const showAndRead = async (view: string) => {
    await page.evaluate(`location.hash = '${view}'`);
    await page.locator(`nav a[href="#${view}"][aria-current=page]`).waitFor();
    const read = page.waitForResponse(
      (answer) => answer.request().resourceType() === 'fetch' && answer.url().endsWith('/console'),
    );
    await page.clock.fastForward('31:00');
    await read;
  };
  await showAndRead('store');
  await page.waitForTimeout(500);
  assert.equal(await isTheSame(page), true);
  const loaded = page.waitForEvent('domcontentloaded');
  await showAndRead('orders');
  await loaded;
  assert.equal(await isTheSame(page), false);
  await close();
});

test('the link of an email opens one order without a sign-in, from placing to handed over, and then ends', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { db } = app.service.deps;
  const { storeId } = kitchen;
  const orderId = await kitchen.place(COLA, { pickup: true });
  const at = app.now();
  await insertNotices(db, [{ orderId, storeId, channel: 'email', kind: 'offered', copy: 0, at }]);
  const number = await numberOf(orderId);
  const path = `/console/order/${await givenStoreLink(app, orderId)}`;
  const address = url + path;
  const { page, faults, close } = await openPage(browser, address, { viewport: PHONE, colorScheme: 'dark' });
  const answer = await app.get(path);
  assert.match(String(answer.headers['cache-control']), /no-store/);
  assert.equal(answer.headers['referrer-policy'], 'no-referrer');
  assert.equal(answer.headers['x-robots-tag'], 'noindex, nofollow');
  await card(page, number).getByRole('button', { name: 'Confirm' }).click();
  await card(page, number).getByRole('button', { name: 'Mark ready' }).click();
  await card(page, number).getByRole('button', { name: 'Handed to customer' }).waitFor();
  await assertAccessible(page, 'link');
  await assertFits(page, 'link');
  await press(page, /^Handed to customer/);
  await page.getByText('This order is done.').waitFor();
  assert.equal(await statusOf(orderId), 'completed');
  assert.deepEqual(faults, []);
  const dead = await page.goto(address);
  assert.equal(dead?.status(), 404);
  await page.getByRole('heading', { name: 'This link doesn’t open an order' }).waitFor();
  await assertAccessible(page, 'dead link');
  assert.equal((await app.get('/console/order/none')).status, 404);
  await close();
});

test('a missing item: fewer units, a substitute and none, by touch and by keyboard, as its customer wants it', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  await kitchen.endOrders();
  const orderId = await kitchen.place([
    { name: 'Cola', quantity: 3 },
    { name: 'Diavola', wants: 'store_choice' },
    { name: 'Tiramisù', quantity: 2, wants: ['Sparkling water', 'Caesar salad'] },
  ]);
  await dispatchAllEvents(app.service.deps);
  const number = await numberOf(orderId);
  const { page, faults, close } = await openTablet(browser);
  const order = card(page, number);
  await order.getByText('If sold out: your choice').waitFor();
  await order.getByText('If sold out: Sparkling water or Caesar salad').waitFor();
  const dialog = page.getByRole('dialog');
  await order.getByRole('button', { name: 'More for' }).click();
  const open = async (name: string) => {
    await order.getByRole('button', { name: 'Missing item…' }).click();
    await dialog.getByRole('button', { name }).click();
  };
  const save = () => dialog.getByRole('button', { name: 'Save' }).click();
  const gone = () => until('the dialog is closed', async () => (await dialog.count()) === 0);

  await open('Cola');
  await dialog.getByText('No substitutes: the customer wants a refund instead.').waitFor();
  await assertAccessible(page, 'fewer units');
  await assertFits(page, 'fewer units');
  await dialog.getByRole('button', { name: 'One less' }).click();
  await save();
  await gone();
  await order.getByText('3 ordered').waitFor();

  await open('Diavola');
  await dialog.getByLabel('Find a substitute').fill('mari');
  await dialog.getByLabel('Marinara').waitFor();
  await dialog.getByLabel('Marinara').focus();
  await page.keyboard.press('Space');
  await dialog.getByText('1 of 1').waitFor();
  await assertAccessible(page, 'a substitute');
  await assertFits(page, 'a substitute');
  await page.keyboard.press('Enter');
  await gone();
  await order.getByText('instead of Diavola').waitFor();

  await open('Tiramisù');
  await dialog.getByLabel('Caesar salad').waitFor();
  assert.equal(await dialog.getByRole('radio').count(), 3);
  await dialog.getByRole('button', { name: 'One less' }).click();
  await save();
  await gone();
  await order.getByText('Missing (2 ordered)').waitFor();
  await assertAccessible(page, 'a card with missing items');
  await assertFits(page, 'a card with missing items');

  const { items } = (await kitchen.client.get('/account/orders', { order_id: orderId })).body.orders[0];
  const handedOver = items.map((item: { fulfilled_quantity: number }) => item.fulfilled_quantity);
  assert.deepEqual(handedOver, [1, 1, 0]);
  assert.deepEqual(faults, []);
  await close();
});

test('the last item of an order: the console says that the order is canceled, and why an item cannot change', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  await kitchen.endOrders();
  const orderId = await kitchen.place([{ name: 'Diavola', wants: ['Tiramisù'] }]);
  await dispatchAllEvents(app.service.deps);
  const { page, close } = await openTablet(browser, { viewport: PHONE });
  const order = card(page, await numberOf(orderId));
  await order.getByRole('button', { name: 'More for' }).click();
  await order.getByRole('button', { name: 'Missing item…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Nothing will be left').waitFor();
  await assertFits(page, 'the last item');
  const key = await givenStoreKey(app, kitchen.storeId);
  await key.patch('/store/products/tiramisu', { available: false });
  await dialog.getByLabel('Tiramisù').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').getByText('Tiramisù isn’t available right now.').waitFor();
  await key.patch('/store/products/tiramisu', { available: true });
  await dialog.getByLabel('No substitute').check();
  await dialog.getByRole('button', { name: 'Cancel order' }).click();
  await until('the order is canceled', async () => (await statusOf(orderId)) === 'canceled');
  await close();
});
