import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { issueAccessCode } from '../../src/access/sessions/sign-in.flow.ts';
import { grocery } from '../given/groceries.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../given/orders.ts';
import { givenStores } from '../given/stores.ts';
import { type App, givenApp } from '../harness.ts';
import { assertAccessible, assertFits } from './accessible.ts';
import { givenBrowser, openPage } from './browser.ts';
import { signIn, TABLET } from './open-console.ts';
import { openView, showView } from './operator-view.ts';

const GOODS = {
  Chicken: { price: 899, sold_by: 'weight', weight: { unit: 'lb' } },
  Pasta: { price: 899, sold_by: 'weight', weight: { unit: 'kg', scale_code: '12345' } },
  Soda: 899,
};

let app: App;
let url: string;
let storeId: string;
before(async () => {
  app = await givenApp();
  [storeId = ''] = await givenStores(app, [grocery('market', GOODS, { type: 'restaurant' })]);
  url = await app.service.listen();
});
after(() => app.close());

test('a store weighs each line with the keypad and with a scanner, and only then marks the order ready', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const ids = await productTokens(app, storeId);
  const { code } = await issueAccessCode(app.service.deps.db, { storeId, accountId: app.accountId }, app.now());
  const { page, faults, close } = await openPage(browser, `${url}/console?sandbox`, { viewport: TABLET });
  await signIn(page, code);
  await page.locator('.pulse.live').waitFor();
  const items = [
    { product_id: ids.Chicken, quantity: 1.5 },
    { product_id: ids.Pasta, quantity: 1.5 },
    { product_id: ids.Soda, quantity: 2 },
  ];
  const { status, body, text } = await app.post(
    '/order/order/v2',
    orderBody('', await givenPaymentMethod(app), { items }),
  );
  assert.equal(status, 200, text);
  await app.advance({ seconds: 1 });
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('button', { name: /^Kitchen/ }).click();
  await page.locator('.order.kitchen').waitFor();
  const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().click();
  await page
    .getByRole('button', { name: /^Weigh…/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Weigh: Chicken' });
  await dialog.getByText('Ordered 1.5 lb, up to 1.65 lb.').waitFor();
  for (const key of ['1', '.', '8']) await press(key);
  await dialog.getByText('$14.83 for 1.65 lb; the rest is free').waitFor();
  await assertFits(page, 'weighing');
  await assertAccessible(page, 'weighing');
  await press('Erase');
  for (const key of ['6', '2']) await press(key);
  await dialog.getByText('$14.56').waitFor();
  await press('Save weight');
  const pasta = page.getByRole('dialog', { name: 'Weigh: Pasta' });
  await pasta.getByLabel(/^Weight in kg/).fill('2112345015002');
  await page.keyboard.press('Enter');
  await pasta.waitFor({ state: 'detached' });
  await page.getByText('1.62 lb').waitFor();
  await assertAccessible(page, 'a weighed order');
  const { orders } = (await app.get('/account/orders', { order_id: body.order_id })).body;
  assert.deepEqual(
    orders[0].items.map(({ fulfilled_quantity: quantity, final_price: cents = null }: Record<string, unknown>) => [
      quantity,
      cents,
    ]),
    [
      [1.62, 1456],
      [1.5, 1349],
      [2, null],
    ],
  );
  assert.deepEqual([orders[0].weighed_quote.total_with_tip, faults], [1456 + 1349 + 1798 + 200, []]);
  for (const event of ['ready', 'assign_driver', 'pick_up'])
    assert.equal((await app.post(`/sandbox/orders/${body.order_id}/advance`, { event })).status, 200);
  await page.getByRole('button', { name: 'More for' }).click();
  await page.getByRole('button', { name: 'Refund…' }).click();
  const refund = page.getByRole('dialog', { name: /^Refund order/ });
  await refund.getByLabel('Chicken, of 1.62 lb').fill('0.5');
  await refund.getByText('The customer’s refund is $4.49, ').waitFor();
  await refund.getByLabel('All that is left of Chicken').check();
  await refund.getByText('The customer’s refund is $14.56, ').waitFor();
  await assertFits(page, 'refunding a weight');
  await assertAccessible(page, 'refunding a weight');
  await refund.getByLabel('Why?').fill('Not fresh');
  await refund.getByRole('button', { name: 'Refund', exact: true }).click();
  await refund.waitFor({ state: 'detached' });
  const [given] = (await app.get('/account/orders', { order_id: body.order_id })).body.orders;
  assert.equal(given.refunded_amount, 1456);
  await close();
  const view = await openView(browser, app, url);
  await showView(view.page, url, `orders/${body.order_id}`);
  await view.page.getByText('The store refunded $14.56 for 1.62 lb Chicken: Not fresh.').waitFor();
  await view.page.getByRole('button', { name: 'Refund…' }).click();
  await view.page.getByLabel('Pasta, of 1.5 kg').clear();
  // Each key with a second of its own, in which the page renders again.
  await view.page.getByLabel('Pasta, of 1.5 kg').pressSequentially('0.05', { delay: 1100 });
  await view.page.getByLabel('Reason').fill('Goodwill');
  await view.page.getByText('$0.45', { exact: true }).waitFor();
  await view.page.getByRole('button', { name: 'Refund', exact: true }).click();
  await view.page.getByText('An operator refunded $0.45 for 0.05 kg Pasta: Goodwill.').waitFor();
  assert.deepEqual(view.faults, []);
  await view.close();
});
