import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { setShop } from '../../src/access/accounts/set-shop.flow.ts';
import { issueAccessCode } from '../../src/access/sessions/sign-in.flow.ts';
import { insertNotices } from '../../src/fulfillment/store-channels/store-notices.db.ts';
import { TICKET_POLICY, ticketPage } from '../../src/fulfillment/tickets/ticket.page.ts';
import { dispatchAllEvents } from '../../src/ordering/order/dispatch-events.flow.ts';
import { setStoreTerms } from '../../src/ordering/statements/store-terms.db.ts';
import { localeOf } from '../../src/texts/catalogs.ts';
import { pizzeria } from '../feed-lines.ts';
import { freePort } from '../given/command.ts';
import { grocery } from '../given/groceries.ts';
import { givenKitchen, type Kitchen } from '../given/kitchen.ts';
import { givenBareStore, givenConsole, givenStoreKey, givenStoreLink } from '../given/merchant.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../given/orders.ts';
import { givenPhoto } from '../given/photo.ts';
import { givenStores } from '../given/stores.ts';
import { FIRST_PRINT, givenTicketOrder, TICKET_NOW } from '../given/ticket.ts';
import { type App, done, givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { assertAccessible, assertFits, assertRefusalInSight, assertTargets, assertWholeTexts } from './accessible.ts';
import { givenBrowser, openPage } from './browser.ts';
import { openConsole, signIn, TABLET } from './open-console.ts';
import { openView, showView } from './operator-view.ts';

/* What only a browser can show of the console: sizes, colors, what is in sight, and what costs rendering. */

const PHONE = { width: 390, height: 844 };
const SMALL_PHONE = { width: 360, height: 780 };
const UPRIGHT = { width: 820, height: 1180 };
const LANDSCAPE = { width: 1024, height: 768 };
const DESK = { width: 1440, height: 900 };
/** Views whose parts stand side by side on a desk are reviewed without it: their dialogs belong to one width. */
const TABLETS = [PHONE, UPRIGHT, LANDSCAPE];
const ALL = [...TABLETS, DESK];

const WEIGHED = {
  Chicken: { price: 899, sold_by: 'weight', weight: { unit: 'lb' } },
  Pasta: { price: 899, sold_by: 'weight', weight: { unit: 'kg', scale_code: '12345' } },
};

let app: App;
let kitchen: Kitchen;
let url: string;
before(async () => {
  const port = await freePort();
  const env = { ORDER_CONFIRM_TIMEOUT_MINUTES: '50', SHOW_STORES_ADDED_FEES: 'true' };
  // The pages show the photos that BASE_URL serves.
  app = await givenApp({ env: { ...env, PORT: port, BASE_URL: `http://127.0.0.1:${port}` } });
  kitchen = await givenKitchen(app);
  url = await app.service.listen();
});
after(() => app.close());

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const pressExactly = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
const go = (page: Page, view: string) => page.getByRole('navigation').getByRole('link', { name: view }).click();
const cards = (page: Page) => page.locator('article.order');

/** Fails if axe finds something, or a width of the page does not fit; the page keeps the last width. */
async function review(page: Page, what: string, sizes: readonly { width: number; height: number }[] = ALL) {
  await assertAccessible(page, what);
  for (const size of sizes) {
    await page.setViewportSize(size);
    await assertFits(page, `${what} at ${size.width}`);
  }
}

/** The console of an account's sandbox orders. */
async function openSandbox(storeId: string, browser: Parameters<typeof openPage>[0], options: object) {
  const { code } = await issueAccessCode(app.service.deps.db, { storeId, accountId: app.accountId }, app.now());
  const looks = { deviceScaleFactor: 1, reducedMotion: 'reduce', ...options } as const;
  const opened = await openPage(browser, `${url}/console?sandbox`, looks);
  await opened.page.getByText('Sandbox', { exact: true }).waitFor();
  await assertAccessible(opened.page, 'sign-in');
  await signIn(opened.page, code);
  await opened.page.locator('.pulse.live').waitFor();
  return opened;
}

for (const [viewport, colorScheme, language] of [
  [TABLET, 'light', 'es'],
  [PHONE, 'dark', 'fr'],
] as const) {
  test(`in ${language} at ${viewport.width} pixels, ${colorScheme}, every view is accessible, fits, cuts no text off and has large targets`, async (t) => {
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

test('a tablet shows 3 whole orders at once, upright 4', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  await kitchen.endOrders();
  for (const name of ['Ada', 'Bo', 'Cy', 'Di']) {
    const dish = { name: 'Margherita', options: ['pan', 'olives', 'hot'], notes: `for ${name}` };
    await kitchen.place([dish, { name: 'Garlic knots, six' }, { name: 'Cola', quantity: 2 }], { user_name: name });
  }
  await dispatchAllEvents(app.service.deps);
  const { page, close } = await openConsole(browser, url, await kitchen.invite());
  await press(page, /I’m on it/);
  await page.locator('.strip.ring').waitFor({ state: 'detached' });
  for (const [viewport, expected] of [
    [LANDSCAPE, 3],
    [UPRIGHT, 4],
  ] as const) {
    await page.setViewportSize(viewport);
    await page.locator('.order.new').nth(3).waitFor();
    const bottoms = await page.locator('.order.new').evaluateAll(bottomsOf);
    assert.equal(bottoms.filter((bottom) => bottom <= viewport.height).length, expected, `at ${viewport.width}`);
    await page.getByRole('banner').getByText('Brick Oven').waitFor();
  }
  await close();
});

const bottomsOf = (orders: { getBoundingClientRect(): { bottom: number } }[]) =>
  orders.map((order) => order.getBoundingClientRect().bottom);

test('the dialogs of an order and the page of its link are accessible and fit', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  await kitchen.endOrders();
  const store = await givenConsole(app, kitchen.storeId);
  const orderId = await kitchen.place(
    [
      { name: 'Cola', quantity: 3 },
      { name: 'Diavola', wants: 'store_choice' },
      { name: 'Tiramisù', quantity: 2, wants: ['Sparkling water', 'Caesar salad'] },
    ],
    { pickup: true },
  );
  await done(store.post(`/store/orders/${orderId}/confirm`, { preparation_minutes: 20 }));
  const { page, faults, close } = await openConsole(browser, url, await kitchen.invite(), { viewport: PHONE });
  await press(page, 'Busy');
  await review(page, 'a busy kitchen', TABLETS);
  await press(page, 'Add 15 min to new orders');
  await page.getByText(/^Busy until /).waitFor();
  await review(page, 'the bar of a busy kitchen', TABLETS);
  await page.locator('.strip.paused').getByRole('button', { name: 'No longer busy' }).click();
  await press(page, /^Kitchen/);
  await press(page, 'More for order');
  await press(page, 'Running late…');
  await review(page, 'running late', TABLETS);
  await page.keyboard.press('Escape');
  const dialog = page.getByRole('dialog');
  const open = async (name: string) => {
    await press(page, 'Missing item…');
    await dialog.getByRole('button', { name }).click();
  };
  await open('Cola');
  await dialog.getByText('No substitutes').waitFor();
  await review(page, 'fewer units', TABLETS);
  await page.keyboard.press('Escape');
  await open('Diavola');
  await dialog.getByLabel('Find a substitute').fill('mari');
  await dialog.getByLabel('Marinara').check();
  await review(page, 'a substitute', TABLETS);
  await page.keyboard.press('Escape');
  await done(store.post(`/store/orders/${orderId}/items/0`, { quantity: 1 }));
  await done(store.post(`/store/orders/${orderId}/items/1`, { quantity: 0 }));
  await dispatchAllEvents(app.service.deps);
  await page.getByText('Missing (1 ordered)').waitFor();
  await review(page, 'a card with missing items', TABLETS);
  await done(store.post(`/store/orders/${orderId}/items/0`, { quantity: 0 }));
  await dispatchAllEvents(app.service.deps);
  await page.getByText('Missing (3 ordered)').waitFor();
  await open('Tiramisù');
  await dialog
    .getByRole('button', { name: 'None' })
    .or(dialog.getByRole('button', { name: 'One less' }))
    .first()
    .click();
  await dialog.getByText('Nothing will be left').waitFor();
  await review(page, 'the last item', TABLETS);
  assert.deepEqual(faults, []);
  await close();

  const linked = await kitchen.place([{ name: 'Cola', quantity: 3 }], { pickup: true });
  const notice = { storeId: kitchen.storeId, channel: 'email', kind: 'offered', copy: 0, at: app.now() } as const;
  await insertNotices(app.service.deps.db, [{ ...notice, orderId: linked }]);
  const address = `${url}/console/order/${await givenStoreLink(app, linked)}`;
  const link = await openPage(browser, address, { viewport: PHONE, colorScheme: 'dark' });
  await link.page.getByRole('button', { name: /^Confirm/ }).waitFor();
  await review(link.page, 'link');
  assert.deepEqual(link.faults, []);
  await link.page.goto(`${url}/console/order/none`);
  await link.page.getByRole('heading', { name: 'This link doesn’t open an order' }).waitFor();
  await review(link.page, 'dead link');
  await link.close();
});

test('all day with late orders is accessible and fits, whole, a phone, a tablet either way, and a desk', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  await kitchen.endOrders();
  const store = await givenConsole(app, kitchen.storeId);
  await kitchen.place([{ name: 'Margherita', options: ['olives', 'pan'] }]);
  const cooking = await kitchen.place([{ name: 'Diavola' }], { pickup: true });
  await done(store.post(`/store/orders/${cooking}/confirm`, { preparation_minutes: 5 }));
  await app.advance({ minutes: 40 });
  for (const viewport of [SMALL_PHONE, LANDSCAPE, { width: 768, height: 1024 }, { width: 1280, height: 800 }]) {
    const { page, faults, close } = await openConsole(browser, url, await kitchen.invite(), { viewport });
    await press(page, /^All day/);
    await page.getByRole('region', { name: /^Late 2$/ }).waitFor();
    await assertAccessible(page, 'all day');
    await assertFits(page, 'all day');
    await assertWholeTexts(page, 'all day');
    assert.deepEqual(faults, []);
    await close();
  }
});

test('the sandbox console and its refunds and weights are accessible and fit, in the dark too', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const goods = { ...WEIGHED, Soda: 899 };
  const [storeId = ''] = await givenStores(app, [grocery('market', goods, { type: 'restaurant' })]);
  const { page, faults, close } = await openSandbox(storeId, browser, { viewport: TABLET });
  const ids = await productTokens(app, storeId);
  const items = ['Chicken', 'Pasta', 'Soda'].map((name) => ({
    product_id: ids[name],
    quantity: 1.5 + Number(name === 'Soda') / 2,
  }));
  const placed = await done(app.post('/order/order/v2', orderBody('', await givenPaymentMethod(app), { items })));
  await dispatchAllEvents(app.service.deps);
  await page.locator('.order.new').waitFor();
  await review(page, 'orders', [PHONE, TABLET]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await assertAccessible(page, 'orders in the dark');
  await press(page, /^Confirm/);
  await press(page, /^Kitchen/);
  await press(page, /^Weigh…/);
  for (const key of ['1', '.', '8']) await pressExactly(page, key);
  await page.getByText('$14.83 for 1.65 lb; the rest is free').waitFor();
  await review(page, 'weighing', [PHONE, TABLET]);
  await page.keyboard.press('Escape');
  const key = await givenStoreKey(app, storeId, app.accountId);
  for (const [at, weight] of ['1.62', '1.5'].entries())
    await done(key.post(`/store/orders/${placed.order_id}/items/${at}`, { weight }));
  await dispatchAllEvents(app.service.deps);
  await page.getByText('1.62 lb').waitFor();
  await review(page, 'a weighed order', [PHONE, TABLET]);
  for (const event of ['ready', 'assign_driver', 'pick_up'])
    await done(app.post(`/sandbox/orders/${placed.order_id}/advance`, { event }));
  await press(page, 'More for');
  await press(page, 'Refund…');
  const refund = page.getByRole('dialog', { name: /^Refund order/ });
  await refund.getByLabel('All that is left of Chicken').check();
  await refund.getByText('The customer’s refund is $14.56, ').waitFor();
  await review(page, 'refunding a weight', [PHONE, TABLET]);
  await page.keyboard.press('Escape');
  for (const view of ['Sales', 'Store']) {
    await go(page, view);
    await page.locator('.panel').first().waitFor();
    await review(page, view, [PHONE, TABLET]);
  }
  assert.deepEqual(faults, []);
  await close();
});

test('at 1024×768 bars take up to 90 pixels, names break between words, and phone numbers stay whole', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  const { page, close } = await openSandbox(storeId, browser, { viewport: LANDSCAPE });
  const { Margherita } = await productTokens(app, storeId);
  const paymentMethod = await givenPaymentMethod(app);
  for (const name of ['Maximiliana-Bartholomea-Wilhelmina Stone', 'Dana', 'Theo']) {
    const body = orderBody(Margherita, paymentMethod, { autofill_selected_options: true, user_name: name });
    await done(app.post('/order/order/v2', body));
  }
  // As in a browser before the first touch of the page.
  await page.addInitScript("Object.defineProperty(AudioContext.prototype, 'state', { get: () => 'suspended' })");
  await page.reload();
  await page.locator('.order.new').nth(2).waitFor();
  for (const bar of ['sandbox', 'sound', 'ring']) await page.locator(`.strip.${bar}`).waitFor();
  const { height = 999 } = (await page.locator('.bars').boundingBox()) ?? {};
  t.diagnostic(`bars: ${height} px of 768`);
  assert.ok(height <= 90, `${height} px`);
  for (const width of [1024, 820, 390, 1440]) {
    await page.setViewportSize({ width, height: 768 });
    // Columns of a wide screen open without the menus of a narrow one.
    const menu = page.getByRole('button', { name: /^More for order/ }).first();
    await until(`the menu is open at ${width}, with the phone number in one line`, async () => {
      if ((await menu.getAttribute('aria-expanded')) === 'false') await menu.click();
      return (await linesOf(page, '.order .more a')).some((line) => /\(212\)\s555.0199$/.test(line));
    });
    const broken = (await linesOf(page, '.order .name')).filter(
      (line) => !/^((Maximiliana-|Bartholomea-|Wilhelmina|S\.) ?)+$/.test(line),
    );
    assert.deepEqual(broken, [], `the name at ${width}`);
    await assertFits(page, `orders at ${width}`);
  }
  await close();
});

