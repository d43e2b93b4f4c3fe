import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { DEMO_SOURCE } from '../../demo/catalog.ts';
import { saveBranding } from '../../src/access/accounts/brandings.db.ts';
import { prepareDemo } from '../../src/app/cli/prepare-demo.ts';
import { moveDriver } from '../../src/fulfillment/deliveries/report-position.flow.ts';
import { ticketPage } from '../../src/fulfillment/tickets/ticket.page.ts';
import { findAnyOrder } from '../../src/ordering/order/orders.db.ts';
import { LANGUAGES, type Language } from '../../src/platform/languages/language.ts';
import { OutsideError } from '../../src/platform/lib/outside-error.ts';
import { storeIdOf } from '../../src/supply/stores/store-id.ts';
import { localeOf } from '../../src/texts/catalogs.ts';
import { pizzeria } from '../feed-lines.ts';
import { freePort } from '../given/command.ts';
import { type Assigned, givenAssigned } from '../given/driver.ts';
import { givenFolder } from '../given/folder.ts';
import { givenKitchen, type Kitchen } from '../given/kitchen.ts';
import { givenLiveShop, type LiveShop, step } from '../given/live-shop.ts';
import { givenChannel, givenConsole } from '../given/merchant.ts';
import { orderBody, productTokens } from '../given/orders.ts';
import { givenStores } from '../given/stores.ts';
import { givenTracked, givenTrackedStore, type Tracked } from '../given/tracked.ts';
import { type App, type AppOptions, type Client, clientOf, done, givenApp } from '../harness.ts';
import { givenBrowser, openPage } from './browser.ts';
import { openConsole, TABLET } from './open-console.ts';
import { DESK, openView, showView } from './operator-view.ts';
import { fillContact, openShop, payByCard } from './order-in-shop.ts';
import { keepPicture, keepSheet, skip, takePicture } from './picture.ts';

/* The documents' pictures, of one evening on every surface. `npm run pictures` makes them. */

const PHONE = { width: 390, height: 780 };
const SCALE = 1.5;
/** Quarter past six on a weekday evening. */
const START = '2026-06-10T22:18:00Z';

/** A running service and the browser that takes its pictures. */
type Scene = { browser: Browser; app: App; url: string };
type DemoScene = Scene & { client: Client };

function picture(name: string, shoot: (browser: Browser, t: TestContext) => Promise<void>): void {
  test(`the pictures of ${name}`, { skip }, async (t) => {
    const browser = await givenBrowser(t);
    if (browser) await shoot(browser, t);
  });
}

async function givenScene(browser: Browser, t: TestContext, env: AppOptions['env'] = {}): Promise<Scene> {
  const app = await givenApp({ start: START, env });
  t.after(() => app.close());
  return { browser, app, url: await app.service.listen() };
}

async function givenDemo(browser: Browser, t: TestContext): Promise<DemoScene> {
  const folder = givenFolder('doorstep-pictures', t);
  const PORT = await freePort();
  const env = { DATA_DIR: folder, PORT, BASE_URL: `http://127.0.0.1:${PORT}` };
  const app = await givenApp({ start: START, env });
  t.after(() => app.close());
  const { accountId, key } = await prepareDemo(app.service, app.config);
  return { browser, app, url: await app.service.listen(), client: clientOf(app.service, accountId, key) };
}

/** The order that was placed last. */
async function lastOrder({ app }: Scene): Promise<string> {
  const orders = app.service.deps.db.selectFrom('orders').select('orderId').orderBy('placedAt', 'desc');
  const { orderId } = await orders.limit(1).executeTakeFirstOrThrow();
  return orderId;
}

async function mailOf(client: Client, orderId: string, kind = 'order_confirmation'): Promise<string> {
  const { messages } = await done(client.get('/sandbox/messages', { order_id: orderId }));
  return messages.find((one: { kind: string }) => one.kind === kind)?.html ?? assert.fail(`no ${kind}`);
}

