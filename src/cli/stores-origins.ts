import { Command } from 'commander';
import { countOrigins } from '../stores/origins.db.ts';
import { answer, type OutputOptions, tableOf } from './output.ts';
import { withDatabase } from './with-database.ts';

/** `doorstep stores origins`: whom the stores of open directories are owed to. */
export function storeOriginsCommand(): Command {
  return new Command('origins')
    .description('Count the stores in search by the dataset and licence of their facts, for attribution.')
    .option('--json', 'answer with one JSON document: { origins: [{ dataset, license, stores }] }')
    .addHelpText(
      'after',
      '\nStores of a feed of their own have no origins. A store with facts of several is counted under each.',
    )
    .action(async (options: OutputOptions) => {
      const origins = await withDatabase(({ db }) => countOrigins(db));
      const rows = origins.map(({ dataset, license, stores }) => [dataset, license ?? 'none stated', String(stores)]);
      const text =
        rows.length === 0 ? 'No store comes from an open directory.' : tableOf(['DATASET', 'LICENCE', 'STORES'], rows);
      answer(options, { origins }, text);
    });
}
