// covers: web/operator/**, web/*.{ts,tsx}
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { givenCountedShop } from '../given/counted-shop.ts';
import { givenLiveShop, type LiveShop, step } from '../given/live-shop.ts';
import { endSessions, givenConsole } from '../given/merchant.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../given/orders.ts';
import { type Options, openPage, type Page } from '../given/page.ts';
import { type App, done } from '../harness.ts';
import { until } from '../until.ts';

/** The operator's view of a signed-in admin. */
async function openView(t: TestContext, app: App, view: string, options: Options = {}): Promise<Page> {
  const url = await app.service.listen();
  const { cookie } = await givenConsole(app, null);
  const page = await openPage(t, `${url}/console/operator`, { ...options, cookie });
  await show(page, view);
  return page;
}

/** Navigates to a view, such as `orders?mode=live`, and waits for its data. */
async function show(page: Page, view: string): Promise<void> {
  const [path] = view.split('?');
  page.window().location.hash = `#/${view}`;
  const isLoaded = () =>
    page.all(`main[data-view="${path}"] h1`).length > 0 &&
    page.all('.empty').every((one) => !one.textContent?.startsWith('Loading'));
  await until(() => `${view} is read in\n${page.text()}`, isLoaded);
}

const rows = (page: Page) => page.all('tbody tr').length;
const DAYS = /^Every day of 30 days/;

test('the view works without storage, and an ended session leads to the sign-in at the next press', async (t) => {
  const { app } = await givenLiveShop(t);
  const page = await openView(t, app, 'waiting', {
    prepare: (window) => Object.defineProperty(window, 'localStorage', { get: () => assert.fail('denied') }),
  });
  await page.shows('All clear.');
  await endSessions(app);
  // The page's own refresh may leave it before the press, which then finds no link.
  page.press('Stores').catch(() => {});
  await page.find('field', 'Access code');
  assert.equal(new URL(page.url()).pathname, '/console');
});

test('no list is shown as empty while its last read failed, and a refused read leads to the sign-in', async (t) => {
  const { app, client, storeId, place } = await givenLiveShop(t);
  const orderId = await place();
  let status = 200;
  const refused = { type: 'application/json', body: '{"code":"not_ready","detail":"Try again later."}' };
  const page = await openView(t, app, 'waiting', {
    answer: (path) =>
      status !== 200 && /\/operator\/(?!me$|orders\/waiting)/.test(path) ? { ...refused, status } : undefined,
  });
  status = 503;
  for (const view of [
    ...'orders stores statements taxes tips merges accounts imports plugins health alerts changes'.split(' '),
    ...'trends promotions operators'.split(' '),
    `orders/${orderId}`,
    `stores/${storeId}`,
    `statements/${storeId}`,
    `accounts/${client.accountId}`,
  ]) {
    page.window().location.hash = `#/${view}`;
    const main = page.in(`main[data-view="${view}"]`);
    await main.in('[role=alert]').shows('Try again later.');
    await main.hides(/^Loading/m);
    assert.deepEqual(main.all('.empty'), [], view);
  }
  status = 401;
  await page.press('Stores');
  await until('the sign-in is asked for', () => page.requests.some((one) => /\/console$/.test(one)));
  status = 200;
  await page.find('heading', 'Unconfirmed orders');
});

test('an operator refunds, adjusts, tips and cancels, each as its preview said', async (t) => {
  const shop = await givenCountedShop();
  t.after(() => shop.close());
  const { order_id: orderId } = await done(shop.place(shop.newKey(), { items: [{ ...shop.item(), quantity: 3 }] }));
  await done(shop.post(`/sandbox/orders/${orderId}/advance`, { event: 'confirm' }));
  const page = await openView(t, shop, `orders/${orderId}`);
  const change = async (open: string, verb: string, preview: RegExp, fill: () => Promise<void> = async () => {}) => {
    await page.press(open, 0);
    await fill();
    await page.fill('Reason', 'The customer called');
    await page.in('.preview').shows(preview);
    await page.press(verb);
    await until(`${open} is done`, () => page.all('dialog').length === 0);
  };
  await change('Refund…', 'Refund', /Customer gets back\n\$16\.33/, () => page.fill(/Counted, of 3/, '1'));
  await page.shows('$16.33');
  await change('Adjust an item…', 'Adjust item', /Customer gets back\n\$17\.96/, () =>
    page.fill('Units handed over', '2'),
  );
  await change('Raise the tip…', 'Raise tip', /Card is charged\n\$5\.50/, () =>
    page.fill('Whole tip in dollars', '7.5'),
  );
  await change('Cancel…', 'Cancel order', /Customer pays in total\n\$0\.00/);
  await page.shows(/^Order \w+ canceled/m);
  assert.deepEqual(
    (await shop.books(orderId)).map(([amount, back]) => amount - back),
    [0, 0],
  );
});

