import { inspect } from 'node:util';
import { Command, CommanderError } from 'commander';
import manifest from '../../../package.json' with { type: 'json' };
import { endBySignal, endProcess } from './end-process.ts';
import { errorSentence, isSettingsError } from './error-sentence.ts';
import { CommandFailure, Interrupted } from './failure.ts';
import { loadEnvFiles } from './load-env-files.ts';
import { OutputClosed, watchOutput, writeOut } from './output.ts';

const EXIT_USAGE = 2;
/** EX_CONFIG of sysexits.h: tells a supervisor not to restart the command with the same settings. */
const EXIT_CONFIG = 78;
const ENV_FILE = '--env-file';
/**
 * The command that skips settings files, because shells run it at startup in any folder and a bad file must not break
 * them.
 */
const COMMAND_WITHOUT_SETTINGS = 'completion';

/** The commands, in the order of the help. A command loads only its own file; the help loads all. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  demo: async () => (await import('./demo.ts')).demoCommand(),
  serve: async () => (await import('./serve.ts')).serveCommand(),
  check: async () => (await import('./check.ts')).checkCommand(),
  migrate: async () => (await import('./migrate.ts')).migrateCommand(),
  import: async () => (await import('./import.ts')).importCommand(),
  imports: async () => (await import('./imports.ts')).importsCommand(),
  accounts: async () => (await import('./accounts.ts')).accountsCommand(),
  keys: async () => (await import('./keys.ts')).keysCommand(),
  branding: async () => (await import('./branding.ts')).brandingCommand(),
  stores: async () => (await import('./stores.ts')).storesCommand(),
  products: async () => (await import('./products.ts')).productsCommand(),
  orders: async () => (await import('./orders.ts')).ordersCommand(),
  statements: async () => (await import('./statements.ts')).statementsCommand(),
  listen: async () => (await import('./account/listen.ts')).listenCommand(),
  trigger: async () => (await import('./account/trigger.ts')).triggerCommand(),
  logs: async () => (await import('./account/logs.ts')).logsCommand(),
  operators: async () => (await import('./operators.ts')).operatorsCommand(),
  webhooks: async () => (await import('./webhooks.ts')).webhooksCommand(),
  tokens: async () => (await import('./tokens.ts')).tokensCommand(),
  backup: async () => (await import('./database/backup.ts')).backupCommand(),
  restore: async () => (await import('./database/restore.ts')).restoreCommand(),
  database: async () => (await import('./database/release.ts')).databaseCommand(),
  completion: async () => (await import('./completion.ts')).completionCommand(createProgram),
};

/** Runs `doorstep ARGS…` in this process and ends it. Exit status: 0 done, 1 failed, 2 misused, 78 wrong settings. */
export async function main(args: readonly string[]): Promise<void> {
  watchOutput();
  await runCommandLine(args);
  await endProcess();
}

/** Runs `doorstep ARGS…` and leaves the exit status in `process.exitCode`. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  try {
    const program = await createProgram(findCommandName(args));
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    process.exitCode = report(error, args.includes('--json'));
  }
}

/** The program with one command, or with all. */
export async function createProgram(name = ''): Promise<Command> {
  const program = new Command('doorstep')
    .version(manifest.version, '-V, --version', 'Show the version.')
    .description('Find stores, read their inventory, order from them and follow the order to the door.')
    .option(
      `${ENV_FILE} <file>`,
      'read settings from this file, too; of several files the last one wins, and the environment wins over files',
      (file: string, files: string[] = []) => [...files, file],
    )
    .hook('preAction', (_, command) => {
      if (command.name() !== COMMAND_WITHOUT_SETTINGS)
        loadEnvFiles(program.opts<{ envFile?: string[] }>().envFile ?? []);
    })
    .addHelpText(
      'after',
      `\nSettings come from the environment, from files named by ${ENV_FILE} and from .env in the working folder: PORT, DATA_DIR,\nDATABASE_URL, LOG_LEVEL and others.`,
    );
  const named = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const commands = await Promise.all((named ? [named] : Object.values(COMMANDS)).map((load) => load()));
  for (const command of commands) program.addCommand(command);
  for (const command of descendantsOf(program)) {
    command
      .exitOverride()
      .configureOutput({ outputError: () => {} })
      .configureHelp({ showGlobalOptions: true })
      .helpOption('-h, --help', 'Show how to use the command.');
    if (command.commands.length > 0) command.helpCommand('help [command]', 'Show how to use a command.');
  }
  return program;
}

/** The command's name: the first argument that is not an option. */
function findCommandName(args: readonly string[]): string | undefined {
  return args.find((word, n) => !word.startsWith('-') && args[n - 1] !== ENV_FILE);
}

function descendantsOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(descendantsOf)];
}

/** Writes the error to standard error, or with --json as `{ error }` to standard output. Returns the exit status. */
function report(error: unknown, json: boolean): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  // Without a command, commander has already written the help to standard error.
  if (error instanceof CommanderError && error.code === 'commander.help') return EXIT_USAGE;
  if (error instanceof Interrupted) endBySignal(error.signal);
  // A reader that closed the pipe has read enough. `endProcess` reports other faults of standard output.
  if (error instanceof OutputClosed) return 0;
  const sentence = errorSentence(error);
  if (sentence === undefined) process.stderr.write(`${inspect(error)}\n`);
  else if (!json) process.stderr.write(`${sentence}\n`);
  if (json) writeOut(JSON.stringify({ error: sentence ?? String(error) }));
  if (error instanceof CommanderError) return EXIT_USAGE;
  if (isSettingsError(error)) return EXIT_CONFIG;
  return error instanceof CommandFailure ? error.exitStatus : 1;
}
