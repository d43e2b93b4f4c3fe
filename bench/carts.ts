import { sql } from 'kysely';
import { wordsOf } from '../src/lib/text/normalise-text.ts';
import { wordPatterns } from '../src/stores/search/item-words.ts';
import { print } from './compare.ts';
import { type BenchService, givenBench } from './setup.ts';
import { CARTS, CITY, importShops, SHOP_PRODUCTS, SHOPS } from './shops.ts';

/**
 * Cart search of eight lines over HTTP, with and without splits, beside the same question as bare SQL through the same
 * driver: the cheapest product of each line in each store, summed by store, cheapest first.
 * `node bench/carts.ts [rounds]`
 */
const ROUNDS = Number(process.argv[2] ?? 12);
const LIMIT_MS = 60;
const POSITIONS = 4;

const service = await givenBench(importShops);
print(`${SHOPS} stores with ${SHOP_PRODUCTS} products each, carts of 8 lines`);
const storeIds = (await service.db.selectFrom('stores').select('storeId').execute()).map((row) => row.storeId);
await ask(service, 0, 0, true);

const took: Record<'plain' | 'split' | 'bare', number[]> = { plain: [], split: [], bare: [] };
/** Processor time of the service: it varies less than the duration where the machine has other work. */
const used: typeof took = { plain: [], split: [], bare: [] };
let shown = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  for (const at of CARTS.keys()) {
    await time('plain', async () => {
      shown += await ask(service, at, round, false);
    });
    await time('split', () => ask(service, at, round, true));
    await time('bare', () => bareSql(at));
  }
}
const bare = percentile(took.bare, 50);
for (const [what, times] of Object.entries(took)) {
  const [p10, p50, p95] = [10, 50, 95].map((percent) => percentile(times, percent)) as [number, number, number];
  const cpu = percentile(used[what as keyof typeof used], 50).toFixed(1);
  const ratio = (p50 / bare).toFixed(3);
  print(
    `${what.padEnd(5)} p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, fastest tenth ${p10.toFixed(1)} ms, ${ratio} of bare SQL, ${cpu} ms of our processor`,
  );
}
print(`${(shown / took.plain.length).toFixed(1)} carts an answer`);
await service.close();
if (percentile(took.plain, 50) > LIMIT_MS || percentile(took.split, 50) > LIMIT_MS) process.exitCode = 1;

async function time(what: keyof typeof took, work: () => Promise<unknown>): Promise<void> {
  const cpuMs = await service.cpuMs();
  const startMs = performance.now();
  await work();
  took[what].push(performance.now() - startMs);
  used[what].push((await service.cpuMs()) - cpuMs);
}

/** Number of carts in the answer. */
async function ask({ url, key }: BenchService, at: number, position: number, split: boolean): Promise<number> {
  const query = new URLSearchParams({
    query: JSON.stringify(CARTS[at]),
    user_latitude: String(CITY.latitude + (position % POSITIONS) * 0.001),
    user_longitude: String(CITY.longitude),
    split_cart: String(split),
  });
  const reply = await fetch(`${url}/search/cart?${query}`, { headers: { 'id-token': key } });
  if (reply.status !== 200) throw new Error(`${reply.status} ${await reply.text()}`);
  return ((await reply.json()) as { carts: unknown[] }).carts.length;
}

async function bareSql(at: number): Promise<void> {
  const lines = Object.entries(CARTS[at] as Record<string, number>).map(([query, quantity]) => {
    const [first = '%', second = '%'] = wordPatterns(wordsOf(query), false);
    return { first, second, quantity };
  });
  await sql`
    select store_id, sum(cents) as subtotal from (
      select distinct on (p.store_id, l.line) p.store_id, (p.price + p.min_extra) * l.quantity as cents
      from unnest(${lines.map((line) => line.first)}::text[], ${lines.map((line) => line.second)}::text[],
        ${lines.map((line) => line.quantity)}::integer[]) with ordinality as l (first, second, quantity, line)
      join products as p on p.search_words like l.first and p.search_words like l.second
      where p.store_id = any(${storeIds}::text[]) and not p.removed and p.available and p.in_delivery
        and (p.qty_available is null or p.qty_available >= l.quantity)
      order by p.store_id, l.line, p.price + p.min_extra
    ) as best
    group by store_id having count(*) = ${lines.length} order by subtotal limit 20`.execute(service.db);
}

function percentile(times: readonly number[], percent: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((percent / 100) * sorted.length))] as number;
}
