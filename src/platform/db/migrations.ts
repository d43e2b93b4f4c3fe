import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../../migrations');
const FILE = /^\d{4}-.*\.sql$/;
/** Lines of a migration's comment that say how the migration is applied (docs/operating.md#upgrade). */
const OUTSIDE = /^-- Runs outside a transaction\.$/m;
const BATCHES = /^-- Runs in batches\.$/m;
const STOPS = /^-- Old nodes must stop\.$/m;

export type Migration = {
  /** The name of its file. */
  name: string;
  text: string;
  /**
   * `transaction`: all statements or none. `statements`: one after the other without a transaction, as `create index
   * concurrently` needs. `batches`: each statement again and again until it changes no row, each time in a transaction of
   * its own.
   */
  runs: 'transaction' | 'statements' | 'batches';
  /** Nodes of an earlier version cannot work on the schema after this migration. */
  stopsOldNodes: boolean;
};

/** The names of a folder's migrations, in the order of their numbers; those of this version where no folder is named. */
export async function migrationNames(folder = FOLDER): Promise<string[]> {
  return (await readdir(folder)).filter((file) => FILE.test(file)).sort();
}

/** The migrations of a folder, in the order of their numbers; those of this version where no folder is named. */
export async function readMigrations(folder = FOLDER): Promise<Migration[]> {
  const names = await migrationNames(folder);
  return Promise.all(names.map(async (name) => parseMigration(name, await readFile(join(folder, name), 'utf8'))));
}

export function parseMigration(name: string, text: string): Migration {
  const runs = OUTSIDE.test(text) ? 'statements' : BATCHES.test(text) ? 'batches' : 'transaction';
  return { name, text, runs, stopsOldNodes: STOPS.test(text) };
}

/**
 * The statements of a migration that does not run in one transaction. A statement ends with a semicolon at the end of its
 * line; such a migration defines no function, whose body would have semicolons of its own.
 */
export function statementsOf({ text }: Migration): string[] {
  return text
    .replace(/^\s*--.*$/gm, '')
    .split(/;[ \t]*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
