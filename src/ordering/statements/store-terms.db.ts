import type { Sql } from '../../platform/db/connect.ts';
import { DEFAULT_TERMS, type StatementTerms } from './terms.ts';

const TERMS = ['commissionPercent', 'perOrderCents', 'deliveryFee', 'tax'] as const;

/** The terms of a store that hold now; the default ones without an agreement. */
export async function findStoreTerms(sql: Sql, storeId: string): Promise<StatementTerms> {
  const [latest] = await listStoreTerms(sql, [storeId]);
  const { storeId: _, since: __, ...terms } = latest ?? { storeId, since: null, ...DEFAULT_TERMS };
  return terms;
}

/** All terms that these stores have had, newest first. */
export async function listStoreTerms(
  sql: Sql,
  storeIds: readonly string[],
): Promise<(StatementTerms & { storeId: string; since: Temporal.Instant })[]> {
  return sql
    .selectFrom('storeTerms')
    .select(['storeId', 'since', ...TERMS])
    .where('storeId', 'in', [...storeIds])
    .orderBy('since', 'desc')
    .execute();
}

/** Changes some terms of an existing store from now on, and returns all of them. */
export async function setStoreTerms(
  tx: Sql,
  storeId: string,
  changes: Partial<StatementTerms>,
  now: Temporal.Instant,
): Promise<StatementTerms> {
  const terms = { ...(await findStoreTerms(tx, storeId)), ...changes };
  await tx
    .insertInto('storeTerms')
    .values({ storeId, since: now.toString(), ...terms })
    .onConflict((conflict) => conflict.columns(['storeId', 'since']).doUpdateSet(terms))
    .execute();
  return terms;
}
