import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { setShop } from '../../src/access/accounts/set-shop.flow.ts';
import type { Language } from '../../src/platform/languages/language.ts';
import { localeOf } from '../../src/texts/catalogs.ts';
import { givenKitchen, type Kitchen } from '../given/kitchen.ts';
import { givenConsole } from '../given/merchant.ts';
import { type App, givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { assertAccessible, assertFits, assertTargets, assertWholeTexts } from './accessible.ts';
import { givenBrowser, openPage } from './browser.ts';
import { type Console, openConsole, TABLET } from './open-console.ts';

const PHONE = { width: 390, height: 780 };
const DOOR = { user_latitude: 40.744, user_longitude: -73.988 };

let app: App;
let kitchen: Kitchen;
let url: string;
before(async () => {
  app = await givenApp({ env: { ORDER_CONFIRM_TIMEOUT_MINUTES: '1440' } });
  kitchen = await givenKitchen(app);
  url = await app.service.listen();
});
after(() => app.close());

const open = async (browser: Browser, options = {}): Promise<Console> =>
  openConsole(browser, url, await kitchen.invite(), options);
const go = (page: Page, view: string) => page.getByRole('navigation').getByRole('link', { name: view }).click();
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();

type Menu = { categories: { menu_item_list: { name: string; product_id: string }[] }[] };
async function menu(): Promise<{ names: string[]; menu: Menu }> {
  await app.catchUp();
  const query = { store_id: kitchen.storeId, pickup: true, ...DOOR };
  const { body } = await kitchen.client.get('/details/inventory', query);
  const names = (body as Menu).categories.flatMap((one) => one.menu_item_list.map(({ name }) => name));
  return { names, menu: body };
}

test('a product and an option are sold out with one tap: the menu knows at once, and both are back with another tap', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, faults, close } = await open(browser);
  await go(page, 'Menu');
  await press(page, 'More: Margherita');
  const option = page.getByRole('switch', { name: 'Calabrian chili for Margherita available' });
  const optionsOf = async () => JSON.stringify((await menu()).menu.categories[0]?.menu_item_list);
  await option.click();
  await page.getByText('1 option sold out').waitFor();
  assert.doesNotMatch(await optionsOf(), /Calabrian/);
  await option.click();
  await page.getByText('1 option sold out').waitFor({ state: 'detached' });
  assert.match(await optionsOf(), /Calabrian/);
  const toggle = page.getByRole('switch', { name: 'Diavola available' });
  await toggle.click();
  await page.getByRole('switch', { name: 'Diavola available', checked: false }).waitFor();
  assert.equal((await menu()).names.includes('Diavola'), false);
  await press(page, 'Sold out');
  await until('the filter leaves one product', async () => (await page.getByRole('switch').count()) === 1);
  await toggle.click();
  await page.getByRole('switch', { name: 'Diavola available', checked: true }).waitFor();
  assert.equal((await menu()).names.includes('Diavola'), true);
  await press(page, 'Sold out');
  await page.getByRole('searchbox').fill('tiram');
  await until('the search leaves one product', async () => (await page.getByRole('switch').count()) === 1);
  await press(page, 'More: Tiramisù');
  await page.getByLabel('How many left: Tiramisù').fill('2');
  await press(page, 'Set');
  await page.getByText('2 left').waitFor();
  const order = kitchen.place([{ name: 'Tiramisù', quantity: 3 }], { pickup: true });
  await assert.rejects(order, /product_unavailable/);
  assert.deepEqual(faults, []);
  await close();
});

test('a pause stops orders at once, is seen in every view and on another tablet, and ends by a tap', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, faults, close } = await open(browser);
  await go(page, 'Store');
  await press(page, 'Pause new orders: 30 min');
  await page.getByRole('heading', { name: 'Paused until' }).waitFor();
  await assert.rejects(kitchen.place([{ name: 'Cola', quantity: 3 }], { pickup: true }), /STORE_CLOSED/);
  const second = await open(browser);
  await second.page.locator('.strip.paused').waitFor();
  await second.close();
  await go(page, 'Orders');
  await page.locator('.strip.paused').getByRole('button', { name: 'Resume' }).click();
  await page.locator('.strip.paused').waitFor({ state: 'detached' });
  await kitchen.place([{ name: 'Cola', quantity: 3 }], { pickup: true });
  assert.deepEqual(faults, []);
  await close();
});

