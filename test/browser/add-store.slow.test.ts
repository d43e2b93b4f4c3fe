import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenConsole } from '../given/merchant.ts';
import { givenApp } from '../harness.ts';
import { assertAccessible } from './accessible.ts';
import { givenBrowser } from './browser.ts';
import { openView, showView } from './operator-view.ts';

test('an operator adds a store by the keyboard, at the match of its address, edits it, agrees on terms and invites its owner', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const app = await givenApp();
  t.after(() => app.close());
  const url = await app.service.listen();
  const { page } = await openView(browser, app, url);
  const match = { latitude: 40.7243, longitude: -74.0099, address: '500 Canal St, New York, NY 10013' };
  const results = [
    { ...match, precision: 'rooftop' },
    { ...match, latitude: 40.8, address: '500 Canal Pl, Bronx, NY 10451', precision: 'street' },
  ];
  await page.route('**/operator/geocode*', (route) => route.fulfill({ json: { results } }));
  await showView(page, url, 'stores');
  await page.getByRole('link', { name: 'Add a store…' }).click();
  await page.getByLabel('Name', { exact: true }).waitFor();
  const type = async (text: string, tabs = 1) => {
    await page.keyboard.type(text);
    for (let n = 0; n < tabs; n += 1) await page.keyboard.press('Tab');
  };
  await type('Corner Noodle House', 2);
  await type('(212) 555-0142');
  await type('500 Canal St', 2);
  await type('New York');
  await type('NY');
  await type('10013', 2);
  await page.keyboard.press('Enter');
  await page.getByText('Which one is it?').waitFor();
  assert.equal(await page.getByLabel('Latitude').inputValue(), '40.7243');
  await assertAccessible(page, 'the form');
  await page.getByLabel('Commission, %').fill('12.5');
  await page
    .getByText('Left blank, the taxes are those of New York, by what is sold. They lack county and city')
    .waitFor();
  await page.getByLabel('Scheduled slots').selectOption('Offered');
  await page.getByLabel('Tuesday: open').selectOption('Closed');
  await page.getByLabel('Friday: to').fill('23:30');
  await page.getByLabel('Order minimum, $').press('Enter');
  await page.getByRole('heading', { name: /Corner Noodle House/ }).waitFor();
  await page.getByText('500 Canal St, New York, NY 10013').waitFor();
  const storeId = page.url().split('/').at(-1);
  const operator = await givenConsole(app, null);
  const line = async () => (await operator.get(`/operator/stores/${storeId}/profile`)).body;
  await page.getByText('12.5% of the items').waitFor();
  await page.getByRole('button', { name: 'Change terms…' }).click();
  await page.getByLabel('Fee per order, $').fill('0.3');
  await page.getByRole('combobox', { name: 'Delivery fee to' }).selectOption('operator');
  await page.getByLabel('Reason').fill('The contract of March');
  await assertAccessible(page, 'the terms');
  await app.advance({ minutes: 1 });
  await page.getByRole('button', { name: 'Save terms' }).click();
  await page.getByText('$0.30').waitFor();
  await page.getByRole('cell', { name: /Commission: 12.5% of the items; Fee per order: \$0.00/ }).waitFor();
  await assertAccessible(page, 'the store');
  await page.getByRole('link', { name: 'Edit…' }).click();
  const { hours, scheduling } = await line();
  assert.deepEqual([hours.operational.Tuesday, hours.operational.Friday], ['Closed', '11:00AM - 11:30PM']);
  assert.equal(scheduling.enabled, true);
  await page.getByText('OpenStreetMap syntax').click();
  await page.getByLabel('Open', { exact: true }).fill('Mo-Sa 12:00-22:00');
  await page.getByLabel('Tuesday: open').waitFor({ state: 'detached' });
  await page.getByLabel('Order minimum, $').fill('12.50');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: /Corner Noodle House/ }).waitFor();
  await page.getByRole('link', { name: 'Edit…' }).click();
  assert.equal(await page.getByLabel('Order minimum, $').inputValue(), '12.50');
  assert.equal(await page.getByLabel('Open', { exact: true }).inputValue(), 'Mo-Sa 12:00-22:00');
  await page.goBack();
  await page.getByRole('button', { name: 'Invite the owner' }).click();
  await page.getByText(/^Opens one session at/).waitFor();
  await page.getByRole('button', { name: "I've saved it" }).click();
  const mails: string[] = [];
  app.service.deps.messaging.mailer = { sendMail: async ({ to }) => void mails.push(to), close() {} };
  await page.getByRole('button', { name: 'Send an invitation…' }).click();
  await page.getByRole('textbox', { name: 'Email' }).fill('owner@example.com');
  await assertAccessible(page, 'the invitation');
  await page.getByRole('button', { name: 'Send', exact: true }).press('Enter');
  await page.getByText('The invitation goes to owner@example.com.').waitFor();
  await app.advance({ seconds: 1 });
  assert.deepEqual(mails, ['owner@example.com']);
});
