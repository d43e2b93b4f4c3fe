import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { issueAccessCode } from '../../src/access/sessions/sign-in.flow.ts';
import { setStoreTerms } from '../../src/ordering/statements/store-terms.db.ts';
import { pizzeria } from '../feed-lines.ts';
import { givenStoreKey } from '../given/merchant.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../given/orders.ts';
import { givenStores } from '../given/stores.ts';
import { type App, givenApp } from '../harness.ts';
import { assertAccessible, assertFits } from './accessible.ts';
import { givenBrowser, openPage } from './browser.ts';
import { signIn } from './open-console.ts';

const LOOKS = [
  { language: 'fr', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  { language: 'es', viewport: { width: 820, height: 1180 }, colorScheme: 'light' },
  { language: 'en', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
] as const;

let app: App;
let url: string;
let storeId: string;
before(async () => {
  app = await givenApp({ env: { SHOW_STORES_ADDED_FEES: 'true' } });
  [storeId = ''] = await givenStores(app, [pizzeria()]);
  url = await app.service.listen();
  await givenOrders();
});
after(() => app.close());

/** Orders of two days: one delivered and tipped, one refunded, one adjusted, one charged elsewhere. */
async function givenOrders(): Promise<void> {
  const terms = { commissionPercent: 15, perOrderCents: 30 };
  await app.service.deps.db.transaction().execute((tx) => setStoreTerms(tx, storeId, terms, app.now()));
  const store = await givenStoreKey(app, storeId, app.accountId);
  const card = await givenPaymentMethod(app);
  const { Soda, Margherita } = await productTokens(app, storeId);
  const items = [{ product_id: Soda, quantity: 6 }];
  const send = async (path: string, body: object) => {
    const reply = await app.post(path, body);
    assert.equal(reply.status, 200, reply.text);
    return reply.body;
  };
  const place = async (changes: object = {}): Promise<string> => {
    const { order_id } = await send('/order/order/v2', orderBody(Soda, card, { items, ...changes }));
    await send(`/sandbox/orders/${order_id}/advance`, { event: 'confirm' });
    return order_id;
  };
  const delivered = await place({ autofill_selected_options: true, items: [{ product_id: Margherita, quantity: 2 }] });
  const driver = { name: 'Ana Ruiz', phone: 12125550188, vehicle_type: 'car' };
  assert.equal((await store.post(`/store/orders/${delivered}/assign_driver`, driver)).status, 200);
  for (const event of ['pick_up', 'complete']) await send(`/sandbox/orders/${delivered}/advance`, { event });
  await send('/order/tip', { order_id: delivered, driver_tip_cents: 600 });
  await app.advance({ hours: 24 });
  await send('/order/refund', { order_id: await place(), items: [{ index: 0, quantity: 2 }], reason: '' });
  assert.equal((await store.post(`/store/orders/${await place()}/items/0`, { quantity: 4 })).status, 200);
  await place({ charge_user: false, payment_method_id: undefined });
  await app.advance({ seconds: 1 });
}

test('a store reads its statement, which fits and is accessible in every look, downloads it and prints it', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { code } = await issueAccessCode(app.service.deps.db, { storeId, accountId: app.accountId }, app.now());
  const options = { viewport: LOOKS[2].viewport, deviceScaleFactor: 1, reducedMotion: 'reduce' as const };
  const { page, faults, close } = await openPage(browser, `${url}/console?sandbox`, options);
  await signIn(page, code);
  await page.locator('.pulse.live').waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Sales' }).click();
  await page.getByRole('link', { name: 'Statements' }).click();
  await page.locator('.scroll tfoot').waitFor();
  const rows = await page.locator('.scroll').first().locator('tbody tr').allInnerTexts();
  assert.deepEqual(rows.length, 2, rows.join('\n'));
  const heads = await page.locator('.scroll').first().locator('thead th').allInnerTexts();
  assert.deepEqual(heads.slice(-3), ['Payout', 'Paid by customers', 'Added by apps']);
  assert.match(await page.locator('.statement').innerText(), /Ana Ruiz\s+1\s+\$6\.00/);

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  assert.equal((await download).suggestedFilename(), 'statement-2026-06.csv');

  for (const { language, viewport, colorScheme } of LOOKS) {
    await page.context().addCookies([{ name: 'doorstep_language', value: language, url }]);
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await page.reload();
    await page.locator('.scroll tfoot').waitFor();
    await assertAccessible(page, `${language} statement`);
    await assertFits(page, `${language} statement`);
  }

  await page.getByRole('combobox').selectOption('2026-05');
  await page.locator('.statement > .empty').waitFor();
  await page.getByRole('combobox').selectOption('2026-06');
  await page.locator('.scroll tfoot').waitFor();
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.getByRole('navigation').isVisible(), false);
  assert.equal(await page.locator('.printed').isVisible(), true);
  assert.deepEqual(faults, []);
  await close();
});