test('a busy kitchen adds minutes by two taps beside the orders, on a phone too, and the bar ends it', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  for (const size of [TABLET, PHONE]) {
    const { page, faults, close } = await open(browser, { viewport: size });
    const store = await givenConsole(app, kitchen.storeId);
    await press(page, 'Busy');
    await assertAccessible(page, 'a busy kitchen');
    await press(page, 'Add 15 min to new orders');
    await page.getByText(/^Busy until .* 15 min longer\.$/).waitFor();
    assert.equal((await store.get('/store')).body.busy.extra_minutes, 15);
    await assertFits(page, 'a busy kitchen');
    await page.locator('.strip.paused').getByRole('button', { name: 'No longer busy' }).click();
    await page.locator('.strip.paused').waitFor({ state: 'detached' });
    assert.equal((await store.get('/store')).body.busy, null);
    await press(page, 'Pause');
    await page.getByRole('dialog', { name: 'Pause new orders' }).waitFor();
    assert.deepEqual(faults, []);
    await close();
  }
});

test('an order that runs late gets its new time by three taps', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const orderId = await kitchen.place([{ name: 'Cola', quantity: 3 }], { pickup: true });
  const store = await givenConsole(app, kitchen.storeId);
  const confirmed = await store.post(`/store/orders/${orderId}/confirm`, { preparation_minutes: 20 });
  const { page, faults, close } = await open(browser, { viewport: PHONE });
  await press(page, /^Kitchen/);
  await press(page, `More for order ${confirmed.body.order_number}`);
  await press(page, 'Running late…');
  await assertAccessible(page, 'running late');
  await press(page, '+10 min');
  await until('the order has its new time', async () => {
    const { orders } = (await store.get('/store/orders')).body;
    const order = orders.find(({ order_id }: { order_id: string }) => order_id === orderId);
    return order.ready_by === confirmed.body.ready_by + 600;
  });
  assert.deepEqual(faults, []);
  await close();
});

test('hours: edited by day and channel, kept by the service, and given back to the feed', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, faults, close } = await open(browser);
  const store = await givenConsole(app, kitchen.storeId);
  const hours = async () => (await store.get('/store')).body.hours;
  await go(page, 'Store');
  await page.getByLabel('Monday: open').selectOption('Open');
  await page.getByLabel('Monday: to').fill('23:30');
  await press(page, 'Copy to all days');
  await page.getByLabel('Sunday: open').selectOption('Closed');
  await press(page, 'Delivery');
  await page.getByLabel('Same as store hours').uncheck();
  await press(page, 'Add hours: Friday');
  await press(page, 'Save hours');
  await page.getByText('Hours saved.').waitFor();
  const saved = await hours();
  assert.equal(saved.operational.Monday, '11:00AM - 11:30PM');
  assert.equal(saved.operational.Sunday, 'Closed');
  assert.equal(saved.pickup.Friday, '11:00AM - 11:30PM');
  assert.match(saved.delivery.Friday, /^11:00AM - 11:30PM, /);
  await press(page, 'Go back to listed hours');
  await page.getByText('Listed hours are back.').waitFor();
  assert.equal((await hours()).operational.Monday, 'Open 24 hours');
  assert.deepEqual(faults, []);
  await close();
});

