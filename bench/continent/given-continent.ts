import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createAccount, issueKey } from '../../src/access/accounts/issue-key.flow.ts';
import { systemClock } from '../../src/platform/lib/clock.ts';
import type { Report } from '../report.ts';
import { type BenchDatabase, startChild } from '../setup.ts';
import { writeFeed } from './feed-file.ts';

export type ContinentOptions = {
  stores: number;
  menus: number;
  folder: string;
};

export type Imported = {
  result: { created: number; rejected: number; seconds: number };
  cpuS: number;
  peakMb: number;
};

/** Imports the continent with the real import unless the database already has it, and reports the import's figures. */
export async function importContinent(
  { db, connectionString, schema }: BenchDatabase,
  { stores, menus, folder }: ContinentOptions,
  report: Report,
): Promise<void> {
  const { known } = await db
    .selectFrom('stores')
    .select(({ fn }) => fn.countAll<number>().as('known'))
    .executeTakeFirstOrThrow();
  if (known === stores) return;
  if (known > 0) throw new Error(`The database has ${known} stores already: choose another folder.`);
  const file = join(folder, 'continent.ndjson');
  const { products } = await writeFeed(file, stores, menus);
  const child = await startChild<Imported>('continent/import-child.ts', [connectionString, schema, file]);
  const { result, cpuS, peakMb } = child;
  await child.close();
  rmSync(file);
  if (result.created !== stores) throw new Error(`${result.created} of ${stores} stores were imported.`);
  const all = `${products.toLocaleString('en-US')} products too, ${result.seconds.toFixed(1)} s`;
  report.add({
    what: 'import of all',
    value: stores / result.seconds,
    unit: 'stores/s',
    limit: null,
    details: `${all}; ${cpuS.toFixed(1)} s of its own processor, peak ${Math.round(peakMb)} MB`,
  });
}

/** API keys of this many accounts, one account per connection. */
export async function keysOf({ db }: BenchDatabase, count: number): Promise<string[]> {
  const keys: string[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const now = systemClock.now();
    const { accountId } = await createAccount(db, `Bench ${nth}`, now);
    keys.push((await issueKey(db, accountId, 'sandbox', now)).key);
  }
  return keys;
}
