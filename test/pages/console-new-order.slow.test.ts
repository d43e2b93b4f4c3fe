// covers: web/console/**, web/*.{ts,tsx}
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { issueAccessCode } from '../../src/access/sessions/sign-in.flow.ts';
import { pizzeria } from '../feed-lines.ts';
import { openPage, type Page } from '../given/page.ts';
import { givenStores } from '../given/stores.ts';
import { type App, done, givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { openConsole } from './open-console.ts';

const ADDRESS = '120 5th Ave, New York, NY 10011';

let app: App;
let url: string;
let storeId: string;
before(async () => {
  app = await givenApp();
  [storeId = ''] = await givenStores(app, [pizzeria()]);
  url = await app.service.listen();
});
after(() => app.close());

/** The form of the sandbox console for orders that the store takes, which the console shows in a frame. */
async function openForm(t: TestContext): Promise<Page> {
  const { code } = await issueAccessCode(app.service.deps.db, { storeId, accountId: app.accountId }, app.now());
  const page = await openConsole(t, url, code, { path: '/console?sandbox' });
  return page.tab(`${url}/console/new-order`);
}

test('a phone order is placed at the price told to the customer, and leaves nothing for the next customer', async (t) => {
  const form = await openForm(t);
  await form.check('Pickup');
  await form.fill(/^Search/, 'margh');
  await form.press(/^Add Margherita/, 0);
  await form.press(/^Add ·/);
  await form.press(/^View order/, 0);
  await form.fill('Name', 'Ana Pérez');
  await form.fill('Phone', '212 555 0142');
  const place = await form.find('control', /^Place order · \$/);
  const said = place.textContent?.split('· ')[1];
  await form.press(/^Place order/);
  await until('the order is placed', async () => (await app.get('/account/orders')).body.orders.length === 1);
  const [placed] = (await done(app.get('/account/orders'))).orders;
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
  const next = await form.tab(`${url}/console/new-order`);
  await next.find('control', /^Add Margherita/, 0);
  const { localStorage, sessionStorage } = next.window();
  const kept = Object.keys(localStorage).filter((key) => key.startsWith('doorstep.shop'));
  assert.deepEqual([kept, Object.keys(sessionStorage)], [[], []]);
});

test('a delivery goes to the found address and is paid by a texted link, and is no order until then', async (t) => {
  const form = await openForm(t);
  await form.press('Enter the customer’s address', 0);
  await form.fill('Customer’s address', ADDRESS);
  await form.key('Enter');
  await form.find('control', /^When: Now/, 0);
  await form.press('Add Margherita', 0);
  await form.press(/^Add ·/);
  await form.press(/^View order/, 0);
  await form.fill('Name', 'Bo Lee');
  await form.check('By a link sent by text');
  await form.press(/^Send link · \$/);
  // Without a phone its field has the focus.
  assert.equal(await form.find('field', 'Phone'), form.window().document.activeElement);
  await form.fill('Phone', '+1 (212) 555-0199');
  await form.press(/^Send link · \$/);
  await form.shows('(212) 555-0199');
  assert.equal(form.all('.checkout-link').length, 0, 'the customer has the link by SMS');
  const [unplaced] = (await done(app.get('/account/orders', { status: 'unplaced' }))).orders;
  const { messages } = await done(app.get('/sandbox/messages', { order_id: unplaced.order_id }));
  const sms = messages.find(({ kind }: { kind: string }) => kind === 'checkout_link');
  const shown = /https?:\S+/.exec(sms.text)?.[0] ?? '';
  await form.press('Done');
  await until('the dialog is closed', () => form.all('dialog').length === 0);
  const checkout = await openPage(t, url + new URL(shown).pathname);
  await checkout.shows('120 5th Ave');
  const { orders } = await done(app.get('/account/orders'));
  const names = orders.map(({ user_name: name }: { user_name: string }) => name);
  assert.ok(!names.includes('Bo Lee'), 'it is no order until it is paid');
});
