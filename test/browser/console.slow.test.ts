import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { issueAccessCode } from '../../src/access/sessions/sign-in.flow.ts';
import { dispatchAllEvents } from '../../src/ordering/order/dispatch-events.flow.ts';
import { pizzeria } from '../feed-lines.ts';
import { freePort } from '../given/command.ts';
import { grocery } from '../given/groceries.ts';
import { givenKitchen, type Kitchen } from '../given/kitchen.ts';
import { givenConsole, givenStoreKey } from '../given/merchant.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../given/orders.ts';
import { givenStores } from '../given/stores.ts';
import { type App, done, givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { givenBrowser, openPage, PHONE, pressSlowly } from './browser.ts';
import { openConsole, signIn, TABLET } from './open-console.ts';
import { openView, showView } from './operator-view.ts';

const COLA = [{ name: 'Cola', quantity: 3 }];

let app: App;
let kitchen: Kitchen;
let url: string;
before(async () => {
  const port = await freePort();
  const env = { ORDER_CONFIRM_TIMEOUT_MINUTES: '1440', PORT: port, BASE_URL: `http://127.0.0.1:${port}` };
  app = await givenApp({ env });
  kitchen = await givenKitchen(app);
  url = await app.service.listen();
});
after(() => app.close());

/** Counts the tones that a page plays. */
const COUNT_NOTES = `window.notes = 0; const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) { window.notes += 1; return start.apply(this, when); };`;
const notesOf = (page: Page) => page.evaluate('window.notes').then(Number);

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const go = (page: Page, view: string) => page.getByRole('navigation').getByRole('link', { name: view }).click();
const hasFocus = (element: Locator) => element.evaluate((it) => it === it.ownerDocument.activeElement);

/** Places an order whose event has reached the consoles; returns its number. */
async function place(lines: Parameters<Kitchen['place']>[0] = COLA, changes: object = {}): Promise<string> {
  const orderId = await kitchen.place(lines, changes);
  await dispatchAllEvents(app.service.deps);
  return (await kitchen.client.get('/account/orders', { order_id: orderId })).body.orders[0].order_number;
}

test('a store’s day: orders ring, are cooked and driven, and the menu is edited meanwhile', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const options = { viewport: TABLET, permissions: ['clipboard-read', 'clipboard-write'] };
  const { page, faults, requests, close } = await openPage(browser, `${url}/console`, options);
  await signIn(page, await kitchen.invite());
  await page.locator('.pulse.live').waitFor();
  const cookies = await page.context().cookies();
  assert.deepEqual(
    cookies.map(({ httpOnly, sameSite }) => ({ httpOnly, sameSite })),
    [{ httpOnly: true, sameSite: 'Strict' }],
  );
  const card = (number: string) =>
    page.locator('article.order', { has: page.getByRole('heading', { name: `Order ${number}`, exact: true }) });
  const step = (number: string, name: string) => card(number).getByRole('button', { name }).click();

  // A new order rings until it is acknowledged, and goes from lane to lane.
  await page.clock.install();
  await page.reload();
  await page.locator('.pulse.live').waitFor();
  await page.evaluate(COUNT_NOTES);
  await page.locator('body').click();
  await page.evaluate('window.isTheSame = true');
  const pickup = await place(COLA, { pickup: true, user_name: 'Bo' });
  await page.getByText(`New order ${pickup}`).waitFor();
  await until('the title reports it', async () => (await page.title()) === '(1) New order');
  await until('the title blinks', async () => (await page.title()) === 'Brick Oven · Doorstep');
  await until('it rings, and rings again', async () => (await notesOf(page)) >= 6);
  await press(page, 'I’m on it');
  await page.locator('.strip.ring').waitFor({ state: 'detached' });
  const silent = await notesOf(page);
  await page.clock.fastForward(10_000);
  assert.equal(await notesOf(page), silent);
  assert.equal(await page.title(), 'Brick Oven · Doorstep');
  await step(pickup, '5 minutes more');
  await card(pickup).getByText('20 min', { exact: true }).waitFor();
  const confirm = card(pickup).getByRole('button', { name: 'Confirm' });
  await confirm.focus();
  await page.keyboard.press('Enter');
  await card(pickup).waitFor({ state: 'detached' });
  const isFocused = "document.getElementById('main').contains(document.activeElement)";
  await until('the focus stays in the orders', () => page.evaluate<boolean>(isFocused));
  await press(page, /^Kitchen/);
  await card(pickup).getByText('20 min', { exact: true }).waitFor();
  await step(pickup, 'Mark ready');
  await press(page, /^Ready \d/);
  await step(pickup, 'Handed to customer');
  await press(page, /^Done/);
  await card(pickup).waitFor();

  // A delivery gets a driver, whose code is drawn and whose link is copied.
  const delivery = await place([{ name: 'Diavola' }]);
  await press(page, /^New/);
  await step(delivery, 'Confirm');
  await press(page, /^Kitchen/);
  await step(delivery, 'Mark ready');
  await press(page, /^Ready \d/);
  await step(delivery, 'Assign driver');
  await page.getByLabel('Name').fill('Rosa');
  await page.getByLabel('Phone').fill('(212) 555-0142');
  await page.getByLabel('Vehicle').selectOption('bicycle');
  await page.getByRole('dialog').getByRole('button', { name: 'Assign', exact: true }).click();
  const code = card(delivery).locator('.driver-link img');
  await code.waitFor();
  await until('the code is drawn', () =>
    page.evaluate<boolean>('document.querySelector(".driver-link img").naturalWidth > 0'),
  );
  await step(delivery, 'Copy driver link');
  await page.getByText('Link copied.').waitFor();
  const link = new URL(String(await page.evaluate('navigator.clipboard.readText()')));
  assert.equal((await app.get(link.pathname)).status, 200);
  await step(delivery, 'Driver has it');
  await step(delivery, 'Delivered');
  await card(delivery).waitFor({ state: 'detached' });

  assert.equal(await page.evaluate('window.isTheSame === true'), true, 'the page was never loaded again');

  // A menu is typed by the keyboard: alongside its texts an item takes two keys.
  await go(page, 'Menu');
  await page.getByLabel('New category', { exact: true }).fill('Lunch');
  await page.keyboard.press('Enter');
  await press(page, 'Add item to Lunch');
  const name = page.getByLabel('Name', { exact: true });
  for (const bowl of ['Bowl 1', 'Bowl 2']) {
    await until('the name has the focus', () => hasFocus(name));
    await page.keyboard.insertText(bowl);
    await page.keyboard.press('Tab');
    await page.keyboard.insertText('12.50');
    await page.keyboard.press('Enter');
    await page.getByText(`Saved: ${bowl}`).waitFor();
    await until('the form is empty', async () => (await name.inputValue()) === '');
  }
  await press(page, 'Back');
  await dragTo(page, 'Move Diavola', 'Move Margherita');
  await page.locator('.menu-item').first().getByText('Diavola').waitFor();
  const items = await (await givenStoreKey(app, kitchen.storeId)).get('/store/menu/items', { category_id: 'pies' });
  assert.equal(items.body.items[0].name, 'Diavola');
  await press(page, 'Edit Margherita');
  const handle = page.getByRole('button', { name: 'Move Calabrian chili' });
  await handle.press('ArrowUp');
  assert.ok(await hasFocus(handle), 'the handle keeps the focus');
  await press(page, 'Back');
  assert.deepEqual(faults, []);
  assert.deepEqual(
    requests.filter((request) => !request.startsWith(url)),
    [],
  );

  // Without a connection the console says so at once, and then shows what it missed.
  await go(page, 'Orders');
  await page.context().setOffline(true);
  await page.getByText('You’re offline. New orders won’t arrive. Reconnecting…').waitFor();
  const missed = await place();
  await page.context().setOffline(false);
  await page.locator('.pulse.live').waitFor();
  await press(page, /^New/);
  await card(missed).waitFor();
  await close();
});

