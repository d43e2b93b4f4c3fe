import { Command } from 'commander';
import { countOrigins } from '../stores/stores.db.ts';
import { answer, type OutputOptions, tableOf } from './output.ts';
import { withDatabase } from './with-database.ts';

/** `doorstep stores origins`: the open datasets of the catalogue, for attribution. */
export function storeOriginsCommand(): Command {
  return new Command('origins')
    .description('Count the stores in search by the dataset and licence of their data, for attribution.')
    .option('--json', 'answer with one JSON document: { origins: [{ dataset, license, stores }] }')
    .addHelpText(
      'after',
      '\nOnly stores of open directories have origins. A store with data of several datasets counts for each dataset.',
    )
    .action(async (options: OutputOptions) => {
      const origins = await withDatabase(({ db }) => countOrigins(db));
      const rows = origins.map(({ dataset, license, stores }) => [dataset, license ?? 'none stated', String(stores)]);
      const text =
        rows.length === 0 ? 'No store comes from an open directory.' : tableOf(['DATASET', 'LICENCE', 'STORES'], rows);
      answer(options, { origins }, text);
    });
}
