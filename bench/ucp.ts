import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { demoCatalog } from '../demo/catalog.ts';
import { createAccount, issueKey } from '../src/access/accounts/issue-key.flow.ts';
import { setShop } from '../src/access/accounts/set-shop.flow.ts';
import { systemClock } from '../src/platform/lib/clock.ts';
import { importFiles } from '../src/supply/imports/import-files.flow.ts';
import { givenPlatform, profileOf } from '../test/ucp/platform.ts';
import { createReport } from './report.ts';
import { givenBench, untilIdle } from './setup.ts';

/**
 * An agent that shops at the demo by the Universal Commerce Protocol: what 95 of 100 searches, carts and checkouts take
 * at most, and a recipe of five lines. `npm run bench -- ucp [--quick]`
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const RUNS = values.quick ? 20 : 300;
const WARM = values.quick ? 5 : 30;
const RECIPE = ['spaghetti', 'salted butter', 'garlic', 'parmesan', 'black pepper'];
const NAMES = ['catalog.search', 'cart', 'checkout', 'fulfillment'].map((name) => `dev.ucp.shopping.${name}`);
const BOUNDS = Object.fromEntries(
  ['VISITOR_REQUESTS_PER_HOUR', 'VISITOR_LOOKUPS_PER_HOUR', 'VISITOR_CARTS_PER_HOUR'].map((name) => [name, '10000000']),
);

const report = createReport('ucp');
const service = await givenBench(
  async (db) => {
    const lines = demoCatalog().map((store) => `${JSON.stringify(store)}\n`);
    await importFiles({ db, clock: systemClock }, { files: ['-'], source: 'demo', stdin: Readable.from(lines) });
    const now = systemClock.now();
    const { accountId } = await createAccount(db, 'Shop', now);
    await issueKey(db, accountId, 'sandbox', now);
    const shop = { mode: 'sandbox', ucp: 'sandbox', isDefault: true } as const;
    await db.transaction().execute((tx) => setShop(tx, accountId, shop, now));
  },
  { UCP: 'released', WEBHOOK_ALLOW_PRIVATE: 'true', ...BOUNDS },
);
const platform = await givenPlatform();
const location = ['search', 'lookup'].map((name) => `dev.ucp.common.location.${name}`);
const agent = `profile="${platform.publish('/agent', profileOf([], [...location, ...NAMES]))}"`;

// biome-ignore lint/suspicious/noExplicitAny: a bench reads what it needs of an answer
async function ask(path: string, body: object, method = 'POST'): Promise<any> {
  const answer = await fetch(`${service.url}/ucp${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'ucp-agent': agent },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  assert.ok(answer.ok, text);
  return JSON.parse(text);
}

/** What 95 of 100 runs take at most, in milliseconds, after some that do not count. */
async function p95(run: (nth: number) => Promise<unknown>, count = RUNS): Promise<number> {
  const took: number[] = [];
  for (let nth = -WARM; nth < count; nth += 1) {
    const startedMs = performance.now();
    await run(nth);
    if (nth >= 0) took.push(performance.now() - startedMs);
  }
  return took.toSorted((a, b) => a - b)[Math.ceil(count * 0.95) - 1] ?? 0;
}

const [largest] = await service.db
  .selectFrom('products')
  .select('storeId')
  .select(({ fn }) => fn.countAll().as('products'))
  .groupBy('storeId')
  .orderBy('products', 'desc')
  .limit(1)
  .execute();
const context = { location: largest?.storeId ?? '' };
const search = (query: string) => ask('/catalog/search', { query, context });
const linesOf = async () => {
  const found = await Promise.all(RECIPE.map(search));
  return found.flatMap(({ products: [product] }) =>
    product ? [{ item: { id: product.variants[0].id }, quantity: 1 }] : [],
  );
};
await untilIdle(service);
const line_items = await linesOf();
assert.ok(line_items.length >= 3, `the demo sells ${line_items.length} of the recipe`);
const bare = () => fetch(`${service.url}/healthz`).then((answer) => answer.text());
const peer = { name: 'the shortest answer', value: await p95(bare) };
const at = (what: string, value: number, max: number) => report.add({ what, value, unit: 'ms', peer, limit: { max } });

at('search of one product, 95 of 100', await p95((nth) => search(RECIPE[Math.abs(nth) % RECIPE.length] ?? '')), 150);
at('a cart of the recipe, 95 of 100', await p95(() => ask('/carts', { context, line_items })), 100);
const buyer = { first_name: 'Dana', email: 'dana@example.com', phone_number: '+12125550142' };
const methods = [{ type: 'pickup' }];
const { id } = await ask('/checkout-sessions', { context, line_items, buyer, fulfillment: { methods } });
const update = (nth: number) => {
  const lines = line_items.map((line) => ({ ...line, quantity: 1 + (Math.abs(nth) % 3) }));
  return ask(`/checkout-sessions/${id}`, { line_items: lines, buyer, fulfillment: { methods } }, 'PUT');
};
at('a change of a checkout, 95 of 100', await p95(update), 400);
const recipe = async () => {
  await ask('/locations/search', { query: 'market' });
  await ask('/carts', { context, line_items: await linesOf() });
};
at('a recipe of five lines to a cart, in seven calls', await p95(recipe, Math.ceil(RUNS / 10)), 2000);
await platform.close();
await service.close();
report.finish();