/** The lines that the first element breaks its text into; none without such an element. */
async function linesOf(page: Page, selector: string): Promise<string[]> {
  return page.evaluate(`(() => {
    const element = document.querySelector(${JSON.stringify(selector)});
    if (!element) return [];
    const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
    const range = document.createRange();
    const lines = [];
    let bottom = 0;
    for (let at = 0; at < text.data.length; at += 1) {
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      const box = range.getBoundingClientRect();
      if (box.height > 0 && box.top >= bottom - 2) {
        bottom = box.bottom;
        lines.push('');
      }
      lines.push((lines.pop() ?? '') + text.data[at]);
    }
    return lines.map((line) => line.trim());
  })()`);
}

for (const { viewport, colorScheme, language } of [
  { viewport: { width: 768, height: 1024 }, colorScheme: 'light', language: 'es' },
  { viewport: SMALL_PHONE, colorScheme: 'dark', language: 'fr' },
  { viewport: { width: 1280, height: 800 }, colorScheme: 'light', language: 'en' },
] as const) {
  test(`in ${language} at ${viewport.width} pixels New order is accessible and fits, whole`, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    const [storeId = ''] = await givenStores(app, [pizzeria()]);
    const { page, faults, close } = await openSandbox(storeId, browser, { viewport, colorScheme, locale: 'en-US' });
    const { store, shop } = localeOf(language, 'US').words;
    const named = (name: string) => page.getByRole('button', { name }).first();
    const check = async (what: string) => {
      await assertAccessible(page, what);
      await assertFits(page, what);
      await assertWholeTexts(page, what);
    };
    await page.context().addCookies([{ name: 'doorstep_language', value: language, url }]);
    await page.goto(`${url}/console?sandbox#new-order`);
    await page.reload();
    await page.frameLocator('iframe.new-order').locator('.product').first().waitFor();
    await check('frame');
    await page.goto(`${url}/console/new-order`);
    await page.getByText(shop.list.pickup, { exact: true }).click();
    await named(shop.store.add({ name: 'Margherita' })).click();
    await page.getByRole('dialog').locator('button[type=submit]').click();
    await page.locator('.cart-bar button, .side-cart .main').locator('visible=true').click();
    await page.getByLabel(store.driver.name, { exact: true }).fill('Ana Pérez');
    await page.getByLabel(store.newOrder.byLink).check();
    await page.locator('button.main[form=review]:not(:disabled)').waitFor();
    await check('review');
    assert.deepEqual(faults, []);
    await close();
  });
}

