import { Command, Option } from 'commander';
import { AGENT_ORDERS } from '../../access/accounts/account.ts';
import { type LimitKind, MIN_DECLINE_LIMIT } from '../../access/budgets/budget.ts';
import { LANGUAGES } from '../../platform/languages/language.ts';
import { UNLIMITED } from '../../platform/lib/parse-setting.ts';
import {
  createAccountProcedure,
  listAnyAccountsProcedure,
  readAnyAccountProcedure,
  renameAccountProcedure,
  setAccountLimitsProcedure,
} from '../../surfaces/operator/accounts.route.ts';
import { bodyOf, parseLimitFrom, parseName, parseOnOff, requireChange } from './arguments.ts';
import { type Manage, withManagement } from './manage.ts';
import { alignedTable, answer, type OutputOptions, secondsText } from './output.ts';
import { followPages } from './write-pages.ts';

export function accountsCommand(): Command {
  return new Command('accounts')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(showAccountCommand())
    .addCommand(renameCommand())
    .addCommand(setAccountCommand());
}

function createCommand(): Command {
  return new Command('create')
    .description('Create an account.')
    .argument('<name>', 'the name of the account', parseName)
    .option('--house', 'the account of orders that stores take by phone; a service has one')
    .option('--json', 'print one JSON document: { account_id, name }')
    .action(async (name: string, { house = false, ...options }: OutputOptions & { house?: boolean }) => {
      const body = { name, house };
      const { account_id } = await withManagement((manage) => manage(createAccountProcedure, { body }));
      answer(options, { account_id, name }, `Created the account ${name}: ${account_id}`);
    });
}

function listCommand(): Command {
  return new Command('list')
    .description('List all accounts, oldest first.')
    .option('--json', 'print one JSON document: { accounts: [{ account_id, name, created_at }] }')
    .action(async (options: OutputOptions) => {
      const pages = await withManagement((manage) => Array.fromAsync(pagesOfAccounts(manage)));
      const accounts = pages
        .flat()
        .reverse()
        .map((one) => ({ ...one, created_at: secondsText(one.created_at) }));
      const rows = accounts.map(({ account_id, name, created_at }) => [account_id, name, created_at]);
      answer(options, { accounts }, alignedTable(['ACCOUNT', 'NAME', 'CREATED'], rows));
    });
}

const pagesOfAccounts = (manage: Manage) =>
  followPages(
    (before: string | undefined) => manage(listAnyAccountsProcedure, { query: before ? { before } : {} }),
    ({ accounts }) => accounts,
  );

/** `doorstep accounts rename`: customers see an account's brand, so only operators see the name. */
function renameCommand(): Command {
  return new Command('rename')
    .description('Rename an account. Keys, orders and what customers see stay as they are.')
    .argument(...ACCOUNT_ID)
    .argument('<name>', 'the new name', parseName)
    .option('--json', 'print one JSON document: { account_id, name }')
    .action(async (account_id: string, name: string, options: OutputOptions) => {
      await withManagement((manage) => manage(renameAccountProcedure, { params: { account_id }, body: { name } }));
      answer(options, { account_id, name }, `Renamed ${account_id} to ${name}.`);
    });
}

const ACCOUNT_ID = ['<account_id>', 'the ID shown by `accounts list`'] as const;
const ANSWERS = 'print one JSON document: the account';

const LIMITS: readonly [flag: string, kind: LimitKind, words: string][] = [
  ['--sms-budget', 'sms', 'SMS per day for live orders'],
  ['--email-budget', 'emails', 'emails per day for live orders'],
  ['--unpaid-order-budget', 'unpaid_orders', 'live orders per day placed without a charge'],
  ['--directory-budget', 'directory_lookups', 'billed place and address lookups per day with live keys'],
  [
    '--sandbox-directory-budget',
    'sandbox_directory_lookups',
    'billed place and address lookups per day with sandbox keys',
  ],
  ['--unplaced-order-budget', 'unplaced_orders', 'unplaced orders per day, in each mode'],
  ['--unplaced-bytes-budget', 'unplaced_bytes', 'bytes of unplaced orders per day, in each mode'],
  ['--declines-per-hour-user', 'declines_user', 'declined cards per hour for one user'],
  ['--declines-per-hour-card', 'declines_card', 'declined charges per hour for one card'],
  ['--declines-per-hour-key', 'declines_key', 'declined cards per hour for one live key'],
];

/** The option of each limit. */
const LIMIT_OPTIONS = LIMITS.map(([flag, kind, words]) => {
  const min = kind.startsWith('declines_') ? MIN_DECLINE_LIMIT : 0;
  return { kind, option: new Option(`${flag} <n|unlimited|default>`, words).argParser(parseLimitFrom(min)) };
});

type Options = OutputOptions & Record<string, unknown>;

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
  for (const { option } of LIMIT_OPTIONS) command.addOption(option);
  return command.option('--json', ANSWERS).action(async (accountId: string, options: Options) => {
    const limits = Object.fromEntries(
      LIMIT_OPTIONS.flatMap(({ kind, option }) => limitOption(kind, options[option.attributeName()])),
    );
    const given = { ...options, ...(Object.keys(limits).length > 0 && { limits }) };
    const body = requireChange(bodyOf(setAccountLimitsProcedure, given), command);
    const shown = await withManagement(async (manage) => {
      await manage(setAccountLimitsProcedure, { params: { account_id: accountId }, body });
      return readAccount(manage, accountId);
    });
    answer(options, shown, accountText(shown));
  });
}

/** An option's value; empty if omitted. */
function limitOption(kind: LimitKind, given: unknown): [LimitKind, number | 'unlimited' | 'default'][] {
  if (given === 'default') return [[kind, given]];
  if (typeof given !== 'number') return [];
  return [[kind, given === UNLIMITED ? 'unlimited' : given]];
}

/** `doorstep accounts show`: shows an account's permissions and limits, and its use today. */
export function showAccountCommand(): Command {
  return new Command('show')
    .description("Show an account's language, limits, and use of its daily budgets since midnight UTC.")
    .argument(...ACCOUNT_ID)
    .option('--json', ANSWERS)
    .action(async (accountId: string, options: OutputOptions) => {
      const shown = await withManagement((manage) => readAccount(manage, accountId));
      answer(options, shown, accountText(shown));
    });
}

async function readAccount(manage: Manage, account_id: string) {
  const { name, created_at, limits } = await manage(readAnyAccountProcedure, { params: { account_id } });
  return { account_id, name, created_at: secondsText(created_at), ...limits };
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
    secondsText(held_back_until),
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
