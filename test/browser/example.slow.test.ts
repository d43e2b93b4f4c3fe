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
import { givenDatabase, startProgram } from '../given/command.ts';
import { type App, givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { assertAccessible, assertFits } from './accessible.ts';
import { closeBrowser, givenBrowser, openPage } from './browser.ts';

let app: App;
let shop: Server;
let url: string;
let key: string;
let folder: string;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'doorstep-example-'));
  app = await givenApp({ env: { DATA_DIR: folder, SANDBOX_PACE: '15' } });
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

test('a customer of the example searches, orders and sees each step to the door; the key stays on the server', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, faults, requests, close } = await openPage(browser, url);
  const texts: Promise<string>[] = [];
  page.on('response', (response) => texts.push(response.text().catch(() => '')));
  await page.getByLabel('Store', { exact: true }).fill('diner');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('button', { name: 'Lantern & Rye Diner' }).click();
  await page.getByRole('region', { name: 'Menu' }).getByRole('button').first().click();
  await page.getByText('with fees and tax: $').waitFor();
  await assertAccessible(page, 'the quoted order');
  await assertFits(page, 'the quoted order');
  await page.getByRole('button', { name: 'Place the order' }).click();
  await page.getByText('The order is placed').waitFor();
  await until('the order is delivered', async () => {
    await app.advance({ seconds: 20 });
    return page.getByText('Delivered').isVisible();
  });
  assert.deepEqual(await page.locator('#steps li').allTextContents(), [
    'The order is placed',
    'The store has confirmed it',
    'It is ready',
    'A driver is on the way to the store',
    'The driver has it',
    'The driver is almost there',
    'Delivered',
  ]);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await assertAccessible(page, `the delivered order, ${colorScheme}`);
  }
  assert.deepEqual(faults, []);
  assert.deepEqual(
    requests.filter((one) => !one.startsWith(url) && !one.startsWith('data:')),
    [],
  );
  assert.ok((await Promise.all(texts)).every((text) => !text.includes(key)));
  await close();
});

test('each store that the shop finds has products to choose from', async () => {
  const read = async (path: string) => (await (await fetch(`${url}${path}`)).json()) as { _id: string; name: string }[];
  const stores = await read('/api/stores?query=');
  assert.ok(stores.length > 1, `${stores.length} stores`);
  for (const { _id, name } of stores) {
    const products = await read(`/api/menu?store_id=${_id}`);
    assert.ok(products.length > 0, name);
  }
});

test('the shop tells what the service refuses, in its words, and nothing of the inside', async () => {
  const post = (path: string, body: string) =>
    fetch(`${url}${path}`, { method: 'POST', body, headers: { origin: url } });
  const answers = [
    [await fetch(`${url}/api/menu?store_id=none`), 404],
    [await post('/api/orders', '{"product_id":"none"}'), 404],
    [await post('/api/orders', 'no JSON'), 400],
    [await post('/api/orders', ' '.repeat(20_000)), 400],
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

test('a page of another site quotes and places nothing', async () => {
  const { port } = new URL(url);
  const post = (path: string, headers: Record<string, string>) =>
    fetch(`${url}${path}`, { method: 'POST', body: '{"product_id":"none"}', headers });
  const foreign = ['https://evil.example', 'null', url.replace('http:', 'https:'), `http://evil.example:${port}`];
  for (const headers of [{}, ...foreign.map((origin) => ({ origin }))] as Record<string, string>[]) {
    for (const path of ['/api/orders', '/api/orders/none/place']) {
      const reply = await post(path, headers);
      assert.deepEqual([reply.status, await reply.json()], [403, { error: 'Orders come from the page of this shop.' }]);
    }
  }
  assert.equal((await post('/api/orders', { origin: `http://localhost:${port}` })).status, 404);
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
