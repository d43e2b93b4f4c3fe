import { inspect } from 'node:util';
import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { EmbeddedPostgresError } from '../db/embedded/embedded-postgres-error.ts';
import { accountsCommand } from './accounts.ts';
import { brandingCommand } from './branding.ts';
import { demoCommand } from './demo.ts';
import { endBySignal, endProcess } from './end-process.ts';
import { Interrupted } from './failure.ts';
import { importCommand } from './import-command.ts';
import { importsCommand } from './imports.ts';
import { keysCommand } from './keys.ts';
import { migrateCommand } from './migrate.ts';
import { operatorsCommand } from './operators.ts';
import { ordersCommand } from './orders.ts';
import { OutputClosed, watchOutput, writeOut } from './output.ts';
import { productsCommand } from './products.ts';
import { sentenceOf } from './sentence-of.ts';
import { serveCommand } from './serve.ts';
import { storesCommand } from './stores.ts';

const USAGE = 2;
/** EX_CONFIG of sysexits.h: a supervisor should not start the command again with the same settings. */
const WRONG_SETTINGS = 78;

/** Runs `doorstep ARGS…` in this process and ends it. Exit status: 0 done, 1 failed, 2 misused, 78 wrong settings. */
export async function main(args: readonly string[]): Promise<void> {
  watchOutput();
  try {
    await createProgram().parseAsync([...args], { from: 'user' });
  } catch (error) {
    process.exitCode = report(error, args.includes('--json'));
  }
  await endProcess();
}

function createProgram(): Command {
  const program = new Command('doorstep')
    .description('Find stores, read their inventory, order from them and follow the order to the door.')
    .addHelpText('after', '\nSettings come from the environment: PORT, DATA_DIR, DATABASE_URL, LOG_LEVEL and others.');
  const commands = [
    demoCommand(),
    serveCommand(),
    migrateCommand(),
    importCommand(),
    importsCommand(),
    accountsCommand(),
    keysCommand(),
    brandingCommand(),
    storesCommand(),
    productsCommand(),
    ordersCommand(),
    operatorsCommand(),
  ];
  for (const command of commands) program.addCommand(command);
  for (const command of descendantsOf(program)) {
    command
      .exitOverride()
      .configureOutput({ outputError: () => {} })
      .helpOption('-h, --help', 'Show how to use the command.');
    if (command.commands.length > 0) command.helpCommand('help [command]', 'Show how to use a command.');
  }
  return program;
}

function descendantsOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(descendantsOf)];
}

/** Writes the error to standard error, or with --json as `{ error }` to standard output. Returns the exit status. */
function report(error: unknown, json: boolean): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  // Without a command, commander has written the help to standard error already.
  if (error instanceof CommanderError && error.code === 'commander.help') return USAGE;
  if (error instanceof Interrupted) endBySignal(error.signal);
  // A reader that closed the pipe has read enough; `endProcess` reports every other fault of standard output.
  if (error instanceof OutputClosed) return 0;
  const sentence = sentenceOf(error);
  if (sentence === undefined) process.stderr.write(`${inspect(error)}\n`);
  else if (!json) process.stderr.write(`${sentence}\n`);
  if (json) writeOut(JSON.stringify({ error: sentence ?? String(error) }));
  if (error instanceof CommanderError) return USAGE;
  const isSettingWrong = error instanceof EmbeddedPostgresError && error.isSettingWrong;
  return isSettingWrong || error instanceof ConfigError ? WRONG_SETTINGS : 1;
}
