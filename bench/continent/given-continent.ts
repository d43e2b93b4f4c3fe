import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createAccount, issueKey } from '../../src/access/accounts/issue-key.flow.ts';
import { systemClock } from '../../src/platform/lib/clock.ts';
import { type BenchDatabase, startChild } from '../setup.ts';
import { writeFeed } from './feed-file.ts';

export type Imported = { result: { created: number; rejected: number; seconds: number }; cpuS: number; peakMb: number };

/** Imports the continent with the real import. */
export async function importContinent(
  { connectionString, schema }: BenchDatabase,
  { stores, menus, folder }: { stores: number; menus: number; folder: string },
): Promise<void> {
  const file = join(folder, 'continent.ndjson');
  await writeFeed(file, stores, menus);
  const { result, close } = await startChild<Imported>('continent/import-child.ts', [connectionString, schema, file]);
  await close();
  rmSync(file);
  if (result.created !== stores) throw new Error(`${result.created} of ${stores} stores were imported.`);
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
