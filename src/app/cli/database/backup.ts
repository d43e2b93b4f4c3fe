import { resolve } from 'node:path';
import { Command } from 'commander';
import { errorMessage } from 'doorstep/files';
import { openDb, openPool } from '../../../platform/db/connect.ts';
import { writeSetting } from '../../../platform/db/settings.db.ts';
import { BACKED_UP_AT } from '../../../surfaces/operator/conditions.db.ts';
import { errorSentence } from '../error-sentence.ts';
import { answer, type OutputOptions } from '../output.ts';
import { SCHEMA, withServer } from '../with-database.ts';

const HELP = `
The backup is of one moment; services may run meanwhile. It holds secrets (the token secret, the secrets of webhooks,
the hashes of keys, personal data): its files are readable by their owner alone, and belong on a safe place.

Exit status: 0 the backup is whole, 1 it failed and left no file behind, 2 there is no database.`;

/** `doorstep backup DIR`: writes a consistent copy of the database while services run (docs/backups.md#backup). */
export function backupCommand(): Command {
  return new Command('backup')
    .argument('<dir>', "a folder that is empty or doesn't exist yet")
    .option('--json', 'print one JSON document: { directory, snapshot_at, schema, tables, rows, bytes, seconds, … }')
    .addHelpText('after', HELP)
    .action(async (directory: string, options: OutputOptions) => {
      const { writeBackup } = await import('../../../platform/db/backup/write-backup.ts');
      const started = performance.now();
      const target = resolve(directory);
      const manifest = await withServer(async ({ connectionString, signal }) => {
        const written = await writeBackup({
          connectionString,
          schema: SCHEMA,
          directory: target,
          signal,
          onTable: (table) => void process.stderr.write(`Copying ${table}\n`),
        });
        await recordBackup(connectionString, written.snapshotAt);
        return written;
      });
      const sum = (of: 'rows' | 'bytes') => manifest.tables.reduce((total, copy) => total + copy[of], 0);
      const document = {
        directory: target,
        snapshot_at: manifest.snapshotAt,
        schema: manifest.migrations.at(-1) ?? null,
        change_number: manifest.changeNumber,
        tables: manifest.tables.length,
        rows: sum('rows'),
        bytes: sum('bytes'),
        seconds: Math.round((performance.now() - started) / 100) / 10,
      };
      const text = `${document.rows} rows of ${document.tables} tables as of ${document.snapshot_at} are in ${target} (${document.bytes} bytes).`;
      answer(options, document, text);
    });
}

/** Records the age of the newest backup for alerts. A standby or a role that only reads cannot, and its backup is whole. */
async function recordBackup(connectionString: string, snapshotAt: string): Promise<void> {
  const pool = openPool({ connectionString, schema: SCHEMA, max: 1 });
  try {
    await writeSetting(openDb(pool), BACKED_UP_AT, snapshotAt);
  } catch (error) {
    process.stderr.write(
      `The backup is whole, and its time could not be recorded: ${errorSentence(error) ?? errorMessage(error)}\n`,
    );
  } finally {
    await pool.end();
  }
}