/** A page of a text in HTML, such as a mail or a ticket. */
async function withHtml<Result>(
  browser: Browser,
  html: string,
  options: BrowserContextOptions,
  show: (page: Page) => Promise<Result>,
): Promise<Result> {
  const page = await browser.newPage({ ...options, javaScriptEnabled: false });
  await page.setContent(html);
  const shown = await show(page);
  await page.close();
  return shown;
}

async function ticketOf(
  app: App,
  orderId: string,
  document: 'kitchen' | 'receipt',
  brandName: string,
  language: Language,
) {
  const order = (await findAnyOrder(app.service.deps.db, orderId)) ?? assert.fail('no order');
  const content = { copy: 0, mayBeRepeated: false, brandName, language, customerLanguage: language, now: app.now() };
  return ticketPage(document, order, content);
}

/** The console of a demo store, in a session of its staff. */
async function openBoard({ browser, app, url, client }: DemoScene, storeId: string, options: BoardOptions) {
  const { isOwner = false, language, ...more } = options;
  const store = await givenConsole(app, storeId, isOwner ? null : client.accountId);
  const opened = await openPage(browser, `${url}/shop/orders`, { deviceScaleFactor: 1, ...more });
  const [name = '', value = ''] = store.cookie.split('=');
  const cookies = [{ name, value, url }, ...(language ? [{ name: 'doorstep_language', value: language, url }] : [])];
  await opened.page.context().addCookies(cookies);
  await opened.page.goto(`${url}/console${isOwner ? '#offers' : '?sandbox'}`);
  return { ...opened, store };
}
type BoardOptions = BrowserContextOptions & { isOwner?: boolean; language?: Language };

picture('the console', async (browser, t) => {
  const { app, url } = await givenScene(browser, t, { ORDER_CONFIRM_TIMEOUT_MINUTES: '8' });
  const kitchen = await givenKitchen(app);
  await givenBusyKitchen(app, kitchen);
  const open = async (viewport: typeof TABLET, colorScheme: 'light' | 'dark') => {
    const options = { viewport, colorScheme, reducedMotion: 'reduce' as const, deviceScaleFactor: SCALE };
    const opened = await openConsole(browser, url, await kitchen.invite(), options);
    await opened.page.locator('.order').first().waitFor();
    return opened;
  };
  const tablet = await open(TABLET, 'light');
  await shootTablet(tablet.page);
  await tablet.close();
  const phone = await open(PHONE, 'dark');
  await shootAtRest(phone.page, 'console-phone-dark');
  await phone.close();
  const wide = await open(DESK, 'dark');
  await wide.page.getByRole('button', { name: /I’m on it/ }).click();
  await shootAtRest(wide.page, 'console-wide-dark');
  await wide.close();
});

async function shootAtRest(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(300);
  await keepPicture(page, name);
}

async function givenBusyKitchen(app: App, kitchen: Kitchen): Promise<void> {
  const store = await givenConsole(app, kitchen.storeId);
  const take = (orderId: string, name: string, body: object = {}) =>
    done(store.post(`/store/orders/${orderId}/${name}`, body));
  const completed = await kitchen.place([{ name: 'Marinara' }], { pickup: true, user_name: 'Owen Hart' });
  await take(completed, 'confirm', { preparation_minutes: 5 });
  await take(completed, 'ready');
  await take(completed, 'complete');
  const gone = await kitchen.place([{ name: 'Diavola' }, { name: 'Tiramisù' }], { user_name: 'Lena Fox' });
  await take(gone, 'cancel', { reason: 'out_of_stock' });
  await app.advance({ minutes: 12 });
  const ready = await kitchen.place([{ name: 'Funghi e Tartufo' }], { pickup: true, user_name: 'Priya Nair' });
  await take(ready, 'confirm', { preparation_minutes: 10 });
  await app.advance({ minutes: 8 });
  await take(ready, 'ready');
  const cooking = await kitchen.place(
    [
      { name: 'Diavola', quantity: 2, notes: 'no chili on one half, please' },
      { name: 'Caesar salad' },
      { name: 'Sparkling water', quantity: 2 },
    ],
    { user_name: 'Dana Whitfield' },
  );
  await take(cooking, 'confirm', { preparation_minutes: 15 });
  const second = await kitchen.place([{ name: 'Margherita', options: ['pan', 'olives'] }], {
    pickup: true,
    user_name: 'Sam Ortiz',
  });
  await take(second, 'confirm', { preparation_minutes: 25 });
  await app.advance({ minutes: 3 });
  await kitchen.place(
    [
      { name: 'Margherita', options: ['pan', 'stuffed', 'olives', 'hot'], notes: 'NUT ALLERGY' },
      { name: 'Garlic knots, six' },
      { name: 'Cola', quantity: 3 },
    ],
    { user_name: 'Marguerite Okafor', driver_tip_cents: 600, user_dropoff_notes: 'Side door' },
  );
  await kitchen.place([{ name: 'Funghi e Tartufo', quantity: 2 }, { name: 'Tiramisù' }], {
    pickup: true,
    user_name: 'Theo Lang',
  });
}

