import { Command } from 'commander';
import { answer, type OutputOptions } from './output.ts';
import { createJobs, SCHEMA, withDatabase } from './with-database.ts';

export function migrateCommand(): Command {
  return new Command('migrate')
    .option('--json', 'print one JSON document: { applied }')
    .action(async (options: OutputOptions) => {
      const applied = await withDatabase(
        async ({ applied, connectionString, log }) => {
          await createJobs(connectionString, log)(`${SCHEMA}_jobs`);
          return applied;
        },
        { mayCreate: true },
      );
      const text = applied.length > 0 ? `Applied: ${applied.join(', ')}.` : 'The database is up to date.';
      answer(options, { applied }, text);
    });
}
