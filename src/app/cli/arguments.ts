import { InvalidArgumentError } from 'commander';
import { findAccount } from '../../access/accounts/accounts.db.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { amountOrUnlimited } from '../../platform/lib/parse-setting.ts';
import { CommandFailure } from './failure.ts';

const MAX_NAME_LENGTH = 200;

/** Parses a display name, which must be one line and not empty. */
export function parseName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name)) {
    throw new InvalidArgumentError(`A name has 1 to ${MAX_NAME_LENGTH} characters and no control characters.`);
  }
  return name;
}

export function parseOnOff(text: string): boolean {
  const word = text.toLowerCase();
  if (word !== 'on' && word !== 'off') throw new InvalidArgumentError('The value must be on or off.');
  return word === 'on';
}

/** Parses a limit: a whole number from `min`, `unlimited` (a number that no count reaches), or `default`. */
export function parseLimitFrom(min: number) {
  return (text: string): number | 'default' => {
    if (text.toLowerCase() === 'default') return 'default';
    const max = amountOrUnlimited(text);
    if (max === undefined || max < min)
      throw new InvalidArgumentError(`The value must be a whole number from ${min}, unlimited or default.`);
    return max;
  };
}

const MAX_QTY = 2_147_483_647;

/** Parses a stock: a whole number, or `none` if it is not counted. */
export function parseQty(text: string): number | 'none' {
  if (text.toLowerCase() === 'none') return 'none';
  if (!/^\d{1,10}$/.test(text) || Number(text) > MAX_QTY) {
    throw new InvalidArgumentError('The value must be a whole number from 0, or none.');
  }
  return Number(text);
}

/** Throws CommandFailure for an unknown account id, so that a typo does not look like an empty result. */
export async function requireAccount(sql: Sql, accountId: string) {
  const account = await findAccount(sql, accountId);
  if (!account) throw new CommandFailure(`No such account: ${accountId}.`);
  return account;
}
