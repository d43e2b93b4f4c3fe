import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../../migrations');
const FILE = /^\d{4}-.*\.sql$/;
/** Comment lines in a migration that set how it is applied (docs/upgrades.md). */
const OUTSIDE = /^-- Runs outside a transaction\.$/m;
const BATCHES = /^-- Runs in batches\.$/m;
const STOPS = /^-- Old nodes must stop\.$/m;

export type Migration = {
  name: string;
  text: string;
  /**
   * `transaction`: all statements or none. `statements`: one by one without a transaction, as `create index
   * concurrently` needs. `batches`: each statement repeats, in its own transactions, until it changes no row.
   */
  runs: 'transaction' | 'statements' | 'batches';
  /** Earlier versions cannot work on the schema after this migration. */
  stopsOldNodes: boolean;
  /** SHA-256 of the text, regardless of its line ends. */
  hash: string;
};

/** Lists the migration names of a folder (by default this version's), by number. */
export async function migrationNames(folder = FOLDER): Promise<string[]> {
  return (await readdir(folder)).filter((file) => FILE.test(file)).sort();
}

/** Reads the migrations of a folder (by default this version's), by number. */
export async function readMigrations(folder = FOLDER): Promise<Migration[]> {
  const names = await migrationNames(folder);
  return Promise.all(names.map(async (name) => parseMigration(name, await readFile(join(folder, name), 'utf8'))));
}

export function parseMigration(name: string, text: string): Migration {
  const runs = OUTSIDE.test(text) ? 'statements' : BATCHES.test(text) ? 'batches' : 'transaction';
  return { name, text, runs, stopsOldNodes: STOPS.test(text), hash: hash('sha256', text.replaceAll('\r\n', '\n')) };
}

/**
 * Returns the statements of a migration that does not run in one transaction. A statement ends with a semicolon at a
 * line's end; such a migration defines no function, whose body would have semicolons too.
 */
export function statementsOf({ text }: Migration): string[] {
  return text
    .replace(/^[ \t]*--.*$/gm, '')
    .split(/;[ \t]*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/**
 * Runs a migration of a new schema in one transaction: `create index concurrently` would wait for all transactions of
 * the database.
 */
export function inOneTransaction(migration: Migration): Migration {
  if (migration.runs !== 'statements') return migration;
  return { ...migration, runs: 'transaction', text: migration.text.replace(/\bconcurrently\b/gi, '') };
}
