import { Command } from 'commander';
import { releaseDatabase } from '../../../platform/db/quiet.db.ts';
import { readSettings } from '../../wiring/read-settings.ts';
import { CommandFailure } from '../failure.ts';
import { answer, type OutputOptions } from '../output.ts';
import { createCommandLog, createJobs, SCHEMA, withDatabase } from '../with-database.ts';
import { requireDatabase } from './require-database.ts';

export function databaseCommand(): Command {
  return new Command('database')
    .description('Release a restored database, or upgrade the embedded one.')
    .addCommand(releaseCommand())
    .addCommand(upgradeCommand());
}

const RELEASE_HELP = `
A database that \`doorstep restore\` made is quiet: nodes send, call, charge and refund nothing and refuse changes. Release it
only if it takes the place of the lost one, whose services must be stopped: what waits in it is sent.`;

/** `doorstep database release`: ends the quiet of a restored database (docs/operating.md#copies-are-quiet). */
function releaseCommand(): Command {
  return new Command('release')
    .description('Let nodes of a restored database act: send, call, charge and refund.')
    .option('--json', 'print one JSON document: { released }')
    .addHelpText('after', RELEASE_HELP)
    .action(async (options: OutputOptions) => {
      const released = await withDatabase(({ db }) => releaseDatabase(db));
      const text = released
        ? 'Released the database. Restart every node now; running nodes stay quiet.'
        : 'The database is not quiet. A node that is has OUTSIDE=off.';
      answer(options, { released }, text);
    });
}

const HELP = `
Needed where this Doorstep carries another major version of PostgreSQL than the one that made DATA_DIR, which a start then
refuses. Stop every service on DATA_DIR first. DATA_DIR needs room for a second copy of the database and for a backup of it.
The old files stay in DATA_DIR/postgres-MAJOR until you delete them; an upgrade that fails or is ended leaves them as they were.`;

/** `doorstep database upgrade`: upgrades a DATA_DIR of another major version (docs/operating.md#upgrade). */
function upgradeCommand(): Command {
  return new Command('upgrade')
    .description("Upgrade DATA_DIR to this version's PostgreSQL: dump with the old binaries, load with the new ones.")
    .requiredOption('--old-bindir <dir>', "the old version's binaries, for example /usr/lib/postgresql/15/bin")
    .option('--json', 'print one JSON document: { from, kept, rows, seconds }')
    .addHelpText('after', HELP)
    .action(async (options: OutputOptions & { oldBindir: string }) => {
      const config = readSettings(process.env);
      if (config.databaseUrl) {
        throw new CommandFailure('DATABASE_URL is set: this command is for the embedded database of DATA_DIR.', {
          exitStatus: 2,
        });
      }
      await requireDatabase(config);
      const { upgradeDataDir } = await import('../../../platform/db/upgrade-data-dir.ts');
      const log = createCommandLog(config);
      const started = performance.now();
      const { from, kept, rows } = await upgradeDataDir({
        dataDir: config.dataDir,
        oldBindir: options.oldBindir,
        schema: SCHEMA,
        log,
        createJobs: (connectionString) => createJobs(connectionString, log),
        onStep: (step) => log.info({ step }, 'upgrading the database'),
      });
      const seconds = Math.round((performance.now() - started) / 100) / 10;
      const text = `Moved ${rows} rows from PostgreSQL ${from}. The old files are in ${kept}; delete them once the service runs well.`;
      answer(options, { from, kept, rows, seconds }, text);
    });
}