async function shootTablet(page: Page): Promise<void> {
  const press = (name: RegExp | string) => page.getByRole('button', { name }).first().click();
  const go = (name: string) => page.getByRole('navigation').getByRole('link', { name }).click();
  await shootAtRest(page, 'console-new');
  await press(/I’m on it/);
  await press(/^Kitchen/);
  await shootAtRest(page, 'console-kitchen');
  await go('Menu');
  await page.getByRole('switch', { name: 'Diavola' }).click();
  await page.getByRole('switch', { name: 'Diavola', checked: false }).waitFor();
  await shootAtRest(page, 'console-menu');
  await go('Sales');
  await page.locator('.sums').first().waitFor();
  await shootAtRest(page, 'console-sales');
  await page.context().setOffline(true);
  await go('Orders');
  await page.locator('.strip.lost').waitFor();
  await shootAtRest(page, 'console-offline');
}

const SAMPLE_CUSTOMER = {
  user_name: 'Sample Customer',
  user_street_num: '10',
  user_street_name: 'W 21st St',
  user_zipcode: '10010',
};

picture("the operator's view", async (browser, t) => {
  const shop = await givenLiveShop(t);
  const url = await shop.app.service.listen();
  const orderId = await givenStoresOfOneEvening(shop);
  const shots = [
    ['waiting', 'operator-waiting', 'light', DESK],
    ['waiting', 'operator-waiting-phone', 'dark', PHONE],
    [`orders/${orderId}`, 'operator-order', 'light', { width: 1280, height: 1250 }],
    ['health', 'operator-health', 'dark', { width: 1280, height: 900 }],
  ] as const;
  for (const [view, name, colorScheme, viewport] of shots) {
    const { page, close } = await openView(browser, shop.app, url, { viewport, colorScheme, deviceScaleFactor: SCALE });
    await showView(page, url, view);
    await page.locator('td').first().waitFor();
    await keepPicture(page, name);
    await close();
  }
});

/** Stores whose channels have different states during one evening. */
async function givenStoresOfOneEvening(shop: LiveShop): Promise<string> {
  const { app } = shop;
  const channels: Record<string, object> = {
    'Brick Oven': { email: 'kitchen@example.com' },
    'Corner Diner': { sms: '+12125550145' },
    'Noodle House': { console: true },
  };
  const names = Object.keys(channels);
  const ids = await givenStores(
    app,
    names.map((name, index) => pizzeria({ external_id: `store-${index}`, name })),
  );
  for (const [index, name] of names.entries()) await givenChannel(app, ids[index] ?? '', channels[name]);
  const { messaging } = app.service.deps;
  messaging.smsSender = { sendText: () => Promise.reject(new OutsideError('SMS', 'no answer', { retryable: true })) };
  const orders: string[] = [];
  for (const id of [...ids, shop.storeId]) {
    orders.push(await placeAt(shop, id));
    await app.advance({ seconds: 9 });
  }
  await step(shop, orders[0] ?? '', 'confirm', 'ready');
  await app.advance({ seconds: 20 });
  await placeAt(shop, ids[0] ?? '');
  await app.advance({ seconds: 4 });
  return orders[0] ?? '';
}

