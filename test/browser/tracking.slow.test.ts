import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { saveBranding } from '../../src/access/accounts/brandings.db.ts';
import { moveDriver } from '../../src/fulfillment/deliveries/report-position.flow.ts';
import {
  DELIVERY_STEPS,
  eveningSlot,
  givenTracked,
  givenTrackedStore,
  PICKUP_STEPS,
  type Tracked,
} from '../given/tracked.ts';
import { type App, givenApp } from '../harness.ts';
import { assertAccessible, assertWholeTexts } from './accessible.ts';
import { givenBrowser, openPage, PHONE, pressSlowly } from './browser.ts';
import { MAX_SHIFT, measureShifts, shiftsOf } from './layout-shift.ts';

let app: App;
let storeId: string;
let url: string;
before(async () => {
  app = await givenApp();
  storeId = await givenTrackedStore(app);
  url = await app.service.listen();
});
after(() => app.close());

const SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"/>';

const headline = (page: Page) => page.locator('h1').textContent();
const shows = (page: Page, words: string) => page.locator('h1', { hasText: words }).waitFor();
/** A mark that is lost when the page reloads. */
const mark = (page: Page) => page.evaluate('window.isTheSame = true');
const isTheSame = (page: Page) => page.evaluate('window.isTheSame === true');

const DELIVERY_HEADLINES = [
  'Your order is being prepared',
  'Your order is ready',
  'Your order is ready',
  'Sandbox is on the way',
  'Sandbox is almost there',
  'Delivered',
];
const WINDOW = 'Scheduled for 6:00 – 6:30 PM';
const PICKUP_HEADLINES = ['Your order is being prepared', 'Ready for pickup', 'Picked up'];

async function movesOnTheMap(page: Page, order: Tracked): Promise<void> {
  const spot = page.locator('#where .spot-driver');
  const placeOf = async () => [await spot.getAttribute('cx'), await spot.getAttribute('cy')].join();
  const earlier = await placeOf();
  await moveDriver(app.service.deps, order.orderId, { latitude: 40.7396, longitude: -73.9919 });
  await page.locator('.where-words', { hasText: 'about 0.4 miles away' }).waitFor();
  assert.notEqual(await placeOf(), earlier);
}

test('the page of an unplaced order becomes its page', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const order = await givenTracked(app, storeId, { place_order: false });
  const { page, close } = await openPage(browser, url + order.link);
  assert.equal(await headline(page), 'Not placed yet');
  await app.post('/order/finalize', { order_id: order.orderId });
  await shows(page, 'Waiting for Test Pizzeria to confirm');
  await close();
});

test('minutes count down between two messages', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const order = await givenTracked(app, storeId);
  const { page, close } = await openPage(browser, 'about:blank');
  await page.clock.install();
  await page.goto(url + order.link);
  await page.locator('#live-state[data-state="live"]').waitFor();
  assert.equal(await page.locator('#minutes').textContent(), '12–22 min');
  // The service's clock stands still: what the page asks for from here on would say 12 again.
  await page.route('**/*', (route) => route.abort());
  await page.clock.fastForward('04:00');
  await page.locator('#minutes', { hasText: '8–18 min' }).waitFor();
  await close();
});

test('without a stream the page polls, and goes on without reloading', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const order = await givenTracked(app, storeId);
  const { page, close } = await openPage(browser, 'about:blank');
  await page.route('**/tracking/events**', (route) => route.fulfill({ status: 503 }));
  await page.clock.install();
  await page.goto(url + order.link);
  await mark(page);
  await page.locator('#live-state[data-state="looking"]').waitFor();
  for (const step of ['confirm', 'assign_driver']) await order.advance(step);
  await page.clock.fastForward(21_000);
  await shows(page, 'Your order is being prepared');
  await page.locator('#call-driver').waitFor();
  assert.equal(await isTheSame(page), true);
  await close();
});

test('without scripts the page is complete, and reloads itself', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const order = await givenTracked(app, storeId);
  for (const step of ['confirm', 'assign_driver', 'pick_up']) await order.advance(step);
  const { page, faults, close } = await openPage(browser, url + order.link, { javaScriptEnabled: false });
  assert.equal(await headline(page), 'Sandbox is on the way');
  for (const part of ['#minutes', '.sketch', '.where-words', '#call-driver', '.steps', '.totals']) {
    assert.equal(await page.locator(part).isVisible(), true, part);
  }
  assert.equal(await page.locator('meta[http-equiv="refresh"]').getAttribute('content'), '30');
  assert.deepEqual(faults, []);
  await close();
});

