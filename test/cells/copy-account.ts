import { sql as raw } from 'kysely';
import type { Sql } from '../../src/platform/db/connect.ts';
import { readRows, writeRows } from './copy-rows.ts';

/**
 * An account's tables that every cell needs, parents first; the home cell is authoritative (docs/cells.md#accounts).
 */
const TABLES = ['accounts', 'api_keys', 'payment_methods', 'brandings', 'webhook_endpoints'];

/** Copies an account's current rows from the home cell to another cell. */
export async function copyAccount(home: Sql, to: Sql, accountId: string): Promise<void> {
  // The sandbox gateway is an external party, which in a live service all cells share.
  const cards = raw`t.token in (select gateway_token from payment_methods where account_id = ${accountId})`;
  await writeRows(to, 'sandbox_gateway_cards', await readRows(home, 'sandbox_gateway_cards', cards));
  for (const table of TABLES) {
    await writeRows(to, table, await readRows(home, table, raw`t.account_id = ${accountId}`));
  }
}
