import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { PLACE_COOKIE } from '../../src/surfaces/shop/shop-visit.ts';
import { openPage } from './browser.ts';

/* A customer of the hosted shop, from a first look to a paid order, in any language. */

/** A door in Chicago, where the demo has stores. */
const PLACE = { address: '100 N Sangamon St, Chicago, IL 60607, USA', latitude: 41.8827, longitude: -87.6493 };

/** A page of the shop at `url`, for a visitor whose address the device knows. */
export async function openShop(browser: Browser, url: string, path: string, options: BrowserContextOptions = {}) {
  const opened = await openPage(browser, `${url}/shop/orders`, { reducedMotion: 'reduce', ...options });
  const settings = JSON.stringify({ place: PLACE, pickup: null });
  await opened.page.evaluate(`localStorage.setItem('doorstep.shop.settings', ${JSON.stringify(settings)});
    document.cookie = '${PLACE_COOKIE}=1; path=/shop'`);
  await opened.page.goto(`${url}/shop${path}`);
  return opened;
}

/** Types who orders, and returns to the top of the checkout. */
export async function fillContact(page: Page): Promise<void> {
  await page.locator('#name').fill('Ana Pérez');
  await page.locator('#email').fill('ana@example.com');
  await page.locator('#phone').fill('(312) 555-0142');
  await page.evaluate('document.activeElement.blur(), scrollTo(0, 0)');
}

/** Pays by a new card from the checkout, until the order's page has opened. */
export async function payByCard(page: Page): Promise<void> {
  await page.locator('#card').click();
  await page.locator('input[name=card_number]').fill('4242 4242 4242 4242');
  await page.locator('input[name=expiration]').fill('12/40');
  await page.locator('input[name=cvc]').fill('123');
  await page.locator('button[type=submit]').first().click();
  await page.locator('#place').click();
  await page.waitForURL(/\/tracking\?/);
  await page.locator('main[data-stage], #receipt').first().waitFor();
}
