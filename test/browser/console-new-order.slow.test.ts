import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { issueAccessCode } from '../../src/access/sessions/sign-in.flow.ts';
import { localeOf } from '../../src/texts/catalogs.ts';
import { pizzeria } from '../feed-lines.ts';
import { freePort } from '../given/command.ts';
import { givenStores } from '../given/stores.ts';
import { type App, givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { assertAccessible, assertFits, assertWholeTexts } from './accessible.ts';
import { givenBrowser, openPage } from './browser.ts';
import { signIn } from './open-console.ts';

const ADDRESS = '120 5th Ave, New York, NY 10011';
/** A tablet upright, and a phone. */
const TABLET = { width: 768, height: 1024 };
const PHONE = { width: 360, height: 780 };

let app: App;
let url: string;
let storeId: string;
before(async () => {
  const port = await freePort();
  app = await givenApp({ env: { PORT: port, BASE_URL: `http://127.0.0.1:${port}` } });
  [storeId = ''] = await givenStores(app, [pizzeria()]);
  url = await app.service.listen();
});
after(() => app.close());

type Opened = Awaited<ReturnType<typeof openPage>>;

/** The sandbox console of the store; undefined where no browser starts. */
async function openStoreConsole(t: TestContext, options: object): Promise<Opened | undefined> {
  const browser = await givenBrowser(t);
  if (!browser) return undefined;
  const { code } = await issueAccessCode(app.service.deps.db, { storeId, accountId: app.accountId }, app.now());
  const looks = { deviceScaleFactor: 1, reducedMotion: 'reduce', ...options } as const;
  const opened = await openPage(browser, `${url}/console?sandbox`, { ...looks, locale: 'en-US' });
  await signIn(opened.page, code);
  await opened.page.locator('.pulse.live').waitFor();
  return opened;
}

const named = (within: Page | FrameLocator | Locator, name: string | RegExp) =>
  within.getByRole('button', { name }).first();

test('a phone order on a tablet, from New order to the kitchen ticket', async (t) => {
  const opened = await openStoreConsole(t, { viewport: TABLET });
  if (!opened) return;
  const { page, faults, close } = opened;
  let taps = 0;
  const tap = async (what: Locator) => {
    taps += 1;
    await what.click();
  };
  await tap(page.getByRole('link', { name: 'New order' }));
  const order = page.frameLocator('iframe.new-order');
  await tap(order.getByText('Pickup', { exact: true }));
  await tap(order.getByRole('searchbox'));
  await order.getByRole('searchbox').fill('margh');
  await tap(named(order, /^Add Margherita/));
  await tap(named(order, /^Add ·/));
  await tap(named(order, /^View order/));
  await tap(order.getByLabel('Name'));
  await order.getByLabel('Name').fill('Ana Pérez');
  await tap(order.getByLabel('Phone'));
  await order.getByLabel('Phone').fill('212 555 0142');
  const place = named(order, /^Place order · \$/);
  await place.waitFor();
  const said = (await place.innerText()).split('· ')[1];
  await tap(place);
  const card = page.locator('article.order', { hasText: 'Ana P.' });
  await until('the order is among the others', async () => {
    await app.advance({ seconds: 1 });
    return card.isVisible();
  });
  await tap(card.getByRole('button', { name: 'Confirm' }));
  await tap(page.getByRole('button', { name: /^Kitchen/ }));
  await tap(card.getByRole('button', { name: /^More/ }));
  await tap(card.getByRole('button', { name: /^Print/ }));
  const ticket = page.waitForEvent('popup');
  await tap(page.getByRole('link', { name: 'Kitchen ticket' }));
  await (await ticket).getByText('Margherita').waitFor();
  assert.ok(taps <= 14, `${taps} taps`);
  const [placed] = (await app.get('/account/orders')).body.orders;
  assert.deepEqual(
    [
      placed.placed_by,
      placed.user_name,
      placed.user_phone,
      placed.pickup,
      `$${(placed.total_with_tip / 100).toFixed(2)}`,
    ],
    ['store', 'Ana Pérez', 12_125_550_142, true, said],
  );
  // The next customer finds nothing of the last one.
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'New order' }).click();
  await named(order, 'Add Margherita').waitFor();
  assert.equal(
    await page.evaluate(
      `Object.keys(sessionStorage).length + Object.keys(localStorage).filter((key) => key.startsWith('doorstep.shop')).length`,
    ),
    0,
  );
  assert.deepEqual(faults, []);
  await close();
});

test('a delivery goes to the address that is found, by the keyboard, and is paid by the link', async (t) => {
  const opened = await openStoreConsole(t, { viewport: TABLET });
  if (!opened) return;
  const { page, faults, close } = opened;
  await page.goto(`${url}/console?sandbox#new-order`);
  const order = page.frameLocator('iframe.new-order');
  const enter = (what: Locator) => what.press('Enter');
  await enter(named(order, 'Enter the customer’s address'));
  const address = order.getByRole('textbox', { name: 'Customer’s address' });
  await address.fill(ADDRESS);
  await address.press('Enter');
  await named(order, /^When: Now/).waitFor();
  await order.getByRole('dialog').waitFor({ state: 'detached' });
  await enter(named(order, 'Add Margherita'));
  await enter(named(order, /^Add ·/));
  await enter(named(order, /^View order/));
  await order.getByLabel('Name').fill('Bo Lee');
  await order.getByLabel('By a link sent by text').press('Space');
  const send = named(order, /^Send link · \$/);
  // Without a phone the browser points at its field.
  await enter(send);
  assert.equal(await order.getByLabel('Phone').evaluate((field) => field.matches(':focus')), true);
  await order.getByLabel('Phone').fill('+1 (212) 555-0199');
  await order.locator('select').first().scrollIntoViewIfNeeded();
  await enter(send);
  await order.getByRole('status').filter({ hasText: '(212) 555-0199' }).waitFor();
  assert.equal(await order.locator('.checkout-link').count(), 0, 'the customer has the link by SMS');
  const [unplaced] = (await app.get('/account/orders', { status: 'unplaced' })).body.orders;
  const { messages } = (await app.get('/sandbox/messages', { order_id: unplaced.order_id })).body;
  const sms = messages.find(({ kind }: { kind: string }) => kind === 'checkout_link');
  const shown = /https?:\S+/.exec(sms.text)?.[0] ?? '';
  await enter(named(order, 'Done'));
  await order.getByRole('dialog').waitFor({ state: 'detached' });
  const checkout = await page.context().newPage();
  await checkout.goto(shown);
  await checkout.getByText('120 5th Ave').first().waitFor();
  const { orders } = (await app.get('/account/orders')).body;
  const names = orders.map(({ user_name: name }: { user_name: string }) => name);
  assert.ok(!names.includes('Bo Lee'), 'it is no order until it is paid');
  assert.deepEqual(faults, []);
  await close();
});

for (const { viewport, colorScheme, language } of [
  { viewport: TABLET, colorScheme: 'light', language: 'es' },
  { viewport: PHONE, colorScheme: 'dark', language: 'fr' },
  { viewport: { width: 1280, height: 800 }, colorScheme: 'light', language: 'en' },
] as const) {
  test(`at ${viewport.width} pixels New order fits, whole and accessible, in ${language}`, async (t) => {
    const opened = await openStoreConsole(t, { viewport, colorScheme });
    if (!opened) return;
    const { page, faults, close } = opened;
    const { store, shop } = localeOf(language, 'US').words;
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
    await named(page, shop.store.add({ name: 'Margherita' })).click();
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
