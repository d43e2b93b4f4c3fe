import { Command } from 'commander';
import { answer, type OutputOptions } from './output.ts';
import { withDatabase } from './with-database.ts';

export function migrateCommand(): Command {
  return new Command('migrate')
    .option('--json', 'print one JSON document: { applied, newer }')
    .action(async (options: OutputOptions) => {
      const { applied, newer } = await withDatabase(async ({ migrations }) => migrations, { mayCreate: true });
      const parts = [
        applied.length > 0 ? `Applied: ${applied.join(', ')}.` : '',
        newer.length > 0
          ? `The database has ${newer.length} migrations of a newer version, up to ${newer.at(-1)}.`
          : '',
      ];
      answer(options, { applied, newer }, parts.filter(Boolean).join(' ') || 'The database is up to date.');
    });
}
