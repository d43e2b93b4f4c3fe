import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import type { Db } from '../src/platform/db/connect.ts';
import { writeFeed } from './continent/feed-file.ts';
import type { Imported } from './continent/given-continent.ts';
import { MARKET, MARKET_FILE, writeLines, writeMarket } from './market-feed.ts';
import { createReport } from './report.ts';
import { givenDatabase, startBenchService, startChild } from './setup.ts';

/**
 * How fast stores and products are imported, for the first time and again unchanged, and in how much memory, at one and
 * four times the size. Each import is a process of its own, as the command is. `--serving` imports beside a node that
 * follows the changes.
 *
 *   npm run bench -- import [--quick] [--only stores|products|market] [--stores N] [--products N] [--serving]
 *
 * The rate is by the clock; beside it stand the processor time of the import and of PostgreSQL, which other work of the
 * machine changes little, and the bytes that PostgreSQL logs. DATABASE_URL names another PostgreSQL of this machine than the
 * embedded one.
 */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    stores: { type: 'string' },
    products: { type: 'string' },
    serving: { type: 'boolean', default: false },
  },
});
const STORES_PER_S = 15_000;
const PRODUCTS_PER_S = 10_000;
const MENU_PRODUCTS = 70;
const CHANGED = 10;
const CLOCK_TICKS_PER_S = 100;
const ENDING_MS = 500;

/**
 * `write` creates the feed's files in a folder and returns their names; `changed` of its products get another price.
 */
type Feed = {
  unit: 'stores' | 'products';
  count: number;
  minPerSecond: number;
  files: readonly string[];
  write(folder: string, changed: number): Promise<unknown>;
  canChange?: boolean;
};

const stores = Number(values.stores ?? (values.quick ? 10_000 : 100_000));
const products = Number(values.products ?? (values.quick ? 30_000 : 300_000));
const FEEDS: Readonly<Record<string, Feed[]>> = {
  stores: [
    {
      unit: 'stores',
      count: stores,
      minPerSecond: STORES_PER_S,
      files: ['continent.ndjson'],
      write: (folder) => writeFeed(join(folder, 'continent.ndjson'), stores, 0),
    },
  ],
  products: sizesOf(products).map((count) => ({
    unit: 'products',
    count,
    minPerSecond: PRODUCTS_PER_S,
    files: ['menus.ndjson', 'grocery.ndjson'],
    write: (folder) => writeProducts(folder, count),
  })),
  market: sizesOf(MARKET.products).map((count) => ({
    unit: 'products',
    count,
    minPerSecond: PRODUCTS_PER_S,
    files: [MARKET_FILE],
    write: (folder, changed) => writeMarket(folder, { ...MARKET, products: count }, changed),
    canChange: true,
  })),
};

const report = createReport('import');
for (const [name, feeds] of Object.entries(FEEDS)) {
  if (values.only !== undefined && values.only !== name) continue;
  for (const feed of feeds) await measureFeed(name, feed);
}
if (!report.finish({ stores, products })) process.exitCode = 1;

function sizesOf(count: number): number[] {
  return values.quick ? [count] : [count, 4 * count];
}

async function measureFeed(name: string, feed: Feed): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-import-'));
  const database = await givenDatabase();
  const service = values.serving ? await startBenchService(database) : null;
  for (const [what, changed] of [['new', 0] as const, ['unchanged', 0] as const, ['changed', CHANGED] as const]) {
    if (changed > 0 && !feed.canChange) continue;
    await feed.write(folder, changed);
    const before = await databaseUse(database.db);
    const servedMs = (await service?.cpuMs()) ?? 0;
    const files = feed.files.map((file) => join(folder, file));
    const child = await startChild<Imported>('continent/import-child.ts', [
      database.connectionString,
      database.schema,
      ...files,
    ]);
    const { result, cpuS, peakMb } = child;
    await child.close();
    // Waits until the processes of the import's connections have ended.
    await delay(ENDING_MS);
    const after = await databaseUse(database.db);
    if (result.rejected > 0) throw new Error(JSON.stringify(result).slice(0, 500));
    const each = (seconds: number) => `${((seconds / feed.count) * 1e6).toFixed(0)} µs`;
    const postgres = `${each(after.cpuS - before.cpuS)} of PostgreSQL`;
    const served = service === null ? '' : `${each(((await service.cpuMs()) - servedMs) / 1000)} of the node's, `;
    const logged = `${Math.round((after.walBytes - before.walBytes) / feed.count)} bytes logged`;
    report.add({
      what: `${name}, ${feed.count.toLocaleString('en-US')} ${what === 'changed' ? `with ${CHANGED} changed` : what}`,
      value: feed.count / result.seconds,
      unit: `${feed.unit}/s`,
      limit: what === 'new' ? { min: feed.minPerSecond } : null,
      details: `each: ${each(cpuS)} of its own processor, ${postgres}, ${served}${logged}; peak ${Math.round(peakMb)} MB`,
    });
  }
  await service?.close();
  await database.close();
  rmSync(folder, { recursive: true });
}

