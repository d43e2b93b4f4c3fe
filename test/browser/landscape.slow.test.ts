import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { DEMO_SOURCE } from '../../demo/catalog.ts';
import { type Demo, prepareDemo } from '../../src/app/cli/prepare-demo.ts';
import { storeIdOf } from '../../src/supply/stores/store-id.ts';
import { freePort } from '../given/command.ts';
import { givenConsole } from '../given/merchant.ts';
import { type App, givenOwnApp } from '../harness.ts';
import { assertInReach, assertNothingCut, assertRefusalInSight } from './accessible.ts';
import { givenBrowser, openPage } from './browser.ts';
import { fillContact, openShop } from './order-in-shop.ts';

/** A phone on its side, with the bars of its browser. */
const LANDSCAPE = { width: 740, height: 360 };

let app: App;
let demo: Demo;
let folder: string;
let url: string;
const diner = storeIdOf(DEMO_SOURCE, 'chicago-diner');
before(async () => {
  const port = await freePort();
  folder = mkdtempSync(join(tmpdir(), 'doorstep-landscape-'));
  const env = { DATA_DIR: folder, PORT: port, BASE_URL: `http://127.0.0.1:${port}` };
  app = await givenOwnApp({ start: '2026-06-10T22:18:00Z', env });
  demo = await prepareDemo(app.service, app.config);
  url = await app.service.listen();
  // Builds the pages' code, which no navigation waits for.
  for (const path of ['/shop', '/console']) await (await fetch(url + path)).text();
});
after(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

async function look(page: Page, what: string): Promise<void> {
  await assertNothingCut(page, what);
  await assertInReach(page, what);
}

for (const lang of ['en', 'fr', 'es']) {
  test(`on a phone on its side, in ${lang}, every control is in reach from the shop to the door and the console`, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    const options = { viewport: LANDSCAPE, deviceScaleFactor: 1 };
    const { page, close } = await openShop(browser, url, `?lang=${lang}`, options);
    page.setDefaultTimeout(120_000);
    await page.locator('section[aria-busy=false] .store-card').first().waitFor();
    await look(page, 'shop');
    await page.goto(`${url}/shop/s/store-${diner}?lang=${lang}`);
    await page.locator('.terms').waitFor();
    await assertInReach(page, 'store');
    await page.locator('.product-text').first().click();
    await page.locator('dialog button[form=item]').waitFor();
    await assertInReach(page, 'item');
    await page.locator('dialog button[form=item]').click();
    if ((await page.locator('dialog [data-wrong]').count()) > 0) {
      await assertRefusalInSight(page, 'item');
      await page.locator('dialog [data-wrong] input').first().check();
      await page.locator('dialog button[form=item]').click();
    }
    await page.locator('.cart-bar button').click();
    await page.locator('.totals:visible').first().waitFor();
    await assertInReach(page, 'cart');
    await page.locator('button[form=review]').click();
    await page.waitForURL(/\/checkout\//);
    await look(page, 'checkout');
    await page.locator('#card').click();
    await page.locator('.wrong-fields, .faults').first().waitFor();
    await assertRefusalInSight(page, 'checkout');
    await look(page, 'refused checkout');
    await fillContact(page);
    await page.locator('#card').click();
    await page.locator('input[name=card_number]').waitFor();
    await look(page, 'card page');
    await page.locator('button[type=submit]').first().click();
    await page.locator('[role=alert]:not(:empty)').first().waitFor();
    await assertRefusalInSight(page, 'card page');
    await page.locator('input[name=card_number]').fill('4242 4242 4242 4242');
    await page.locator('input[name=expiration]').fill('12/40');
    await page.locator('input[name=cvc]').fill('123');
    await page.locator('button[type=submit]').first().click();
    await page.locator('#place').waitFor();
    await look(page, 'checkout with a card');
    await page.locator('#place').click();
    await page.waitForURL(/\/tracking\?/);
    await page.locator('main[data-stage], #receipt').first().waitFor();
    await look(page, 'tracking');
    await page.goto(`${url}/shop/profile?lang=${lang}`);
    await look(page, 'sign-in of customers');
    await close();
    await app.advance({ minutes: 1 });
    const signIn = await openPage(browser, `${url}/console`, options);
    await signIn.page.context().addCookies([{ name: 'doorstep_language', value: lang, url }]);
    await signIn.page.reload();
    await signIn.page.locator('#code').waitFor();
    await look(signIn.page, 'sign-in of stores');
    await signIn.page.locator('button[type=submit]').click({ force: true });
    await assertRefusalInSight(signIn.page, 'sign-in of stores');
    const { cookie } = await givenConsole(app, diner, demo.accountId);
    const [name = '', value = ''] = cookie.split('=');
    await signIn.page.context().addCookies([{ name, value, url }]);
    await signIn.page.goto(`${url}/console?sandbox`);
    await signIn.page.locator('.order').first().waitFor();
    await look(signIn.page, 'console');
    await signIn.page.locator('.order .toggle').first().click();
    await look(signIn.page, 'menu of an order');
    await signIn.page.locator('.order-steps .button:not(.main)').last().click();
    await signIn.page.locator('dialog').waitFor();
    await look(signIn.page, 'declining');
    await signIn.close();
  });
}
