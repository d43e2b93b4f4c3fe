// covers: web/operator/**, web/*.{ts,tsx}
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findBranding } from '../../src/access/accounts/brandings.db.ts';
import { findShop } from '../../src/access/accounts/shops.db.ts';
import { givenConsole } from '../given/merchant.ts';
import { openPage } from '../given/page.ts';
import { givenStore } from '../given/stores.ts';
import { type App, givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { focus, intercept, valueIn } from './open-console.ts';

let app: App;
let url: string;
before(async () => {
  app = await givenApp();
  url = await app.service.listen();
});
after(() => app.close());

test('an operator adds a store at the match of its address, edits it, agrees on terms and invites its owner', async (t) => {
  const operator = await givenConsole(app, null);
  const page = await openPage(t, `${url}/console/operator#/stores`, { cookie: operator.cookie });
  const match = { latitude: 40.7243, longitude: -74.0099, address: '500 Canal St, New York, NY 10013' };
  const results = [
    { ...match, precision: 'rooftop' },
    { ...match, latitude: 40.8, address: '500 Canal Pl, Bronx, NY 10451', precision: 'street' },
  ];
  intercept(page, /operator\/geocode/, async () => page.window().Response.json({ results }));
  await page.press('Add a store…');
  await page.fill('Name', 'Corner Noodle House');
  await page.fill('Phone', '(212) 555-0142');
  await page.fill('Street', '500 Canal St');
  await page.fill('City', 'New York');
  await page.fill('State or province', 'NY');
  await page.fill('ZIP or postal code', '10013');
  await page.press('Look up the address');
  await page.shows('Which one is it?');
  assert.equal(await valueIn(page, 'Latitude'), '40.7243');
  await page.fill('Commission, %', '12.5');
  await page.shows('Left blank, the taxes are those of New York, by what is sold. They lack county and city');
  await page.choose('Scheduled slots', 'Offered');
  await page.choose('Tuesday: open', 'Closed');
  await page.fill('Friday: to', '23:30');
  await focus(page, 'field', 'Order minimum, $');
  await page.key('Enter');
  await page.find('heading', /Corner Noodle House/);
  await page.shows('500 Canal St, New York, NY 10013');
  const storeId = page.url().split('/').at(-1);
  const line = async () => (await operator.get(`/operator/stores/${storeId}/profile`)).body;
  await page.shows('12.5% of the items');
  await page.press('Change terms…');
  await page.fill('Fee per order, $', '0.3');
  await page.choose('Delivery fee to', /operator/i);
  await page.fill('Reason', 'The contract of March');
  await app.advance({ minutes: 1 });
  await page.press('Save terms');
  await page.shows('$0.30');
  await page.shows(/Commission: 12.5% of the items; Fee per order: \$0.00/);
  await page.press('Edit…');
  await page.find('field', 'Order minimum, $');
  const { hours, scheduling } = await line();
  assert.deepEqual([hours.operational.Tuesday, hours.operational.Friday], ['Closed', '11:00AM - 11:30PM']);
  assert.equal(scheduling.enabled, true);
  await page.press('OpenStreetMap syntax');
  await page.fill('Open', 'Mo-Sa 12:00-22:00');
  await page.hides('Tuesday');
  await page.fill('Order minimum, $', '12.50');
  await page.press('Save');
  await page.find('heading', /Corner Noodle House/);
  await page.press('Edit…');
  assert.equal(await valueIn(page, 'Order minimum, $'), '12.50');
  assert.equal(await valueIn(page, 'Open'), 'Mo-Sa 12:00-22:00');
  await page.back();
  await page.press('Invite the owner');
  await page.shows(/^Opens one session at/m);
  await page.press("I've saved it");
  const mails: string[] = [];
  app.service.deps.messaging.mailer = { sendMail: async ({ to }) => void mails.push(to), close() {} };
  await page.press('Send an invitation…');
  await page.fill('Email', 'owner@example.com');
  await page.press('Send');
  await page.shows('The invitation goes to owner@example.com.');
  await app.advance({ seconds: 1 });
  assert.deepEqual(mails, ['owner@example.com']);
});

test('an operator sets an account’s brand and shop, and leaves the theme to store owners', async (t) => {
  const { db } = app.service.deps;
  const storeId = await givenStore(db);
  const { cookie } = await givenConsole(app, null);
  const page = await openPage(t, `${url}/console/operator#/accounts/${app.accountId}`, { cookie });
  await page.fill('Name', 'Pizza Palace');
  await page.fill('Logo, https', 'http://logo.example/logo.png');
  await page.press('Save the brand');
  await page.shows('Check: Logo, https');
  await page.fill('Logo, https', '');
  await page.check(/^Owners of the shop's stores/);
  await page.press('Save the brand');
  const branding = () => findBranding(db, app.accountId);
  await until('the theme is the owners’', async () => (await branding()).ownerLook);
  await page.shows('Saved.');
  await page.choose('Orders', 'live');
  await page.fill(/^Store IDs/, storeId);
  await page.press('Save the shop');
  await until('the shop is on', async () => (await findShop(db, app.accountId))?.storeIds?.[0] === storeId);
  assert.equal((await branding()).displayName, 'Pizza Palace');
});
