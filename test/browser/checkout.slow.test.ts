import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { saveBranding } from '../../src/access/accounts/brandings.db.ts';
import { loadPlugins } from '../../src/app/wiring/load-plugins.ts';
import { localeOf } from '../../src/texts/catalogs.ts';
import { pizzeria } from '../feed-lines.ts';
import { freePort } from '../given/command.ts';
import { givenConsole } from '../given/merchant.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../given/orders.ts';
import { givenStores } from '../given/stores.ts';
import { type App, givenOwnApp } from '../harness.ts';
import { until } from '../until.ts';
import { assertAccessible, assertFits, assertWholeTexts } from './accessible.ts';
import { givenBrowser, openPage, PHONE } from './browser.ts';

const { busy: BUSY } = localeOf('en', 'US').words.checkout.payment;
const CARD_AND_CASH = join(import.meta.dirname, '../plugins/card-and-cash.ts');

let app: App;
let storeId: string;
let tokens: Record<string, string>;
before(async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { PORT: port, BASE_URL: url, PLUGINS: CARD_AND_CASH, PAYMENT_GATEWAY: 'both' };
  app = await givenOwnApp({ env, plugins: await loadPlugins(env) });
  await app.service.listen();
  [storeId = ''] = await givenStores(app, [pizzeria()]);
  tokens = await productTokens(app, storeId);
});
after(() => app.close());

/** A guest's checkout of a delivery; `changes` override its body. */
async function givenCheckout(changes: object = {}): Promise<{ orderId: string; url: string }> {
  const items = [
    { product_id: tokens.Margherita, quantity: 2, selected_options: [{ option_id: 'l' }], notes: 'well done, please' },
    { product_id: tokens.Soda },
  ];
  const guest = { user_name: undefined, user_email: undefined, user_phone: undefined, user_id: undefined };
  const body = orderBody(undefined, null, { place_order: false, items, driver_tip_cents: 0, ...guest, ...changes });
  const reply = await app.post('/order/order/v2', body);
  assert.equal(reply.status, 200, reply.text);
  return { orderId: reply.body.order_id, url: reply.body.checkout_url };
}

const orderOf = async (orderId: string) => (await app.get('/account/orders', { order_id: orderId })).body.orders[0];
const chargesOf = async (orderId: string) => (await app.get('/sandbox/charges', { order_id: orderId })).body.charges;

const MAX_TABS = 60;