test('days with other hours: added and removed by the keyboard, kept by the service, and given back to the feed', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, faults, close } = await open(browser);
  const store = await givenConsole(app, kitchen.storeId);
  const days = async () => (await store.get('/store')).body.hours_exceptions;
  const [year] = app.now().toZonedDateTimeISO('UTC').toString().split('-').map(Number);
  const next = Number(year) + 1;
  await go(page, 'Store');
  const add = page.getByRole('button', { name: 'Add special hours' });
  await add.focus();
  await page.keyboard.press('Enter');
  await page.getByText('Check: First day').waitFor();
  await page.getByLabel('First day').fill(`${next}-12-25`);
  await page.getByLabel('Last day').fill(`${next}-12-26`);
  await add.press('Enter');
  await page.getByText('Special hours saved.').waitFor();
  const christmas = { from: `${next}-12-25`, to: `${next}-12-26`, hours: 'Closed', channel: null };
  assert.deepEqual(await days(), [christmas]);
  await page.getByLabel('First day').fill(`${next}-12-24`);
  await page.getByLabel('Hours for').selectOption('Delivery');
  await page.getByLabel('These days: open').selectOption('Open');
  await page.getByLabel('These days: to').fill('16:00');
  await press(page, 'Add hours: These days');
  await add.press('Enter');
  await page.getByText('Delivery: 11:00 AM – 4:00 PM, 5:00 – 10:00 PM').waitFor();
  const eve = {
    from: `${next}-12-24`,
    to: `${next}-12-24`,
    hours: '11:00AM - 04:00PM, 05:00PM - 10:00PM',
    channel: 'delivery',
  };
  assert.deepEqual(await days(), [christmas, eve]);
  await page.getByRole('button', { name: /^Remove .*Dec 25/ }).press('Enter');
  await page.getByText('Special hours removed.').waitFor();
  assert.deepEqual(await days(), [eve]);
  await press(page, 'Go back to listed days');
  await page.getByText('Listed days are back.').waitFor();
  assert.deepEqual(await days(), []);
  assert.deepEqual(faults, []);
  await close();
});

test('a delivery gets a driver of the store, whose page opens by the link; the next one gets the same driver by one tap', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  await kitchen.endOrders();
  const { page, faults, close } = await open(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
  const assign = async () => {
    await kitchen.place([{ name: 'Diavola' }]);
    await app.advance({ seconds: 1 });
    await press(page, /^New/);
    await press(page, /^Confirm/);
    await press(page, /^Kitchen/);
    await press(page, /^Mark ready/);
    await press(page, /^Ready \d/);
    await press(page, /^Assign driver/);
  };
  await assign();
  await page.getByLabel('Name').fill('Rosa');
  await page.getByLabel('Phone').fill('(212) 555-0142');
  await page.getByLabel('Vehicle').selectOption('bicycle');
  await page.getByRole('dialog').getByRole('button', { name: 'Assign', exact: true }).click();
  const order = page.locator('.order', { hasText: 'Rosa' });
  // No SMS is set up: the card shows the code until the driver has accepted.
  const code = order.locator('.driver-link img');
  await code.waitFor();
  await until('the code is drawn', () =>
    page.evaluate<boolean>('document.querySelector(".driver-link img").naturalWidth > 0'),
  );
  assert.deepEqual(await order.locator('a[href^="sms:"]').count(), 0);
  await order.getByRole('button', { name: 'Copy driver link' }).click();
  await page.getByText('Link copied.').waitFor();
  const link = new URL(String(await page.evaluate('navigator.clipboard.readText()')));
  assert.equal((await app.get(link.pathname)).status, 200);
  await order.getByRole('button', { name: 'More for' }).click();
  await order.getByRole('button', { name: 'Change driver' }).waitFor();
  await order.getByRole('button', { name: 'Driver has it' }).click();
  await order.getByText('On the way with').waitFor();
  await order.getByRole('button', { name: 'Delivered' }).click();
  await order.waitFor({ state: 'detached' });
  await assign();
  await page.getByRole('dialog').getByRole('button', { name: 'Rosa' }).click();
  await page.locator('.order', { hasText: 'Rosa, Bike' }).waitFor();
  assert.deepEqual(faults, []);
  await close();
});