test('the statement is accessible and fits in every language, and prints without the console around it', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  const terms = { commissionPercent: 15, perOrderCents: 30 };
  await app.service.deps.db.transaction().execute((tx) => setStoreTerms(tx, storeId, terms, app.now()));
  const { Margherita } = await productTokens(app, storeId);
  const changes = { autofill_selected_options: true };
  const { order_id: id } = await done(
    app.post('/order/order/v2', orderBody(Margherita, await givenPaymentMethod(app), changes)),
  );
  for (const event of ['confirm', 'assign_driver', 'pick_up', 'complete'])
    await done(app.post(`/sandbox/orders/${id}/advance`, { event }));
  await app.advance({ seconds: 1 });
  const { page, faults, close } = await openSandbox(storeId, browser, { viewport: DESK });
  await page.goto(`${url}/console?sandbox#statements`);
  for (const [language, viewport, colorScheme] of [
    ['fr', PHONE, 'dark'],
    ['es', UPRIGHT, 'light'],
    ['en', DESK, 'light'],
  ] as const) {
    await page.context().addCookies([{ name: 'doorstep_language', value: language, url }]);
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await page.reload();
    await page.locator('.scroll tfoot').waitFor();
    await assertAccessible(page, `${language} statement`);
    await assertFits(page, `${language} statement`);
  }
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.getByRole('navigation').isVisible(), false);
  assert.equal(await page.locator('.printed').isVisible(), true);
  assert.deepEqual(faults, []);
  await close();
});

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

