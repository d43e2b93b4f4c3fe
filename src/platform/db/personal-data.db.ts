import type { Sql } from './connect.ts';
import { runPrepared } from './hot-statement.ts';

/**
 * Selects a table's rows with personal data, and says how they lose it. Its SQL comes only from this repository. Each
 * folder declares it alongside its statements.
 */
export type PersonalData = {
  table: string;
  /** Selects the rows; $1 is a list of keys to forget, such as order ids. */
  where: string;
  /** The new value of each column with personal data, as SQL; absent: the rows are deleted. */
  set?: Readonly<Record<string, string>>;
};

/** Removes the personal data of these keys from each table, in the order of the list. */
export async function clearPersonalData(tx: Sql, tables: readonly PersonalData[], keys: readonly string[]) {
  for (const { table, where, set } of tables) {
    const cleared = Object.entries(set ?? {}).map(([column, value]) => `${column} = ${value}`);
    const change = set ? `update ${table} set ${cleared.join(', ')}` : `delete from ${table}`;
    await runPrepared(tx, `${change} where ${where}`, [keys]);
  }
}
