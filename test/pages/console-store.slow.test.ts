// covers: web/console/**, web/*.{ts,tsx}
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { findBranding } from '../../src/access/accounts/brandings.db.ts';
import { setShop } from '../../src/access/accounts/set-shop.flow.ts';
import type { Language } from '../../src/platform/languages/language.ts';
import { localeOf } from '../../src/texts/catalogs.ts';
import { givenKitchen, type Kitchen } from '../given/kitchen.ts';
import { givenBareStore, givenConsole } from '../given/merchant.ts';
import type { Page } from '../given/page.ts';
import { givenPhoto } from '../given/photo.ts';
import { type App, type Client, done, givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { attach, focus, openConsole, valueIn } from './open-console.ts';

const COLA = [{ name: 'Cola', quantity: 3 }];

let app: App;
let kitchen: Kitchen;
let store: Client;
let url: string;
before(async () => {
  app = await givenApp({ env: { ORDER_CONFIRM_TIMEOUT_MINUTES: '1440' } });
  kitchen = await givenKitchen(app);
  store = await givenConsole(app, kitchen.storeId);
  url = await app.service.listen();
});
after(() => app.close());

/** The console at one of its views. */
async function openView(t: TestContext, view: string | RegExp = 'Store', code?: string): Promise<Page> {
  const page = await openConsole(t, url, code ?? (await kitchen.invite()));
  await page.in('nav').press(view);
  return page;
}

const settings = async () => done(store.get('/store'));
const year = () => app.now().toZonedDateTimeISO('UTC').year + 1;

test('a pause stops orders at once, shows in every view and on another tablet, and ends with one tap', async (t) => {
  const page = await openView(t);
  await page.press('Pause new orders: 30 min');
  await page.find('heading', /^Paused until/);
  await assert.rejects(kitchen.place(COLA, { pickup: true }), /STORE_CLOSED/);
  const second = await openConsole(t, url, await kitchen.invite());
  await second.in('.strip.paused').shows('Paused until');
  await page.in('nav').press(/^Orders/);
  await page.in('.strip.paused').press('Resume');
  await until('the bar is gone', () => page.all('.strip.paused').length === 0);
  await kitchen.place(COLA, { pickup: true });
});

test('a busy kitchen adds minutes with two taps above the orders, and its bar ends it', async (t) => {
  const page = await openView(t, /^Orders/);
  await page.press('Busy');
  await page.press('Add 15 min to new orders');
  await page.in('.strip.paused').shows(/^Busy until .* 15 min longer\./);
  assert.equal((await settings()).busy.extra_minutes, 15);
  await page.in('.strip.paused').press('No longer busy');
  await until('the bar is gone', () => page.all('.strip.paused').length === 0);
  assert.equal((await settings()).busy, null);
  await page.press('Pause');
  await page.dialog('Pause new orders').shows('You’re open for orders.');
});

test('hours are edited by day and channel, and given back to the feed', async (t) => {
  const page = await openView(t);
  const hours = async () => (await settings()).hours;
  await page.choose('Monday: open', 'Open');
  await page.fill('Monday: to', '23:30');
  await page.press('Copy to all days');
  await page.choose('Sunday: open', 'Closed');
  await page.in('[aria-labelledby=hours]').press('Delivery');
  await page.check('Same as store hours', false);
  await page.press('Add hours: Friday');
  await page.press('Save hours');
  await page.shows('Hours saved.');
  const saved = await hours();
  assert.equal(saved.operational.Monday, '11:00AM - 11:30PM');
  assert.equal(saved.operational.Sunday, 'Closed');
  assert.equal(saved.pickup.Friday, '11:00AM - 11:30PM');
  assert.match(saved.delivery.Friday, /^11:00AM - 11:30PM, /);
  await page.press('Go back to listed hours');
  await page.shows('Listed hours are back.');
  assert.equal((await hours()).operational.Monday, 'Open 24 hours');
});

test('special hours are added and removed by the keyboard, and given back to the feed', async (t) => {
  const page = await openView(t);
  const days = async () => (await settings()).hours_exceptions;
  const enter = async (name: string | RegExp) => {
    await focus(page, 'control', name);
    await page.key('Enter');
  };
  await enter('Add special hours');
  await page.shows('Check: First day');
  await page.fill('First day', `${year()}-12-25`);
  await page.fill('Last day', `${year()}-12-26`);
  await enter('Add special hours');
  await page.shows('Special hours saved.');
  const christmas = { from: `${year()}-12-25`, to: `${year()}-12-26`, hours: 'Closed', channel: null };
  assert.deepEqual(await days(), [christmas]);
  await page.fill('First day', `${year()}-12-24`);
  await page.choose('Hours for', 'Delivery');
  await page.choose('These days: open', 'Open');
  await page.fill('These days: to', '16:00');
  await page.press('Add hours: These days');
  await enter('Add special hours');
  await page.shows('Delivery: 11:00 AM – 4:00 PM, 5:00 – 10:00 PM');
  const hours = '11:00AM - 04:00PM, 05:00PM - 10:00PM';
  const eve = { from: `${year()}-12-24`, to: `${year()}-12-24`, hours, channel: 'delivery' };
  assert.deepEqual(await days(), [christmas, eve]);
  await enter(/^Remove .*Dec 25/);
  await page.shows('Special hours removed.');
  assert.deepEqual(await days(), [eve]);
  await page.press('Go back to listed days');
  await page.shows('Listed days are back.');
  assert.deepEqual(await days(), []);
});

test('a day set by another tablet stays when this tablet adds or removes a day', async (t) => {
  const on = (date: string) => ({ from: `${year()}-${date}`, to: `${year()}-${date}`, hours: 'Closed', channel: null });
  const set = (list: object[]) => done(store.put('/store/hours', { hours_exceptions: list }));
  const days = async () => (await settings()).hours_exceptions;
  await set([]);
  const page = await openView(t);
  await page.shows('No special hours coming up.');
  await set([on('12-25')]);
  await page.fill('First day', `${year()}-07-04`);
  await page.press('Add special hours');
  await page.shows('Special hours saved.');
  assert.deepEqual(await days(), [on('12-25'), on('07-04')]);
  await set([on('11-26'), on('12-25'), on('07-04')]);
  await page.press(/^Remove .*Dec 25/);
  await page.shows('Special hours removed.');
  assert.deepEqual(await days(), [on('11-26'), on('07-04')]);
});

test('weekly hours set by another tablet stay when this tablet saves its own', async (t) => {
  const page = await openView(t);
  await page.choose('Friday: open', 'Closed');
  const { operational, pickup } = (await settings()).hours;
  const others = { operational: { ...operational, Monday: 'Closed' }, pickup };
  await done(store.put('/store/hours', { hours: others }));
  await page.press('Save hours');
  await page.shows('Hours saved.');
  const saved = (await settings()).hours.operational;
  assert.deepEqual([saved.Monday, saved.Friday, saved.Sunday], ['Closed', 'Closed', operational.Sunday]);
  await until('Monday is closed', async () => (await valueIn(page, 'Monday: open')) === 'closed');
});

test('an owner’s first sign-in lists the missing steps before the store can sell, and ticks them off', async (t) => {
  const { store: bare, code } = await givenBareStore(app);
  const page = await openConsole(t, url, code);
  const left = () => page.all('.todo:not(.done) strong').map((one) => one.textContent);
  await page.find('heading', 'What’s left before customers can order');
  assert.deepEqual(left(), ['Menu', 'Photo'], 'the operator typed hours, and orders arrive on this console');
  await page.press('Open: Menu');
  await page.fill('New category', 'Noodles');
  await page.key('Enter');
  await page.press('Add item to Noodles');
  await page.fill('Name', 'Pad Thai');
  await page.fill('Price', '12.50');
  await page.press('Save and close');
  await page.find('control', 'Edit Pad Thai');
  await page.in('nav').press(/^Orders/);
  await until('the menu is ticked off', () => left().join() === 'Photo');
  await page.press('Open: Photo');
  await page.shows('From your listing. Hours you set here replace them.');
  assert.doesNotMatch(page.text(), /imported/i, 'hours typed by the operator are not imported');
  const logo = page.in('.photo-field');
  await logo.shows('Logo');
  await attach({ ...logo, window: page.window }, /^Choose photo$/, 'logo.png', await givenPhoto('png', 64, 64));
  await page.shows('Photos saved');
  await logo.press('Remove photo');
  await until('no logo is shown', () => logo.all('img').length === 0);
  await attach({ ...logo, window: page.window }, /^Choose photo$/, 'logo.png', await givenPhoto('png', 64, 64));
  await until('the logo is back', () => logo.all('img').length === 1);
  await page.in('nav').press(/^Orders/);
  await until('nothing is left', () => page.all('.start').length === 0);
  assert.deepEqual((await done(bare.get('/store'))).missing, []);
  await done(bare.put('/store/photos', { logo: [] }));
  await page.reload();
  await page.press('Hide');
  await page.reload();
  await page.shows('No new orders.');
  await page.settled();
  assert.equal(page.all('.start').length, 0, 'a hidden list stays hidden');
});

test('no list of the console is shown as empty while its last read failed', async (t) => {
  let isDown = false;
  const page = await openConsole(t, url, await kitchen.invite(), {
    prepare(window) {
      const { fetch, Response } = window;
      const init = { status: 503, headers: { 'content-type': 'application/json' } };
      window.fetch = async (address, options) =>
        isDown && String(address).includes('/store/')
          ? new Response('{"code":"not_ready"}', init)
          : fetch.call(window, address, options);
    },
  });
  isDown = true;
  const hasFailed = () => page.all('[role=alert]').some((one) => one.textContent?.trim() !== '');
  for (const view of ['orders', 'menu', 'offers', 'sales', 'statements', 'store']) {
    await page.open(`${url}/console?${view}#${view}`);
    await until(`${view} failed`, hasFailed);
    await until(`nothing of ${view} is read any more`, () => page.all('[aria-busy=true]').length === 0);
    const empty = page.all('main .empty').map((one) => one.textContent);
    assert.deepEqual(
      empty.filter((text) => !text?.startsWith('Loading')),
      [],
      view,
    );
  }
  await page.open(`${url}/console?history#menu`);
  await page.press('History');
  await until('the history failed', () => page.in('dialog').all('[role=alert]')[0]?.textContent?.trim() !== '');
  assert.doesNotMatch(page.text(), /No changes yet/);
});

test('a tablet switches its language in the store view and keeps it, and every figure stays the same', async (t) => {
  await kitchen.place([{ name: 'Diavola', quantity: 4 }], { driver_tip_cents: 1234 });
  const page = await openView(t, 'Sales');
  const figures = async (language: Language) => {
    const { store: words } = localeOf(language, 'US').words;
    await page.in('nav').press(words.frame.sales);
    await page.shows(words.sales.sales);
    await until('the orders are read', () => page.all('.amount').length > 0);
    const texts = page.all('.key-figures strong, .amount').map((one) => one.textContent ?? '');
    return { texts, digits: texts.map((text) => text.replaceAll(/\D/g, '')) };
  };
  const english = await figures('en');
  let before: Language = 'en';
  for (const [language, sample] of [
    ['fr', /^[\d\s]+,\d\d\s\$$/],
    ['es', /^\$[\d,]+\.\d\d$/],
  ] as const) {
    const { frame } = localeOf(before, 'US').words.store;
    await page.in('nav').press(frame.store);
    const window = page.window();
    await page.choose(frame.language, new RegExp(language === 'fr' ? 'Français' : 'Español'));
    await until('the page is loaded again', () => page.window() !== window);
    await page.in('.pulse').shows(localeOf(language, 'US').words.store.frame.live);
    before = language;
    const { texts, digits } = await figures(language);
    assert.match(texts[0] ?? '', sample);
    assert.deepEqual(digits, english.digits);
  }
  await page.reload();
  assert.equal(page.window().document.documentElement.lang, 'es');
});

test('a store’s language is its console’s until a tablet chooses another', async (t) => {
  const page = await openView(t);
  await page.choose('Store language', 'Français');
  await page.shows('Store language saved.');
  await page.reload();
  assert.equal(page.window().document.documentElement.lang, 'fr');
  assert.equal((await done(store.put('/store/language', { language: 'en' }))).language, 'en');
});

test('the link of a store’s ordering page is copied', async (t) => {
  const { db } = app.service.deps;
  const shop = { mode: 'live', isDefault: true } as const;
  await db.transaction().execute((tx) => setShop(tx, kitchen.client.accountId, shop, app.now()));
  const page = await openView(t);
  await page.press('Copy link');
  await page.shows('Link copied.');
  const link = await page.window().navigator.clipboard.readText();
  assert.match(link, new RegExp(`/shop/s/${kitchen.storeId}$`));
});

test('the owner adds a member, who signs in with the shown code, manages no staff, sees no offers, and is removed', async (t) => {
  const page = await openView(t);
  const panel = page.in('section[aria-labelledby=staff]');
  await panel.fill('Name', 'Maria');
  await page.key('Enter');
  const dialog = page.dialog('Access code for Maria');
  await until('the code is shown', () => dialog.all('.staff-code').length === 1);
  const code = dialog.in('.staff-code').text();
  await dialog.press('Done');

  const tablet = await openView(t, 'Store', code);
  await tablet.shows('Signed in as Maria');
  await tablet.find('field', 'Store language');
  assert.equal(tablet.all('section[aria-labelledby=staff]').length, 0);
  await tablet.in('nav').press('Menu');
  await tablet.find('control', 'Preview');
  assert.equal(tablet.all('a[href="#offers"]').length, 0);

  await panel.press('Remove Maria');
  await page.dialog('Remove Maria?').press('Remove');
  await page.shows('Maria was removed.');
  await tablet.find('field', 'Access code');
});

test('the owner changes the brand, whose preview follows, uploads a cover and saves', async (t) => {
  const { db } = app.service.deps;
  const { accountId } = kitchen.client;
  const named = { mode: 'live', storeIds: [kitchen.storeId] } as const;
  await db.transaction().execute((tx) => setShop(tx, accountId, named, app.now()));
  await db.insertInto('brandings').values({ accountId, ownerLook: true, updatedAt: app.now().toString() }).execute();
  const page = await openView(t);
  const panel = page.in('section[aria-labelledby=brand]');
  await panel.fill('Name', 'Palazzo');
  await panel.fill('Welcome line', 'Pies from the stone oven');
  for (const screen of ['.narrow', '.wide'])
    await panel
      .in('.brand-preview')
      .in(screen)
      .shows(/Palazzo\s+Pies from the stone oven/);
  await panel.fill('Color, #rrggbb', '#FFcc00');
  await panel.shows(/Text has 4\.[5-9]:1, in #/);
  await panel.choose('Corners', 'Round');
  await panel.choose('Fonts', 'Classic (Lora)');
  const cover = panel.in(
    '.photo-field',
    panel.all('.photo-field').findIndex((one) => one.textContent?.startsWith('Cover')),
  );
  await attach({ ...cover, window: page.window }, /^Choose photo$/, 'oven.png', await givenPhoto('png', 1200, 400));
  await until('the preview has the cover', () => panel.all('.brand-preview .wide .cover img').length === 1);
  await panel.press('Save brand');
  await page.shows('Brand saved.');
  const { displayName, color, corners, font, coverUrl } = await findBranding(db, accountId);
  assert.deepEqual([displayName, color, corners, font], ['Palazzo', '#ffcc00', 'round', 'classic']);
  assert.match(coverUrl ?? '', /\/photos\//);
});

type Listed = {
  order_id: string;
  order_number: string;
  status: string;
  driver_tip_cents: number;
  final_quote: { quote: { total: number } };
};

test('sales have totals, items and orders of the store’s own day, each with its tickets, and of another day', async (t) => {
  const kept = await kitchen.place([{ name: 'Diavola' }], { driver_tip_cents: 350 });
  const gone = await kitchen.place([{ name: 'Diavola' }], { driver_tip_cents: 999 });
  const sold = await kitchen.place([{ name: 'Marinara', quantity: 3 }], { pickup: true });
  await done(store.post(`/store/orders/${gone}/cancel`, { reason: 'too_busy' }));
  await done(store.post(`/store/orders/${sold}/confirm`, { preparation_minutes: 5 }));
  await done(store.post(`/store/orders/${sold}/complete`, {}));
  const { orders } = (await done(store.get('/store/orders'))) as { orders: Listed[] };
  const taken = orders.filter(({ status }) => status !== 'canceled');
  const tips = taken.reduce((sum, one) => sum + one.driver_tip_cents, 0);
  const expected = taken.reduce((sum, one) => sum + one.final_quote.quote.total, tips);
  const number = orders.find(({ order_id: id }) => id === kept)?.order_number ?? assert.fail();
  const page = await openView(t, 'Sales');
  for (const cents of [expected, tips]) await page.in('.key-figures').shows(`$${(cents / 100).toFixed(2)}`);
  await page.shows('Canceled: Too busy');
  const row = page.all('.sums tbody tr').find((one) => one.textContent?.includes('Marinara'));
  assert.match(row?.textContent ?? '', /Marinara\s*3\s*\$37\.50/);
  await page.fill('Order number', number);
  await until('the search leaves one order', () => page.all('.sold-orders > li').length === 1);
  await page.press(`Tickets for order ${number}`);
  // The first one prints.
  const receipt = await page.in('dialog').find('control', 'Receipt', 1);
  assert.equal(receipt.getAttribute('href'), `/console/orders/${kept}/ticket?document=receipt`);
  await page.press('Reprint receipt');
  await page.shows('This store doesn’t have a printer set up.');
  await page.key('Escape');
  await page.press('Yesterday');
  await page.shows('No completed orders yet.');
  await page.shows('No orders found.');
});

test('the page renews its session once a day, and an ended session clears its cookie', async () => {
  const session = await givenConsole(app, kitchen.storeId);
  assert.equal((await session.get('/console')).headers['set-cookie'], undefined);
  await app.advance({ hours: 25 });
  assert.match(
    String((await session.get('/console')).headers['set-cookie']),
    /^doorstep_console=[^;]{20,}; Max-Age=2592000/,
  );
  await app.advance({ hours: 1 });
  const ended = await session.get('/console');
  assert.match(ended.text, /data-ended/);
  assert.match(String(ended.headers['set-cookie']), /^doorstep_console=; Max-Age=0/);
});