test('a menu from its first category to its photos is accessible and fits; notices cover nothing, and Back scrolls to where it was', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { store, code } = await givenBareStore(app);
  const { page, faults, close } = await openConsole(browser, url, code, { viewport: PHONE });
  await page.getByRole('heading', { name: 'What’s left before customers can order' }).waitFor();
  await review(page, 'what is left');
  for (const name of ['Soups', 'Noodles', 'Rice', 'Sweets', 'Extras', 'Drinks'])
    await done(store.post('/store/menu/categories', { name }));
  await page.setViewportSize(PHONE);
  await go(page, 'Menu');
  const opener = page.getByRole('button', { name: 'Add item to Drinks' });
  await opener.scrollIntoViewIfNeeded();
  const scrolled = () => page.evaluate<number>("document.getElementById('main').scrollTop");
  const top = await scrolled();
  assert.ok(top > 0);
  await opener.press('Enter');
  for (const viewport of ALL) {
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
  await press(page, 'Add option group');
  const sign = "getComputedStyle(document.querySelector('.menu-option .money'), '::before').content";
  assert.equal(await page.evaluate(sign), '"$"');
  await page.setViewportSize(PHONE);
  await press(page, 'Back');
  await page.getByText('Water 1440', { exact: true }).waitFor();
  assert.ok((await scrolled()) >= top);
  for (const viewport of ALL) {
    await page.setViewportSize(viewport);
    const [panel, row] = [page.locator('.menu-category').first(), page.locator('.page > .menu-rename')];
    const [around, box] = [await panel.boundingBox(), await row.boundingBox()];
    assert.deepEqual([box?.x, box?.width], [around?.x, around?.width], `margins at ${viewport.width}`);
  }
  await pressExactly(page, 'More: Extras');
  await page.getByRole('switch', { name: 'Water 390 available' }).click();
  await page.getByRole('button', { name: 'Water 390 sold out until tomorrow' }).click();
  await page.getByText(/· back .*11:00 AM/).waitFor();
  await pressExactly(page, 'More: Water 820');
  await review(page, 'what categories and items rarely need');
  await pressExactly(page, 'History');
  await page.getByText('Added: Water 390').waitFor();
  await review(page, 'the history');
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
  await pressExactly(page, 'Edit Water 1440');
  await page.getByRole('combobox', { name: 'Sold' }).selectOption('lb');
  await page.getByText('Pickup price, hours and food facts').click();
  const photo = (name: string, buffer: Buffer) =>
    page.getByLabel('Choose photo').setInputFiles({ name, mimeType: '', buffer });
  await photo('notes.pdf', Buffer.from('%PDF-1.7'));
  await page.getByText('We can’t use this file.').waitFor();
  await review(page, 'the form of an item');
  faults.length = 0; // The browser logs the refusal.
  await photo('pie.jpg', await givenPhoto());
  await page.getByRole('img', { name: 'Photo of Water 1440' }).waitFor();
  await page.getByLabel('Price for 1 lb').fill('2');
  await pressExactly(page, 'Save');
  await page.locator('.menu-item img').waitFor();
  await pressExactly(page, 'Preview');
  await page.getByRole('dialog').locator('img').waitFor();
  await review(page, 'the preview');
  assert.deepEqual(faults, []);
  await close();
});

