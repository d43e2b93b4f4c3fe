// covers: web/driver/**
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { findAnyOrder } from '../../src/ordering/order/orders.db.ts';
import { localeOf } from '../../src/texts/catalogs.ts';
import { driver as words } from '../../src/texts/en/driver.ts';
import { movePhone, type Place } from '../browser/move-phone.ts';
import { type Assigned, BEN, BETWEEN, DOOR, driverOf, givenAssigned, givenBar, STORE } from '../given/driver.ts';
import { inCash, productTokens } from '../given/orders.ts';
import { openPage, type Page } from '../given/page.ts';
import { givenTrackedStore } from '../given/tracked.ts';
import { type App, givenApp } from '../harness.ts';
import { until } from '../until.ts';

let app: App;
let storeId: string;
let barId: string;
let url: string;
before(async () => {
  app = await givenApp();
  [storeId, barId] = [await givenTrackedStore(app), await givenBar(app)];
  url = await app.service.listen();
});
after(() => app.close());

/** The page's pauses, up to 10 s between two looks, are shorter here; requests time out as before. */
const shortened = (ms: number) => (ms <= 10_000 ? ms / 20 : ms);

type Watch = { found(position: object): void; failed(error: object): void };
type Phone = { page: Page; setGeolocation(to: Place & { ageMs?: number }): Promise<void>; hold(path: string): Hold };
type Hold = { sent(): number; release(): void };

/** The driver's page on a phone at a place; undefined if the phone tells no place. */
async function openDriver(t: TestContext, { path }: Assigned, at?: Place, language = 'en-US'): Promise<Phone> {
  let watch: Watch | undefined;
  let held: { path: string; sent: number; released: Promise<void> } | undefined;
  const tell = async ({ ageMs = 0, ...to }: Place & { ageMs?: number }) =>
    watch?.found({
      coords: { ...to, accuracy: 8, heading: null },
      timestamp: Temporal.Now.instant().epochMilliseconds - ageMs,
    });
  const page = await openPage(t, url + path, {
    language,
    prepare(window) {
      const { fetch, setTimeout, setInterval } = window;
      const geolocation = {
        watchPosition(found: Watch['found'], failed: Watch['failed']) {
          watch = { found, failed };
          queueMicrotask(() => (at ? void tell(at) : failed({ code: 1, PERMISSION_DENIED: 1 })));
          return 1;
        },
        clearWatch() {
          watch = undefined;
        },
      };
      Object.defineProperty(window.navigator, 'geolocation', { value: geolocation });
      window.setTimeout = (run, ms = 0) => setTimeout.call(window, run, shortened(ms));
      window.setInterval = (run, ms = 0) => setInterval.call(window, run, shortened(ms));
      window.fetch = async (input, init) => {
        if (held && String(input).includes(held.path)) {
          held.sent += 1;
          await held.released;
        }
        return fetch.call(window, input, init);
      };
    },
  });
  return {
    page,
    setGeolocation: tell,
    hold(path) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const holding = { path, sent: 0, released: promise };
      held = holding;
      return { sent: () => holding.sent, release: resolve };
    },
  };
}

const shows = (page: Page, text: string | RegExp) => page.in('h1').shows(text);
const sharingIs = (page: Page, state: string) =>
  until(
    () => `sharing is ${state} in\n${page.text()}`,
    () => page.all(`#sharing[data-state="${state}"]`).length > 0,
  );
const driverIn = async ({ orderId }: Assigned) => (await findAnyOrder(app.service.deps.db, orderId))?.driver;

test('over a dead spot the page keeps steps and the last position, says so, and sends both once it is back', async (t) => {
  const delivery = await givenAssigned(app, storeId);
  await delivery.call('accept');
  const phone = await openDriver(t, delivery, STORE);
  const { page } = phone;
  await sharingIs(page, 'on');
  page.setOffline(true);
  await phone.setGeolocation(BETWEEN);
  await sharingIs(page, 'lost');
  await page.press(words.step.pickUp);
  await page.shows(words.sending.pickUp);
  await phone.setGeolocation(DOOR);
  assert.equal((await delivery.state()).body.stage, 'accepted');
  // As the service's clock stands still, it would take the last position for older than the first.
  await app.advance({ minutes: 1 });
  page.setOffline(false);
  // Steps and positions are sent independently; a position at the door that arrives second is still near the door.
  await shows(page, /Deliver to Test|You’re almost there/);
  await sharingIs(page, 'on');
  await until('the last position is sent', async () => (await driverIn(delivery))?.latitude === DOOR.latitude);
  await page.hides(words.sending.pickUp);
});

