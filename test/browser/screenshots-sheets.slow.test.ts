import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { DEMO_SOURCE } from '../../demo/catalog.ts';
import { type Demo, prepareDemo } from '../../src/app/cli/prepare-demo.ts';
import { ticketPage } from '../../src/fulfillment/tickets/ticket.page.ts';
import { findAnyOrder } from '../../src/ordering/order/orders.db.ts';
import { LANGUAGES, type Language } from '../../src/platform/languages/language.ts';
import { storeIdOf } from '../../src/supply/stores/store-id.ts';
import { localeOf } from '../../src/texts/catalogs.ts';
import { freePort } from '../given/command.ts';
import { givenConsole } from '../given/merchant.ts';
import { type App, type Client, clientOf, givenApp } from '../harness.ts';
import { givenBrowser, openPage } from './browser.ts';
import { TABLET } from './open-console.ts';
import { DESK, openView, showView } from './operator-view.ts';
import { fillContact, openShop, payByCard } from './order-in-shop.ts';
import { keepSheet, skip, takePicture } from './picture.ts';

/* Sheets of what a feature changes on every surface, in each language. */

const PHONE = { width: 390, height: 780 };
const CRISP = { deviceScaleFactor: 1, reducedMotion: 'reduce' as const };

let app: App;
let demo: Demo;
let folder: string;
let url: string;
before(async () => {
  if (skip) return;
  const port = await freePort();
  folder = mkdtempSync(join(tmpdir(), 'doorstep-sheets-'));
  const env = { DATA_DIR: folder, PORT: port, BASE_URL: `http://127.0.0.1:${port}` };
  app = await givenApp({ start: '2026-06-10T22:18:00Z', env });
  demo = await prepareDemo(app.service, app.config);
  url = await app.service.listen();
});
after(async () => {
  if (skip) return;
  await app.close();
  rmSync(folder, { recursive: true });
});

const client = (): Client => clientOf(app.service, demo.accountId, demo.key);

/** The console of a demo store on a tablet or phone. */
async function openBoard(browser: Browser, storeId: string, language: Language, viewport = TABLET, isOwner = false) {
  const store = await givenConsole(app, storeId, isOwner ? null : demo.accountId);
  const opened = await openPage(browser, `${url}/shop/orders`, { ...CRISP, viewport });
  const [name = '', value = ''] = store.cookie.split('=');
  await opened.page.context().addCookies([
    { name, value, url },
    { name: 'doorstep_language', value: language, url },
  ]);
  await opened.page.goto(`${url}/console${isOwner ? '#offers' : '?sandbox'}`);
  return { ...opened, store };
}

/** The order that was placed last. */
async function lastOrder(): Promise<string> {
  const orders = app.service.deps.db.selectFrom('orders').select('orderId').orderBy('placedAt', 'desc');
  const { orderId } = await orders.limit(1).executeTakeFirstOrThrow();
  return orderId;
}

/** What the customer was mailed of an order. */
async function takeMail(browser: Browser, orderId: string, kind: string): Promise<Buffer> {
  const reply = await client().get('/sandbox/messages', { order_id: orderId });
  const message = reply.body.messages.find((one: { kind: string }) => one.kind === kind);
  return takeHtml(browser, message?.html ?? assert.fail(`no ${kind}`), PHONE.width);
}

async function takeHtml(browser: Browser, html: string, width: number): Promise<Buffer> {
  const page = await browser.newPage({ ...CRISP, viewport: { width, height: 200 }, javaScriptEnabled: false });
  await page.setContent(html);
  const picture = await takePicture(page, true);
  await page.close();
  return picture;
}

async function takeTicket(browser: Browser, orderId: string, document: 'kitchen' | 'receipt', language: Language) {
  const order = (await findAnyOrder(app.service.deps.db, orderId)) ?? assert.fail('no order');
  const brand = { copy: 0, mayBeRepeated: false, brandName: 'Doorstep' };
  const content = { ...brand, language, customerLanguage: language, now: app.now() };
  return takeHtml(browser, ticketPage(document, order, content), 303);
}

/** The estimate of a checkout. */
const ESTIMATED = { en: /you pay at most/, fr: /vous payez au plus/, es: /como máximo/ };

