import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { holdTimeOuts } from '../time-outs.ts';
import { until } from '../until.ts';
import { type FoodApp, givenFoodApp, givenFoodFixture } from './given-food.ts';
import { profileOf, requestTo, send } from './platform.ts';

/** A platform with its key beside strangers at the same address. */

const LIMIT = 120;
const FROM = { 'x-forwarded-for': '203.0.113.9' };
let app: FoodApp;
let checkout: object;
before(async () => {
  app = await givenFoodApp({ RATE_LIMIT_PER_MINUTE: String(LIMIT), TRUST_PROXY: '127.0.0.1' });
  const { locationId, dishes } = await givenFoodFixture(app);
  checkout = { food_establishment: { id: locationId }, line_items: [{ quantity: 2, dish: { id: dishes.plain.id } }] };
});
after(() => app.close());

const statusOf = async (sent: Parameters<typeof send>[0]) => (await send(sent)).status;
const search = (profile: string, more: Record<string, string> = {}) =>
  requestTo(`${app.url}/ucp/locations/search`, {}, profile, { ...FROM, ...more });
const order = (profile: string) =>
  requestTo(`${app.url}/ucp/draft/checkouts`, checkout, profile, { ...FROM, 'x-api-key': app.key });

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
  const { profile } = await app.bind('beside');
  assert.equal(await statusOf(order(profile)), 201);
  app.platform.publish('/silent', profileOf());
  for (const response of waiting) response.end('{}');
  await Promise.all(flood);
});

test('a bound platform with its key orders while strangers at its address are beyond their rate limit', async () => {
  const { profile } = await app.bind('beyond');
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