/** Drags one handle to the place of another. */
async function dragTo(page: Page, from: string, to: string): Promise<void> {
  const handles = [from, to].map((name) => page.getByRole('button', { name, exact: true }));
  for (const handle of handles) await handle.scrollIntoViewIfNeeded();
  const [start, end] = await Promise.all(
    handles.map(async (handle) => {
      const { x, y, width, height } = (await handle.boundingBox()) ?? assert.fail('no handle');
      return [x + width / 2, y + height / 2] as const;
    }),
  );
  assert.ok(start && end);
  await page.mouse.move(...start);
  await page.mouse.down();
  await page.mouse.move(end[0], (start[1] + end[1]) / 2);
  await page.mouse.move(...end);
  await page.mouse.up();
}

test('a phone order takes up to 14 taps, from New order in its frame to the kitchen ticket', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  const { code } = await issueAccessCode(app.service.deps.db, { storeId, accountId: app.accountId }, app.now());
  const { page, faults, close } = await openPage(browser, `${url}/console?sandbox`, { viewport: TABLET });
  await signIn(page, code);
  await page.locator('.pulse.live').waitFor();
  let taps = 0;
  const tap = async (what: Locator) => {
    taps += 1;
    await what.click();
  };
  await tap(page.getByRole('link', { name: 'New order' }));
  const order = page.frameLocator('iframe.new-order');
  const named = (name: string | RegExp) => order.getByRole('button', { name }).first();
  await tap(order.getByText('Pickup', { exact: true }));
  await tap(order.getByRole('searchbox'));
  await order.getByRole('searchbox').fill('margh');
  await tap(named(/^Add Margherita/));
  await tap(named(/^Add ·/));
  await tap(named(/^View order/));
  await tap(order.getByLabel('Name'));
  await order.getByLabel('Name').fill('Ana Pérez');
  await tap(order.getByLabel('Phone'));
  await order.getByLabel('Phone').fill('212 555 0142');
  await tap(named(/^Place order · \$/));
  const typed = page.locator('article.order', { hasText: 'Ana P.' });
  await until('the order is among the others', async () => {
    await app.advance({ seconds: 1 });
    return typed.isVisible();
  });
  await tap(typed.getByRole('button', { name: 'Confirm' }));
  await tap(page.getByRole('button', { name: /^Kitchen/ }));
  await tap(typed.getByRole('button', { name: /^More/ }));
  await tap(typed.getByRole('button', { name: /^Print/ }));
  const ticket = page.waitForEvent('popup');
  await tap(page.getByRole('link', { name: 'Kitchen ticket' }));
  await (await ticket).getByText('Margherita').waitFor();
  assert.ok(taps <= 14, `${taps} taps`);
  assert.deepEqual(faults, []);
  await close();
});