test('sales: totals, items and orders of the store’s own day, each with its tickets, and another day', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const store = await givenConsole(app, kitchen.storeId);
  const kept = await kitchen.place([{ name: 'Diavola' }], { driver_tip_cents: 350 });
  const gone = await kitchen.place([{ name: 'Diavola' }], { driver_tip_cents: 999 });
  const sold = await kitchen.place([{ name: 'Marinara', quantity: 3 }], { pickup: true });
  await store.post(`/store/orders/${gone}/cancel`, { reason: 'too_busy' });
  await store.post(`/store/orders/${sold}/confirm`, { preparation_minutes: 5 });
  await store.post(`/store/orders/${sold}/complete`, {});
  const { orders } = (await store.get('/store/orders')).body;
  type Listed = {
    order_id: string;
    order_number: string;
    status: string;
    driver_tip_cents: number;
    final_quote: { quote: { total: number } };
  };
  const taken = (orders as Listed[]).filter(({ status }) => status !== 'canceled');
  const tips = taken.reduce((sum, one) => sum + one.driver_tip_cents, 0);
  const expected = taken.reduce((sum, one) => sum + one.final_quote.quote.total, tips);
  const keptNumber = (orders as Listed[]).find(({ order_id: id }) => id === kept)?.order_number ?? assert.fail();
  const { page, close, faults } = await open(browser);
  await go(page, 'Sales');
  const texts = [`$${(expected / 100).toFixed(2)}`, `$${(tips / 100).toFixed(2)}`];
  for (const text of texts) await page.locator('.key-figures').getByText(text).first().waitFor();
  await page.getByText('Canceled: Too busy').waitFor();
  const row = page
    .locator('.sums')
    .first()
    .getByRole('row', { name: /Marinara/ });
  assert.match(await row.innerText(), /\b3\b[\s\S]*\$37\.50/);
  await page.getByRole('searchbox', { name: 'Order number' }).fill(keptNumber);
  const rows = page.locator('[aria-labelledby="day-orders"] .rows > li');
  await until('the search leaves one order', async () => (await rows.count()) === 1);
  await press(page, `Tickets for order ${keptNumber}`);
  const receipt = page.getByRole('link', { name: 'Receipt' });
  assert.equal(await receipt.getAttribute('href'), `/console/orders/${kept}/ticket?document=receipt`);
  await press(page, 'Reprint receipt');
  await page.getByText('This store doesn’t have a printer set up.').waitFor();
  await page.keyboard.press('Escape');
  await press(page, 'Yesterday');
  await page.getByText('No completed orders yet.').waitFor();
  await page.getByText('No orders found.').waitFor();
  assert.deepEqual(
    faults.filter((fault) => !fault.includes('409')),
    [],
  );
  await close();
});

test('the session’s token is renewed by the page once a day, and an ended session clears its cookie', async () => {
  const store = await givenConsole(app, kitchen.storeId);
  assert.equal((await store.get('/console')).headers['set-cookie'], undefined);
  await app.advance({ hours: 25 });
  assert.match(
    String((await store.get('/console')).headers['set-cookie']),
    /^doorstep_console=[^;]{20,}; Max-Age=2592000/,
  );
  await app.advance({ hours: 1 });
  const ended = await store.get('/console');
  assert.match(ended.text, /data-ended/);
  assert.match(String(ended.headers['set-cookie']), /^doorstep_console=; Max-Age=0/);
});

test('a tablet shows 3 whole orders at once, upright 4, and what they come to', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  await kitchen.endOrders();
  for (const name of ['Ada', 'Bo', 'Cy', 'Di']) {
    const dish = { name: 'Margherita', options: ['pan', 'olives', 'hot'], notes: `for ${name}` };
    await kitchen.place([dish, { name: 'Garlic knots, six' }, { name: 'Cola', quantity: 2 }], { user_name: name });
  }
  await app.advance({ seconds: 1 });
  const { page, close } = await open(browser);
  await press(page, /I’m on it/);
  await page.locator('.strip.ring').waitFor({ state: 'detached' });
  for (const [viewport, expected] of [
    [{ width: 1024, height: 768 }, 3],
    [{ width: 820, height: 1180 }, 4],
  ] as const) {
    await page.setViewportSize(viewport);
    await page.locator('.order.new').nth(3).waitFor();
    const first = page.locator('.order.new').first();
    await first.getByText('Toppings: Kalamata olives, Calabrian chili').waitFor();
    await first.getByText('left to accept').or(first.getByText('to accept')).waitFor();
    const bottoms = await page.locator('.order.new').evaluateAll(bottomsOf);
    assert.equal(bottoms.filter((bottom) => bottom <= viewport.height).length, expected, `at ${viewport.width}`);
    await page.getByRole('banner').getByText('Brick Oven').waitFor();
  }
  await press(page, /^All day/);
  const dishes = page.getByRole('region', { name: 'All day' }).locator('.dishes > li');
  await dishes.nth(2).waitFor();
  assert.deepEqual(await dishes.allInnerTexts(), [
    '8 × Cola',
    '4 × Garlic knots, six',
    '4 × Margherita\n4 × Calabrian chili, Deep pan, Kalamata olives',
  ]);
  await close();
  await kitchen.endOrders();
});