test('the keyboard reaches everything in reading order, and a change keeps the focus and loses no press', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const order = await givenTracked(app, storeId);
  for (const step of ['confirm', 'assign_driver']) await order.advance(step);
  const { page, close } = await openPage(browser, url + order.link);
  await page.locator('#where .spot-driver').waitFor();
  const stops: string[] = [];
  for (let press = 0; press < 5; press += 1) {
    await page.keyboard.press('Tab');
    stops.push(String(await page.evaluate('document.activeElement.id || document.activeElement.className')));
  }
  // A sketch cannot be zoomed or moved.
  assert.deepEqual(stops, ['skip', 'call-driver', 'call-store', 'change-notes', 'receipt-link']);
  assert.equal(await page.locator('#map').isVisible(), false);
  await page.locator('#call-driver').focus();
  await order.advance('ready');
  await shows(page, 'Your order is ready');
  assert.equal(await page.evaluate('document.activeElement.id'), 'call-driver');
  await page.locator('.skip').focus();
  await page.keyboard.press('Enter');
  await page.locator('#main:focus').waitFor();
  await pressSlowly(page.locator('#receipt-link'), () => order.advance('pick_up'));
  await page.waitForURL(/\/tracking\/receipt/);
  await close();
});

/** Every support option that an account may offer its customers. */
const CARE = {
  customerCancel: true,
  helpUrl: 'https://help.example/',
  helpEmail: 'help@shop.example',
  helpPhone: '+12125550123',
  reorderUrl: 'https://shop.example/{order_id}',
};

test('without scripts a customer cancels, after a question, and gets the money back', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const client = await app.givenClient();
  await saveBranding(app.service.deps.db, client.accountId, CARE, app.now());
  const order = await givenTracked(client, storeId);
  await order.advance('confirm');
  const { page, faults, close } = await openPage(browser, url + order.link, { javaScriptEnabled: false });
  await page.locator('#cancel-order').click();
  await shows(page, 'Cancel this order?');
  await page.getByRole('link', { name: 'Keep my order' }).click();
  await shows(page, 'Your order is being prepared');
  await page.locator('#cancel-order').click();
  await page.locator('#confirm-cancel').click();
  await shows(page, 'Your order was canceled');
  assert.equal(page.url(), url + order.link);
  assert.match(
    (await page.locator('.detail').textContent()) ?? '',
    /^You canceled it\. We’(re refunding|ve refunded the full) \$67\.87/,
  );
  assert.equal(await page.locator('#cancel-order').count(), 0);
  assert.equal(await page.locator('#reorder').getAttribute('href'), `https://shop.example/${order.orderId}`);
  await page.locator('#receipt-link').click();
  await shows(page, 'Receipt');
  assert.deepEqual(faults, []);
  await close();
});

test('a link without the key is shared: by the device, by copying, and without scripts by hand', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const order = await givenTracked(app, storeId);
  const shared = `${app.config.trackingUrl}${order.seenLink}`;
  const plain = await openPage(browser, url + order.link, { javaScriptEnabled: false });
  assert.equal(await plain.page.locator('#share-link').isVisible(), false);
  await plain.page.locator('#share summary').focus();
  await plain.page.keyboard.press('Enter');
  assert.equal(await plain.page.locator('#share-link').inputValue(), shared);
  await plain.page.getByText('Anyone with this link can follow your order').waitFor();
  await plain.close();

  const copied = await openPage(browser, url + order.link, { permissions: ['clipboard-read', 'clipboard-write'] });
  await copied.page.locator('#share summary').click();
  await copied.page.getByText('Link copied.').waitFor();
  assert.equal(await copied.page.evaluate('navigator.clipboard.readText()'), shared);
  assert.deepEqual(copied.faults, []);
  await copied.close();

  const { page, close } = await openPage(browser, 'about:blank');
  await page.addInitScript('navigator.share = (data) => { window.shared = data; return Promise.resolve(); }');
  await page.goto(`${url}${order.link}&lang=fr`);
  await page.getByText('Partager le lien de suivi').click();
  assert.equal(await page.evaluate('window.shared.url'), shared);
  assert.equal(await page.locator('#share-link').isVisible(), false);
  await close();
});

type Opened = Awaited<ReturnType<typeof openPage>>;

