import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { readStripeContract } from '../contracts/stripe-contract.ts';
import { freePort } from '../given/command.ts';
import { orderBody, productTokens } from '../given/orders.ts';
import { givenStripeShop, type StripeShop } from '../given/stripe-shop.ts';
import { until } from '../until.ts';
import { assertAccessible, assertFits } from './accessible.ts';
import { givenBrowser, openPage } from './browser.ts';

const contract = readStripeContract(join(import.meta.dirname, '../../../shared/data/contracts/stripe-openapi.json'));

let shop: StripeShop;
let token: string | undefined;
const folder = mkdtempSync(join(tmpdir(), 'doorstep-wallets-'));
before(async () => {
  const port = await freePort();
  const domainFile = join(folder, 'domain-file');
  writeFileSync(domainFile, '7B22707370');
  const url = `http://127.0.0.1:${port}`;
  const wallets = { STRIPE_PUBLISHABLE_KEY: 'pk_live_shown', STRIPE_APPLE_DOMAIN_FILE: domainFile };
  shop = await givenStripeShop(contract, { PORT: port, BASE_URL: url, ...wallets });
  await shop.app.service.listen();
  const search = await shop.client.get('/search/store/v3', { latitude: 40.7383, longitude: -73.9927 });
  token = (await productTokens(shop.client, search.body.stores[0]._id)).Margherita;
});
after(async () => {
  await shop.close();
  rmSync(folder, { recursive: true });
});

async function givenCheckout(changes: object = {}): Promise<{ orderId: string; url: string }> {
  const guest = { user_name: undefined, user_email: undefined, user_phone: undefined, user_id: undefined };
  const body = orderBody(token, null, { place_order: false, autofill_selected_options: true, ...guest, ...changes });
  const reply = await shop.client.post('/order/order/v2', body);
  assert.equal(reply.status, 200, reply.text);
  return { orderId: reply.body.order_id, url: reply.body.checkout_url };
}

/** Opens a checkout with the double of Stripe.js; without a number, in a browser that has no wallet. */
async function openWithWallet(browser: Browser, url: string, number?: string, options: object = {}) {
  const wallet = number === undefined ? undefined : shop.stripe.givenToken('pm', number);
  const opened = await openPage(browser, 'about:blank', options);
  const library = { contentType: 'text/javascript', body: stripeJsDouble(wallet) };
  await opened.page.route('https://js.stripe.com/**', (route) => route.fulfill(library));
  await opened.page.addInitScript(`window.PaymentRequest ??= class {};
    window.shifts = 0;
    new PerformanceObserver((list) => { for (const { value } of list.getEntries()) window.shifts += value; })
      .observe({ type: 'layout-shift', buffered: true });`);
  await opened.page.goto(url, { waitUntil: 'load' });
  return opened;
}

const totalOn = async (page: Page) => Number(await page.locator('input[name=total]').inputValue());
async function assertNothingMoves(page: Page): Promise<void> {
  assert.equal(await page.evaluate('window.shifts'), 0);
}

const WALLET = '#paymentRequestButton';

test('a guest pays with only the wallet: its contact fills the empty fields, its sheet shows the total with the tip', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { orderId, url } = await givenCheckout({ driver_tip_cents: 0 });
  const { page, faults, requests, close } = await openWithWallet(browser, `${url}?lang=fr`, '4242424242424242');
  await page.locator(WALLET).waitFor();
  await assertNothingMoves(page);
  await assertFits(page, 'with a wallet');
  const before = await totalOn(page);
  await page.locator('button[value^="tip-"]').nth(2).click();
  await page.locator('#chosen-tip:not([value=tip-0])').waitFor();
  await page.locator(WALLET).waitFor();
  const total = await totalOn(page);
  assert.ok(total > before);
  const sheet = (await page.evaluate('window.sheet')) as Record<string, unknown>;
  assert.deepEqual(
    [sheet.key, sheet.locale, sheet.country, sheet.currency, sheet.total],
    ['pk_live_shown', 'fr-CA', 'US', 'usd', { label: (sheet.total as { label: string }).label, amount: total }],
  );
  await page.locator('#name').fill('Ana P.');
  await page.locator(WALLET).click();
  await page.waitForURL(/\/tracking\?/);
  assert.deepEqual(await shop.stateOf(orderId), ['awaiting_confirmation', 'charged', total, 0]);
  const { user_name, user_email } = (await shop.client.get('/account/orders', { order_id: orderId })).body.orders[0];
  assert.deepEqual([user_name, user_email], ['Ana P.', 'ana@example.com']);
  assert.equal(shop.kept(orderId), total);
  const own = new URL(url).origin;
  assert.ok(
    requests.every(
      (one) => /^(about|data):/.test(one) || one.startsWith(own) || one.startsWith('https://js.stripe.com/v3/'),
    ),
  );
  assert.deepEqual([faults, shop.stripe.faults], [[], []]);
  await close();
});

