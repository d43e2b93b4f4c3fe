import { Command } from 'commander';
import { present } from 'doorstep/collections';
import { KEY_SCOPES, type KeyScope } from '../../access/accounts/account.ts';
import { createAccountOperation, createKeyOperation } from '../../surfaces/operator/accounts.route.ts';
import { parseListOf } from './arguments.ts';
import { withManagement } from './manage.ts';
import { answer, type OutputOptions } from './output.ts';

/** The first two commands for a new service: an account, and its key. */

export function createAccountCommand(): Command {
  return new Command('create')
    .description('Create an account.')
    .argument('<name>', 'the name of the account')
    .option('--house', 'the account of orders that stores take by phone; a service has one')
    .option('--json', 'print one JSON document: { account_id, name }')
    .action(async (text: string, { house = false, ...options }: OutputOptions & { house?: boolean }) => {
      const body = { name: text, house };
      const { account_id, name } = await withManagement((manage) => manage(createAccountOperation, { body }));
      answer(options, { account_id, name }, `Created the account ${name}: ${account_id}`);
    });
}

type KeyOptions = OutputOptions & {
  account: string;
  live?: true;
  scopes?: KeyScope[];
  publishable?: true;
  origin?: string[];
};

export function createKeyCommand(): Command {
  return new Command('create')
    .description('Create an API key for an account and print it. A key is shown only once.')
    .requiredOption('--account <account_id>', 'the account of the key')
    .option('--live', 'create a live key instead of a sandbox key')
    .option('--scopes <list>', 'what the key may do: read, order, webhooks; all by default', parseListOf(KEY_SCOPES))
    .option('--publishable', 'create a key that may stand in a page: it searches and stores carts, and places nothing')
    .option('--origin <origins...>', 'the origins of pages that send it, up to ten: https://shop.example')
    .option('--json', 'print one JSON document: { key_id, key, mode }; with --scopes also scopes, or origins')
    .action(async (options: KeyOptions) => {
      const { account: account_id, live, publishable, origin } = options;
      const scopes = options.scopes && KEY_SCOPES.filter((scope) => options.scopes?.includes(scope));
      const origins = publishable || origin ? (origin ?? []) : undefined;
      const body = { mode: live ? 'live' : 'sandbox', ...present({ scopes, origins }) } as const;
      const created = await withManagement((manage) => manage(createKeyOperation, { params: { account_id }, body }));
      const text = `${created.key}\nThe ${created.mode} key ${created.key_id}. Save it now: it won't be shown again.`;
      answer(options, { ...created, ...present({ scopes }) }, text);
    });
}