/** Opens an order's page on a phone, measured from the start, and adds it to the pages. */
async function openMeasured(browser: Browser, { link }: Tracked, pages: Opened[]): Promise<Opened> {
  const opened = await openPage(browser, 'about:blank', { viewport: { width: 390, height: 780 } });
  const { page } = opened;
  await page.route(/\.example\//, (route) => route.fulfill({ contentType: 'image/svg+xml', body: SQUARE }));
  await page.goto(url + link);
  await measureShifts(page);
  await page.locator('#live-state[data-state="live"]').waitFor();
  pages.push(opened);
  return opened;
}

async function showsStep(page: Page, step: string, headline: string): Promise<void> {
  await shows(page, headline);
  if (step === 'assign_driver') await page.locator('#where .spot-driver').waitFor();
}

async function assertStill(page: Page, step: string): Promise<void> {
  const { sum, of } = await shiftsOf(page);
  assert.ok(sum < MAX_SHIFT, `${step}: ${sum} by ${of.join(' | ')}`);
}

type Life = { pickup: boolean; steps: readonly string[]; headlines: readonly string[] };

/** Follows an order to its end on three pages, each opened a step later; returns the first page. */
async function followOn(pages: Opened[], browser: Browser, order: Tracked, { steps, headlines }: Life): Promise<Page> {
  const { page: first } = await openMeasured(browser, order, pages);
  await mark(first);
  for (const [index, step] of steps.entries()) {
    await order.advance(step);
    for (const { page } of pages) await showsStep(page, step, headlines[index] ?? '');
    if (step === 'pick_up') await movesOnTheMap(first, order);
    for (const { page } of pages) await assertStill(page, step);
    // A page opened later starts with different texts.
    if (index < 2) await openMeasured(browser, order, pages);
  }
  return first;
}

test('through the life of an order nothing on its page moves, reloads or loads from elsewhere, and no map library loads', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const client = await app.givenClient();
  const brand = { displayName: 'Supper Club', logoUrl: 'https://logo.example/logo.svg', color: '#ffcc00' };
  await saveBranding(app.service.deps.db, client.accountId, { ...brand, ...CARE }, app.now());
  for (const { pickup, steps, headlines } of [
    { pickup: false, steps: DELIVERY_STEPS, headlines: DELIVERY_HEADLINES },
    { pickup: true, steps: PICKUP_STEPS, headlines: PICKUP_HEADLINES },
    {
      pickup: false,
      steps: ['confirm', 'assign_driver', 'cancel'],
      headlines: ['being prepared', 'being prepared', 'was canceled'],
    },
  ]) {
    const pages: Opened[] = [];
    const order = await givenTracked(client, storeId, { pickup });
    const page = await followOn(pages, browser, order, { pickup, steps, headlines });
    const what = `${pickup ? 'pickup' : 'delivery'} to ${steps.at(-1)}`;
    if (steps.at(-1) === 'cancel')
      await page.locator('.detail', { hasText: 'We’ve refunded the full $67.87' }).waitFor();
    if (steps === DELIVERY_STEPS) {
      assert.equal(await page.locator('#announcement').textContent(), 'Delivered. Your order is here. Enjoy!');
      assert.match(await page.title(), /^Delivered · /);
      assert.equal(await page.locator('#map').isVisible(), false);
    }
    assert.equal(await isTheSame(page), true, what);
    await assertAccessible(page, what);
    await page.evaluate("document.querySelector('main').prepend(document.createElement('hr'), 'x'.repeat(900))");
    assert.ok((await shiftsOf(page)).sum > MAX_SHIFT, 'a shift is measured');
    for (const { faults, requests, close } of pages) {
      const isOwn = (one: string) => one.startsWith(url) && !one.includes('map');
      const others = requests.filter((one) => !isOwn(one) && one !== brand.logoUrl && one !== 'about:blank');
      assert.deepEqual([faults, others], [[], []]);
      await close();
    }
  }
});

const LARGEST_TEXTS = `(() => {
  const texts = [...document.querySelectorAll('main *')].filter((element) => element.checkVisibility() &&
    !element.closest('svg') && [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim()));
  const sizeOf = (element) => parseFloat(getComputedStyle(element).fontSize);
  const largest = Math.max(...texts.map(sizeOf));
  return texts.filter((element) => sizeOf(element) === largest).map((element) => element.closest('h1, .eta strong')?.tagName);
})()`;

