import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { saveBranding } from '../../src/access/accounts/brandings.db.ts';
import { givenTracked, givenTrackedStore, type Tracked } from '../given/tracked.ts';
import { type App, givenApp } from '../harness.ts';
import { MARKUP_PAYLOADS } from '../hostile/markup-payloads.ts';
import { until } from '../until.ts';
import { givenBrowser, openPage } from './browser.ts';

const HARMLESS = 'plain words';
/** Addresses alone, because a text before one makes it none; markup, which leaves any text, eight at a time. */
const TEXTS = MARKUP_PAYLOADS.filter((payload) => !payload.includes('<'));
const MARKUP = MARKUP_PAYLOADS.filter((payload) => payload.includes('<'));
for (let at = 0; at < MARKUP.length; at += 8) TEXTS.push(MARKUP.slice(at, at + 8).join(' '));

let app: App;
let order: Tracked;
let url: string;
before(async () => {
  app = await givenApp();
  order = await givenTracked(app, await givenTrackedStore(app), {
    email_receipt_specifications: { misc_fees: [{ fee_name: 'Bag fee', fee_amount: 10 }] },
  });
  for (const step of ['confirm', 'assign_driver']) await order.advance(step);
  url = await app.service.listen();
});
after(() => app.close());

/** Writes the text into every field that a store, client, customer, courier or account can set. */
async function storeEverywhere(text: string, status: 'in_progress' | 'canceled'): Promise<void> {
  const { db } = app.service.deps;
  const everywhere = JSON.stringify(text.replaceAll('\u0000', ''));
  await sql`
    update orders set status = ${status}, cancel_reason = ${JSON.parse(everywhere)}::text,
      driver = driver || jsonb_build_object('name', t.text, 'vehicleType', t.text, 'photoUrl', t.text),
      request = jsonb_set(request, '{customer}', request->'customer' || jsonb_build_object('name', t.text,
        'streetName', t.text, 'city', t.text, 'state', t.text, 'aptNum', t.text, 'dropoffNotes', t.text, 'timeZone', t.text)),
      quote = jsonb_set(jsonb_set(jsonb_set(quote,
        '{store}', quote->'store' || jsonb_build_object('name', t.text, 'address', t.text)),
        '{miscFees}', jsonb_build_array(jsonb_build_object('name', t.text, 'amountCents', 10))),
        '{items}', (select jsonb_agg(item || jsonb_build_object('name', t.text, 'notes', t.text, 'image', t.text,
          'customizations', jsonb_build_array(jsonb_build_object('id', t.text, 'name', t.text, 'options',
            jsonb_build_array(jsonb_build_object('id', t.text, 'name', t.text, 'defaultQty', 0, 'quantity', 1,
              'priceCents', 100, 'markedPriceCents', 100, 'customizations', '[]'::jsonb))))))
          from jsonb_array_elements(quote->'items') as item))
    from (select ${everywhere}::jsonb as text) as t where order_id = ${order.orderId}`.execute(db);
  const branding = { displayName: JSON.parse(everywhere), logoUrl: JSON.parse(everywhere) };
  await saveBranding(db, app.accountId, branding, app.now());
}

/** All elements with their attribute names, which no text may change. The logo is optional. */
const SKELETON = `[...document.querySelectorAll('html *')].filter((e) => !e.matches('header img'))
  .map((e) => e.localName + ' ' + e.getAttributeNames().sort().join(' ')).join('\\n')`;
const COUNT_RUNS = 'window.pwned = () => { window.hasRun = true }; window.alert = window.pwned;';

const skeletonOf = (page: Page) => page.evaluate(SKELETON);
const hasRun = (page: Page) => page.evaluate('window.hasRun === true');

test('a payload that were markup would be noticed', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, close } = await openPage(browser, 'about:blank', { bypassCSP: true });
  await page.evaluate(COUNT_RUNS);
  await page.route(/^(?!about:)/, (route) => route.abort());
  await page.setContent((await app.get(order.link)).text.replaceAll('Margherita', '<img src=x onerror=pwned()>'));
  await until('the payload runs', async () => (await hasRun(page)) === true);
  await close();
});

for (const status of ['in_progress', 'canceled'] as const) {
  test(`${MARKUP_PAYLOADS.length} payloads in every stored text of an order ${status} run nothing and add nothing to its page, even without its policy`, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    assert.ok(MARKUP_PAYLOADS.length >= 200);
    const { page, faults, close } = await openPage(browser, 'about:blank', { bypassCSP: true });
    await page.evaluate(COUNT_RUNS);
    await page.route(/^(?!about:)/, (route) => route.abort());
    await storeEverywhere(HARMLESS, status);
    const show = async () => {
      await page.setContent((await app.get(order.link)).text, { waitUntil: 'domcontentloaded' });
      return skeletonOf(page);
    };
    const expected = await show();
    for (const payload of TEXTS) {
      await storeEverywhere(payload, status);
      assert.equal(await show(), expected, payload);
      assert.equal(await hasRun(page), false, payload);
    }
    assert.deepEqual(
      faults.filter((fault) => !fault.startsWith('console: Failed to load resource')),
      [],
    );
    await close();
  });
}

test('payloads that reach an open page run nothing', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  await storeEverywhere(HARMLESS, 'in_progress');
  const { page, faults, close } = await openPage(browser, url + order.link, { bypassCSP: true });
  await page.evaluate(COUNT_RUNS);
  await page.locator('#where .spot-driver').waitFor();
  await storeEverywhere(`${MARKUP_PAYLOADS.join(' ')} the end`, 'in_progress');
  await page.locator('.detail', { hasText: 'the end' }).waitFor();
  assert.equal(await hasRun(page), false);
  assert.deepEqual(faults, []);
  await close();
});