test('an operator sends a message again, as its preview said', async (t) => {
  const { app, place } = await givenLiveShop(t);
  const orderId = await place();
  await app.advance({ seconds: 5 });
  const page = await openView(t, app, `orders/${orderId}`);
  await page.press('Send again…', 0);
  await page.in('.preview').shows('Told afterward');
  await page.fill('Reason', 'It never arrived');
  await page.press('Send again');
  await page.shows('(resent)');
});

/** Orders of three days, a third of them confirmed and a third canceled. */
async function givenDays(shop: LiveShop): Promise<void> {
  for (const event of [undefined, 'confirm', 'cancel', undefined, 'confirm', 'cancel'] as const) {
    const orderId = await shop.place();
    await shop.app.advance({ hours: 9 });
    if (event) await step(shop, orderId, event);
  }
  await shop.place();
  await shop.app.advance({ seconds: 5 });
}

test('trends lead to the orders of a day, whose filters stay in the URL and in the export', async (t) => {
  const shop = await givenLiveShop(t);
  await givenDays(shop);
  const page = await openView(t, shop.app, 'trends');
  await page.find('region', DAYS);
  assert.equal(rows(page), 4, 'days without orders are one row');
  await page.choose('Days', 'last 7');
  await page.press('Show');
  await page.shows('Every day of 7 days');
  await page.press('Wed, Jun 10');
  await page.find('heading', 'Orders');
  await page.find('region', 'Newest live orders');
  assert.equal(rows(page), 2);
  await page.choose('Status', 'completed');
  await page.press('Search');
  await page.shows('No orders found');
  assert.match(page.url(), /status=completed/);
  await page.reload();
  await page.shows('No orders found');
  await page.fill('Day', '');
  await page.choose('Status', 'any');
  await page.press('Search');
  await page.find('region', 'Newest live orders');
  const link = await page.find('control', 'Export CSV');
  assert.equal(link.getAttribute('download'), 'orders.csv');
  const { pathname, searchParams } = new URL(link.getAttribute('href') ?? '', page.url());
  const operator = await givenConsole(shop.app, null);
  const { status, text } = await operator.get(pathname, Object.fromEntries(searchParams));
  assert.deepEqual([status, text.trim().split('\n').length], [200, 1 + rows(page)]);
});

test('views begin with the mode that has orders, remember the chosen one, and say what the other one has', async (t) => {
  const { app, storeId } = await givenLiveShop(t);
  const { Soda } = await productTokens(app, storeId);
  const body = orderBody(Soda, await givenPaymentMethod(app), { items: [{ product_id: Soda, quantity: 4 }] });
  for (let count = 0; count < 3; count += 1) await done(app.post('/order/order/v2', body));
  await app.advance({ seconds: 2 });
  await done((await givenConsole(app, null)).post(`/operator/stores/${storeId}/invite`, {}));
  const page = await openView(t, app, 'waiting');
  await page.find('control', '3 orders in the sandbox');
  await show(page, 'orders');
  await page.find('heading', 'Newest sandbox orders');
  await until('the orders are read', () => rows(page) === 3);
  assert.match((await page.all('tbody time')[0]?.textContent?.trim()) ?? '', /^(\w+ \d+, )?\d\d:\d\d \S+$/);
  await show(page, 'trends');
  await page.shows('3 orders, ');
  assert.equal(rows(page), 2, 'days without orders are one row');
  await page.choose('Mode', 'live');
  await page.press('Show');
  await page.find('control', '3 orders in the sandbox');
  await show(page, 'orders');
  await page.find('heading', 'Newest live orders');
  await page.press('3 orders in the sandbox');
  await page.find('heading', 'Newest sandbox orders');
  await page.reload();
  await show(page, 'trends');
  await page.shows('3 orders, ');
  await show(page, 'changes');
  await page.shows('Invited Test Pizzeria');
  await show(page, 'stores');
  await page.fill('Words of the name, or store ID', 'pizz');
  await page.press('Search');
  await page.find('control', 'Test Pizzeria');
});
