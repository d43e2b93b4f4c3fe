import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { dispatchAllEvents } from '../../src/ordering/order/dispatch-events.flow.ts';
import { givenKitchen, type Kitchen } from '../given/kitchen.ts';
import { givenConsole } from '../given/merchant.ts';
import { type App, givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { assertAccessible, assertFits, assertWholeTexts } from './accessible.ts';
import { givenBrowser, PHONE, pressSlowly } from './browser.ts';
import { openConsole } from './open-console.ts';

const TABLET = { width: 1024, height: 768 };
const UPRIGHT = { width: 768, height: 1024 };
/** New orders of the busiest evening. */
const MANY = 300;
/** Orders placed at the same time. */
const TOGETHER = 8;

let app: App;
let kitchen: Kitchen;
let url: string;
before(async () => {
  app = await givenApp({ env: { ORDER_CONFIRM_TIMEOUT_MINUTES: '50' } });
  kitchen = await givenKitchen(app);
  url = await app.service.listen();
});
after(() => app.close());

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const cards = (page: Page) => page.locator('article.order');

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

test('all day lists the units to make with their choices, and late orders, the latest first, which are worked on there', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const store = await givenConsole(app, kitchen.storeId);
  await kitchen.place([
    { name: 'Cola', quantity: 2 },
    { name: 'Margherita', options: ['olives', 'pan'] },
  ]);
  const cooking = await kitchen.place(
    [{ name: 'Margherita', quantity: 2, options: ['pan', 'olives'] }, { name: 'Diavola' }],
    { pickup: true },
  );
  await store.post(`/store/orders/${cooking}/confirm`, { preparation_minutes: 5 });
  await app.advance({ minutes: 40 });
  await kitchen.place([{ name: 'Cola', quantity: 5 }]);
  for (const viewport of [PHONE, TABLET, UPRIGHT, { width: 1280, height: 800 }]) {
    const { page, faults, close } = await openConsole(browser, url, await kitchen.invite(), { viewport });
    await press(page, /^All day/);
    const dishes = page.getByRole('region', { name: 'All day' }).locator('.dishes > li');
    const texts = async () => (await dishes.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    await dishes.first().waitFor();
    const late = page.getByRole('region', { name: /^Late 2$/ }).getByRole('article');
    const [pies = '', hot, colas = ''] = await texts();
    assert.match(pies, /^3 × Margherita 3[56] min late 3 × Deep pan, Kalamata olives$/);
    assert.match(hot ?? '', /^1 × Diavola 3[56] min late$/);
    assert.match(colas, /^7 × Cola \d\d min late$/);
    assert.equal((await texts()).length, 3);
    assert.deepEqual(await late.getByRole('heading').allInnerTexts(), ['A2', 'A1']);
    await assertAccessible(page, 'all day');
    await assertFits(page, 'all day');
    await assertWholeTexts(page, 'all day');
    if (viewport.width === 1280) {
      await press(page, /^Mark ready/);
      await until('what is ready is no longer to be made', async () => !(await texts()).join().includes('Diavola'));
      assert.match((await texts()).join(), /1 × Margherita/);
      await press(page, /^All day/);
      await page.getByRole('heading', { name: 'In the kitchen' }).waitFor();
    }
    assert.deepEqual(faults, []);
    await close();
  }
  await kitchen.endOrders();
});

test('the bar names up to five new orders and counts more; its button leads to the first of them from any page', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  await place(5);
  const { page, close } = await openConsole(browser, url, await kitchen.invite(), { viewport: PHONE });
  const bar = page.locator('.strip.ring');
  await bar.getByText(/^5 new orders: (A\d+, ){4}and A\d+$/).waitFor();
  await place(1);
  await dispatchAllEvents(app.service.deps);
  await bar.getByText(/^6 new orders$/).waitFor();
  const first = await cards(page).first().getByRole('heading').innerText();
  await page.getByRole('link', { name: 'Store' }).click();
  await page.getByRole('heading', { name: 'Pause' }).first().waitFor();
  await press(page, 'I’m on it');
  const focused = page.locator('article.order:focus');
  await focused.getByRole('heading', { name: `Order ${first}`, exact: true }).waitFor();
  await bar.waitFor({ state: 'detached' });
  const second = await page.context().newPage();
  await second.goto(page.url());
  await pressSlowly(
    cards(page)
      .first()
      .getByRole('button', { name: /^Confirm/ }),
    async () => {
      await place(1);
      await dispatchAllEvents(app.service.deps);
      await second.locator('.strip.ring').waitFor();
    },
  );
  await second.close();
  await bar.waitFor();
  await page.locator(`article.order:has(h3:text-is("${first}"))`).waitFor({ state: 'detached' });
  await close();
});

test('300 new orders leave the page to work on: the bar and the tabs never cover an order or its buttons', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  await place(MANY - 6);
  let count = MANY;
  for (const viewport of [PHONE, TABLET, UPRIGHT]) {
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

test('of 300 cards a second changes those in view alone, a new order renders one, and reading the list again no other', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, close } = await openConsole(browser, url, await kitchen.invite(), { viewport: TABLET });
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
  assert.ok(rendered <= 2, `${rendered} cards: at most the new one again, as it is listed`);
  await close();
});
