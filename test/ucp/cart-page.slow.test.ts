import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { prepareDemo } from '../../src/app/cli/prepare-demo.ts';
import { givenBrowser, openPage } from '../browser/browser.ts';
import { freePort } from '../given/command.ts';
import { type App, givenApp } from '../harness.ts';
import { SHOPPING } from './given-shop.ts';
import { givenPlatform, type Platform, profileOf, requestTo, send } from './platform.ts';

/** The demo: its shop is found at the service's own host, and a person finishes there what an agent chose. */

let app: App;
let platform: Platform;
let folder: string;
let url: string;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'doorstep-cart-'));
  const PORT = await freePort();
  const BASE_URL = `http://127.0.0.1:${PORT}`;
  const env = { DATA_DIR: folder, UCP: 'released', WEBHOOK_ALLOW_PRIVATE: 'true', PORT, BASE_URL };
  app = await givenApp({ env });
  await prepareDemo(app.service, app.config);
  url = await app.service.listen();
  platform = await givenPlatform();
});
after(async () => {
  await platform.close();
  await app.close();
  rmSync(folder, { recursive: true });
});

test('a cart filled by an agent is the customer’s on its store’s page, and reading it again adds nothing', async (t) => {
  const profile = platform.publish('/agent', profileOf([], ['dev.ucp.common.location.search', ...SHOPPING]));
  const ask = async (path: string, body: object) => {
    const { status, body: answer } = await send(requestTo(`${url}/ucp${path}`, body, profile));
    assert.ok(status < 300, JSON.stringify(answer));
    return answer;
  };
  const point = { latitude: 41.8827, longitude: -87.6493 };
  const { locations } = await ask('/locations/search', { serves: { point }, pagination: { limit: 50 } });
  const find = async (query: string) => {
    for (const { id: location } of locations) {
      const { products } = await ask('/catalog/search', { query, context: { location } });
      const plain = products.find(
        ({ options, variants }: { options?: object; variants: { availability: { available: boolean } }[] }) =>
          !options && variants[0]?.availability.available,
      );
      if (plain) return plain;
    }
    return assert.fail(`no store of the demo sells ${query}`);
  };
  const milk = await find('milk');
  const line = { item: { id: milk.variants[0].id }, quantity: 2 };
  const cart = await ask('/carts', { line_items: [line] });
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, faults, close } = await openPage(browser, cart.continue_url, { reducedMotion: 'reduce' });
  const kept = async () => {
    const text = await page.evaluate<string | null>("localStorage.getItem('doorstep.shop.cart')");
    return text === null
      ? []
      : JSON.parse(text).lines.map(({ name, quantity }: Record<string, unknown>) => [name, quantity]);
  };
  await page.waitForURL(/\/shop\/s\/[^?]*#cart$/);
  await page.getByRole('dialog').getByText(milk.title).first().waitFor();
  assert.deepEqual(await kept(), [[milk.title, 2]]);
  await page.reload();
  await page.locator('.store-main').waitFor();
  assert.deepEqual(await kept(), [[milk.title, 2]]);
  const other = await ask('/carts', { line_items: [{ ...line, quantity: 5 }] });
  await page.goto(other.continue_url);
  await page.waitForURL(/\/shop\/s\//);
  await page.locator('dialog[open], [role=dialog], [role=alertdialog]').first().waitFor();
  assert.deepEqual(await kept(), [[milk.title, 2]], 'a cart that is there is kept until the customer decides');
  assert.deepEqual(faults, []);
  await close();
});
