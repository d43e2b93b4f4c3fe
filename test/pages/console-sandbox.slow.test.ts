// covers: web/console/**, web/*.{ts,tsx}
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { issueAccessCode } from '../../src/access/sessions/sign-in.flow.ts';
import { setStoreTerms } from '../../src/ordering/statements/store-terms.db.ts';
import { pizzeria } from '../feed-lines.ts';
import { givenStoreKey } from '../given/merchant.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../given/orders.ts';
import { givenStores } from '../given/stores.ts';
import { type App, done, givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { openConsole } from './open-console.ts';

let app: App;
let url: string;
let storeId: string;
before(async () => {
  app = await givenApp({ env: { SHOW_STORES_ADDED_FEES: 'true' } });
  [storeId = ''] = await givenStores(app, [pizzeria()]);
  url = await app.service.listen();
});
after(() => app.close());

const SANDBOX = { path: '/console?sandbox' };
const codeOf = async () =>
  (await issueAccessCode(app.service.deps.db, { storeId, accountId: app.accountId }, app.now())).code;

test("an account's sandbox order is taken and refunded on a console that says Sandbox in every view", async (t) => {
  const page = await openConsole(t, url, await codeOf(), SANDBOX);
  const mark = /Sandbox Test orders from Test account/;
  assert.equal(page.url(), `${url}/console?sandbox`);
  const { Margherita } = await productTokens(app, storeId);
  const body = orderBody(Margherita, await givenPaymentMethod(app), { autofill_selected_options: true });
  const { order_id: orderId } = await done(app.post('/order/order/v2', body));
  await app.advance({ seconds: 1 });
  await page.in('.order.new').press(/^Confirm/);
  assert.match(page.in('.strip.sandbox').text(), mark);
  assert.match(page.window().document.title, /Sandbox|New order/);
  await page.press(/^Kitchen/);
  const order = page.in('.order.kitchen');
  await order.shows('Margherita');
  await done(app.post('/order/refund', { order_id: orderId, amount: 100, reason: 'Late' }));
  await order.shows('Refunded (app) $1.00 · Late');
  await order.press(/^More for/);
  await order.press('Refund…');
  const dialog = page.dialog(/^Refund order/);
  await dialog.fill('Or an amount', '2,50');
  await dialog.shows(/The customer’s refund is \$2\.50, including \$0\.\d\d in tax\. Your statement: .\$2\./);
  await dialog.fill(/^Why\?/, 'The crust was burnt');
  await dialog.press('Refund');
  await order.shows('Refunded $2.50 · The crust was burnt');
  await until('the dialog is closed', () => page.all('dialog').length === 0);
  const tabs = page.all('nav a > span:not(.count, .unseen)').map((one) => one.textContent);
  assert.deepEqual(tabs, ['Orders', 'New order', 'Sales', 'Store']);
  for (const view of ['Sales', 'Store']) {
    await page.in('nav').press(view);
    await until('the view is there', () => page.all('.panel').length > 0);
    assert.match(page.in('.strip.sandbox').text(), mark);
  }
  await page.shows('You can’t change the store from here');
  await page.press('Sign out');
  await page.find('heading', 'Sign in');
  assert.equal(page.url(), `${url}/console?sandbox`);
  await page.shows('Sandbox');
  await done(app.post('/order/cancel', { order_id: orderId }));
});

/** Orders of two days: one delivered and tipped, one refunded, one adjusted, one charged elsewhere. */
async function givenOrders(store: Awaited<ReturnType<typeof givenStoreKey>>): Promise<void> {
  const card = await givenPaymentMethod(app);
  const { Soda, Margherita } = await productTokens(app, storeId);
  const items = [{ product_id: Soda, quantity: 6 }];
  const place = async (changes: object = {}): Promise<string> => {
    const { order_id } = await done(app.post('/order/order/v2', orderBody(Soda, card, { items, ...changes })));
    await done(app.post(`/sandbox/orders/${order_id}/advance`, { event: 'confirm' }));
    return order_id;
  };
  const delivered = await place({ autofill_selected_options: true, items: [{ product_id: Margherita, quantity: 2 }] });
  const driver = { name: 'Ana Ruiz', phone: 12125550188, vehicle_type: 'car' };
  await done(store.post(`/store/orders/${delivered}/assign_driver`, driver));
  for (const event of ['pick_up', 'complete']) await done(app.post(`/sandbox/orders/${delivered}/advance`, { event }));
  await done(app.post('/order/tip', { order_id: delivered, driver_tip_cents: 600 }));
  await app.advance({ hours: 24 });
  await done(app.post('/order/refund', { order_id: await place(), items: [{ index: 0, quantity: 2 }], reason: '' }));
  await done(store.post(`/store/orders/${await place()}/items/0`, { quantity: 4 }));
  await place({ charge_user: false, payment_method_id: undefined });
  await app.advance({ seconds: 1 });
}

test('a store reads the statement of a month by day, with its drivers, and downloads it', async (t) => {
  const terms = { commissionPercent: 15, perOrderCents: 30 };
  await app.service.deps.db.transaction().execute((tx) => setStoreTerms(tx, storeId, terms, app.now()));
  await givenOrders(await givenStoreKey(app, storeId, app.accountId));
  const page = await openConsole(t, url, await codeOf(), SANDBOX);
  await page.in('nav').press('Sales');
  await page.press('Statements');
  await until('the statement is there', () => page.all('.scroll tfoot').length > 0);
  const byDay = page.in('.scroll');
  assert.equal(byDay.all('tbody tr').length, 2, byDay.text());
  const heads = byDay.all('thead th').map((one) => one.textContent);
  assert.deepEqual(heads.slice(-3), ['Payout', 'Paid by customers', 'Added by apps']);
  assert.match(page.in('.statement').text(), /Ana Ruiz\s+1\s+\$6\.00/);
  const csv = page.all('a').find((one) => one.textContent === 'Download CSV');
  assert.ok(csv?.hasAttribute('download'));
  const answer = await page.window().fetch(String(csv?.getAttribute('href')));
  assert.match(String(answer.headers.get('content-disposition')), /statement-2026-06\.csv/);
  await page.choose('Month', /May/);
  await page.shows('No orders this month.');
  await page.choose('Month', /June/);
  await until('the statement is back', () => page.all('.scroll tfoot').length > 0);
});
