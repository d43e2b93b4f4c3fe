import { Command } from 'commander';
import { listAccounts } from '../accounts/accounts.db.ts';
import { createAccount } from '../accounts/issue-key.flow.ts';
import { systemClock } from '../lib/clock.ts';
import { setAccountCommand, showAccountCommand } from './account-limits.ts';
import { parseName } from './arguments.ts';
import { answer, type OutputOptions, tableOf } from './output.ts';
import { withDatabase } from './with-database.ts';

export function accountsCommand(): Command {
  return new Command('accounts')
    .description('Accounts own keys, orders and webhooks.')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(showAccountCommand())
    .addCommand(setAccountCommand());
}

function createCommand(): Command {
  return new Command('create')
    .description('Create an account.')
    .argument('<name>', 'the name of the account', parseName)
    .option('--json', 'answer with one JSON document: { account_id, name }')
    .action(async (name: string, options: OutputOptions) => {
      const account = await withDatabase(({ db }) => createAccount(db, name, systemClock.now()));
      answer(options, { account_id: account.accountId, name }, `Created the account ${name}: ${account.accountId}`);
    });
}

function listCommand(): Command {
  return new Command('list')
    .description('List all accounts, oldest first.')
    .option('--json', 'answer with one JSON document: { accounts: [{ account_id, name, created_at }] }')
    .action(async (options: OutputOptions) => {
      const accounts = await withDatabase(({ db }) => listAccounts(db));
      const rows = accounts.map((account) => [account.accountId, account.name, account.createdAt.toString()]);
      const document = accounts.map((account) => ({
        account_id: account.accountId,
        name: account.name,
        created_at: account.createdAt,
      }));
      answer(options, { accounts: document }, tableOf(['ACCOUNT', 'NAME', 'CREATED'], rows));
    });
}