const SHOWN_THOUGH_HIDDEN = `[...document.querySelectorAll('[hidden]')].filter((element) => element.checkVisibility())
  .map((element) => element.id)`;

const TABLET = { width: 820, height: 1180 };

for (const [language, colorScheme, color] of [
  // Colors that are illegible as text in these schemes.
  ['en', 'light', '#fff200'],
  ['fr', 'dark', '#00004d'],
] as const) {
  test(`in ${language}, ${colorScheme}, every page in every state is accessible by axe's rules and fits a phone and a tablet, with words 40 % longer too`, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    const client = await app.givenClient();
    await saveBranding(app.service.deps.db, client.accountId, { ...CARE, color, reorderUrl: null }, app.now());
    const stepped = async (steps: readonly string[], changes: object = {}) => {
      const order = await givenTracked(client, storeId, { ...changes });
      for (const step of steps) await order.advance(step);
      return order;
    };
    const below = (link: string, page: string) => link.replace('/tracking?', `/tracking/${page}?`);
    const { link: delivered } = await stepped(DELIVERY_STEPS);
    const { link: cancelable, seenLink } = await stepped(['confirm']);
    const states = [
      await stepped([]),
      await stepped(['confirm'], { scheduled_id: await eveningSlot(client, storeId) }),
      await stepped(['confirm', 'ready', 'assign_driver']),
      await stepped(['confirm', 'assign_driver', 'pick_up']),
      await stepped(['confirm', 'assign_driver', 'pick_up', 'approach']),
      await stepped(['confirm'], { pickup: true }),
      await stepped(['confirm', 'ready'], { pickup: true }),
      await stepped(PICKUP_STEPS, { pickup: true }),
      await stepped(['cancel']),
    ];
    const links = [
      ...[...states.map(({ link }) => link), cancelable, delivered],
      ...['receipt', 'tip', 'problem', 'cancel', 'notes'].map((page) => below(delivered, page)),
      ...['cancel', 'notes'].map((page) => below(cancelable, page)),
      ...['receipt', 'cancel'].map((page) => below(seenLink, page)),
      ...['&amount=none', '&add=700'].map((choice) => `${below(delivered, 'tip')}${choice}`),
      ...[`${below(delivered, 'problem')}&sent=1`, '/tracking?tracking_id=none'],
    ];
    const options = { colorScheme, reducedMotion: 'reduce' as const, bypassCSP: true };
    const { page, close } = await openPage(browser, 'about:blank', options);
    for (const [index, link] of links.entries()) {
      await page.goto(`${url}${link}&lang=${language}`);
      await page.evaluate("document.querySelector('#share')?.setAttribute('open', '')");
      const what = `page ${index}, ${link.split('?')[0]}`;
      assert.equal(await page.evaluate('document.documentElement.lang'), language, what);
      await assertAccessible(page, what);
      assert.deepEqual(await page.evaluate(SHOWN_THOUGH_HIDDEN), [], `${what}: what is hidden does not show`);
      const matters = (await page.locator('#minutes, .eta time').count()) > 0 ? 'STRONG' : 'H1';
      if (index < states.length) assert.deepEqual(await page.evaluate(LARGEST_TEXTS), [matters], what);
      for (const viewport of [TABLET, PHONE]) {
        await page.setViewportSize(viewport);
        assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= viewport.width, what);
        await assertWholeTexts(page, `${what} at ${viewport.width}`);
      }
    }
    await close();
  });
}

test('an open page says by itself that the store has started on a scheduled order', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const order = await givenTracked(app, storeId, { scheduled_id: await eveningSlot(app, storeId) });
  await order.advance('confirm');
  const { page, faults, close } = await openPage(browser, 'about:blank', { viewport: { width: 390, height: 780 } });
  await page.clock.install();
  await page.goto(url + order.link);
  await measureShifts(page);
  await mark(page);
  await shows(page, WINDOW);
  await page.locator('#driver-title', { hasText: 'Test Pizzeria will start around 5:40 PM' }).waitFor();
  await app.advance({ minutes: 4 * 60 + 40 });
  await page.clock.fastForward('04:40:00');
  await shows(page, 'Your order is being prepared');
  await page.locator('#driver-title', { hasText: 'Ready around 6:00 PM' }).waitFor();
  await page.clock.fastForward('10:00');
  assert.equal(Number(await page.locator('#prepared').getAttribute('value')), 50);
  await assertStill(page, 'started');
  assert.deepEqual([await isTheSame(page), faults], [true, []]);
  await close();
});
