import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { freePort } from '../given/command.ts';
import { givenHeldShop, type HeldShop } from '../given/held-orders.ts';
import { type App, givenApp } from '../harness.ts';
import { assertAccessible, assertFits } from './accessible.ts';
import { givenBrowser, openPage, PHONE } from './browser.ts';

let app: App;
let shop: HeldShop;
before(async () => {
  const port = await freePort();
  app = await givenApp({ env: { PORT: port, BASE_URL: `http://127.0.0.1:${port}` } });
  await app.service.listen();
  shop = await givenHeldShop(app);
});
after(() => app.close());

const WORDS = {
  en: ['Your card was declined', 'Use another card', 'Your bank wants to make sure'],
  fr: ['Votre carte a été refusée', 'Utiliser une autre carte', 'Votre banque veut'],
  es: ['Tu tarjeta fue rechazada', 'Usar otra tarjeta', 'Tu banco quiere'],
} as const;

for (const language of ['en', 'fr', 'es'] as const) {
  test(`a customer whose card declined gives another on a phone, and approves it at the bank (${language})`, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    const [declined, other, bank] = WORDS[language];
    const orderId = await shop.placed({ user_language: language });
    await shop.advance(orderId, 'confirm');
    const cards = (status: string) =>
      sql`update sandbox_gateway_cards set charge_status = ${status}`.execute(app.service.deps.db);
    await cards('declined');
    await app.advance({ hours: 6 * 24, minutes: 1 });
    await cards('succeeded');
    const [{ tracking_link: link }] = (await app.get('/account/orders', { order_id: orderId })).body.orders;
    const { page, faults, close } = await openPage(browser, link, { viewport: PHONE });
    await page.getByText(declined).waitFor();
    await assertAccessible(page, language);
    await page.locator('#other-card').click();
    await page.getByRole('heading', { name: declined }).waitFor();
    await assertAccessible(page, language);
    await assertFits(page, language);
    await page.getByRole('button', { name: other }).click();
    await page.waitForURL(/\/payment\/setup\//);
    await page.locator('#card_number').fill('4000002500003155');
    await page.locator('#expiration').fill('12/40');
    await page.locator('#cvc').fill('123');
    await page.locator('button[type=submit]').first().click();
    await page.getByText(bank).waitFor();
    await page.locator('a.main').click();
    await page.waitForURL(/\/payment\/authenticate\//);
    await page.locator('button[value=approve]').click();
    await page.waitForURL(/\/tracking\?tracking_id=/);
    assert.equal(await page.locator('#other-card').count(), 0);
    assert.deepEqual((await shop.charges(orderId))[0]?.[0], 'authorized');
    assert.deepEqual(
      faults.filter((fault) => !/status of 402/.test(fault)),
      [],
    );
    await close();
  });
}
