import { inspect } from 'node:util';
import { Command, CommanderError } from 'commander';
import { Refusal } from '../../platform/http/refusal.ts';
import { BUILD } from '../../platform/lib/build-info.ts';
import { endBySignal, endProcess } from './end-process.ts';
import { CommandFailure, Interrupted } from './failure.ts';
import { withNewNames } from './old-names.ts';
import { OutputClosed, watchOutput, writeOut } from './output.ts';

/* The program `doorstep`: finds the command, loads only its module, runs it, and sets the exit status. */

const EXIT_USAGE = 2;
/** EX_CONFIG of sysexits.h: tells a supervisor not to restart the command with the same settings. */
const EXIT_CONFIG = 78;
const ENV_FILE = '--env-file';
const PLUGIN = '--plugin';

/** A command made from the operations of its group, after the handwritten command. */
const operations = (group: string, written?: () => Promise<Command>) => async () =>
  (await import('./operation-command.ts')).operationCommands(group, written ? [await written()] : []);

/** The commands, in the order of the help, and its loader: a command loads only its own file, the help none. */
const COMMANDS: Readonly<Record<string, readonly [description: string, load: () => Promise<Command>]>> = {
  demo: [
    'Run the service with a demo catalog and a sandbox key. Stop it with Ctrl-C.',
    async () => (await import('./demo.ts')).demoCommand(),
  ],
  serve: ['Run the service until you stop it (Ctrl-C).', async () => (await import('./serve.ts')).serveCommand()],
  check: [
    'Check settings, the database, the disk and external services without changing them.',
    async () => (await import('./check.ts')).checkCommand(),
  ],
  plugins: [
    'List all plug-ins, including built-in ones, with their formats and adapters.',
    async () => (await import('./plugins.ts')).pluginsCommand(),
  ],
  migrate: [
    'Update the database schema without downtime, and create the database if DATA_DIR contains none. Every start does both, and most other commands update the schema.',
    async () => (await import('./migrate.ts')).migrateCommand(),
  ],
  import: [
    'Import files of stores, places or menus, plain or compressed with gzip or Zstandard. `-` reads standard input.',
    async () => (await import('./import.ts')).importCommand(),
  ],
  imports: ['Show import results.', operations('imports')],
  accounts: [
    'Manage accounts, which own keys, orders and webhooks.',
    operations('accounts', async () => (await import('./accounts.ts')).createAccountCommand()),
  ],
  keys: [
    'Manage API keys. Sandbox keys place sandbox orders. Live keys place real orders.',
    operations('keys', async () => (await import('./accounts.ts')).createKeyCommand()),
  ],
  branding: [
    "Manage an account's branding: name, logo, color, addresses, help contacts and custom domain.",
    operations('branding'),
  ],
  shop: ["Write the shop's pages as your own project.", async () => (await import('./shop.ts')).shopCommand()],
  stores: [
    'List and show stores, set their switches, couriers and terms, and manage merged duplicates.',
    operations('stores'),
  ],
  products: ["Manage products' availability and stock.", operations('products')],
  orders: ["List, show, advance, cancel and refund any account's orders.", operations('orders')],
  users: ["Erase the personal data of an account's users.", operations('users')],
  agents: ["Register apps that an account's customers can authorize.", operations('agents')],
  statements: ['Show payout statements for a month, and close a month.', operations('statements')],
  tips: ['List raised tips owed to drivers, and mark them as paid.', operations('tips')],
  promotions: [
    'Create promotions as the operator, list all promotions, and pause, resume or end any.',
    operations('promotions'),
  ],
  duties: ["Show and check a marketplace's legal duties in a state or province.", operations('duties')],
  taxes: ["Show a month's taxes to remit to each state or province.", operations('taxes')],
  listen: [
    "Print an account's events as they happen, and forward them to a local URL as webhook deliveries.",
    async () => (await import('./account/listen.ts')).listenCommand(),
  ],
  trigger: [
    'Trigger an event: place a new sandbox order and advance it as far as the event requires.',
    async () => (await import('./account/trigger.ts')).triggerCommand(),
  ],
  logs: ["Show an account's requests.", async () => (await import('./account/logs.ts')).logsCommand()],
  operators: ['Manage operators, who use the operator dashboard for all accounts and stores.', operations('operators')],
  sessions: ["End an operator's or store's console session, or an operator's key.", operations('sessions')],
  webhooks: ['List and replay webhook deliveries, and rotate signing secrets.', operations('webhooks')],
  tokens: [
    'Manage the secret that seals tokens and links, if the database stores it (no TOKEN_SECRET).',
    operations('tokens'),
  ],
  ucp: ['Manage connections with Universal Commerce Protocol agents.', operations('ucp')],
  backup: [
    'Back up the whole database to a new folder while the service runs.',
    async () => (await import('./database/backup.ts')).backupCommand(),
  ],
  restore: [
    'Restore a backup into an empty database, and create the database if DATA_DIR contains none.',
    async () => (await import('./database/restore.ts')).restoreCommand(),
  ],
  database: ['Release a restored database.', async () => (await import('./database/release.ts')).databaseCommand()],
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
    const given = withNewNames(args, args.findIndex(isName));
    const [name, subcommand] = given.filter(isName);
    const program = await createProgram([name === 'help' ? subcommand : name]);
    await program.parseAsync(given, { from: 'user' });
  } catch (error) {
    process.exitCode = await report(error, args.includes('--json'));
  }
}