async function placeAt({ client }: LiveShop, storeId: string): Promise<string> {
  const token = (await productTokens(client, storeId)).Soda;
  const items = [{ product_id: token, quantity: 3 }];
  const body = orderBody(token, null, { items, charge_user: false, ...SAMPLE_CUSTOMER });
  return (await done(client.post('/order/order/v2', body))).order_id;
}

const AT_HOME = { ...SAMPLE_CUSTOMER, user_apt_num: '4B', user_dropoff_notes: 'Ring twice, please' };

picture("the tracking page, the tickets and the driver's page", async (browser, t) => {
  const scene = await givenScene(browser, t);
  const { app } = scene;
  const storeId = await givenTrackedStore(app, { name: 'Brick Oven' });
  const brand = { displayName: 'Supper Club', favicon: null };
  await saveBranding(app.service.deps.db, app.accountId, brand, app.now());
  await shootTracking(scene, storeId);
  const { orderId } = await givenSteps(app, storeId, ['confirm'], AT_HOME);
  for (const [document, name] of [['kitchen', 'kitchen-ticket'] as const, ['receipt', 'printed-receipt'] as const]) {
    const options = { viewport: { width: 340, height: 400 }, deviceScaleFactor: SCALE };
    const html = await ticketOf(app, orderId, document, 'Supper Club', 'en');
    await withHtml(browser, html, options, (page) => keepPicture(page, name, true));
  }
  const delivery = await givenAssigned(app, storeId, AT_HOME);
  await sql`update orders set mode = 'live' where order_id = ${delivery.orderId}`.execute(app.service.deps.db);
  await shootDriver(scene, delivery, 'driver-new');
  await delivery.call('accept');
  await shootDriver(scene, delivery, 'driver-pick-up', true);
  await delivery.call('pick_up');
  await shootDriver(scene, delivery, 'driver-on-the-way');
});

/** An order with a courier and realistic minutes between its steps. */
async function givenSteps(app: App, storeId: string, steps: readonly string[], changes: object = {}): Promise<Tracked> {
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

async function shootTracking({ browser, app, url }: Scene, storeId: string): Promise<void> {
  const given = (steps: readonly string[], changes = {}) => givenSteps(app, storeId, steps, changes);
  const shoot = async ({ link }: { link: string }, name: string, options: BrowserContextOptions = {}) => {
    const { page, close } = await openPage(browser, url + link, { ...ON_PHONE, ...options });
    await keepPicture(page, name, options.deviceScaleFactor === 1);
    await close();
  };
  await shoot(await given([]), 'tracking-placed');
  const onTheWay = await given(['confirm', 'ready', 'assign_driver', 'pick_up']);
  await moveDriver(app.service.deps, onTheWay.orderId, { latitude: 40.7396, longitude: -73.9919 });
  await shoot(onTheWay, 'tracking-on-the-way');
  await shoot(onTheWay, 'tracking-on-the-way-dark', { colorScheme: 'dark' });
  await shoot(onTheWay, 'tracking-whole-page', { deviceScaleFactor: 1 });
  await shoot(await given(['confirm', 'assign_driver', 'pick_up', 'complete']), 'tracking-delivered');
  await shoot(await given(['confirm', 'ready'], { pickup: true }), 'tracking-pickup-ready', { colorScheme: 'dark' });
  await shoot(await given(['cancel']), 'tracking-canceled');
  await shoot({ link: '/tracking?tracking_id=unknown' }, 'tracking-not-found');
  const html = await mailOf(app, (await givenTracked(app, storeId, AT_HOME)).orderId);
  const wide = { viewport: { width: 600, height: 400 } };
  await withHtml(browser, html, wide, (page) => keepPicture(page, 'receipt', true));
}

const ON_PHONE = { viewport: PHONE, deviceScaleFactor: SCALE, reducedMotion: 'reduce' as const };

/** Places the driver's phone for the picture, taken once the page says that it shares its position. */
async function shootDriver({ browser, url }: Scene, delivery: Assigned, name: string, isDark = false): Promise<void> {
  const { page, close } = await openPage(browser, url + delivery.path, {
    ...ON_PHONE,
    colorScheme: isDark ? 'dark' : 'light',
    permissions: ['geolocation'],
    geolocation: { latitude: 40.7396, longitude: -73.9919, accuracy: 8 },
  });
  const isSharing = (await page.locator('main').getAttribute('data-stage')) !== 'assigned';
  if (isSharing) await page.locator('#sharing[data-state="on"]').waitFor();
  await keepPicture(page, name);
  await close();
}

const DINER = storeIdOf(DEMO_SOURCE, 'chicago-diner');
const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  phone: { viewport: PHONE },
  'phone-brand-dark': { viewport: PHONE, colorScheme: 'dark' },
  'desktop-brand': { viewport: DESK },
  'desktop-brand-dark': { viewport: DESK, colorScheme: 'dark' },
};
const BRAND = {
  displayName: 'Stone & Basil',
  color: '#b3261e',
  corners: 'round',
  font: 'classic',
  welcome: 'Pies from the stone oven',
} as const;
const PLAIN = { displayName: null, color: null, corners: 'soft', font: 'system', welcome: null } as const;