const bottomsOf = (orders: { getBoundingClientRect(): { bottom: number } }[]) =>
  orders.map((order) => order.getBoundingClientRect().bottom);

for (const [viewport, colorScheme, language] of [
  [TABLET, 'light', 'es'],
  [PHONE, 'dark', 'fr'],
] as const) {
  test(`at ${viewport.width} pixels in the ${colorScheme} every view in ${language} is accessible by axe's rules, fits, cuts no text off, and has large targets`, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    await kitchen.endOrders();
    const { store: words } = localeOf(language, 'US').words;
    const options = { viewport, colorScheme, deviceScaleFactor: 1, reducedMotion: 'reduce' as const };
    const { page, faults, close } = await openPage(browser, `${url}/console`, options);
    const check = async (what: string) => {
      assert.equal(await page.evaluate('document.documentElement.lang'), language, what);
      await assertAccessible(page, what);
      await assertFits(page, what);
      await assertTargets(page, 44, what);
      await assertWholeTexts(page, what);
    };
    // The console uses the tablet's language, whatever the store's language is.
    await page.getByLabel('Language').selectOption(language);
    await page.getByRole('heading', { name: words.signIn.title }).waitFor();
    await check('sign-in');
    const store = await givenConsole(app, kitchen.storeId);
    const sold = await kitchen.place([{ name: 'Marinara' }], { pickup: true });
    await store.post(`/store/orders/${sold}/confirm`, { preparation_minutes: 5 });
    await store.post(`/store/orders/${sold}/complete`, {});
    await kitchen.place([{ name: 'Margherita', options: ['pan', 'stuffed'], notes: 'NUTS' }]);
    await page.getByLabel(words.signIn.code).fill(await kitchen.invite());
    await press(page, words.signIn.title);
    const begins = (text: string) => new RegExp(`^${text}`);
    await page.locator('.order').first().waitFor();
    await check('new');
    const allergens = await page.locator('.order').first().locator('.allergens').allInnerTexts();
    const { allergen } = words.terms;
    assert.deepEqual(allergens, [
      words.terms.allergens({ list: `${allergen.milk}, ${allergen.wheat}` }),
      words.terms.mayContain({ list: `${allergen.tree_nuts}, ${allergen.sesame}` }),
    ]);
    await press(page, words.frame.onIt);
    await press(page, words.order.more({ number: '' }).trim());
    await check('more');
    await press(page, begins(words.order.decline));
    await check('decline');
    await press(page, words.cancel.keep);
    await press(page, words.order.print);
    await check('print');
    await press(page, words.frame.back);
    await press(page, begins(words.order.confirm));
    await press(page, begins(`${words.board.kitchen} ?\\d`));
    await page.locator('.order.kitchen').first().waitFor();
    await check('kitchen');
    await press(page, words.board.allDay);
    await page.locator('.dishes > li').first().waitFor();
    await check('all day');
    await press(page, begins(`${words.board.kitchen} ?\\d`));
    await press(page, begins(`${words.order.markReady}.*:`));
    await press(page, begins(`${words.board.ready} ?\\d`));
    await page.locator('.order.ready').first().waitFor();
    await check('ready');
    await press(page, begins(words.order.assignDriver));
    await page.getByRole('dialog').waitFor();
    await check('driver');
    await page.keyboard.press('Escape');
    await press(page, begins(words.board.done));
    await check('done');
    await go(page, words.menu.title);
    await press(page, words.products.actionFor({ action: words.products.more, name: 'Margherita' }));
    await check('menu');
    await go(page, words.frame.sales);
    await page.locator('.key-figures').waitFor();
    await page.locator('.sums').first().waitFor();
    await check('sales');
    await go(page, words.frame.store);
    await page.locator('.week select').first().selectOption('hours');
    await page.locator('.dates .day select').selectOption('hours');
    await check('store');
    await page.context().setOffline(true);
    await page.locator('.strip.lost', { hasText: words.frame.lost }).waitFor();
    await check('offline');
    assert.deepEqual(
      faults.filter((fault) => !fault.includes('ERR_INTERNET_DISCONNECTED')),
      [],
    );
    await close();
  });
}