for (const language of LANGUAGES) {
  test(`the sheet of goods by weight: ${language}`, { skip }, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    const {
      words: { store: words },
      format,
    } = localeOf(language, 'US');
    const market = storeIdOf(DEMO_SOURCE, 'chicago-market-1');
    const { views, orderId } = await orderByWeight(browser, market, language);
    const estimate = await takeMail(browser, orderId, 'order_confirmation');
    const { page, store, close } = await openBoard(browser, market, language);
    const confirmed = await store.post(`/store/orders/${orderId}/confirm`, { preparation_minutes: 20 });
    assert.equal(confirmed.status, 200, confirmed.text);
    const ticket = await takeTicket(browser, orderId, 'kitchen', language);
    await page.getByRole('button', { name: new RegExp(`^${words.board.kitchen}`) }).click();
    await page
      .getByRole('button', { name: new RegExp(`^${words.weigh.open}`) })
      .first()
      .click();
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
      const reply = await client().post(`/sandbox/orders/${orderId}/advance`, { event });
      assert.equal(reply.status, 200, reply.text);
    }
    await app.advance({ seconds: 1 });
    const final = await takeMail(browser, orderId, 'final_receipt');
    const printed = await takeTicket(browser, orderId, 'receipt', language);
    await keepSheet(`weights-${language}`, [views, [weighing, weighed], [estimate, final, ticket, printed]]);
  });
}

/** Orders apples by the pound and turkey by steps: the views of it, and the placed order. */
async function orderByWeight(browser: Browser, market: string, language: Language) {
  const options = { ...CRISP, viewport: PHONE, locale: language };
  const { page, close } = await openShop(browser, url, `/s/store-${market}?lang=${language}`, options);
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
  await page.locator('.cart-bar button').click();
  await page.locator('.totals:visible').first().scrollIntoViewIfNeeded();
  views.push(await takePicture(page));
  await page.locator('dialog[open] button[type=submit]').click();
  await page.waitForURL(/\/checkout\//);
  await fillContact(page);
  await page.getByText(ESTIMATED[language]).first().scrollIntoViewIfNeeded();
  views.push(await takePicture(page));
  await payByCard(page);
  await close();
  return { views, orderId: await lastOrder() };
}

const HALVES = [
  { payer: 'store', percent: 50 },
  { payer: 'operator', percent: 50 },
];

/** Offers of the diner, a free delivery of the marketplace, and its code. */
async function givenOffers(diner: string): Promise<void> {
  const [owner, operator] = [await givenConsole(app, diner), await givenConsole(app, null)];
  const offers = [
    { kind: 'percent', percent: 20, minimum_subtotal: 1500 },
    { kind: 'item_price', percent: 15, items: { products: ['two-egg-plate'] } },
    { kind: 'buy_get', buy: 1, get: 1, percent: 100, times: 1, hours: 'Mo-Th 14:00-17:00' },
  ];
  for (const offer of offers) {
    const reply = await owner.post('/store/promotions', offer);
    assert.equal(reply.status, 200, reply.text);
  }
  const shared = { stores: [diner], agreed_by: 'Lee Chen', agreed_on: '2026-06-01', reason: 'Spring' };
  const markets = [
    { kind: 'amount', amount_cents: 500, code: 'WELCOME5', max_uses: 500, reason: 'Welcome' },
    { kind: 'delivery', to_cents: 0, budget_cents: 50_000, ...shared, funding: HALVES },
  ];
  for (const offer of markets) {
    const reply = await operator.post('/operator/promotions', offer);
    assert.equal(reply.status, 200, reply.text);
  }
  await app.advance({ seconds: 1 });
  await app.catchUp();
}

for (const language of LANGUAGES) {
  test(`the sheet of promotions: ${language}`, { skip }, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    const diner = storeIdOf(DEMO_SOURCE, 'chicago-diner');
    if (language === 'en') await givenOffers(diner);
    const { views, orderId } = await orderWithCode(browser, diner, language);
    const receipt = await takeTicket(browser, orderId, 'receipt', language);
    await app.advance({ minutes: 1 });
    const offers: Buffer[] = [];
    for (const viewport of [PHONE, { width: 800, height: PHONE.height }]) {
      const { page, close } = await openBoard(browser, diner, language, viewport, true);
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
  });
}

/** Orders two plates with the code of the marketplace: the views of it, and the placed order. */
async function orderWithCode(browser: Browser, diner: string, language: Language) {
  const options = { ...CRISP, viewport: PHONE, locale: language };
  const { page, close } = await openShop(browser, url, `/s/store-${diner}?lang=${language}`, options);
  await page.locator('.terms').waitFor();
  const views = [await takePicture(page)];
  await page.getByRole('button', { name: /^Two-egg plate/ }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('Scrambled').check();
  await sheet.locator('.stepper button').last().click();
  await sheet.locator('button[type=submit]').click();
  await page.locator('.cart-bar button').click();
  await page.locator('.totals:visible').first().scrollIntoViewIfNeeded();
  views.push(await takePicture(page));
  await page.locator('dialog[open] button[type=submit]').click();
  await page.waitForURL(/\/checkout\//);
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
  return { views, orderId: await lastOrder() };
}
