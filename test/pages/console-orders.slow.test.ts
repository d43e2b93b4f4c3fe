// covers: web/console/**, web/*.{ts,tsx}
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { insertNotices } from '../../src/fulfillment/store-channels/store-notices.db.ts';
import { dispatchAllEvents } from '../../src/ordering/order/dispatch-events.flow.ts';
import { givenKitchen, type Kitchen } from '../given/kitchen.ts';
import { endSessions, givenConsole, givenStoreKey, givenStoreLink } from '../given/merchant.ts';
import { openPage, type Page } from '../given/page.ts';
import { type App, done, givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { cardOf, intercept, openConsole, signIn } from './open-console.ts';

const COLA = [{ name: 'Cola', quantity: 3 }];

let app: App;
let kitchen: Kitchen;
let url: string;
before(async () => {
  app = await givenApp({ env: { ORDER_CONFIRM_TIMEOUT_MINUTES: '1440' } });
  kitchen = await givenKitchen(app);
  url = await app.service.listen();
});
after(() => app.close());

const open = async (t: TestContext): Promise<Page> => openConsole(t, url, await kitchen.invite());
const orderOf = async (orderId: string) =>
  (await kitchen.client.get('/account/orders', { order_id: orderId })).body.orders[0];
const numberOf = async (orderId: string): Promise<string> => (await orderOf(orderId)).order_number;
const tell = (page: Page, event: 'offline' | 'online') => page.window().dispatchEvent(new (page.window().Event)(event));

/** Places an order whose event has reached the consoles. */
async function place(...order: Parameters<Kitchen['place']>): Promise<string> {
  const orderId = await kitchen.place(...order);
  await dispatchAllEvents(app.service.deps);
  return orderId;
}

test('a wrong or used code is refused with a reason, and a right one opens the console in any spelling', async (t) => {
  const code = await kitchen.invite();
  const page = await openPage(t, `${url}/console`);
  await signIn(page, 'ABCD-EFGH-JKLM');
  await page.shows('That code didn’t work');
  await signIn(page, ` ${code.toLowerCase().replaceAll('-', ' ')} `);
  await page.in('.pulse').shows('Live');
  const other = await openPage(t, `${url}/console`);
  await signIn(other, code);
  await other.shows('already used');
});

test('a session ended from another tablet leads to the sign-in, and so does signing out', async (t) => {
  const two = await givenKitchen(app, { external_id: 'two-tablets' });
  const first = await openConsole(t, url, await two.invite());
  const second = await openConsole(t, url, await two.invite());
  await second.press('Store');
  await second.shows('This tablet');
  await second.press(/^Sign out .+/);
  await until('one tablet is left', () => !second.text().includes('Last used'));
  // The tablet notices on its next connection, and may have noticed already.
  tell(first, 'online');
  await first.shows('This tablet was signed out');
  await second.press('Sign out');
  await second.find('heading', 'Sign in');
});

test('an ended session leads to the sign-in at the next press, and no list is shown as empty', async (t) => {
  const page = await open(t);
  await endSessions(app);
  // The page's own refresh may leave it before the press.
  if (page.element()?.querySelector('nav')) await page.press('Menu').catch(() => {});
  await page.find('field', 'Access code');
  assert.equal(page.all('.empty').length, 0);
});

test('a new order arrives by the stream without reading the list, and its bar and title stay until it is acknowledged', async (t) => {
  await kitchen.endOrders();
  const page = await open(t);
  const window = page.window();
  intercept(page, /store\/orders$/, () => Promise.reject(new Error('offline')));
  const orderId = await place(COLA, { user_name: 'Ada' });
  const number = await numberOf(orderId);
  await cardOf(page, orderId).shows('Ada');
  await page.in('.strip.ring').shows(`New order ${number}`);
  await until('the title reports it', () => window.document.title === '(1) New order');
  await until('the title blinks', () => window.document.title === 'Brick Oven · Doorstep');
  await page.press('I’m on it');
  await until('the bar is gone', () => page.all('.strip.ring').length === 0);
  await until('the title is calm', () => window.document.title === 'Brick Oven · Doorstep');
  assert.equal(page.window(), window, 'the page was not loaded again');
});

test('an order offered later than it was placed rings too', async (t) => {
  await kitchen.endOrders();
  const orderId = await kitchen.place(COLA);
  const offerAt = app.now().add({ minutes: 10 }).toString();
  await app.service.deps.db.updateTable('orders').set({ offerAt }).where('orderId', '=', orderId).execute();
  const page = await open(t);
  await page.shows('No new orders');
  await app.advance({ minutes: 11 });
  tell(page, 'offline');
  await page.shows('You’re offline.');
  tell(page, 'online');
  await page.shows(`New order ${await numberOf(orderId)}`);
});

for (const [step, body, said] of [
  ['confirm', { preparation_minutes: 5 }, 'was already confirmed, to be ready by'],
  ['cancel', { reason: 'too_busy' }, 'has just been canceled: Too busy'],
] as const) {
  test(`a confirmation after another tablet's ${step} says what has changed meanwhile`, async (t) => {
    await kitchen.endOrders();
    const orderId = await kitchen.place(COLA, { pickup: true });
    const page = await open(t);
    const other = await givenConsole(app, kitchen.storeId);
    // The page must not learn of it before the button is pressed.
    intercept(page, /confirm$/, async (send) => {
      await done(other.post(`/store/orders/${orderId}/${step}`, body));
      return send();
    });
    await cardOf(page, orderId).press(/^Confirm/);
    await page.shows(`Order ${await numberOf(orderId)} ${said}`);
  });
}

test('declining needs a reason, and a typed one outlives a step on another tablet', async (t) => {
  await kitchen.endOrders();
  const orderId = await kitchen.place(COLA);
  const number = await numberOf(orderId);
  const page = await open(t);
  const card = cardOf(page, orderId);
  await card.press(/^Decline/);
  await page.dialog(`Decline order ${number}?`).press('Decline order');
  await page.settled();
  assert.equal((await orderOf(orderId)).status, 'awaiting_confirmation', 'without a reason nothing is canceled');
  await page.key('Escape');
  await until('the dialog is closed', () => page.all('dialog').length === 0);
  await card.press(/^Decline/);
  const dialog = page.in('dialog');
  await dialog.check('Something else');
  await dialog.fill('In your own words', 'The oven is broken');
  const other = await givenConsole(app, kitchen.storeId);
  await done(other.post(`/store/orders/${orderId}/confirm`, { preparation_minutes: 5 }));
  await dispatchAllEvents(app.service.deps);
  await dialog.press('Cancel order');
  await until('the dialog is closed', () => page.all('dialog').length === 0);
  await page.press(/^Done/);
  await card.shows('Canceled: The oven is broken');
});

test('without a connection the console says so, changes nothing, and then shows what it missed', async (t) => {
  await kitchen.endOrders();
  const known = await kitchen.place(COLA);
  const page = await open(t);
  const window = page.window();
  const card = cardOf(page, known);
  page.setOffline(true);
  tell(page, 'offline');
  await page.shows('You’re offline. New orders won’t arrive. Reconnecting…');
  await card.press(/^Confirm/);
  await card.shows('nothing changed');
  const missed = await kitchen.place(COLA);
  page.setOffline(false);
  tell(page, 'online');
  await page.in('.pulse').shows('Live');
  await cardOf(page, missed).shows('Cola');
  await page.in('.bars').hides('You’re offline');
  await card.press(/^Confirm/);
  await page.press(/^Kitchen/);
  await card.shows('Cola');
  assert.equal(page.window(), window, 'the page was not loaded again');
});

const RELOAD_EVERY_MS = 30 * 60_000;

test('a newer version is loaded while the list of orders is idle, and not over a form', async (t) => {
  await kitchen.endOrders();
  let halfHour = () => {};
  const page = await openConsole(t, url, await kitchen.invite(), {
    prepare(window) {
      const { setInterval } = window;
      const held = (run: () => void, ms?: number) => {
        if (ms === RELOAD_EVERY_MS) halfHour = run;
        return setInterval.call(window, run, ms);
      };
      Object.assign(window, { setInterval: held });
    },
  });
  const window = page.window();
  let reads = 0;
  intercept(page, /\/console$/, async (send) => {
    const answer = await send();
    const newer = (await answer.text()).replace(/src="[^"]+\.js"/, 'src="newer.js"');
    reads += 1;
    return new window.Response(newer);
  });
  await page.press('Store');
  await page.find('heading', 'Staff');
  halfHour();
  await until('the form is left alone', () => reads === 1);
  await page.settled();
  assert.equal(page.window(), window);
  await page.in('nav').press(/^Orders/);
  await page.shows('No new orders');
  halfHour();
  await until('the page is loaded again', () => page.window() !== window);
  await page.in('.pulse').shows('Live');
});

test('the link of an email opens one order without a sign-in, from placing to handing over, and then ends', async (t) => {
  const { storeId } = kitchen;
  const orderId = await kitchen.place(COLA, { pickup: true });
  const at = app.now();
  await insertNotices(app.service.deps.db, [{ orderId, storeId, channel: 'email', kind: 'offered', copy: 0, at }]);
  const path = `/console/order/${await givenStoreLink(app, orderId)}`;
  const answer = await app.get(path);
  assert.match(String(answer.headers['cache-control']), /no-store/);
  assert.equal(answer.headers['referrer-policy'], 'no-referrer');
  assert.equal(answer.headers['x-robots-tag'], 'noindex, nofollow');
  const page = await openPage(t, url + path);
  await page.press(/^Confirm/);
  await page.press(/^Mark ready/);
  await page.press(/^Handed to customer/);
  await page.shows('This order is done.');
  assert.equal((await orderOf(orderId)).status, 'completed');
  await page.open(url + path);
  await page.find('heading', 'This link doesn’t open an order');
  for (const dead of [path, '/console/order/none']) assert.equal((await app.get(dead)).status, 404);
});

test('a missing item becomes fewer units, a substitute or none, as its customer wants it', async (t) => {
  await kitchen.endOrders();
  const orderId = await place([
    { name: 'Cola', quantity: 3 },
    { name: 'Diavola', wants: 'store_choice' },
    { name: 'Tiramisù', quantity: 2, wants: ['Sparkling water', 'Caesar salad'] },
  ]);
  const page = await open(t);
  const card = cardOf(page, orderId);
  await card.shows('If sold out: your choice');
  await card.shows('If sold out: Sparkling water or Caesar salad');
  await card.press(/^More for/);
  const openItem = async (name: RegExp) => {
    await card.press('Missing item…');
    await page.in('dialog').press(name);
    return page.in('dialog');
  };
  const cola = await openItem(/Cola/);
  await cola.shows('No substitutes: the customer wants a refund instead.');
  await cola.press('One less');
  await cola.press('Save');
  await card.shows('3 ordered');

  const diavola = await openItem(/Diavola/);
  await diavola.fill('Find a substitute', 'mari');
  await diavola.check('Marinara');
  await diavola.shows('1 of 1');
  await page.key('Enter');
  await card.shows('instead of Diavola');

  const tiramisu = await openItem(/Tiramisù/);
  await tiramisu.find('field', 'Caesar salad');
  assert.equal(tiramisu.all('[type=radio]').length, 3);
  await tiramisu.press('One less');
  await tiramisu.press('Save');
  await card.shows('Missing (2 ordered)');
  const { items } = await orderOf(orderId);
  const handedOver = items.map((item: { fulfilled_quantity: number }) => item.fulfilled_quantity);
  assert.deepEqual(handedOver, [1, 1, 0]);
});

test('losing the last item cancels the order after a warning, and an unavailable substitute is refused with a reason', async (t) => {
  await kitchen.endOrders();
  const orderId = await place([{ name: 'Diavola', wants: ['Tiramisù'] }]);
  const page = await open(t);
  const card = cardOf(page, orderId);
  await card.press(/^More for/);
  await card.press('Missing item…');
  const dialog = page.in('dialog');
  await dialog.shows('Nothing will be left');
  const key = await givenStoreKey(app, kitchen.storeId);
  await key.patch('/store/products/tiramisu', { available: false });
  await dialog.check('Tiramisù');
  await dialog.press('Save');
  await dialog.in('[role=alert]').shows('Tiramisù isn’t available right now.');
  await key.patch('/store/products/tiramisu', { available: true });
  await dialog.check('No substitute');
  await dialog.press('Cancel order');
  await until('the order is canceled', async () => (await orderOf(orderId)).status === 'canceled');
});

test('a late order gets its new time in three taps', async (t) => {
  const orderId = await kitchen.place(COLA, { pickup: true });
  const store = await givenConsole(app, kitchen.storeId);
  const confirmed = await done(store.post(`/store/orders/${orderId}/confirm`, { preparation_minutes: 20 }));
  const page = await open(t);
  await page.press(/^Kitchen/);
  const card = cardOf(page, orderId);
  await card.press(/^More for/);
  await card.press('Running late…');
  await page.press('+10 min');
  await until('the order has its new time', async () => {
    const { orders } = (await store.get('/store/orders')).body;
    const order = orders.find(({ order_id }: { order_id: string }) => order_id === orderId);
    return order.ready_by === confirmed.ready_by + 600;
  });
});

test('the last driver is assigned to the next delivery with one tap, and no SMS link is offered without a sender', async (t) => {
  await kitchen.endOrders();
  const page = await open(t);
  const assign = async () => {
    const orderId = await place([{ name: 'Diavola' }]);
    await page.press(/^New /);
    const card = cardOf(page, orderId);
    await card.press(/^Confirm/);
    await page.press(/^Kitchen/);
    await card.press(/^Mark ready/);
    await page.press(/^Ready /);
    await card.press(/^Assign driver/);
    return card;
  };
  const first = await assign();
  const dialog = page.in('dialog');
  await dialog.fill('Name', 'Rosa');
  await dialog.fill('Phone', '(212) 555-0142');
  await dialog.choose('Vehicle', 'Bike');
  await dialog.press('Assign');
  await first.shows('Scan with the driver’s phone');
  assert.deepEqual(first.all('a[href^="sms:"]'), []);
  await first.press(/^More for/);
  await first.find('control', 'Change driver');
  await first.press(/^Driver has it/);
  await first.shows('On the way with Rosa, Bike');
  await first.press(/^Delivered/);
  await until('the order is done', () => first.element() === null);
  const second = await assign();
  await page.in('dialog').press(/^Rosa/);
  await second.shows('Rosa, Bike');
});

test('all day lists the units to make with their choices, and late orders, the latest first, to be worked on there', async (t) => {
  const own = await givenKitchen(app, { external_id: 'all-day' });
  const store = await givenConsole(app, own.storeId);
  await own.place([
    { name: 'Cola', quantity: 2 },
    { name: 'Margherita', options: ['olives', 'pan'] },
  ]);
  const pies = { name: 'Margherita', quantity: 2, options: ['pan', 'olives'] };
  const cooking = await own.place([pies, { name: 'Diavola' }], { pickup: true });
  await done(store.post(`/store/orders/${cooking}/confirm`, { preparation_minutes: 5 }));
  await app.advance({ minutes: 40 });
  await own.place([{ name: 'Cola', quantity: 5 }]);
  const page = await openConsole(t, url, await own.invite());
  await page.press('All day');
  const dishes = () =>
    page.all('.dishes > li').map((_, n) => page.in('.dishes > li', n).text().replaceAll(/\s+/g, ' '));
  await page.find('region', 'Late 2');
  const [margherita = '', diavola = '', colas = ''] = dishes();
  assert.match(margherita, /^3 × Margherita 3[56] min late 3 × Deep pan, Kalamata olives$/);
  assert.match(diavola, /^1 × Diavola 3[56] min late$/);
  assert.match(colas, /^7 × Cola \d\d min late$/);
  assert.equal(dishes().length, 3);
  const late = page.all('[aria-labelledby=late] article h3').map((one) => one.textContent);
  assert.deepEqual(late, ['A2', 'A1']);
  await page.press(/^Mark ready/);
  await until('a ready dish is no longer to be made', () => !dishes().join().includes('Diavola'));
  assert.match(dishes().join(), /1 × Margherita/);
});

test('the bar names up to five new orders and counts more, and its button leads to the first of them from any page', async (t) => {
  await kitchen.endOrders();
  const orders = [];
  for (let n = 0; n < 5; n += 1) orders.push(await kitchen.place(COLA));
  const page = await open(t);
  const bar = page.in('.strip.ring');
  await bar.shows(/5 new orders: (A\d+, ){4}and A\d+/);
  await place(COLA);
  await bar.shows(/6 new orders(?!:)/);
  const [first] = page.all('article.order');
  const number = first?.querySelector('h3')?.textContent;
  await page.press('Store');
  await page.find('heading', 'Staff');
  await page.press('I’m on it');
  await until('the first order has the focus', () => {
    const { activeElement } = page.window().document;
    return (
      activeElement?.matches('article.order') === true && activeElement.querySelector('h3')?.textContent === number
    );
  });
  await until('the bar is gone', () => page.all('.strip.ring').length === 0);
});