test('a tablet switches its language in the store view and keeps it; every figure stays the same', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  await kitchen.place([{ name: 'Diavola', quantity: 4 }], { driver_tip_cents: 1234 });
  const { page, close } = await open(browser);
  const figures = async (language: Language) => {
    const { store: words } = localeOf(language, 'US').words;
    await go(page, words.frame.sales);
    await page.getByText(words.sales.sales).waitFor();
    await page.locator('.amount').first().waitFor();
    const texts = await page.locator('.key-figures strong, .amount').allInnerTexts();
    return { texts, digits: texts.map((text) => text.replaceAll(/\D/g, '')) };
  };
  const english = await figures('en');
  let shown: Language = 'en';
  for (const [language, sample] of [
    ['fr', /^[\d\s]+,\d\d\s\$$/],
    ['es', /^\$[\d,]+\.\d\d$/],
  ] as const) {
    const before = localeOf(shown, 'US').words.store;
    await go(page, before.frame.store);
    await page.getByLabel(before.frame.language, { exact: true }).selectOption(language);
    await page.locator(`html[lang=${language}]`).waitFor();
    await page.locator('.pulse.live').waitFor();
    shown = language;
    const { texts, digits } = await figures(language);
    assert.match(texts[0] ?? '', sample);
    assert.deepEqual(digits, english.digits);
  }
  await page.reload();
  assert.equal(await page.evaluate('document.documentElement.lang'), 'es');
  await close();
});

test('a store’s language is that of its console until a tablet chooses another', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, close } = await open(browser);
  await go(page, 'Store');
  await page.getByRole('combobox', { name: 'Store language' }).selectOption('fr');
  await page.getByText('Store language saved.').waitFor();
  await page.reload();
  await page.locator('html[lang=fr]').waitFor();
  const store = await givenConsole(app, kitchen.storeId);
  assert.equal((await store.put('/store/language', { language: 'en' })).body.language, 'en');
  await close();
});

test('by the keyboard alone an order is confirmed, and the focus stays in the orders', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, close } = await open(browser);
  const orderId = await kitchen.place([{ name: 'Cola', quantity: 3 }], { pickup: true });
  await app.advance({ seconds: 1 });
  await press(page, /I’m on it/);
  const confirm = page.getByRole('button', { name: /^Confirm/ }).last();
  await confirm.focus();
  await page.keyboard.press('Enter');
  await until('the store has confirmed it', async () => {
    const { orders } = (await kitchen.client.get('/account/orders', { order_id: orderId })).body;
    return orders[0].status === 'in_progress';
  });
  await until('the focus is in the orders', async () =>
    Boolean(await page.evaluate("document.getElementById('main').contains(document.activeElement)")),
  );
  await close();
});

test('the ordering page of a store is copied from the console', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { db } = app.service.deps;
  await db
    .transaction()
    .execute((tx) => setShop(tx, kitchen.client.accountId, { mode: 'live', isDefault: true }, app.now()));
  const { page, faults, close } = await open(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
  await go(page, 'Store');
  const panel = page.getByRole('region', { name: 'Your ordering page' });
  await panel.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('Link copied.').waitFor();
  assert.match(
    String(await page.evaluate('navigator.clipboard.readText()')),
    new RegExp(`/shop/s/${kitchen.storeId}$`),
  );
  assert.deepEqual(faults, []);
  await close();
});
