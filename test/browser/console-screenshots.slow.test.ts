import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { givenKitchen, type Kitchen } from '../given/kitchen.ts';
import { givenConsole } from '../given/merchant.ts';
import { type App, type Client, givenApp } from '../harness.ts';
import { givenBrowser } from './browser.ts';
import { openConsole, TABLET } from './open-console.ts';
import { keepPicture, skip } from './picture.ts';

const PHONE = { width: 390, height: 780 };

let app: App;
let kitchen: Kitchen;
let url: string;
before(async () => {
  if (skip) return;
  app = await givenApp({ start: '2026-06-10T22:18:00Z', env: { ORDER_CONFIRM_TIMEOUT_MINUTES: '8' } });
  kitchen = await givenKitchen(app);
  url = await app.service.listen();
});
after(async () => {
  if (skip) return;
  await app.close();
});

async function givenStep(store: Client, orderId: string, step: string, body: object = {}): Promise<void> {
  const reply = await store.post(`/store/orders/${orderId}/${step}`, body);
  assert.equal(reply.status, 200, reply.text);
}

/** Quarter past six on a weekday evening. */
async function givenEvening(): Promise<void> {
  const store = await givenConsole(app, kitchen.storeId);
  const done = await kitchen.place([{ name: 'Marinara' }], { pickup: true, user_name: 'Owen Hart' });
  await givenStep(store, done, 'confirm', { preparation_minutes: 5 });
  await givenStep(store, done, 'ready');
  await givenStep(store, done, 'complete');
  const gone = await kitchen.place([{ name: 'Diavola' }, { name: 'Tiramisù' }], { user_name: 'Lena Fox' });
  await givenStep(store, gone, 'cancel', { reason: 'out_of_stock' });
  await app.advance({ minutes: 12 });
  const ready = await kitchen.place([{ name: 'Funghi e Tartufo' }], { pickup: true, user_name: 'Priya Nair' });
  await givenStep(store, ready, 'confirm', { preparation_minutes: 10 });
  await app.advance({ minutes: 8 });
  await givenStep(store, ready, 'ready');
  const cooking = await kitchen.place(
    [
      { name: 'Diavola', quantity: 2, notes: 'no chili on one half, please' },
      { name: 'Caesar salad' },
      { name: 'Sparkling water', quantity: 2 },
    ],
    { user_name: 'Dana Whitfield' },
  );
  await givenStep(store, cooking, 'confirm', { preparation_minutes: 15 });
  const second = await kitchen.place([{ name: 'Margherita', options: ['pan', 'olives'] }], {
    pickup: true,
    user_name: 'Sam Ortiz',
  });
  await givenStep(store, second, 'confirm', { preparation_minutes: 25 });
  await app.advance({ minutes: 3 });
  await kitchen.place(
    [
      { name: 'Margherita', options: ['pan', 'stuffed', 'olives', 'hot'], notes: 'NUT ALLERGY' },
      { name: 'Garlic knots, six' },
      { name: 'Cola', quantity: 3 },
    ],
    { user_name: 'Marguerite Okafor', driver_tip_cents: 600, user_dropoff_notes: 'Side door' },
  );
  await kitchen.place([{ name: 'Funghi e Tartufo', quantity: 2 }, { name: 'Tiramisù' }], {
    pickup: true,
    user_name: 'Theo Lang',
  });
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(300);
  await keepPicture(page, name);
}

async function open(browser: Browser, viewport: typeof TABLET, colorScheme: 'light' | 'dark') {
  const options = { viewport, colorScheme, reducedMotion: 'reduce' as const, deviceScaleFactor: 1.5 };
  const opened = await openConsole(browser, url, await kitchen.invite(), options);
  await opened.page.locator('.order').first().waitFor();
  return opened;
}

test('the pictures of the console', { skip }, async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  await givenEvening();
  await shootTablet(browser);
  const phone = await open(browser, PHONE, 'dark');
  await shoot(phone.page, 'console-phone-dark');
  await phone.close();
  const wide = await open(browser, { width: 1280, height: 800 }, 'dark');
  await wide.page.getByRole('button', { name: /I’m on it/ }).click();
  await shoot(wide.page, 'console-wide-dark');
  await wide.close();
});

async function shootTablet(browser: Browser): Promise<void> {
  const { page, close } = await open(browser, TABLET, 'light');
  const press = (name: RegExp | string) => page.getByRole('button', { name }).first().click();
  const go = (name: string) => page.getByRole('navigation').getByRole('link', { name }).click();
  await shoot(page, 'console-new');
  await press(/I’m on it/);
  await press(/^Kitchen/);
  await shoot(page, 'console-kitchen');
  await go('Menu');
  await page.getByRole('switch', { name: 'Diavola' }).click();
  await page.getByRole('switch', { name: 'Diavola', checked: false }).waitFor();
  await shoot(page, 'console-menu');
  await go('Sales');
  await page.locator('.sums').first().waitFor();
  await shoot(page, 'console-sales');
  await page.context().setOffline(true);
  await go('Orders');
  await page.locator('.strip.lost').waitFor();
  await shoot(page, 'console-offline');
  await close();
}