picture('all surfaces in four looks', async (browser, t) => {
  const scene = await givenDemo(browser, t);
  const { app, url, client } = scene;
  for (const [look, options] of Object.entries(LOOKS)) {
    const shown = { deviceScaleFactor: 1, ...options };
    const keep = (page: Page, what: string) => keepPicture(page, `sheet-${what}-${look}`);
    const brand = look === 'phone' ? PLAIN : BRAND;
    await saveBranding(app.service.deps.db, client.accountId, brand, app.now());
    const { page, close } = await openShop(browser, url, '', shown);
    await page.locator('section[aria-busy=false] .store-card').first().waitFor();
    await keep(page, 'shop');
    await page.goto(`${url}/shop/s/store-${DINER}`);
    await page.locator('.terms').waitFor();
    await keep(page, 'store');
    await page.getByRole('button', { name: /^Two-egg plate/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Two-egg plate' });
    await dialog.getByLabel('Scrambled').check();
    await dialog.getByRole('button', { name: /^Add ·/ }).click();
    await page.locator('.main.wide:visible').first().click();
    await page.locator('.totals:visible').first().waitFor();
    await keep(page, 'cart');
    const leave = page.getByRole('button', { name: /^Go to checkout/ });
    await leave.last().click();
    await page.waitForURL(/\/checkout\//);
    await fillContact(page);
    await keep(page, 'checkout');
    await payByCard(page);
    const orderId = await lastOrder(scene);
    await app.advance({ minutes: 1 });
    await keep(page, 'tracking');
    await withHtml(browser, await mailOf(client, orderId), options, (mail) => keep(mail, 'mail'));
    await close();
    const board = await openBoard(scene, DINER, options);
    await board.page.locator('.order').first().waitFor();
    await keep(board.page, 'console');
    await board.close();
    const view = await openView(browser, app, url, shown);
    await showView(view.page, url, options.viewport === DESK ? `accounts/${client.accountId}` : 'orders');
    await keep(view.page, 'operator');
    await view.close();
  }
});

/* Sheets of what a feature changes on every surface, in each language. */

const CRISP = { deviceScaleFactor: 1, reducedMotion: 'reduce' as const };

/** What the customer was mailed of an order. */
const takeMail = async ({ browser, client }: DemoScene, orderId: string, kind: string) =>
  takeHtml(browser, await mailOf(client, orderId, kind), PHONE.width);

const takeTicket = async ({ browser, app }: Scene, orderId: string, document: 'kitchen' | 'receipt', to: Language) =>
  takeHtml(browser, await ticketOf(app, orderId, document, 'Doorstep', to), 303);

const takeHtml = (browser: Browser, html: string, width: number) =>
  withHtml(browser, html, { ...CRISP, viewport: { width, height: 200 } }, (page) => takePicture(page, true));

/** The estimate of a checkout. */
const ESTIMATED = { en: /you’ll pay up to/, fr: /vous payez au plus/, es: /como máximo/ };

picture('goods by weight, in each language', async (browser, t) => {
  const scene = await givenDemo(browser, t);
  for (const language of LANGUAGES) await shootWeights(scene, language);
});

async function shootWeights(scene: DemoScene, language: Language): Promise<void> {
  const { app, client } = scene;
  const {
    words: { store: words },
    format,
  } = localeOf(language, 'US');
  const market = storeIdOf(DEMO_SOURCE, 'chicago-market-1');
  const { views, orderId } = await orderByWeight(scene, market, language);
  const estimate = await takeMail(scene, orderId, 'order_confirmation');
  const { page, store, close } = await openBoard(scene, market, { ...CRISP, viewport: TABLET, language });
  await done(store.post(`/store/orders/${orderId}/confirm`, { preparation_minutes: 20 }));
  const ticket = await takeTicket(scene, orderId, 'kitchen', language);
  await page.getByRole('button', { name: new RegExp(`^${words.board.kitchen}`) }).click();
  const weigh = page.getByRole('button', { name: new RegExp(`^${words.weigh.open}`) });
  await weigh.first().click();
  const dialog = page.getByRole('dialog', { name: /apples/ });
  for (const key of ['1', format.decimalSign, '6', '2'])
    await dialog.getByRole('button', { name: key, exact: true }).click();
  const weighing = await takePicture(page);
  await dialog.getByRole('button', { name: words.weigh.save }).click();
  const second = page.getByRole('dialog', { name: /turkey/ });
  await second.getByRole('textbox').fill('0.98');
  await second.getByRole('button', { name: words.weigh.save }).click();
  await second.waitFor({ state: 'detached' });
  const weighed = await takePicture(page);
  await close();
  for (const event of ['ready', 'assign_driver', 'pick_up']) {
    await app.advance({ minutes: 5 });
    await done(client.post(`/sandbox/orders/${orderId}/advance`, { event }));
  }
  await app.advance({ seconds: 1 });
  const final = await takeMail(scene, orderId, 'final_receipt');
  const printed = await takeTicket(scene, orderId, 'receipt', language);
  await keepSheet(`weights-${language}`, [views, [weighing, weighed], [estimate, final, ticket, printed]]);
}

/** Orders apples by the pound and turkey by steps: the views of it, and the placed order. */
async function orderByWeight(scene: DemoScene, market: string, language: Language) {
  const options = { ...CRISP, viewport: PHONE, locale: language };
  const { page, close } = await openShop(scene.browser, scene.url, `/s/store-${market}?lang=${language}`, options);
  const tile = (name: string) => page.locator('.product', { hasText: name }).first();
  await page.locator('.terms').waitFor();
  await tile('Honeycrisp apples').locator('.add').click();
  const more = tile('Honeycrisp apples').locator('.stepper button').last();
  for (let step = 0; step < 2; step += 1) await more.click();
  const views = [await takePicture(page)];
  await page.getByRole('searchbox').fill('turkey');
  await tile('Oven-roasted turkey, sliced').locator('.product-text').click();
  const sheet = page.getByRole('dialog');
  await sheet.locator('.stepper').waitFor();
  views.push(await takePicture(page));
  await sheet.locator('button[type=submit]').click();
  await toCheckout(page, views);
  await fillContact(page);
  await page.getByText(ESTIMATED[language]).first().scrollIntoViewIfNeeded();
  views.push(await takePicture(page));
  await payByCard(page);
  await close();
  return { views, orderId: await lastOrder(scene) };
}

/** From the bar of the cart to the checkout; adds a view of the cart's sums. */
async function toCheckout(page: Page, views: Buffer[]): Promise<void> {
  await page.locator('.cart-bar button').click();
  await page.locator('.totals:visible').first().scrollIntoViewIfNeeded();
  views.push(await takePicture(page));
  await page.locator('dialog[open] button[type=submit]').click();
  await page.waitForURL(/\/checkout\//);
}

picture('promotions, in each language', async (browser, t) => {
  const scene = await givenDemo(browser, t);
  await givenOffers(scene.app);
  for (const language of LANGUAGES) await shootOffers(scene, language);
});

/** Offers of the diner, a free delivery of the marketplace, and its code. */
async function givenOffers(app: App): Promise<void> {
  const [owner, operator] = [await givenConsole(app, DINER), await givenConsole(app, null)];
  const offers = [
    { kind: 'percent', percent: 20, minimum_subtotal: 1500 },
    { kind: 'item_price', percent: 15, items: { products: ['two-egg-plate'] } },
    { kind: 'buy_get', buy: 1, get: 1, percent: 100, times: 1, hours: 'Mo-Th 14:00-17:00' },
  ];
  for (const offer of offers) await done(owner.post('/store/promotions', offer));
  const funding = [
    { payer: 'store', percent: 50 },
    { payer: 'operator', percent: 50 },
  ];
  const shared = { stores: [DINER], agreed_by: 'Lee Chen', agreed_on: '2026-06-01', reason: 'Spring' };
  const markets = [
    { kind: 'amount', amount_cents: 500, code: 'WELCOME5', max_uses: 500, reason: 'Welcome' },
    { kind: 'delivery', to_cents: 0, budget_cents: 50_000, ...shared, funding },
  ];
  for (const offer of markets) await done(operator.post('/operator/promotions', offer));
  await app.advance({ seconds: 1 });
  await app.catchUp();
}

async function shootOffers(scene: DemoScene, language: Language): Promise<void> {
  const { browser, app, url } = scene;
  const { views, orderId } = await orderWithCode(scene, language);
  const receipt = await takeTicket(scene, orderId, 'receipt', language);
  await app.advance({ minutes: 1 });
  const offers: Buffer[] = [];
  for (const viewport of [PHONE, { width: 800, height: PHONE.height }]) {
    const { page, close } = await openBoard(scene, DINER, { ...CRISP, viewport, language, isOwner: true });
    await page.locator('.offer').first().waitFor();
    offers.push(await takePicture(page));
    await close();
  }
  const view = await openView(browser, app, url, CRISP);
  await showView(view.page, url, 'promotions');
  await view.page.setViewportSize({ ...DESK, height: 620 });
  const operator = await takePicture(view.page);
  await view.close();
  await keepSheet(`offers-${language}`, [views, [...offers, receipt], ...(language === 'en' ? [[operator]] : [])]);
}

/** Orders two plates with the code of the marketplace: the views of it, and the placed order. */
async function orderWithCode(scene: DemoScene, language: Language) {
  const options = { ...CRISP, viewport: PHONE, locale: language };
  const { page, close } = await openShop(scene.browser, scene.url, `/s/store-${DINER}?lang=${language}`, options);
  await page.locator('.terms').waitFor();
  const views = [await takePicture(page)];
  await page.getByRole('button', { name: /^Two-egg plate/ }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('Scrambled').check();
  await sheet.locator('.stepper button').last().click();
  await sheet.locator('button[type=submit]').click();
  await toCheckout(page, views);
  await page.locator('#codes summary').click();
  await page.locator('#code').fill('welcome5');
  await page.locator('#codes button[value=code]').click();
  await page.locator('#codes li').waitFor();
  await fillContact(page);
  await page.locator('#codes').evaluate((codes) => codes.scrollIntoView());
  views.push(await takePicture(page));
  await payByCard(page);
  await page.locator('#receipt').scrollIntoViewIfNeeded();
  views.push(await takePicture(page));
  await close();
  return { views, orderId: await lastOrder(scene) };
}
