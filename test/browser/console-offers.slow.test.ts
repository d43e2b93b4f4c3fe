import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { issueAccessCode } from '../../src/access/sessions/sign-in.flow.ts';
import { pizzeria } from '../feed-lines.ts';
import { givenConsole, givenOperator } from '../given/merchant.ts';
import { givenStores } from '../given/stores.ts';
import { type App, type Client, givenApp } from '../harness.ts';
import { assertAccessible, assertFits, assertRefusalInSight } from './accessible.ts';
import { givenBrowser } from './browser.ts';
import { openConsole } from './open-console.ts';

const LOOKS = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1440, height: 900 },
];

let app: App;
let url: string;
let storeId: string;
let owner: Client;
before(async () => {
  app = await givenApp();
  [storeId = ''] = await givenStores(app, [pizzeria()]);
  owner = await givenConsole(app, storeId);
  url = await app.service.listen();
});
after(() => app.close());

const codeOf = async () => (await issueAccessCode(app.service.deps.db, { storeId }, app.now())).code;
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const dialog = (page: Page) => page.getByRole('dialog');
const offersOf = async () => (await owner.get('/store/promotions')).body.promotions;

async function openOffers(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Menu', exact: true }).click();
  await page.getByRole('link', { name: 'Offers', exact: true }).click();
  await page.getByRole('heading', { name: 'Offers' }).waitFor();
}

test('an owner creates “20% off on Tuesdays” and “a free dessert from $30” at first sight, and ends them', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, faults, close } = await openConsole(browser, url, await codeOf());
  await openOffers(page);
  await page.getByText('No offers yet.').waitFor();
  await press(page, 'New offer');
  await press(page, 'Create offer');
  await page.getByRole('alert').getByText('Enter a percentage from 1 to 100.').waitFor();
  await page.getByText('Check: Percent off').waitFor();
  await assertRefusalInSight(page, 'an offer without its percentage');
  await page.getByLabel('Percent off', { exact: true }).last().fill('20');
  await page.getByLabel('Tuesday', { exact: true }).check();
  await page.getByText('20% off everything, every Tuesday, paid by you.').waitFor();
  await assertAccessible(page, 'the form of an offer');
  for (const viewport of LOOKS) {
    await page.setViewportSize(viewport);
    await assertFits(page, `the form of an offer at ${viewport.width}`);
  }
  await press(page, 'Create offer');
  await page.getByRole('status').getByText('Offer created.').waitFor();

  await press(page, 'New offer');
  await page.getByLabel(/^Buy and get/).check();
  await page.getByLabel('Minimum order').fill('30');
  const lowered = page.getByRole('group', { name: 'What they get' });
  await lowered.getByLabel('Specific items').check();
  await lowered.getByRole('searchbox').fill('soda');
  await lowered.getByLabel('Soda', { exact: true }).check();
  await page.getByLabel('Times per order, at most').fill('1');
  await page
    .getByText('1 from Soda free with any other item, on orders of $30.00 or more, once per order, paid by you.')
    .waitFor();
  await press(page, 'Create offer');
  await page.getByText('No offers yet.').waitFor({ state: 'detached' });
  await page.locator('.offer').nth(1).waitFor();
  const made = await offersOf();
  const [dessert, tuesdays] = ['buy_get', 'percent'].map((kind) =>
    made.find((one: { kind: string }) => one.kind === kind),
  );
  assert.deepEqual(
    [dessert.kind, dessert.minimum_subtotal, dessert.percent, dessert.times, dessert.get_items, dessert.state],
    ['buy_get', 3000, 100, 1, { products: ['soda'] }, 'active'],
  );
  assert.deepEqual(
    [tuesdays.percent, tuesdays.hours.Tuesday, tuesdays.hours.Monday, tuesdays.listed],
    [20, 'Open 24 hours', 'Closed', true],
  );

  await page.getByText('1 from Soda free with any other item').waitFor();
  const row = page.locator('.offer', { hasText: '20% off' });
  await row.getByRole('button', { name: /^Pause/ }).click();
  await row.getByText('Paused').waitFor();
  await row.getByRole('button', { name: /^Resume/ }).click();
  await row.getByText('Active').waitFor();
  await row.getByRole('button', { name: /^Change end date/ }).click();
  await dialog(page).getByLabel('Last day').fill('2099-12-31');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await row.getByText(/through Thu, Dec 31, 2099/).waitFor();
  await row.getByRole('button', { name: /^End/ }).click();
  await dialog(page).getByRole('button', { name: 'End', exact: true }).click();
  await row.getByText('Ended').waitFor();
  await assertAccessible(page, 'offers');
  for (const viewport of LOOKS) {
    await page.setViewportSize(viewport);
    await assertFits(page, `offers at ${viewport.width}`);
  }
  assert.deepEqual(faults, []);
  await close();
});

test('an owner accepts to pay a part of what the marketplace offers; a code that is taken is said', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const operator = await givenOperator(app);
  const shared = [
    { payer: 'operator', percent: 50 },
    { payer: 'store', percent: 50 },
  ];
  const offered = await operator.post('/operator/promotions', {
    kind: 'amount',
    amount_cents: 400,
    max_uses: 100,
    funding: shared,
    stores: [storeId],
    reason: 'A test.',
  });
  assert.equal(offered.status, 200, offered.text);
  assert.equal((await owner.post('/store/promotions', { kind: 'percent', percent: 5, code: 'SAVE5' })).status, 200);
  const { page, faults, close } = await openConsole(browser, url, await codeOf());
  await openOffers(page);
  const row = page.locator('.offer', { hasText: '$4.00 off everything' });
  await row.getByText('50% paid by you').first().waitFor();
  await row.getByRole('button', { name: /^Accept/ }).click();
  await dialog(page).getByText('You pay 50% of each discount.').waitFor();
  await dialog(page).getByRole('button', { name: 'Accept', exact: true }).click();
  await page.getByRole('status').getByText('Offer accepted.').waitFor();
  await row.getByText('Active').waitFor();
  assert.equal(await row.getByRole('button').count(), 0);

  await press(page, 'New offer');
  await page.getByLabel('Percent off', { exact: true }).last().fill('10');
  await page.getByText('Code, dates and limits').click();
  await page.getByLabel('Promo code').fill('save5');
  await press(page, 'Create offer');
  await page.getByRole('alert').getByText('One of your offers already has this code.').waitFor();
  assert.deepEqual(
    faults.filter((fault) => !/status of 409/.test(fault)),
    [],
  );
  await close();
});

test('staff have no offers', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { body: member } = await owner.post('/store/staff', { name: 'Maria' });
  const { page, close } = await openConsole(browser, url, member.code);
  await page.getByRole('link', { name: 'Menu', exact: true }).click();
  await page.getByRole('button', { name: 'Preview' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Offers', exact: true }).count(), 0);
  await close();
});
