import { Command, Option } from 'commander';
import { AGENT_ORDERS } from '../../access/accounts/account.ts';
import { listAccounts } from '../../access/accounts/accounts.db.ts';
import { createAccount } from '../../access/accounts/issue-key.flow.ts';
import type { PermissionChanges } from '../../access/budgets/account-limits.db.ts';
import { type LimitKind, MIN_DECLINES } from '../../access/budgets/budget.ts';
import { setAccountSettings } from '../../notify/messages/set-limits.flow.ts';
import { LANGUAGES, type Language } from '../../platform/languages/language.ts';
import { systemClock } from '../../platform/lib/clock.ts';
import { readAccountLimits } from '../../surfaces/operator/read-account-limits.flow.ts';
import { parseLimitFrom, parseName, parseOnOff, requireAccount } from './arguments.ts';
import { alignedTable, answer, jsonDocument, momentText, type OutputOptions } from './output.ts';
import { type CommandContext, withDatabase } from './with-database.ts';

export function accountsCommand(): Command {
  return new Command('accounts')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(showAccountCommand())
    .addCommand(setAccountCommand());
}

function createCommand(): Command {
  return new Command('create')
    .description('Create an account.')
    .argument('<name>', 'the name of the account', parseName)
    .option('--json', 'print one JSON document: { account_id, name }')
    .action(async (name: string, options: OutputOptions) => {
      const account = await withDatabase(({ db }) => createAccount(db, name, systemClock.now()));
      answer(options, { account_id: account.accountId, name }, `Created the account ${name}: ${account.accountId}`);
    });
}

function listCommand(): Command {
  return new Command('list')
    .description('List all accounts, oldest first.')
    .option('--json', 'print one JSON document: { accounts: [{ account_id, name, created_at }] }')
    .action(async (options: OutputOptions) => {
      const accounts = await withDatabase(({ db }) => listAccounts(db));
      const documents = accounts.map(({ accountId, name, createdAt }) => jsonDocument({ accountId, name, createdAt }));
      const rows = documents.map(({ account_id, name, created_at }) => [account_id, name, created_at]);
      answer(options, { accounts: documents }, alignedTable(['ACCOUNT', 'NAME', 'CREATED'], rows));
    });
}

const ACCOUNT_ID = ['<account_id>', 'the ID shown by `accounts list`'] as const;
const ANSWERS = 'print one JSON document: the account';

/** The option of each limit, with commander's name for its value. */
const LIMITS: readonly [flag: string, name: string, kind: LimitKind, words: string][] = [
  ['--sms-budget', 'smsBudget', 'sms', 'SMS per day for live orders'],
  ['--email-budget', 'emailBudget', 'emails', 'emails per day for live orders'],
  ['--unpaid-order-budget', 'unpaidOrderBudget', 'unpaid_orders', 'live orders per day placed without a charge'],
  [
    '--directory-budget',
    'directoryBudget',
    'directory_lookups',
    'billed place and address lookups per day with live keys',
  ],
  [
    '--sandbox-directory-budget',
    'sandboxDirectoryBudget',
    'sandbox_directory_lookups',
    'billed place and address lookups per day with sandbox keys',
  ],
  ['--unplaced-order-budget', 'unplacedOrderBudget', 'unplaced_orders', 'unplaced orders per day, in each mode'],
  [
    '--unplaced-bytes-budget',
    'unplacedBytesBudget',
    'unplaced_bytes',
    'bytes of unplaced orders per day, in each mode',
  ],
  ['--declines-per-hour-user', 'declinesPerHourUser', 'declines_user', 'declined cards per hour for one user'],
  ['--declines-per-hour-card', 'declinesPerHourCard', 'declines_card', 'declined charges per hour for one card'],
  ['--declines-per-hour-key', 'declinesPerHourKey', 'declines_key', 'declined cards per hour for one live key'],
];

type Options = OutputOptions & PermissionChanges & { language?: Language } & Record<string, unknown>;