test('the store view, its staff and offers are accessible and fit, and a refused offer shows its first wrong field', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { store, code } = await givenBareStore(app);
  const { page, faults, close } = await openConsole(browser, url, code, { viewport: PHONE, colorScheme: 'dark' });
  await go(page, 'Store');
  const photo = { name: 'logo.png', mimeType: 'image/png', buffer: await givenPhoto('png', 64, 64) };
  await page.getByRole('group', { name: 'Logo' }).locator('input').first().setInputFiles(photo);
  await page.getByText('Photos saved').waitFor();
  await review(page, 'store');
  const panel = page.getByRole('region', { name: 'Staff' });
  await panel.getByLabel('Name').fill('Maria');
  await panel.getByLabel('Name').press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.locator('.staff-code').waitFor();
  await review(page, 'code');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await review(page, 'staff');
  await panel.getByRole('button', { name: 'Remove Maria' }).click();
  await review(page, 'removal');
  await page.keyboard.press('Escape');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(`${url}/console#offers`);
  await press(page, 'New offer');
  await press(page, 'Create offer');
  await page.getByText('Check: Percent off').waitFor();
  await assertRefusalInSight(page, 'an offer without its percentage');
  await page.getByLabel('Percent off', { exact: true }).last().fill('20');
  await page.getByText('20% off everything, paid by you.').waitFor();
  await review(page, 'the form of an offer');
  await done(store.post('/store/promotions', { kind: 'percent', percent: 5, code: 'SAVE5' }));
  await page.reload();
  await page.locator('.offer').first().waitFor();
  await review(page, 'offers');
  assert.deepEqual(faults, []);
  await close();
});