test('an order that arrives during a press does not move the button away below the finger', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  await kitchen.endOrders();
  const first = await place();
  const { page, close } = await openConsole(browser, url, await kitchen.invite(), { viewport: PHONE });
  await press(page, 'I’m on it');
  const bar = page.locator('.strip.ring');
  await bar.waitFor({ state: 'detached' });
  const second = await page.context().newPage();
  await second.goto(page.url());
  await pressSlowly(page.getByRole('button', { name: /^Confirm/ }).first(), async () => {
    await place();
    await second.locator('.strip.ring').waitFor();
  });
  await second.close();
  await bar.waitFor();
  await page.locator(`article.order:has(h3:text-is("${first}"))`).waitFor({ state: 'detached' });
  await close();
});

test('half a time or date stays as it is typed when orders arrive, and counts once it is whole', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const own = await givenKitchen(app, { external_id: 'typed' });
  const { page, close } = await openConsole(browser, url, await own.invite());
  let count = 0;
  const arrive = async () => {
    await own.place([{ name: 'Cola', quantity: 2 }]);
    await dispatchAllEvents(app.service.deps);
    count += 1;
    await page.locator('nav .count', { hasText: String(count) }).waitFor();
  };
  await go(page, 'Store');
  await page.getByLabel('Friday: open').selectOption('Open');
  const opens = page.getByLabel('Friday: from').first();
  const before = await opens.inputValue();
  await opens.focus();
  await page.keyboard.press('Delete');
  await arrive();
  assert.equal(await opens.inputValue(), '');
  await page.keyboard.type('07');
  await arrive();
  assert.equal(await opens.inputValue(), before.replace(/^../, '07'));
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: 'Save hours' }).focus();
  assert.equal(await opens.inputValue(), before.replace(/^../, '07'), 'a half-typed time is as it was');
  await go(page, 'Sales');
  await press(page, 'Last 7 days');
  const [from, to] = [page.getByLabel('From', { exact: true }), page.getByLabel('To', { exact: true })];
  const days = [await from.inputValue(), await to.inputValue()] as const;
  const [year = '', month = ''] = days[0].split('-');
  await from.focus();
  await page.keyboard.press('Delete');
  await arrive();
  assert.equal(await from.inputValue(), '');
  await page.keyboard.type(month);
  await arrive();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type(year, { delay: 200 });
  assert.deepEqual(
    [await from.inputValue(), await to.inputValue()],
    days,
    'no day of the year 2 was chosen on the way',
  );
  await close();
});

