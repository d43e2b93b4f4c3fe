import { Command } from 'commander';
import { answer, type OutputOptions } from './output.ts';
import { SCHEMA, withDatabase } from './with-database.ts';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Bring the database up to date. The other commands do it by themselves.')
    .option('--json', 'answer with one JSON document: { applied }')
    .action(async (options: OutputOptions) => {
      const { startBoss } = await import('../jobs/boss.ts');
      const applied = await withDatabase(async ({ applied, connectionString, log }) => {
        const boss = await startBoss({ connectionString, schema: `${SCHEMA}_jobs`, log, works: false }, []);
        await boss.stop();
        return applied;
      });
      const text = applied.length > 0 ? `Applied: ${applied.join(', ')}.` : 'The database is up to date.';
      answer(options, { applied }, text);
    });
}
