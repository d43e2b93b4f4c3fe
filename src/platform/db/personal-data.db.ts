import type { Sql } from './connect.ts';
import { runPrepared } from './hot-statement.ts';

/**
 * The personal data of a table: what a room declares beside its statements, and how rows lose it. All of it is SQL of
 * this repository.
 */
export type PersonalData = {
  table: string;
  /** Selects the rows; $1 are the keys of what is forgotten, such as orders. */
  where: string;
  /** What each column with personal data has afterwards; absent: the rows are deleted. */
  set?: Readonly<Record<string, string>>;
};

/** Removes the personal data of these keys from each table, in the sequence of the list. */
export async function clearPersonalData(
  tx: Sql,
  tables: readonly PersonalData[],
  keys: readonly string[],
): Promise<void> {
  for (const { table, where, set } of tables) {
    const cleared = Object.entries(set ?? {}).map(([column, value]) => `${column} = ${value}`);
    const change = set ? `update ${table} set ${cleared.join(', ')}` : `delete from ${table}`;
    await runPrepared(tx, `${change} where ${where}`, [keys]);
  }
}
