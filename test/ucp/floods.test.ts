import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { sealProduct } from '../../src/supply/catalog/catalog-tokens.ts';
import { bindPlatform } from '../../src/surfaces/ucp/platforms.db.ts';
import { pizzeria } from '../feed-lines.ts';
import { givenStores } from '../given/stores.ts';
import { holdTimeOuts } from '../time-outs.ts';
import { until } from '../until.ts';
import { givenShopApp, SHOPPING, type ShopApp } from './given-shop.ts';
import { profileOf, requestTo, SEARCH, send } from './platform.ts';

/** A platform with its key alongside unauthenticated clients at the same address. */

const LIMIT = 120;
const FROM = { 'x-forwarded-for': '203.0.113.9' };
let app: ShopApp;
let checkout: object;
before(async () => {
  const limits = { RATE_LIMIT_PER_MINUTE: String(LIMIT), VISITOR_REQUESTS_PER_HOUR: '1000000' };
  app = await givenShopApp(SHOPPING, { ...limits, TRUST_PROXY: '127.0.0.1' });
  const products = [{ id: 'pie', name: 'Plain Pie', price: 900 }];
  const [storeId = ''] = await givenStores(app, [pizzeria({ categories: [{ id: 'all', name: 'All', products }] })]);
  await app.setShop({ mode: 'sandbox', storeIds: [storeId], ucp: 'sandbox', isDefault: true });
  const { db, tokens } = app.service.deps;
  const { productNo } = await db.selectFrom('products').select('productNo').executeTakeFirstOrThrow();
  checkout = { line_items: [{ quantity: 2, item: { id: sealProduct(tokens, { storeId, productNo }) } }] };
});
after(() => app.close());

/** A platform that is bound to the shop's account. */
async function givenBound(name: string): Promise<string> {
  const profileUrl = app.platform.publish(`/${name}`, profileOf([], [SEARCH, ...SHOPPING]));
  const bound = { profileUrl, accountId: app.accountId, mode: 'sandbox', orders: 'place' } as const;
  await bindPlatform(app.service.deps.db, bound, app.now());
  return profileUrl;
}

const statusOf = async (sent: Parameters<typeof send>[0]) => (await send(sent)).status;
const search = (profile: string, more: Record<string, string> = {}) =>
  requestTo(`${app.service.deps.config.baseUrl}/ucp/locations/search`, {}, profile, { ...FROM, ...more });
const order = (profile: string) =>
  requestTo(`${app.service.deps.config.baseUrl}/ucp/checkout-sessions`, checkout, profile, {
    ...FROM,
    'x-api-key': app.key,
  });

test('a bound platform with its key orders while strangers at its address wait for silent profiles', async (t) => {
  holdTimeOuts(t);
  const waiting: ServerResponse[] = [];
  const silent = app.platform.publish('/silent', (response) => void waiting.push(response));
  let refused = 0;
  const flood = Array.from({ length: 80 }, async (_, nth) => {
    if ((await statusOf(search(`${silent}?${nth}`))) === 429) refused += 1;
  });
  // 16 are read, and 50 wait.
  await until('strangers wait', () => waiting.length >= 16 && refused >= 80 - 66);
  assert.equal(await statusOf(search(app.platform.publish('/quick', profileOf()))), 429, 'strangers are refused');
  const profile = await givenBound('beside');
  assert.equal(await statusOf(order(profile)), 201);
  app.platform.publish('/silent', profileOf());
  for (const response of waiting) response.end('{}');
  await Promise.all(flood);
});

test('a bound platform with its key orders while strangers at its address are beyond their rate limit', async () => {
  const profile = await givenBound('beyond');
  const strangers = await Promise.all(Array.from({ length: LIMIT + 1 }, () => statusOf(search(profile))));
  assert.ok(strangers.includes(429));
  assert.equal(await statusOf(order(profile)), 201);
  assert.equal(await statusOf(search(profile, { 'x-api-key': app.key })), 200);
  assert.equal(await statusOf(search(profile, { 'x-api-key': 'ds_test_none' })), 429, 'a key that is not valid');
  const narrow = { 'signature-input': 'sig1=("@authority");keyid="x"', signature: 'sig1=:AAAA:' };
  assert.equal(await statusOf(search(profile, narrow)), 429, 'a signature that covers too little');
  const { key } = await app.givenClient();
  const keyed = Array.from({ length: LIMIT + 1 }, () => statusOf(search(profile, { 'x-api-key': key })));
  assert.ok((await Promise.all(keyed)).includes(429), 'a key has its own limit');
  assert.equal(await statusOf(order(profile)), 201);
});