/** The program. Commands that are not `needed` have only names and descriptions. */
export async function createProgram(needed: readonly (string | undefined)[] = Object.keys(COMMANDS)): Promise<Command> {
  const program = new Command('doorstep')
    .version(BUILD, '-V, --version', 'Show the version and the commit.')
    .description('Find stores, read their inventory, order from them and follow the order to the door.')
    .option(
      `${ENV_FILE} <file>`,
      'read settings from this file, too; of several files the last one wins, and the environment wins over files',
      (file: string, files: string[] = []) => [...files, file],
    )
    .option(
      `${PLUGIN} <file>`,
      'load this plug-in, too; it may be repeated, and adds to PLUGINS',
      (file: string, files: string[] = []) => [...files, file],
    )
    .hook('preAction', async () => {
      const { loadEnvFiles } = await import('./load-env-files.ts');
      const { envFile = [], plugin = [] } = program.opts<{ envFile?: string[]; plugin?: string[] }>();
      loadEnvFiles(envFile);
      // Worker threads read the same settings.
      if (plugin.length > 0) process.env.PLUGINS = [process.env.PLUGINS, ...plugin].filter(Boolean).join(',');
    })
    .addHelpText(
      'after',
      `\nSettings come from the environment, from files named by ${ENV_FILE} and from .env in the working folder: PORT, DATA_DIR,\nDATABASE_URL, LOG_LEVEL and others.`,
    );
  for (const [name, [description, load]] of Object.entries(COMMANDS)) {
    const command = needed.includes(name) ? await load() : new Command(name);
    program.addCommand(command.description(description));
  }
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

/** Whether an argument may be the name of a command: it is no option, and not the file of one. */
const isName = (word: string, n: number, args: readonly string[]): boolean =>
  !word.startsWith('-') && ![ENV_FILE, PLUGIN].includes(args[n - 1] ?? '');

const descendantsOf = (command: Command): Command[] => [command, ...command.commands.flatMap(descendantsOf)];

/** Writes the error to standard error, or with --json as `{ error }` to standard output. Returns the exit status. */
async function report(error: unknown, json: boolean): Promise<number> {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  // Without a command, commander has already written the help to standard error.
  if (error instanceof CommanderError && error.code === 'commander.help') return EXIT_USAGE;
  if (error instanceof Interrupted) endBySignal(error.signal);
  // A reader that closed the pipe has read enough. `endProcess` reports other errors of standard output.
  if (error instanceof OutputClosed) return 0;
  const { errorSentence, isSettingsError } = await import('./error-sentence.ts');
  const sentence = errorSentence(error);
  if (sentence === undefined) process.stderr.write(`${inspect(error)}\n`);
  else if (!json) process.stderr.write(`${sentence}\n`);
  if (json) writeOut(JSON.stringify({ error: sentence ?? String(error) }));
  const isMisuse = error instanceof Refusal && error.code === 'invalid_request';
  if (error instanceof CommanderError || isMisuse) return EXIT_USAGE;
  if (isSettingsError(error)) return EXIT_CONFIG;
  return error instanceof CommandFailure ? error.exitStatus : 1;
}
