import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { openDb, openPool } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { openDatabase } from '../src/db/open-database.ts';
import { importFiles } from '../src/imports/import-files.flow.ts';
import { systemClock } from '../src/lib/clock.ts';
import { createLog } from '../src/lib/log.ts';

/**
 * Products per second of an import, and its peak memory at one and four times the size: half of the products are
 * menus of 70 with choices, the other half one grocery in a categories file.
 *
 *   node bench/import.ts [PRODUCTS]
 */
const DEFAULT_PRODUCTS = 300_000;
const MENU_PRODUCTS = 70;
const SCHEMA = 'bench_import';

const [mode, folder] = process.argv.slice(2);
if (mode === '--child' && folder) await measure(folder);
else await compare(Number(mode ?? DEFAULT_PRODUCTS));

async function compare(products: number): Promise<void> {
  for (const size of [products, products * 4]) {
    const made = mkdtempSync(join(tmpdir(), 'doorstep-bench-'));
    await writeFeed(made, size);
    const child = spawnSync(process.execPath, [import.meta.filename, '--child', made], { encoding: 'utf8' });
    rmSync(made, { recursive: true });
    if (child.status !== 0) throw new Error(child.stderr);
    const report = JSON.parse(child.stdout) as Measured;
    for (const [name, { seconds, peakMb }] of Object.entries(report)) {
      const rate = Math.round(size / seconds).toLocaleString('en-US');
      process.stdout.write(
        `${size.toLocaleString('en-US')} products, ${name}: ${seconds.toFixed(1)} s, ${rate} products/s, peak ${peakMb} MB\n`,
      );
    }
  }
}

type Measured = Record<string, { seconds: number; peakMb: number }>;

async function measure(feedFolder: string): Promise<void> {
  const database = await openDatabase(
    { databaseUrl: process.env.DATABASE_URL, dataDir: feedFolder },
    createLog('warn'),
  );
  const pool = openPool({ connectionString: database.connectionString, schema: SCHEMA });
  await pool.query(`drop schema if exists ${SCHEMA} cascade`);
  await migrate(pool, SCHEMA);
  const db = openDb(pool);
  const files = [join(feedFolder, 'menus.ndjson'), join(feedFolder, 'grocery.ndjson')];
  const measured: Measured = {};
  for (const name of ['new', 'unchanged']) {
    const { result } = await importFiles(
      { db, clock: systemClock },
      { files, source: 'bench', stdin: Readable.from([]) },
    );
    if (result.rejected > 0) throw new Error(JSON.stringify(result.errors[0]));
    measured[name] = { seconds: result.seconds, peakMb: Math.round(process.resourceUsage().maxRSS / 1024) };
  }
  await pool.query(`drop schema ${SCHEMA} cascade`);
  await db.destroy();
  await database.close();
  process.stdout.write(JSON.stringify(measured));
}

async function writeFeed(into: string, products: number): Promise<void> {
  await writeLines(join(into, 'menus.ndjson'), menus(Math.floor(products / 2)));
  await writeLines(join(into, 'grocery.ndjson'), [
    { ...place('grocery', 'grocery'), categories_file: 'products.ndjson' },
  ]);
  await writeLines(join(into, 'products.ndjson'), groceryProducts(products - Math.floor(products / 2)));
}

async function writeLines(file: string, values: Iterable<object>): Promise<void> {
  const out = createWriteStream(file);
  for (const value of values) if (!out.write(`${JSON.stringify(value)}\n`)) await once(out, 'drain');
  out.end();
  await once(out, 'finish');
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
