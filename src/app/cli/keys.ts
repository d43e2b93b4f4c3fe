import { Command, InvalidArgumentError } from 'commander';
import { KEY_SCOPES, type KeyScope } from '../../access/accounts/account.ts';
import {
  createKeyProcedure,
  listAnyKeysProcedure,
  revokeKeyProcedure,
} from '../../surfaces/operator/accounts.route.ts';
import { withManagement } from './manage.ts';
import { alignedTable, answer, type OutputOptions, secondsText } from './output.ts';
import { followPages } from './write-pages.ts';

export function keysCommand(): Command {
  return new Command('keys').addCommand(createCommand()).addCommand(listCommand()).addCommand(revokeCommand());
}

type CreateOptions = OutputOptions & {
  account: string;
  live?: true;
  scopes?: KeyScope[];
  publishable?: true;
  origin?: string[];
};

function createCommand(): Command {
  return new Command('create')
    .description('Create an API key for an account and print it. A key is shown only once.')
    .requiredOption('--account <account_id>', 'the account of the key')
    .option('--live', 'create a live key instead of a sandbox key')
    .option('--scopes <list>', 'what the key may do: read, order, webhooks; all by default', parseScopes)
    .option('--publishable', 'create a key that may stand in a page: it searches and stores carts, and places nothing')
    .option('--origin <origins...>', 'the origins of pages that send it, up to ten: https://shop.example')
    .option('--json', 'print one JSON document: { key_id, key, mode }; with --scopes also scopes, or origins')
    .action(async (options: CreateOptions) => {
      const { account: account_id, live, scopes, publishable, origin } = options;
      const origins = publishable || origin ? (origin ?? []) : undefined;
      const body = {
        mode: live ? 'live' : 'sandbox',
        ...(scopes && { scopes }),
        ...(origins && { origins }),
      } as const;
      const created = await withManagement((manage) => manage(createKeyProcedure, { params: { account_id }, body }));
      const { key_id, key, mode } = created;
      const text = `${key}\nThe ${mode} key ${key_id}. Save it now: it won't be shown again.`;
      answer(
        options,
        { key_id, key, mode, ...(scopes && { scopes }), ...(origins && { origins: created.origins }) },
        text,
      );
    });
}

function parseScopes(text: string): KeyScope[] {
  const given = text.split(',').map((word) => word.trim());
  if (given.every((word) => KEY_SCOPES.some((scope) => scope === word)))
    return KEY_SCOPES.filter((scope) => given.includes(scope));
  throw new InvalidArgumentError('The value must be a list of read, order and webhooks.');
}

function listCommand(): Command {
  return new Command('list')
    .description('List keys, oldest first, without their secrets.')
    .option('--account <account_id>', 'list only the keys of this account')
    .option('--json', 'print one JSON document: { keys: [{ key_id, account_id, mode, hint, … }] }')
    .action(async (options: OutputOptions & { account?: string }) => {
      const of = options.account === undefined ? {} : { account_id: options.account };
      const pages = await withManagement((manage) =>
        Array.fromAsync(
          followPages(
            (before: string | undefined) =>
              manage(listAnyKeysProcedure, { query: { ...of, ...(before && { before }) } }),
            (page) => page.keys,
          ),
        ),
      );
      const keys = pages.flat();
      const rows = keys.map((key) => [
        key.key_id,
        key.account_id ?? key.store_id ?? '',
        key.mode,
        key.hint,
        key.origins ? 'publishable' : key.store_id === null ? key.scopes.join(',') : '',
        key.revoked_at === null ? '' : 'revoked',
      ]);
      const documents = keys.map(({ store_id, scopes, origins, ...key }) => ({
        ...key,
        created_at: secondsText(key.created_at),
        revoked_at: secondsText(key.revoked_at),
        ...(store_id === null ? { scopes } : { store_id }),
        ...(origins && { origins }),
      }));
      const heads = ['KEY', 'ACCOUNT OR STORE', 'MODE', 'BEGINS AND ENDS', 'SCOPES', 'STATE'];
      answer(options, { keys: documents }, alignedTable(heads, rows));
    });
}

function revokeCommand(): Command {
  return new Command('revoke')
    .description('Revoke a key. Every node rejects it within a second.')
    .argument('<key_id>', 'the ID shown by `keys create` and `keys list`')
    .option('--json', 'print one JSON document: { key_id, revoked }')
    .action(async (keyId: string, options: OutputOptions) => {
      await withManagement((manage) => manage(revokeKeyProcedure, { params: { key_id: keyId } }));
      answer(options, { key_id: keyId, revoked: true }, `Revoked ${keyId}.`);
    });
}