test('a wallet whose card is declined is a failure at the card, with another card to choose', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { orderId, url } = await givenCheckout();
  const { page, close } = await openWithWallet(browser, url, '4000000000000002');
  await page.locator(WALLET).click();
  await page.locator('section:has(#card) [role=alert]').getByText('Your card was declined.').waitFor();
  await page.locator('#card:focus').waitFor();
  await page.locator('.finish .main', { hasText: 'Use another card' }).waitFor();
  assert.equal(shop.kept(orderId), 0);
  await close();
});

test('a bank that asks about a wallet’s card is answered as for any card', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { orderId, url } = await givenCheckout();
  const { page, close } = await openWithWallet(browser, url, '4000002500003155');
  await page.locator(WALLET).click();
  await page.getByRole('link', { name: 'Continue to your bank' }).waitFor();
  const intent = shop.stripe.intents().find(({ metadata }) => metadata.order_id === orderId);
  shop.stripe.authenticate(String(intent?.id), true);
  await page.goto(`${url}/approved`);
  await page.waitForURL(/\/tracking\?/);
  assert.equal((await shop.stateOf(orderId))[1], 'charged');
  await close();
});

test('a code that is not applied yet is applied before the sheet opens', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { orderId, url } = await givenCheckout();
  const { page, close } = await openWithWallet(browser, url, '4242424242424242');
  await page.locator('#codes summary').click();
  await page.locator('#code').fill('NONE');
  await page.locator(WALLET).click();
  await page.getByText('NONE isn’t a valid code.').waitFor();
  assert.deepEqual(await shop.stateOf(orderId), ['unplaced', 'none', 0, 0]);
  await close();
});

for (const scripts of [true, false]) {
  test(`without a wallet ${scripts ? '' : 'and without scripts '}the page is complete, and nothing moves`, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    const { url } = await givenCheckout();
    const { page, close } = await openWithWallet(browser, url, undefined, { javaScriptEnabled: scripts });
    if (scripts) {
      await until('the wallet has answered', async () => Boolean(await page.evaluate('window.sheet')));
      await assertAccessible(page, 'without a wallet');
      await assertNothingMoves(page);
    }
    assert.equal(await page.locator(WALLET).count(), 0);
    assert.equal(await page.locator('#keep').isVisible(), scripts);
    await page.locator('.finish button[value=card]').waitFor();
    await close();
  });
}

/**
 * Stripe.js as far as a checkout's wallet uses it, as a script for browsers: a button that pays with `token` at once.
 * The options of its sheet are on the page as `window.sheet`. Without a token the browser has no wallet.
 */
const stripeJsDouble = (token?: string): string => `
window.Stripe = (key, { locale }) => ({
  paymentRequest(options) {
    const listeners = {};
    window.sheet = { key, locale, ...options };
    return {
      canMakePayment: async () => ${token === undefined ? 'null' : '({ applePay: true })'},
      on(event, listener) { listeners[event] = listener; },
      listeners,
    };
  },
  elements: () => ({
    create(type, { paymentRequest }) {
      let click = () => {};
      return {
        on(event, listener) { if (event === 'click') click = listener; },
        mount(place) {
          const button = document.createElement('button');
          button.type = 'button';
          button.id = type;
          button.textContent = 'Pay';
          button.style.height = '48px';
          button.onclick = () => {
            let isOpen = true;
            click({ preventDefault() { isOpen = false; } });
            if (isOpen) paymentRequest.listeners.paymentmethod({
              paymentMethod: { id: '${token}' },
              payerName: 'Ana Pérez', payerEmail: 'ana@example.com', payerPhone: '+12125550142',
              complete(status) { window.sheet.status = status; },
            });
          };
          place.append(button);
        },
      };
    },
  }),
});
`;