/** `doorstep accounts set`: sets an account's permissions, limits and language. */
export function setAccountCommand(): Command {
  const command = new Command('set')
    .description("Set an account's limits and language. Pass at least one option; the rest stay as they are.")
    .argument(...ACCOUNT_ID)
    .addOption(
      new Option('--negative-markup <on|off>', "allow carts priced below the store's own prices").argParser(parseOnOff),
    )
    .addOption(
      new Option(
        '--agent-orders <place|handover>',
        'let agents place orders, or have them hand each order over to a person at checkout',
      ).choices(AGENT_ORDERS),
    )
    .addOption(
      new Option('--agent-unpaid <on|off>', 'let agents quote orders that are not charged').argParser(parseOnOff),
    )
    .addOption(
      new Option(
        '--language <language>',
        'the language of pages and messages when an order has none of its own',
      ).choices(LANGUAGES),
    );
  for (const [flag, , kind, words] of LIMITS) {
    const least = kind.startsWith('declines_') ? MIN_DECLINES : 0;
    command.addOption(new Option(`${flag} <n|unlimited|default>`, words).argParser(parseLimitFrom(least)));
  }
  return command.option('--json', ANSWERS).action(async (accountId: string, options: Options) => {
    const { negativeMarkup, agentOrders, agentUnpaid, language } = options;
    const settings = { negativeMarkup, agentOrders, agentUnpaid, language };
    const limits = new Map(LIMITS.flatMap(([, name, kind]) => limitOption(kind, options[name])));
    const isEmpty = limits.size === 0 && Object.values(settings).every((value) => value === undefined);
    if (isEmpty) command.error('pass at least one option; see --help');
    const shown = await withDatabase(async (context) => {
      const { db, config } = context;
      await requireAccount(db, accountId);
      await db
        .transaction()
        .execute((tx) => setAccountSettings(config, tx, { accountId, ...settings, limits }, systemClock.now()));
      return readAccount(context, accountId);
    });
    answer(options, shown, accountText(shown));
  });
}

/** An option's value; empty if omitted. */
function limitOption(kind: LimitKind, given: unknown): [LimitKind, number | null][] {
  if (given === 'default') return [[kind, null]];
  return typeof given === 'number' ? [[kind, given]] : [];
}

/** `doorstep accounts show`: shows an account's permissions and limits, and its use today. */
export function showAccountCommand(): Command {
  return new Command('show')
    .description("Show an account's language, limits, and use of its daily budgets since midnight UTC.")
    .argument(...ACCOUNT_ID)
    .option('--json', ANSWERS)
    .action(async (accountId: string, options: OutputOptions) => {
      const shown = await withDatabase((context) => readAccount(context, accountId));
      answer(options, shown, accountText(shown));
    });
}

async function readAccount(context: CommandContext, accountId: string) {
  const account = await requireAccount(context.db, accountId);
  const { name, createdAt } = account;
  return {
    ...jsonDocument({ accountId, name, createdAt }),
    ...(await readAccountLimits(context, account, systemClock.now())),
  };
}

function accountText({ account_id, name, ...limits }: Awaited<ReturnType<typeof readAccount>>): string {
  const amount = (most: number | null) => (most === null ? 'unlimited' : String(most));
  const budgets = limits.budgets.map(({ budget, mode, used, limit, is_own }) => [
    budget,
    mode,
    String(used),
    amount(limit),
    is_own ? 'its own' : 'default',
  ]);
  const held = limits.held_back.map(({ mode, scope, subject, declines, held_back_until }) => [
    scope,
    subject,
    mode,
    String(declines),
    momentText(Temporal.Instant.fromEpochMilliseconds(held_back_until * 1000)),
  ]);
  return [
    `${account_id}  ${name}`,
    `Customers' language: ${limits.language}`,
    `Agent orders: ${limits.agent_orders === 'place' ? 'placed by the agent' : 'handed over to a person'}`,
    `Uncharged orders of agents: ${limits.agent_unpaid ? 'allowed' : 'refused'}`,
    `Carts below the store's price: ${limits.negative_markup ? 'allowed' : 'refused'}`,
    `Declined cards per hour: ${limits.declines_per_hour.map(({ scope, limit }) => `${scope} ${amount(limit)}`).join(', ')}`,
    alignedTable(['BUDGET OF A DAY', 'MODE', 'USED', 'LIMIT', 'FROM'], budgets),
    ...(held.length > 0 ? [alignedTable(['HELD BACK', 'WHO', 'MODE', 'DECLINES', 'UNTIL'], held)] : []),
  ].join('\n');
}
