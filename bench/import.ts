import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { copyRows } from './continent/copy-rows.ts';
import { writeFeed } from './continent/feed-file.ts';
import type { Imported } from './continent/given-continent.ts';
import { createReport } from './report.ts';
import { type BenchDatabase, givenDatabase, startChild } from './setup.ts';

/**
 * Stores and products imported a second, for the first time and again unchanged, alongside a COPY of the same lines
 * into one column of JSON. Each import is a process of its own, as the command is. DATABASE_URL names another
 * PostgreSQL than the embedded one. `npm run bench -- import [--quick]`
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const STORES = values.quick ? 10_000 : 100_000;
const MENUS = values.quick ? 200 : 2000;
const STORES_PER_S = 15_000;
const PRODUCTS_PER_S = 10_000;

const report = createReport('import');
await measure('stores', STORES, 0, STORES_PER_S);
await measure('products', MENUS, MENUS, PRODUCTS_PER_S);
report.finish(
  `${STORES.toLocaleString('en-US')} stores without menus, and ${MENUS.toLocaleString('en-US')} with one each`,
);

async function measure(unit: 'stores' | 'products', stores: number, menus: number, min: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-import-'));
  const file = join(folder, 'continent.ndjson');
  const { products } = await writeFeed(file, stores, menus);
  const count = unit === 'stores' ? stores : products;
  const database = await givenDatabase();
  const { connectionString, schema } = database;
  for (const what of ['new', 'unchanged']) {
    const peer = { name: 'COPY', value: count / (await copySeconds(database, file)) };
    const child = await startChild<Imported>('continent/import-child.ts', [connectionString, schema, file]);
    const { result, cpuS, peakMb } = child;
    await child.close();
    if (result.rejected > 0) throw new Error(JSON.stringify(result).slice(0, 500));
    report.add({
      what: `${unit}, ${what}`,
      value: count / result.seconds,
      unit: 'a second',
      peer,
      ...(what === 'new' ? { limit: { min } } : {}),
      details: `${((cpuS / count) * 1e6).toFixed(0)} µs of its own processor each; peak ${peakMb.toFixed(0)} MB`,
    });
  }
  await database.close();
  rmSync(folder, { recursive: true });
}

async function copySeconds({ connectionString }: BenchDatabase, file: string): Promise<number> {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('drop table if exists bench_lines; create table bench_lines (line jsonb)');
  const startMs = performance.now();
  await copyRows(
    client,
    'bench_lines',
    lines.map((line) => [line]),
  );
  const seconds = (performance.now() - startMs) / 1000;
  await client.end();
  return seconds;
}