/** Presses Tab until the element matching `selector` has focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
    await page.keyboard.press('Tab');
    if ((await page.locator(`${selector}:focus`).count()) > 0) return;
  }
  assert.fail(`no Tab reaches ${selector}`);
}

async function typeInto(page: Page, selector: string, text: string): Promise<void> {
  await tabTo(page, selector);
  await page.keyboard.type(text);
}

for (const javaScriptEnabled of [false, true]) {
  test(`a guest on a phone, by keyboard alone and ${javaScriptEnabled ? 'with' : 'without'} scripts, goes from the link to the tracking page`, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    const { orderId, url } = await givenCheckout();
    const { page, faults, close } = await openPage(browser, url, { javaScriptEnabled });
    await typeInto(page, '#name', 'Ana Pérez');
    await typeInto(page, '#email', 'ana@example.com');
    await typeInto(page, '#phone', '(212) 555-0142');
    await tabTo(page, 'button[value^="tip-"]:has-text("15%")');
    await page.keyboard.press('Enter');
    await page.locator('button[aria-pressed=true]:has-text("15%"):focus').waitFor();
    await typeInto(page, '#tip_amount', '4.50');
    await tabTo(page, 'button[value="tip-amount"]');
    await page.keyboard.press('Enter');
    await page.locator('#tip_amount[value="4.50"]:focus').waitFor();
    await page.locator('#tip_amount').fill('x');
    await tabTo(page, 'button[value="tip-amount"]');
    await page.keyboard.press('Enter');
    await page.locator('#tip_amount[aria-invalid=true]:focus').waitFor();
    await page.locator('#tip_amount').fill('4.50');
    await tabTo(page, 'button[value=card]');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/payment\/setup\//);
    await typeInto(page, '#card_number', '4242424242424242');
    await typeInto(page, '#expiration', '12/40');
    await typeInto(page, '#cvc', '123');
    await page.keyboard.press('Enter');
    await page.getByText('Visa ending in 4242').waitFor();
    await page.locator('#card:focus').waitFor();
    await page.keyboard.press('Tab');
    await page.locator('#place:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/tracking\?tracking_id=/);
    const order = await orderOf(orderId);
    assert.equal(page.url(), order.tracking_link);
    assert.deepEqual([order.status, order.user_name], ['awaiting_confirmation', 'Ana Pérez']);
    assert.ok(order.driver_tip_cents > 0);
    await page.goBack();
    await page.getByRole('heading', { name: /already placed this order|Your order from/ }).waitFor();
    await page.goto(url);
    await page.getByRole('heading', { name: 'You’ve already placed this order' }).waitFor();
    assert.deepEqual((await chargesOf(orderId)).length, 1);
    assert.deepEqual(
      faults.filter((fault) => !/status of (410|422)/.test(fault)),
      [],
    );
    await close();
  });
}

test('missing fields are listed at the button and a decline at the card; contact data stays on the device', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { url } = await givenCheckout();
  const { page, close } = await openPage(browser, url);
  await page.locator('#place, .finish button[value=card]').first().click();
  await page.locator('#name:focus').waitFor();
  assert.equal(await page.locator('[aria-invalid=true]').count(), 3);
  assert.equal(await page.locator('.finish [role=alert] li').count(), 3);
  await page.locator('#name').fill('Ana Pérez');
  await page.locator('#email').fill('ana@example.com');
  await page.locator('#phone').fill('(212) 555-0142');
  await page.getByLabel('Keep my contact info on this device').check();
  await page.locator('#card').click();
  await page.locator('#card_number').fill('4000000000000002');
  await page.locator('#expiration').fill('12/40');
  await page.locator('#cvc').fill('123');
  await page.getByRole('button', { name: 'Pay with this card' }).click();
  await page.locator('#place').click();
  const fault = page.locator('section:has(#card) [role=alert]');
  await fault.getByText('Your card was declined.').waitFor();
  await page.locator('#card:focus').waitFor();
  await assertAccessible(page, 'a declined card');
  await page.locator('.finish .main', { hasText: 'Use another card' }).click();
  await page.locator('#card_number').waitFor();
  await page.goto((await givenCheckout()).url);
  assert.equal(await page.locator('#email').inputValue(), 'ana@example.com');
  await page.getByLabel('Keep my contact info on this device').uncheck();
  await page.locator('#card').click();
  await page.locator('#card_number').waitFor();
  await page.goto((await givenCheckout()).url);
  assert.equal(await page.locator('#email').inputValue(), '');
  await close();
});

test('without scripts a code is added, removed or explained, and an expired code shows the new total', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const owner = await givenConsole(app, storeId);
  const given = async (body: object): Promise<string> => {
    const created = await owner.post('/store/promotions', body);
    assert.equal(created.status, 200, created.text);
    return created.body.promotion_id;
  };
  const save = await given({ kind: 'amount', amount_cents: 500, code: 'SAVE5' });
  await given({ kind: 'percent', percent: 10, code: 'LARGE', minimum_subtotal: 50_000 });
  const card = await givenPaymentMethod(app);
  const known = { user_name: 'Ana', user_email: 'ana@example.com', user_phone: 12125550142, user_id: 'u1' };
  const { orderId, url } = await givenCheckout({ ...known, payment_method_id: card });
  const { page, close } = await openPage(browser, url, { javaScriptEnabled: false });
  const totals = page.locator('.totals');
  const enter = async (code: string) => {
    if ((await page.locator('#codes[open]').count()) === 0) await page.getByText('Add a promo code').click();
    await page.locator('#code').fill(code);
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
  };
  await enter('no');
  await page.locator('#code[aria-invalid=true]').waitFor();
  await page.getByText('Enter a code of 4 to 32 letters, numbers or hyphens.').first().waitFor();
  await enter('save5');
  await page.getByText('SAVE5 is applied.').waitFor();
  assert.match(await totals.innerText(), /SAVE5\s+-\$5\.00/);
  await enter('LARGE');
  await page.getByText(/^Add \$\d+\.\d\d more to use LARGE\.$/).waitFor();
  const scripted = await openPage(browser, url);
  await assertAccessible(scripted.page, 'codes');
  await assertFits(scripted.page, 'codes');
  await scripted.close();
  await page.getByRole('button', { name: 'Remove LARGE' }).click();
  await page.getByText('to use LARGE').waitFor({ state: 'detached' });
  assert.equal((await owner.post(`/store/promotions/${save}/end`, {})).status, 200);
  await page.locator('#place').click();
  await page.getByRole('heading', { name: 'Your total changed' }).waitFor();
  await page.getByText(/SAVE5: \$0\.00 \(was -\$5\.00\)/).waitFor();
  await page.getByText('SAVE5 isn’t a valid code.').waitFor();
  assert.equal((await chargesOf(orderId)).length, 0);
  await page.getByRole('button', { name: /^Accept \$/ }).click();
  await page.waitForURL(/\/tracking\?/);
  assert.equal((await orderOf(orderId)).final_quote.discount_cents, undefined);
  await close();
});

test('a double click, two tabs and the back button place and charge once', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const card = await givenPaymentMethod(app);
  const known = { user_name: 'Ana', user_email: 'ana@example.com', user_phone: 12125550142, user_id: 'u1' };
  const { orderId, url } = await givenCheckout({ ...known, payment_method_id: card });
  const [first, second] = [await openPage(browser, url), await openPage(browser, url)];
  await Promise.all([first.page.locator('#place').dblclick(), second.page.locator('#place').click()]);
  for (const { page } of [first, second]) {
    await until('the order is placed', async () => {
      // Of two at once, the later waits a while for the first, and then says so.
      if (await page.getByText(BUSY).isVisible()) await page.locator('#place').click();
      return /\/tracking\?/.test(page.url());
    });
    await page.waitForURL(/\/tracking\?/);
  }
  await first.page.goBack();
  assert.equal((await chargesOf(orderId)).length, 1);
  await first.close();
  await second.close();
});

test('a bank’s request is shown, and language links look the same on its page, the card page and the checkout', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const card = await givenPaymentMethod(app, '4000002500003155');
  const known = { user_name: 'Ana', user_email: 'ana@example.com', user_phone: 12125550142, user_id: 'u1' };
  const { orderId, url } = await givenCheckout({ ...known, payment_method_id: card });
  const look = `(() => {
    const link = document.querySelector('nav.languages a');
    const { fontSize, fontWeight, minHeight } = getComputedStyle(link);
    const isSoft = getComputedStyle(link).color === getComputedStyle(link.parentElement).color;
    return { fontSize, fontWeight, minHeight, isSoft, isTall: link.getBoundingClientRect().height >= 44 };
  })()`;
  const { page, close } = await openPage(browser, url);
  const ofCheckout = await page.evaluate(look);
  await page.locator('#place').click();
  await page.getByRole('heading', { name: 'Confirm with your bank' }).waitFor();
  await page.getByRole('link', { name: 'Continue to your bank' }).click();
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  assert.deepEqual(await page.evaluate(look), ofCheckout);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.waitForURL(/\/tracking\?/);
  assert.equal((await orderOf(orderId)).status, 'awaiting_confirmation');
  const setup = { user_id: 'u1', user_email: 'u1@example.com', return_url: 'http://localhost/cart' };
  const { pathname } = new URL((await app.post('/payment/setup', setup)).body.url);
  await page.goto(new URL(pathname, url).href);
  assert.deepEqual(await page.evaluate(look), ofCheckout);
  await close();
});

test('the customer returns to the app after placing', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const card = await givenPaymentMethod(app);
  const known = { user_name: 'Ana', user_email: 'ana@example.com', user_phone: 12125550142, user_id: 'u1' };
  const back = `http://localhost:${new URL(app.config.baseUrl).port}/robots.txt`;
  const { orderId, url } = await givenCheckout({ ...known, payment_method_id: card, checkout_return_url: back });
  const { page, faults, close } = await openPage(browser, url);
  await page.locator('#place').click();
  await page.waitForURL(`${back}?order_id=${orderId}&status=placed`);
  assert.deepEqual(faults, []);
  await close();
});

for (const [language, colorScheme] of [
  ['en', 'light'],
  ['fr', 'dark'],
] as const) {
  test(`the checkout is accessible and fits a phone and a tablet in ${language}, ${colorScheme}, before and after a fault and a change`, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    const changes = { termsUrl: 'https://pizza.example/terms', privacyUrl: 'https://pizza.example/privacy' };
    await saveBranding(app.service.deps.db, app.accountId, { ...changes, color: '#7a1fa2' }, app.now());
    const { url } = await givenCheckout({ checkout_return_url: 'https://app.example.com/' });
    const options = { colorScheme, bypassCSP: true };
    const { page, requests, close } = await openPage(browser, `${url}?lang=${language}`, options);
    const check = async (what: string) => {
      assert.equal(await page.locator('html').getAttribute('lang'), language);
      await assertAccessible(page, what);
      for (const viewport of [{ width: 820, height: 1180 }, PHONE]) {
        await page.setViewportSize(viewport);
        await assertFits(page, `${what} at ${viewport.width}`);
        await assertWholeTexts(page, `${what} at ${viewport.width}`);
      }
    };
    await check('opened');
    await page.locator('button[value=cash]').click();
    await page.locator('button[value=cash]').waitFor({ state: 'detached' });
    await page.locator('#card').waitFor();
    await check('in cash');
    await page.locator('#email').fill('ana@');
    await page.locator('#card').click();
    await page.locator('#email[aria-invalid=true]').waitFor();
    await check('after a fault');
    await givenStores(app, [pizzeria({ fees: { order_minimum: 500, sales_tax_percent: 20 } })]);
    await page.goto(`${url}?lang=${language}`);
    await page.locator('#changes').waitFor();
    await check('after a change');
    await givenStores(app, [pizzeria({ online_ordering: false })]);
    await page.goto(`${url}?lang=${language}`);
    await page.locator('#faults-title').waitFor();
    await check('of a store that takes no orders');
    await givenStores(app, [pizzeria()]);
    assert.deepEqual(
      requests.filter((request) => !request.startsWith(app.config.baseUrl) && !request.startsWith('data:')),
      [],
    );
    await close();
  });
}
