import { findAccount } from '../accounts/accounts.db.ts';
import type { Sql } from '../db/connect.ts';
import { CommandFailure } from './failure.ts';

/** Throws CommandFailure where no account has this id: a typing error is no empty answer. */
export async function requireAccount(sql: Sql, accountId: string): Promise<void> {
  if (!(await findAccount(sql, accountId))) throw new CommandFailure(`There is no account ${accountId}.`);
}
