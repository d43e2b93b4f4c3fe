// covers: web/console/**, web/*.{ts,tsx}
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { issueAccessCode } from '../../src/access/sessions/sign-in.flow.ts';
import { pizzeria } from '../feed-lines.ts';
import { givenConsole, givenOperator } from '../given/merchant.ts';
import type { Page } from '../given/page.ts';
import { givenStores } from '../given/stores.ts';
import { type App, type Client, done, givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { openConsole } from './open-console.ts';

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

async function openOffers(t: TestContext): Promise<Page> {
  const { code } = await issueAccessCode(app.service.deps.db, { storeId }, app.now());
  const page = await openConsole(t, url, code);
  await page.in('nav').press('Menu');
  await page.press('Offers');
  await page.find('heading', 'Offers');
  return page;
}

/** The row of the offer whose text begins so. */
const rowOf = (page: Page, text: string) => {
  const at = () => page.all('.offer').findIndex((one) => one.querySelector('strong')?.textContent?.startsWith(text));
  return { at, row: () => page.in('.offer', Math.max(0, at())) };
};

test('an owner creates “20% off on Tuesdays” and “a free dessert from $30”, pauses, shortens and ends them', async (t) => {
  const page = await openOffers(t);
  await page.shows('No offers yet.');
  await page.press('New offer');
  await page.press('Create offer');
  await page.shows('Enter a percentage from 1 to 100.');
  await page.shows('Check: Percent off');
  const wrong = page.window().document.activeElement;
  assert.deepEqual([wrong?.tagName, wrong?.getAttribute('aria-invalid')], ['INPUT', 'true']);
  const terms = page.in('.menu-form > .fields');
  await terms.fill('Percent off', '20');
  await page.check('Tuesday');
  await page.shows('20% off everything, every Tuesday, paid by you.');
  await page.press('Create offer');
  await page.shows('Offer created.');

  await page.press('New offer');
  await page.check(/^Buy and get/);
  await page.fill('Minimum order', '30');
  const lowered = page.in('.offer-items', 1);
  await lowered.shows('Items on offer');
  await lowered.check('Specific items');
  await lowered.fill(/Search the menu$/, 'soda');
  await lowered.check('Soda');
  await page.fill('Maximum times per order', '1');
  await page.shows(
    '1 from Soda free with any other item, with $30.00 or more of everything except Soda, once per order, paid by you.',
  );
  await page.press('Create offer');
  await until('both offers are listed', () => page.all('.offer').length === 2);
  const made = (await done(owner.get('/store/promotions'))).promotions;
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

  await page.shows('1 from Soda free with any other item');
  const { row } = rowOf(page, '20% off');
  await row().press(/^Pause/);
  await row().shows('Paused');
  await row().press(/^Resume/);
  await row().shows('Active');
  await row().press(/^Change end date/);
  await page.in('dialog').fill('Last day', '2099-12-31');
  await page.in('dialog').press('Save');
  await row().shows(/through Thu, Dec 31, 2099/);
  await row().press(/^End/);
  await page.in('dialog').press('End');
  await row().shows('Ended');
});

test('an owner agrees to pay a part of a marketplace offer, and a taken code is refused with a reason', async (t) => {
  const operator = await givenOperator(app);
  await done(
    operator.post('/operator/promotions', {
      kind: 'amount',
      amount_cents: 400,
      max_uses: 100,
      funding: [
        { payer: 'operator', percent: 50 },
        { payer: 'store', percent: 50 },
      ],
      stores: [storeId],
      reason: 'A test.',
    }),
  );
  await done(owner.post('/store/promotions', { kind: 'percent', percent: 5, code: 'SAVE5' }));
  const page = await openOffers(t);
  await page.shows('$4.00 off everything');
  const { row } = rowOf(page, '$4.00 off everything');
  await row().shows('50% paid by you');
  await row().press(/^Accept/);
  await page.in('dialog').shows('You pay 50% of each discount.');
  await page.in('dialog').press('Accept');
  await page.shows('Offer accepted.');
  await row().shows('Active');
  assert.equal(row().all('button').length, 0);

  await page.press('New offer');
  await page.in('.menu-form > .fields').fill('Percent off', '10');
  await page.press('Code, dates and limits');
  await page.fill(/^Promo code/, 'save5');
  await page.press('Create offer');
  await page.shows('One of your offers already has this code.');
});
