import { Command } from 'commander';
import { releaseDatabase } from '../../../platform/db/quiet.db.ts';
import { answer, type OutputOptions } from '../output.ts';
import { withDatabase } from '../with-database.ts';

export const databaseCommand = (): Command => new Command('database').addCommand(releaseCommand());

const RELEASE_HELP = `
A database that \`doorstep restore\` made is quiet: nodes send, call, charge and refund nothing and refuse changes. Release it
only if it takes the place of the lost one, whose services must be stopped: what waits in it is sent.`;

/** `doorstep database release`: ends the quiet of a restored database (docs/backups.md#copies-are-quiet). */
function releaseCommand(): Command {
  return new Command('release')
    .description('Let nodes of a restored database send, call, charge and refund.')
    .option('--json', 'print one JSON document: { released }')
    .addHelpText('after', RELEASE_HELP)
    .action(async (options: OutputOptions) => {
      const released = await withDatabase(({ db }) => releaseDatabase(db));
      const text = released
        ? 'Released the database. Restart every node now. Running nodes stay quiet.'
        : 'The database is not quiet. Quiet nodes have OUTSIDE=off.';
      answer(options, { released }, text);
    });
}
