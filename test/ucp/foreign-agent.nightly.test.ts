// covers: src/surfaces/ucp/profile*, test/ucp/package/*
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { installApart } from '../apart-packages.ts';
import { HAS_CONTRACTS, shapeOf } from './contract.ts';
import { givenGroceries, givenHost, givenShopApp, SHOPPING, type ShopApp } from './given-shop.ts';

/* Judges that are not ours: a client of others shops here, and a validator of others reads what it is answered. */

const JUDGES = installApart(join(import.meta.dirname, './package'));
const CLIENT = join(JUDGES, 'node_modules/@shopify/ucp-cli/dist/bin.js');
const home = mkdtempSync(join(tmpdir(), 'doorstep-ucp-'));
const NAMES = ['Salted Butter', 'Garlic Bulb', 'Spaghetti'];
let app: ShopApp;
let business = '';
let storeId = '';

before(async () => {
  app = await givenShopApp(SHOPPING);
  const products = NAMES.map((name, nth) => ({ id: `p${nth}`, name, price: 100 + nth }));
  const categories = [{ id: 'all', name: 'All', products }];
  [storeId = ''] = await givenGroceries(app, [{ external_id: 'one', name: 'Market', categories }]);
  await givenHost(app, 'localhost');
  await app.setShop({ mode: 'sandbox', storeIds: [storeId], ucp: 'sandbox' });
  business = `http://localhost:${process.env.PORT ?? new URL(app.service.deps.config.baseUrl).port}`;
  const made = await run(
    'profile',
    'init',
    '--name',
    'judge',
    '--profile-url',
    `${app.platform.publish('/judge', '')}`,
  );
  assert.equal(made.status, 0, made.text);
  app.platform.publish('/judge', readFileSync(join(home, '.ucp/profiles/judge/profile.json'), 'utf8'));
});
after(async () => {
  await app.close();
  rmSync(home, { recursive: true, force: true });
});

/** Runs the client; its response is JSON. */
async function run(...args: string[]) {
  const env = { PATH: process.env.PATH, HOME: home, UCP_TEST_ALLOW_INSECURE_LOCALHOST: 'true' };
  const child = spawn(process.execPath, [CLIENT, ...args, '--format', 'json'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const parts: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => parts.push(String(part)));
  const status = await new Promise<number | null>((done) => child.on('close', done));
  return { status, text: parts.join('') };
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects of an answer
async function ask(...args: string[]): Promise<any> {
  const { status, text } = await run(...args, '--business', business, '--profile', 'judge');
  assert.equal(status, 0, text);
  return JSON.parse(text).result;
}

test('a client of others discovers the shop, searches, fills a cart, checks out and is handed over', async () => {
  const { profile } = await ask('discover');
  assert.ok('dev.ucp.shopping.checkout' in profile.ucp.capabilities);
  const { products } = await ask('catalog', 'search', '--set', '/query=salted butter');
  const [{ id }] = products;
  const input = JSON.stringify({ line_items: [{ item: { id }, quantity: 2 }] });
  const cart = await ask('cart', 'create', '--input', input);
  assert.equal(cart.totals.at(-1).amount, 200);
  const made = await ask('checkout', 'create', '--input', JSON.stringify({ cart_id: cart.id, line_items: [] }));
  assert.equal(made.status, 'incomplete');
  const pickup = { fulfillment: { methods: [{ type: 'pickup' }] } };
  const checkout = await ask(
    'checkout',
    'update',
    made.id,
    '--input',
    JSON.stringify({ ...JSON.parse(input), ...pickup }),
  );
  assert.equal(checkout.status, 'requires_escalation', JSON.stringify(checkout));
  const { pathname, search } = new URL(checkout.continue_url);
  assert.equal((await app.open(pathname + search, 'localhost')).status, 200);
});

test('an independent validator accepts every response', { skip: !HAS_CONTRACTS }, async () => {
  const load = (name: string) => import(pathToFileURL(join(JUDGES, 'node_modules', name)).href);
  const { Ajv2020 } = await load('ajv/dist/2020.js');
  const { default: formats } = await load('ajv-formats/dist/index.js');
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (formats.default ?? formats)(ajv);
  const check = (name: string, answer: unknown) => {
    assert.ok(ajv.validate(shapeOf(name, 'response'), answer), `${name} ${JSON.stringify(ajv.errors)}`);
  };
  const { body: found } = await app.ask('/catalog/search', { query: 'garlic' }, { host: 'localhost' });
  check('shopping/catalog_search.json#/$defs/search_response', found);
  const line_items = [{ item: { id: found.products[0].variants[0].id }, quantity: 3 }];
  const { body: cart } = await app.ask('/carts', { line_items }, { host: 'localhost' });
  check('shopping/cart.json', cart);
  const pickup = { fulfillment: { methods: [{ type: 'pickup' }] } };
  const made = await app.ask('/checkout-sessions', { line_items, ...pickup }, { host: 'localhost' });
  check('shopping/fulfillment.json#/$defs/dev.ucp.shopping.checkout', made.body);
  assert.equal(ajv.validate(shapeOf('shopping/cart.json', 'response'), { ...cart, totals: [] }), false);
});