/** Total processor time of all PostgreSQL processes, including ended ones, and bytes of its write-ahead log. */
async function databaseUse(sqlDb: Db): Promise<{ cpuS: number; walBytes: number }> {
  const { rows } = await sql<{ pid: number; walBytes: string }>`
    select pg_backend_pid() as pid, (pg_current_wal_lsn() - '0/0'::pg_lsn)::text as wal_bytes`.execute(sqlDb);
  const [{ pid, walBytes } = { pid: 0, walBytes: '0' }] = rows;
  const postmaster = statOf(String(pid)).parent;
  const { ticks, ended } = statOf(postmaster);
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isChildOf(name, postmaster));
  const running = children.reduce((sum, child) => sum + statOf(child).ticks, 0);
  return { cpuS: (ticks + ended + running) / CLOCK_TICKS_PER_S, walBytes: Number(walBytes) };
}

function isChildOf(pid: string, parent: string): boolean {
  try {
    return statOf(pid).parent === parent;
  } catch {
    return false;
  }
}

/** A process's parent, its own ticks, and the ticks of its ended children. */
function statOf(pid: string): { parent: string; ticks: number; ended: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticksAt = (at: number) => Number(fields[at]);
  return { parent: fields[1] ?? '', ticks: ticksAt(11) + ticksAt(12), ended: ticksAt(13) + ticksAt(14) };
}

/**
 * Half of the products are in menus of 70 with modifiers, the other half in one grocery store with a categories file.
 */
async function writeProducts(into: string, products: number): Promise<void> {
  await writeLines(join(into, 'menus.ndjson'), menus(Math.floor(products / 2)));
  await writeLines(join(into, 'grocery.ndjson'), [
    { ...place('grocery', 'grocery'), categories_file: 'products.ndjson' },
  ]);
  await writeLines(join(into, 'products.ndjson'), groceryProducts(products - Math.floor(products / 2)));
}

function place(id: string, type: 'restaurant' | 'grocery'): object {
  const address = { street_addr: '120 5th Ave', city: 'New York', state: 'NY', zipcode: '10011', country: 'US' };
  const hours = { operational: 'Mo-Su 08:00-22:00' };
  const offers = { pickup: { enabled: true }, delivery: { enabled: true, radius_miles: 3 } };
  return {
    external_id: id,
    name: `Store ${id}`,
    type,
    address,
    latitude: 40.7383,
    longitude: -73.9927,
    hours,
    ...offers,
  };
}

function* menus(products: number): Generator<object> {
  for (let from = 0; from < products; from += MENU_PRODUCTS) {
    const ids = Array.from({ length: Math.min(MENU_PRODUCTS, products - from) }, (_, n) => from + n);
    const sections = Array.from({ length: 7 }, (_, n) => ({
      id: `section-${n}`,
      name: `Section ${n}`,
      products: ids.filter((id) => id % 7 === n).map((id) => ({ ...product(id), customizations: choices() })),
    }));
    yield { ...place(`menu-${from}`, 'restaurant'), categories: sections };
  }
}

function* groceryProducts(products: number): Generator<object> {
  for (let id = 0; id < products; id += 1) {
    yield { ...product(id), path: [`Aisle ${id % 20}`, `Shelf ${id % 1000}`], upc_code: String(100_000_000_000 + id) };
  }
}

function product(id: number): object {
  return {
    id: `product-${id}`,
    name: `Product number ${id} of its kind`,
    description: 'A description of the usual length, with what is in it and how it is made.',
    price: 100 + (id % 5000),
    image: `https://cdn.example/products/${id}.jpg`,
  };
}

function choices(): object[] {
  const options = ['Small', 'Medium', 'Large', 'Family'].map((name, n) => ({ id: name, name, price: n * 150 }));
  return [{ id: 'size', name: 'Size', min_choice_options: 1, max_choice_options: 1, options }];
}
