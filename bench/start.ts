import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { importContinent } from './continent/given-continent.ts';
import { writeNodeSnapshot } from './continent/node-snapshot.ts';
import { createReport } from './report.ts';
import { givenDatabase, startBenchService } from './setup.ts';

/**
 * Seconds from the start of a node's process until it answers searches, from PostgreSQL and from the snapshot that it
 * writes, alongside a client that only reads the rows of the stores. The limits are those of 1.5 million stores.
 *
 *   npm run bench -- start [--quick] [--stores N]
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, stores: { type: 'string' } } });
const stores = Number(values.stores ?? (values.quick ? 20_000 : 300_000));
const MAX_RSS_MB = 2048;
const PAGE = 10_000;
const MIB = 2 ** 20;

const folder = mkdtempSync(join(tmpdir(), 'doorstep-start-'));
const report = createReport('start');
const database = await givenDatabase();
await importContinent(database, { stores, menus: 0, folder });
await sql`vacuum analyze`.execute(database.db);
await measureStart('from PostgreSQL', 40, {});
const settings = await writeNodeSnapshot(database, folder);
await measureStart('from its snapshot', 8, settings);
await database.close();
rmSync(folder, { recursive: true, force: true });
report.finish(`${stores.toLocaleString('en-US')} stores`);

async function measureStart(what: string, maxS: number, settings: Record<string, string>): Promise<void> {
  const readS = await readRows();
  const startMs = performance.now();
  const service = await startBenchService(database, { LOG_LEVEL: 'info', ...settings });
  const value = (performance.now() - startMs) / 1000;
  const peer = { name: 'reading the rows', value: readS };
  report.add({ what: `ready ${what}`, value, unit: 's', peer, limit: { max: maxS } });
  const rssMb = service.rssBytes / MIB;
  report.add({ what: `memory ${what}`, value: rssMb, unit: 'MB', limit: { max: MAX_RSS_MB } });
  await service.close();
}

/** Seconds to read all stores by the same driver, a page at a time. */
async function readRows(): Promise<number> {
  const startMs = performance.now();
  for (let last = ''; ; ) {
    const rows = await database.db
      .selectFrom('stores')
      .selectAll()
      .where('storeId', '>', last)
      .orderBy('storeId')
      .limit(PAGE)
      .execute();
    const next = rows.at(-1);
    if (next === undefined) return (performance.now() - startMs) / 1000;
    last = next.storeId;
  }
}
