// covers: examples/plugins/pos/*, src/app/adapters/plugin.ts
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { keepsFormatContract, keepsPrinterContract } from 'doorstep/plugin-testing';
import { loadPlugins } from '../../../src/app/wiring/load-plugins.ts';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenCommandHost } from '../../../test/given/command-host.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenOwnApp } from '../../../test/harness.ts';
import { KEY, startFakePos } from './fake-pos.ts';
import plugin from './pos.ts';

const PLUGINS = join(import.meta.dirname, 'pos.ts');
let pos: Awaited<ReturnType<typeof startFakePos>>;
let locations: string;
before(async () => {
  pos = await startFakePos();
  locations = join(mkdtempSync(join(tmpdir(), 'doorstep-pos-')), 'locations.ndjson');
  writeFileSync(locations, `${JSON.stringify({ ...pizzeria({ categories: [] }), location: '12' })}\n`);
});
after(async () => {
  rmSync(join(locations, '..'), { recursive: true });
  await pos.close();
});

test('its printer and its format keep the contracts of their ports', async (t) => {
  const log = { error: () => {}, warn: () => {}, info: () => {} };
  const clock = { now: () => Temporal.Now.instant() };
  const settings = { url: new URL(pos.url), apiKey: KEY };
  const context = { settings, clock, log, baseUrl: '', url: undefined, partyUrls: {} };
  const printer = await plugin.printers?.[0]?.open(context);
  const format = await plugin.formats?.[0]?.open(context);
  assert.ok(printer && format);
  const taken = () => [...pos.orders].length;
  await keepsPrinterContract(t, { printer, target: '12', taken, failNext: () => pos.failNext('refuses') });
  await keepsFormatContract(t, { format, files: [locations], storeIds: ['pizzeria'] });
});

test('orders are pushed once and stepped by the point of sale, whose menu and stock are pulled', async (t) => {
  const env = { PLUGINS, POS_URL: pos.url, POS_API_KEY: KEY, ORDER_CONFIRM_TIMEOUT_MINUTES: '1440' };
  const app = await givenOwnApp({ env, plugins: await loadPlugins(env) });
  const commands = givenCommandHost();
  t.after(async () => {
    await commands.close();
    await app.close();
  });
  const run = async (...args: string[]) => {
    const { status, stderr } = await commands.runCommand(args, { ...env, DATABASE_URL: app.connectionString });
    assert.equal(status, 0, stderr);
    await app.catchUp();
  };
  await run('import', locations, '--format', 'pos', '--source', 'pos');
  const { storeId } = await app.service.deps.db.selectFrom('stores').select('storeId').executeTakeFirstOrThrow();
  await run('stores', 'channels', storeId, '--printer', 'pos://12');
  const client = await app.givenClient('live');
  const place = async (quantity: number) => {
    const { Soup } = await productTokens(client, storeId);
    const items = [{ product_id: Soup, quantity }];
    const reply = await client.post('/order/order/v2', orderBody(Soup, null, { items, charge_user: false }));
    assert.equal(reply.status, 200, reply.text);
    await app.advance({ seconds: 1 });
    return reply.body.order_id as string;
  };
  const { key } = await givenStoreKey(app, storeId);
  const service = await app.service.http.listen({ host: '127.0.0.1', port: 0 });
  const step = (...given: [id: string, step: string, body?: object]) => pos.step(service, key, ...given);

  pos.failNext('refuses');
  pos.failNext('loses its answer');
  const before = pos.pushes();
  const orderId = await place(2);
  for (const seconds of [5, 10]) await app.advance({ seconds });
  assert.equal(pos.pushes() - before, 3);
  const line = { sku: 'soup', name: 'Soup', quantity: 2, options: [] };
  assert.deepEqual([pos.orders.get(orderId)?.lines, pos.orders.get(orderId)?.is_canceled], [[line], false]);

  assert.equal(await step(orderId, 'confirm', { preparation_minutes: 15 }), 200);
  const driver = { name: 'Bo', phone: 12125550142, vehicle_type: 'bike' };
  assert.equal(await step(orderId, 'assign_driver', driver), 200);
  for (const name of ['ready', 'pick_up', 'complete']) assert.equal(await step(orderId, name), 200, name);
  const { body } = await client.get('/account/orders', { order_id: orderId });
  assert.equal(body.orders[0].status, 'completed');

  const canceled = await place(1);
  await client.post('/order/cancel', { order_id: canceled });
  await app.advance({ seconds: 5 });
  assert.equal(pos.orders.get(canceled)?.is_canceled, true);

  const stockOf = async () => (await givenStoreKey(app, storeId)).get('/store/products', { query: 'soup' });
  assert.equal((await stockOf()).body.products[0].qty_available, 1);
  for (const dish of pos.menu.groups[0]?.dishes ?? []) dish.left = 7;
  await run('import', locations, '--format', 'pos', '--source', 'pos');
  assert.equal((await stockOf()).body.products[0].qty_available, 7);
});