for (const [viewport, colorScheme] of [
  [{ width: 1280, height: 800 }, 'light'],
  [SMALL_PHONE, 'dark'],
] as const) {
  test(`at ${viewport.width} pixels, ${colorScheme}, the preview of a brand has its color, fonts and pictures, and fits`, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    const { db } = app.service.deps;
    const { accountId } = kitchen.client;
    const named = { mode: 'live', storeIds: [kitchen.storeId] } as const;
    await db.transaction().execute((tx) => setShop(tx, accountId, named, app.now()));
    const shown = { accountId, ownerLook: true, updatedAt: app.now().toString() };
    await db
      .insertInto('brandings')
      .values(shown)
      .onConflict((one) => one.doNothing())
      .execute();
    const { page, faults, close } = await openConsole(browser, url, await kitchen.invite(), { viewport, colorScheme });
    await go(page, 'Store');
    const panel = page.getByRole('region', { name: 'Your brand' });
    await panel.getByLabel('Name').fill('Palazzo');
    await panel.getByLabel('Color').fill('#FFcc00');
    const color = "getComputedStyle(document.querySelector('.brand-preview .main')).backgroundColor";
    await until('the preview has the color', async () => (await page.evaluate(color)) === 'rgb(255, 204, 0)');
    await panel.getByLabel('Fonts').selectOption('Classic (Lora)');
    await until('the preview has the fonts', () => page.evaluate<boolean>("document.fonts.check('16px Figtree')"));
    const buffer = await givenPhoto('png', 1200, 400);
    const chooser = panel.getByRole('group', { name: 'Cover' }).locator('input[type=file]').first();
    await chooser.setInputFiles({ name: 'oven.png', mimeType: 'image/png', buffer });
    await panel.locator('.brand-preview .wide .cover img').waitFor();
    await assertAccessible(page, 'the brand');
    await assertFits(page, 'the brand');
    assert.deepEqual(faults, []);
    await close();
  });
}

