import { resolve } from 'node:path';
import { Command } from 'commander';
import { answer, type OutputOptions } from '../output.ts';
import { SCHEMA, withServer } from '../with-database.ts';

const HELP = `
The database of DATABASE_URL, or the new one of DATA_DIR, must hold no tables of Doorstep: nothing is replaced. The backup
is read whole and compared with what was written before the database is touched. Newer migrations of this version are
applied. The database is quiet until \`doorstep database release\`: nodes answer reads, and send, call, charge and refund nothing.

Exit status: 0 restored, 1 refused or failed (the database is as before), 2 misused.`;

const QUIET =
  'The database is quiet: nodes serve reads, but send, call, charge and refund nothing. Once it replaces the lost database, run `doorstep database release`.';

/** `doorstep restore DIR`: loads a backup into an empty database (docs/backups.md#restore). */
export function restoreCommand(): Command {
  return new Command('restore')
    .argument('<dir>', "the backup's folder")
    .option('--check', 'only read the backup and verify it')
    .option('--json', 'print one JSON document: { snapshot_at, schema, tables, rows, applied, left_out, seconds }')
    .addHelpText('after', HELP)
    .action(async (directory: string, options: OutputOptions & { check?: true }) => {
      const { checkBackup, restoreBackup } = await import('../../../platform/db/backup/restore-backup.ts');
      const started = performance.now();
      const backup = await checkBackup(resolve(directory));
      const { applied, leftOut } = options.check
        ? { applied: [], leftOut: [] }
        : await withServer(
            ({ connectionString, signal }) => {
              const onTable = (table: string) => void process.stderr.write(`Loading ${table}\n`);
              return restoreBackup(backup, { connectionString, schema: SCHEMA, signal, onTable });
            },
            { mayCreate: true },
          );
      const { manifest } = backup;
      const rows = manifest.tables.reduce((sum, copy) => sum + copy.rows, 0);
      const document = {
        snapshot_at: manifest.snapshotAt,
        schema: manifest.migrations.at(-1) ?? null,
        tables: manifest.tables.length,
        rows,
        applied,
        left_out: leftOut,
        seconds: Math.round((performance.now() - started) / 100) / 10,
      };
      const what = `${rows} rows of ${document.tables} tables as of ${manifest.snapshotAt}`;
      const left = leftOut.length > 0 ? ` Tables that are not Doorstep's were left out: ${leftOut.join(', ')}.` : '';
      answer(
        options,
        document,
        options.check ? `The backup is complete: ${what}.` : `Restored ${what}.${left}\n${QUIET}`,
      );
    });
}
