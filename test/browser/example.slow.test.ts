import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createClient } from '../../clients/typescript/src/main.ts';
import { createShop } from '../../examples/ordering-web/shop.ts';
import { prepareDemo } from '../../src/app/cli/prepare-demo.ts';
import { freePort, givenDatabase, startProgram } from '../given/command.ts';
import { type App, givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { assertAccessible, assertFits } from './accessible.ts';
import { closeBrowser, givenBrowser, openPage, payOnCheckout } from './browser.ts';

let app: App;
let shop: Server;
let url: string;
let key: string;
let folder: string;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'doorstep-example-'));
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  app = await givenApp({ env: { DATA_DIR: folder, SANDBOX_PACE: '15', PORT: port, BASE_URL: baseUrl } });
  key = (await prepareDemo(app.service, app.config)).key;
  shop = createShop(createClient({ baseUrl: await app.service.listen(), key }));
  await new Promise<void>((done) => shop.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
});
after(async () => {
  await closeBrowser();
  shop.closeAllConnections();
  shop.close();
  await app.close();
  rmSync(folder, { recursive: true });
});

test('a customer of the example chooses a dish, checks out, and sees each step to the door; the key stays on the server', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, faults, requests, close } = await openPage(browser, url);
  const texts: Promise<string>[] = [];
  page.on('response', (response) => response.url().startsWith(url) && texts.push(response.text().catch(() => '')));
  await page.getByLabel('Store', { exact: true }).fill('diner');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('button', { name: 'Lantern & Rye Diner' }).click();
  await page.getByRole('region', { name: 'Menu' }).getByRole('button', { name: 'Two-egg plate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Two-egg plate' });
  await dialog.getByLabel('Scrambled').check();
  await assertAccessible(page, 'an item with its choices');
  await dialog.getByLabel('Quantity').fill('2');
  await dialog.getByRole('button', { name: 'Add to cart' }).click();
  const cart = page.getByRole('region', { name: 'Cart' });
  await cart.getByText('2 × Two-egg plate, Scrambled').waitFor();
  await cart.getByText('Total').waitFor();
  await assertAccessible(page, 'the cart');
  await assertFits(page, 'the cart');
  await cart.getByRole('link', { name: 'Check out' }).click();
  await payOnCheckout(page);
  await page.getByText('Order placed').waitFor();
  assert.equal(await cart.isVisible(), false);
  await until('the order is delivered', async () => {
    await app.advance({ seconds: 20 });
    return page.locator('#steps').getByText('Delivered').isVisible();
  });
  assert.deepEqual(await page.locator('#steps li').allTextContents(), [
    'Order placed',
    'The store confirmed it',
    'It’s ready',
    'A driver is heading to the store',
    'Your driver has it',
    'Your driver is almost there',
    'Delivered',
  ]);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await assertAccessible(page, `the delivered order, ${colorScheme}`);
  }
  assert.deepEqual(faults, []);
  const service = app.config.baseUrl;
  assert.deepEqual(
    requests.filter((one) => ![url, service, 'data:'].some((origin) => one.startsWith(origin))),
    [],
  );
  assert.ok((await Promise.all(texts)).every((text) => !text.includes(key)));
  await close();
});

test('each store that the shop finds has products to choose from', async () => {
  const read = async <Answer>(path: string) => (await (await fetch(`${url}${path}`)).json()) as Answer;
  const stores = await read<{ _id: string; name: string }[]>('/api/stores?query=');
  assert.ok(stores.length > 1, `${stores.length} stores`);
  for (const { _id, name } of stores) {
    const categories = await read<{ items: unknown[] }[]>(`/api/menu?store_id=${_id}`);
    assert.ok(categories.flatMap(({ items }) => items).length > 0, name);
  }
});

test('the shop tells what the service refuses, in its words, and nothing of the inside', async () => {
  const post = (path: string, body: string) =>
    fetch(`${url}${path}`, { method: 'POST', body, headers: { origin: url } });
  const answers = [
    [await fetch(`${url}/api/menu?store_id=none`), 404],
    [await fetch(`${url}/api/item?product_id=none`), 404],
    [await post('/api/cart', '{"items":[{"product_id":"none","quantity":1}]}'), 404],
    [await post('/api/cart', '{"order_id":"none","items":[{"product_id":"none","quantity":1}]}'), 404],
    [await post('/api/cart', '{}'), 400],
    [await post('/api/cart', 'null'), 400],
    [await post('/api/cart', 'no JSON'), 400],
    [await post('/api/cart', ' '.repeat(20_000)), 400],
    [await post('/api/orders/none/place', '{}'), 404],
    [await fetch(`${url}/shop.ts`), 404],
    [await fetch(`${url}/..%2Fshop.ts`), 404],
  ] as const;
  for (const [response, status] of answers) {
    assert.equal(response.status, status, response.url);
    assert.deepEqual(Object.keys((await response.json()) as object), ['error']);
  }
  const steps = await (await fetch(`${url}/api/orders/none/steps`)).text();
  assert.match(steps, /^event: end\ndata: \{"error":"[^"]+"\}\n\n$/);
});

test('a page of another site fills no cart', async () => {
  const { port } = new URL(url);
  const post = (path: string, headers: Record<string, string>) =>
    fetch(`${url}${path}`, { method: 'POST', body: '{"items":[{"product_id":"none","quantity":1}]}', headers });
  const foreign = ['https://evil.example', 'null', url.replace('http:', 'https:'), `http://evil.example:${port}`];
  for (const headers of [{}, ...foreign.map((origin) => ({ origin }))] as Record<string, string>[]) {
    const reply = await post('/api/cart', headers);
    assert.deepEqual([reply.status, await reply.json()], [403, { error: 'Orders come from the page of this shop.' }]);
  }
  assert.equal((await post('/api/cart', { origin: `http://localhost:${port}` })).status, 404);
});

test('one command starts a demo and the shop, and one signal ends both', async (t) => {
  const { env, drop } = await givenDatabase();
  t.after(drop);
  const start = join(import.meta.dirname, '../../examples/ordering-web/start.ts');
  const { child, printed, finished } = startProgram(process.execPath, [start], { ...env, EXAMPLE_PORT: '0' });
  const [, address = ''] = await printed(/open on (http:\S+)/);
  const stores = (await (await fetch(`${address}/api/stores?query=diner`)).json()) as { name: string }[];
  assert.equal(stores[0]?.name, 'Lantern & Rye Diner');
  child.kill('SIGTERM');
  const { status, stderr } = await finished;
  assert.deepEqual([status, stderr], [0, '']);
});