test('an operator’s forms of a store, its terms, an invitation and a brand are accessible, and a refused brand shows its wrong field', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, close } = await openView(browser, app, url);
  await showView(page, url, 'stores/new');
  await page.getByLabel('Street').fill('500 Canal St');
  const results = [{ latitude: 40.7243, longitude: -74.0099, address: '500 Canal St', precision: 'rooftop' }];
  await page.route('**/operator/geocode*', (route) => route.fulfill({ json: { results } }));
  await press(page, 'Look up the address');
  await page.getByText('Which one is it?').waitFor();
  await assertAccessible(page, 'the form of a store');
  const { storeId } = await givenBareStore(app);
  await showView(page, url, `stores/${storeId}`);
  await press(page, 'Change terms…');
  await page.getByLabel('Fee per order, $').fill('0.3');
  await assertAccessible(page, 'the terms');
  await page.getByLabel('Reason').fill('The contract of March');
  await press(page, 'Save terms');
  await page.getByText('$0.30').waitFor();
  await assertAccessible(page, 'the store');
  await press(page, 'Send an invitation…');
  await page.getByRole('textbox', { name: 'Email' }).waitFor();
  await assertAccessible(page, 'the invitation');
  await page.keyboard.press('Escape');
  await showView(page, url, `accounts/${app.accountId}`);
  await page.getByLabel('Logo').fill('http://logo.example/logo.png');
  await press(page, 'Save the brand');
  await page.getByText('Check: Logo, https').waitFor();
  await assertRefusalInSight(page, 'a logo without https');
  await assertAccessible(page, 'brand and shop');
  await close();
});

/** New orders of the busiest evening. */
const MANY = 300;
/** Orders placed at the same time. */
const TOGETHER = 8;

async function place(count: number): Promise<void> {
  const dishes = ['Margherita', 'Funghi e Tartufo', 'Diavola', 'Marinara'];
  const numbers = Array.from({ length: count }, (_, n) => n).values();
  const worker = async () => {
    for (const n of numbers) {
      const second = { name: 'Margherita', options: ['pan', 'olives'], notes: n % 5 ? '' : 'no salt' };
      await kitchen.place([{ name: dishes[n % 4] ?? '' }, second], { pickup: n % 3 === 0, user_name: `Ada ${n}` });
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, worker));
}

test('300 new orders leave the page to work on: the bar and the tabs never cover an order or its buttons', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  await kitchen.endOrders();
  await place(MANY);
  let count = MANY;
  for (const viewport of [SMALL_PHONE, LANDSCAPE, { width: 768, height: 1024 }]) {
    const { page, faults, close } = await openConsole(browser, url, await kitchen.invite(), { viewport });
    await page.getByText(`${count} new orders`, { exact: true }).waitFor();
    assert.equal(await cards(page).count(), count);
    const boxOf = async (selector: string) => (await page.locator(selector).boundingBox()) ?? assert.fail(selector);
    const [bars, main] = [await boxOf('.bars'), await boxOf('#main')];
    assert.ok(bars.y + bars.height <= main.y && main.height > viewport.height * 0.65, JSON.stringify({ bars, main }));
    for (const which of [cards(page).last(), cards(page).nth(150), cards(page).first()]) {
      const button = which.getByRole('button', { name: /^Confirm/ });
      await button.focus();
      const [box, tabs] = [(await button.boundingBox()) ?? assert.fail('no button'), await boxOf('.lanes')];
      assert.ok(box.y >= tabs.y + tabs.height && box.y + box.height <= main.y + main.height, JSON.stringify(box));
      await button.click({ trial: true });
    }
    await cards(page)
      .last()
      .getByRole('button', { name: /^Confirm/ })
      .click();
    count -= 1;
    await page.getByText(`${count} new orders`, { exact: true }).waitFor();
    assert.deepEqual(faults, []);
    await close();
  }
});