test('a last day may be typed part by part over a date that the calendar lacks', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, close } = await openConsole(browser, url, await kitchen.invite());
  const store = await givenConsole(app, kitchen.storeId);
  const year = Number(app.now().toString().slice(0, 4)) + 1;
  await go(page, 'Store');
  const last = page.getByLabel('Last day');
  const add = page.getByRole('button', { name: 'Add special hours' });
  await page.getByLabel('First day').fill(`${year}-01-31`);
  assert.equal(await last.inputValue(), `${year}-01-31`);
  await last.fill(`${year}-03-31`);
  await last.focus();
  // Shows 31 February until the day is typed as well.
  await page.keyboard.type('02');
  assert.equal(await last.inputValue(), '');
  await add.press('Enter');
  await page.getByText('Check: Last day').waitFor();
  await last.fill(`${year}-03-31`);
  await last.focus();
  await page.keyboard.type('0203');
  assert.equal(await last.inputValue(), `${year}-02-03`);
  await add.press('Enter');
  await page.getByText('Special hours saved.').waitFor();
  const days = (await store.get('/store')).body.hours_exceptions;
  assert.deepEqual(days, [{ from: `${year}-01-31`, to: `${year}-02-03`, hours: 'Closed', channel: null }]);
  await close();
});

test('half a weight stays as it is typed while the operator’s page renders again each second', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const pasta = { price: 899, sold_by: 'weight', weight: { unit: 'kg' } };
  const [storeId = ''] = await givenStores(app, [grocery('market', { Pasta: pasta }, { type: 'restaurant' })]);
  const { Pasta } = await productTokens(app, storeId);
  const items = [{ product_id: Pasta, quantity: 1.5 }];
  const { order_id: id } = await done(
    app.post('/order/order/v2', orderBody('', await givenPaymentMethod(app), { items })),
  );
  await done(app.post(`/sandbox/orders/${id}/advance`, { event: 'confirm' }));
  const store = await givenStoreKey(app, storeId, app.accountId);
  await done(store.post(`/store/orders/${id}/items/0`, { weight: '1.5' }));
  for (const event of ['ready', 'assign_driver', 'pick_up'])
    await done(app.post(`/sandbox/orders/${id}/advance`, { event }));
  const { page, faults, close } = await openView(browser, app, url);
  await showView(page, url, `orders/${id}`);
  await press(page, 'Refund…');
  await page.getByLabel('Pasta, of 1.5 kg').clear();
  await page.getByLabel('Pasta, of 1.5 kg').pressSequentially('0.05', { delay: 1100 });
  await page.getByText('$0.45', { exact: true }).waitFor();
  assert.deepEqual(faults, []);
  await close();
});
