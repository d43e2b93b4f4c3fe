import { Command, InvalidArgumentError } from 'commander';
import { type ListedKey, listKeys, revokeKey } from '../../access/accounts/accounts.db.ts';
import { issueKey } from '../../access/accounts/issue-key.flow.ts';
import { KEY_SCOPES, type KeyScope } from '../../platform/http/http.ts';
import { systemClock } from '../../platform/lib/clock.ts';
import { requireAccount } from './arguments.ts';
import { CommandFailure } from './failure.ts';
import { alignedTable, answer, jsonDocument, type OutputOptions } from './output.ts';
import { withDatabase } from './with-database.ts';

export function keysCommand(): Command {
  return new Command('keys').addCommand(createCommand()).addCommand(listCommand()).addCommand(revokeCommand());
}

type CreateOptions = OutputOptions & { account: string; live?: true; scopes?: KeyScope[] };

function createCommand(): Command {
  return new Command('create')
    .description('Create an API key for an account and print it. A key is shown only once.')
    .requiredOption('--account <account_id>', 'the account of the key')
    .option('--live', 'create a live key instead of a sandbox key')
    .option('--scopes <list>', 'what the key may do: read, order, webhooks; all by default', parseScopes)
    .option('--json', 'print one JSON document: { key_id, key, mode }; with --scopes also scopes')
    .action(async (options: CreateOptions) => {
      const { keyId, key, mode, scopes } = await withDatabase(async ({ db }) => {
        await requireAccount(db, options.account);
        return issueKey(db, options.account, options.live ? 'live' : 'sandbox', systemClock.now(), options.scopes);
      });
      const text = `${key}\nThe ${mode} key ${keyId}. Save it now: it won't be shown again.`;
      const named = options.scopes === undefined ? {} : { scopes };
      answer(options, { key_id: keyId, key, mode, ...named }, text);
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
      const keys = await withDatabase(async ({ db }) => {
        if (options.account !== undefined) await requireAccount(db, options.account);
        return listKeys(db, options.account);
      });
      const rows = keys.map((key) => [
        key.keyId,
        key.accountId ?? key.storeId ?? '',
        key.mode,
        key.hint,
        key.storeId === null ? key.scopes.join(',') : '',
        key.revokedAt ? 'revoked' : '',
      ]);
      answer(
        options,
        { keys: keys.map(presentKey) },
        alignedTable(['KEY', 'ACCOUNT OR STORE', 'MODE', 'BEGINS AND ENDS', 'SCOPES', 'STATE'], rows),
      );
    });
}

function presentKey({ storeId, scopes, ...key }: ListedKey) {
  return { ...jsonDocument(key), ...(storeId === null ? { scopes } : { store_id: storeId }) };
}

function revokeCommand(): Command {
  return new Command('revoke')
    .description('Revoke a key. Every node rejects it within a second.')
    .argument('<key_id>', 'the ID shown by `keys create` and `keys list`')
    .option('--json', 'print one JSON document: { key_id, revoked }')
    .action(async (keyId: string, options: OutputOptions) => {
      const known = await withDatabase(({ db }) => revokeKey(db, keyId, systemClock.now()));
      if (!known) throw new CommandFailure(`No such key: ${keyId}.`);
      answer(options, { key_id: keyId, revoked: true }, `Revoked ${keyId}.`);
    });
}