/** Counts the cards that are rendered, by the amount that each writes, and notes the cards whose texts change. */
const COUNT = `window.rendered = 0; window.changed = new Set();
  const { get } = Object.getOwnPropertyDescriptor(Intl.NumberFormat.prototype, 'format');
  Object.defineProperty(Intl.NumberFormat.prototype, 'format', { get() {
    if (this.resolvedOptions().style === 'currency') window.rendered += 1; return get.call(this); } });
  new MutationObserver((changes) => { for (const { target } of changes) {
    const card = (target.nodeType === 3 ? target.parentElement : target).closest('article, ul, section, main');
    window.changed.add(card.id || card.getAttribute('aria-labelledby') || card.tagName); } })
    .observe(document.getElementById('main'), { subtree: true, childList: true, characterData: true });`;

const IS_LAST_LAID_OUT =
  "[...document.querySelectorAll('.due')].at(-1).checkVisibility({ contentVisibilityAuto: true })";

test('with 300 cards each second changes only those in view, a new order renders one card, and reading the list renders no other', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, close } = await openConsole(browser, url, await kitchen.invite(), { viewport: LANDSCAPE });
  await page.clock.install();
  await page.reload();
  await page.locator('.pulse.live').waitFor();
  await press(page, 'I’m on it');
  await page.locator('.strip.ring').waitFor({ state: 'detached' });
  await dispatchAllEvents(app.service.deps);
  const open = await cards(page).count();
  await until('cards out of view are not laid out', async () => !(await page.evaluate(IS_LAST_LAID_OUT)));
  const leftOf = (at: 'first' | 'last') => cards(page)[at]().locator('.due strong').textContent();
  const [first, last] = [await leftOf('first'), await leftOf('last')];
  await page.evaluate(COUNT);
  await page.clock.runFor(5000);
  await until('the first card counts down', async () => (await leftOf('first')) !== first);
  assert.equal(await leftOf('last'), last, 'a card out of view is left alone');
  const changed = Number(await page.evaluate('window.changed.size'));
  assert.ok(changed > 0 && changed < open / 10, `${changed} cards changed`);
  assert.equal(await page.evaluate('window.rendered'), 0, 'only the texts of the time are rendered');

  await cards(page).last().scrollIntoViewIfNeeded();
  await until('the last card is up to date', async () => (await leftOf('last')) !== last);
  await place(1);
  await dispatchAllEvents(app.service.deps);
  await until('one more card', async () => (await cards(page).count()) === open + 1);
  assert.equal(await page.evaluate('window.rendered'), 1);

  const listed = page.waitForResponse('**/store/orders');
  await page.clock.runFor(61_000);
  await (await listed).finished();
  await page.clock.runFor(1000);
  const rendered = Number(await page.evaluate('window.rendered'));
  assert.ok(rendered <= 2, `${rendered} cards: the new one again, as it is listed`);
  await close();
});

const LONG = 'A very long name of a dish, with-a-word-that-has-no-end-because-it-goes-on-and-on '.repeat(4).trim();

test('every ticket shows as its policy allows, fits 80 mm, is accessible, and prints on 80 mm paper', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const order = givenTicketOrder(
    { item: LONG, option: `Phở 字 ${LONG}`, notes: LONG, customer: LONG, store: LONG },
    { canceledAt: TICKET_NOW, cancelReason: 'out_of_stock' },
  );
  const policy = Object.entries(TICKET_POLICY)
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join('; ');
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
  for (const document of ['kitchen', 'receipt', 'canceled'] as const) {
    const body = ticketPage(document, order, { ...FIRST_PRINT, copy: 1, mayBeRepeated: true });
    for (const bypassCSP of [false, true]) {
      const { page, faults, close } = await openPage(browser, 'about:blank', { bypassCSP });
      await page.route(`${url}/ticket`, (route) => route.fulfill({ headers, body }));
      await page.goto(`${url}/ticket`);
      if (bypassCSP) await assertAccessible(page, document);
      else {
        assert.deepEqual(faults, []);
        // 80 mm return 302.4 CSS pixels.
        assert.equal(await page.evaluate('Math.round(document.body.getBoundingClientRect().width)'), 302);
        assert.equal(await page.evaluate('document.body.scrollWidth <= document.body.clientWidth'), true, document);
        const printed = await page.pdf({ preferCSSPageSize: true });
        // 80 mm are 226.8 points.
        assert.match(printed.toString('latin1'), /\/MediaBox ?\[0 0 22[67]/);
      }
      await close();
    }
  }
});