test('a position measured while the previous one is slow to arrive is sent after it, and taken', async (t) => {
  const delivery = await givenAssigned(app, storeId);
  await delivery.call('pick_up');
  const phone = await openDriver(t, delivery, STORE);
  await sharingIs(phone.page, 'on');
  const first = phone.hold('/position');
  await app.advance({ minutes: 1 });
  await phone.setGeolocation(BETWEEN);
  await until('the first is on its way', () => first.sent() === 1);
  const second = phone.hold('/position');
  await phone.setGeolocation({ ...DOOR, ageMs: 5000 });
  await app.advance({ seconds: 5 });
  first.release();
  await until('the second is on its way', () => second.sent() === 1);
  await app.advance({ seconds: 1 });
  second.release();
  await until('the second is taken', async () => (await driverIn(delivery))?.latitude === DOOR.latitude);
});

test('without permission for the position the page says what to do, and every step works', async (t) => {
  const { page } = await openDriver(t, await givenAssigned(app, storeId));
  const sharing = page.in('#sharing').element();
  const states: unknown[] = [];
  const { MutationObserver } = page.window();
  new MutationObserver(() => states.push(sharing?.getAttribute('data-state'))).observe(sharing as never, {
    attributes: true,
  });
  await page.press(words.step.accept);
  await page.shows(words.sharing.denied);
  await shows(page, 'Pick up at Test Pizzeria');
  await page.press(words.step.pickUp);
  await shows(page, 'Deliver to Test');
  await page.press(words.step.complete);
  await shows(page, 'Delivered');
  assert.deepEqual(states, ['asking', 'denied', 'off'], 'the way out stays to be read');
});

test('a driver far from the door is asked once more, and decides', async (t) => {
  const delivery = await givenAssigned(app, storeId);
  await delivery.call('pick_up');
  const { page } = await openDriver(t, delivery, STORE);
  await sharingIs(page, 'on');
  await page.press(words.step.complete);
  const question = page.dialog(words.far.title);
  await question.shows('you’re 0.5 miles from the door');
  await question.press(words.far.notYet);
  await shows(page, 'Deliver to Test');
  await page.press(words.step.complete);
  await question.press(words.far.delivered);
  await shows(page, 'Delivered');
});

test('an order with alcohol is delivered after the ID box is checked; the check outlives news of the order', async (t) => {
  const tokens = await productTokens(app, barId);
  const delivery = await givenAssigned(app, barId, { items: [{ product_id: tokens.Wine }] });
  await delivery.call('pick_up');
  const phone = await openDriver(t, delivery, STORE);
  const { page } = phone;
  await shows(page, 'Deliver to Test');
  await page.press(words.step.complete);
  await page.shows(words.sending.idFirst);
  assert.equal(page.window().document.activeElement?.id, 'id-checked');
  await page.check(words.proof.idChecked);
  await movePhone(app, phone, delivery.orderId, DOOR);
  await shows(page, 'You’re almost there');
  assert.equal(page.all('#id-checked:checked').length, 1);
  await page.press(words.step.complete);
  await shows(page, 'Delivered');
});

test('a cash order’s driver sees the amount to collect and enters the amount collected', async (t) => {
  const delivery = await givenAssigned(app, storeId, await inCash(app));
  await delivery.call('pick_up');
  const { page } = await openDriver(t, delivery, DOOR);
  await page.in('.facts').shows(/Collect \$\d+\.\d\d in cash/);
  const field = (await page.find('field', words.proof.collected)) as unknown as { value: string };
  assert.match(field.value, /^\d+\.\d\d$/);
  await page.fill(words.proof.collected, 'much');
  await page.press(words.step.complete);
  await page.shows(words.proof.collectedWrong);
  await page.fill(words.proof.collected, '70,5');
  await page.press(words.step.complete);
  await shows(page, 'Delivered');
  const order = await findAnyOrder(app.service.deps.db, delivery.orderId);
  assert.deepEqual([order?.collectedCents, order?.collectedBy], [7050, 'driver']);
});

test('a driver sees on the open page that another driver has the order, or that it was canceled', async (t) => {
  const [replaced, canceled] = [await givenAssigned(app, storeId), await givenAssigned(app, storeId)];
  const pages = [await openDriver(t, replaced, STORE), await openDriver(t, canceled, STORE)];
  for (const { page } of pages) await shows(page, words.headline.assigned);
  await driverOf(app, replaced.orderId, BEN);
  await canceled.advance('cancel');
  for (const { page } of pages) await shows(page, words.ended.title);
});

test('the page follows the phone’s language, and a link switches the language of its steps too', async (t) => {
  const { page } = await openDriver(t, await givenAssigned(app, storeId), STORE, 'es-US');
  const [spanish, french] = [localeOf('es', 'US').words.driver, localeOf('fr', 'US').words.driver];
  await shows(page, spanish.headline.assigned);
  await page.press('Français');
  await shows(page, french.headline.assigned);
  assert.equal(page.window().document.documentElement.lang, 'fr');
  await page.press(french.step.accept);
  await shows(page, french.headline.accepted({ store: 'Test Pizzeria' }));
  await page.shows(french.sharing.on);
  await page.reload();
  await shows(page, french.headline.accepted({ store: 'Test Pizzeria' }));
});
