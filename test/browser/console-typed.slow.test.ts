import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dispatchAllEvents } from '../../src/ordering/order/dispatch-events.flow.ts';
import { givenKitchen, type Kitchen } from '../given/kitchen.ts';
import { givenConsole } from '../given/merchant.ts';
import { type App, givenApp } from '../harness.ts';
import { givenBrowser } from './browser.ts';
import { openConsole } from './open-console.ts';

let app: App;
let kitchen: Kitchen;
let url: string;
before(async () => {
  app = await givenApp();
  kitchen = await givenKitchen(app);
  url = await app.service.listen();
});
after(() => app.close());

test('a number of units that was not taken stays in its field, and is taken with the next press', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, close } = await openConsole(browser, url, await kitchen.invite());
  await page.getByRole('link', { name: 'Menu', exact: true }).click();
  await page.getByRole('button', { name: 'More: Tiramisù' }).click();
  const field = page.getByLabel('How many left: Tiramisù');
  await field.fill('17');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Set', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: /./ }).first().waitFor();
  assert.equal(await field.inputValue(), '17');
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Set', exact: true }).click();
  await page.getByText('17 left').waitFor();
  await close();
});

test('a last day may be typed part by part over a date that the calendar lacks', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, close } = await openConsole(browser, url, await kitchen.invite());
  const store = await givenConsole(app, kitchen.storeId);
  const year = Number(app.now().toString().slice(0, 4)) + 1;
  await page.getByRole('link', { name: 'Store' }).click();
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

test('a day that another tablet has set stays when this tablet adds or removes a day', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const store = await givenConsole(app, kitchen.storeId);
  const year = Number(app.now().toString().slice(0, 4)) + 1;
  const on = (date: string) => ({ from: `${year}-${date}`, to: `${year}-${date}`, hours: 'Closed', channel: null });
  const set = (list: object[]) => store.put('/store/hours', { hours_exceptions: list });
  const days = async () => (await store.get('/store')).body.hours_exceptions;
  await set([]);
  const { page, close } = await openConsole(browser, url, await kitchen.invite());
  await page.getByRole('link', { name: 'Store' }).click();
  await page.getByText('No special hours coming up.').waitFor();
  await set([on('12-25')]);
  await page.getByLabel('First day').fill(`${year}-07-04`);
  await page.getByRole('button', { name: 'Add special hours' }).click();
  await page.getByText('Special hours saved.').waitFor();
  assert.deepEqual(await days(), [on('12-25'), on('07-04')]);
  await set([on('11-26'), on('12-25'), on('07-04')]);
  await page.getByRole('button', { name: /^Remove .*Dec 25/ }).click();
  await page.getByText('Special hours removed.').waitFor();
  assert.deepEqual(await days(), [on('11-26'), on('07-04')]);
  await close();
});

test('weekly hours that another tablet has set stay when this tablet saves its own', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const store = await givenConsole(app, kitchen.storeId);
  const hours = async () => (await store.get('/store')).body.hours;
  const { page, close } = await openConsole(browser, url, await kitchen.invite());
  await page.getByRole('link', { name: 'Store' }).click();
  await page.getByLabel('Friday: open').selectOption('Closed');
  const { operational, pickup } = await hours();
  const others = { operational: { ...operational, Monday: 'Closed' }, pickup };
  assert.equal((await store.put('/store/hours', { hours: others })).status, 200);
  await page.getByRole('button', { name: 'Save hours' }).click();
  await page.getByText('Hours saved.').waitFor();
  const saved = (await hours()).operational;
  assert.deepEqual([saved.Monday, saved.Friday, saved.Sunday], ['Closed', 'Closed', operational.Sunday]);
  assert.equal(await page.getByLabel('Monday: open').inputValue(), 'closed');
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
  await page.getByRole('link', { name: 'Store' }).click();
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
  assert.equal(await opens.inputValue(), before.replace(/^../, '07'), 'what is left half typed is as it was');
  await page.getByRole('link', { name: 'Sales' }).click();
  await page.getByRole('button', { name: 'Last 7 days' }).click();
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

test('a switch that is pressed while more products are read keeps its new state', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const products = Array.from({ length: 60 }, (_, n) => ({ id: `p${n}`, name: `Soup ${n}.`, price: 500 }));
  const soups = await givenKitchen(app, { external_id: 'soups', categories: [{ id: 'all', name: 'All', products }] });
  const { page, close } = await openConsole(browser, url, await soups.invite());
  await page.getByRole('link', { name: 'Menu', exact: true }).click();
  await page.getByRole('searchbox').fill('soup');
  const first = page.getByRole('switch', { name: 'Soup 0.' });
  await first.waitFor();
  const { promise: isSwitched, resolve: letGo } = Promise.withResolvers<void>();
  await page.route(/store\/products\?.*after=[1-9]/, async (route) => {
    const response = await route.fetch();
    await isSwitched;
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Show more' }).click();
  await first.click();
  await page.getByRole('switch', { name: 'Soup 0.', checked: false }).waitFor();
  letGo();
  await page.getByText('Soup 59.', { exact: true }).waitFor();
  assert.equal(await first.isChecked(), false);
  await close();
});

test('a switch that is pressed while the menu is read again after an edit keeps its new state', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, close } = await openConsole(browser, url, await kitchen.invite());
  await page.getByRole('link', { name: 'Menu', exact: true }).click();
  const toggle = page.getByRole('switch', { name: 'Marinara available' });
  await toggle.waitFor();
  const { promise: isSwitched, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: isRead, resolve: noteRead } = Promise.withResolvers<void>();
  await page.route(/store\/menu\/items\?category_id=pies/, async (route) => {
    const response = await route.fetch();
    noteRead();
    await isSwitched;
    await route.fulfill({ response });
  });
  await page.getByLabel('New category', { exact: true }).fill('Late plates');
  await page.keyboard.press('Enter');
  await isRead;
  await toggle.click();
  await page.getByRole('switch', { name: 'Marinara available', checked: false }).waitFor();
  letGo();
  await page.getByRole('heading', { name: 'Late plates' }).waitFor();
  assert.equal(await toggle.isChecked(), false);
  await close();
});
