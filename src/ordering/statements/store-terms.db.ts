import { sql as raw } from 'kysely';
import type { Sql } from '../../platform/db/connect.ts';
import { DEFAULT_TERMS, type StatementTerms } from './terms.ts';

const TERMS = ['commissionPercent', 'perOrderCents', 'deliveryFee', 'tax'] as const;

/** A store's current terms; the default ones without an agreement. */
export async function findStoreTerms(sql: Sql, storeId: string): Promise<StatementTerms> {
  const [latest] = await listStoreTerms(sql, [storeId]);
  const { storeId: _, since: __, ...terms } = latest ?? { storeId, since: null, ...DEFAULT_TERMS };
  return terms;
}

/** All terms that these stores have had, newest first. */
export async function listStoreTerms(sql: Sql, storeIds: readonly string[]) {
  return sql
    .selectFrom('storeTerms')
    .select(['storeId', 'since', ...TERMS])
    .where('storeId', 'in', [...storeIds])
    .orderBy('since', 'desc')
    .execute();
}

/** The registration numbers of the remitters of each order's taxes. */
export async function findTaxIds(sql: Sql, orderIds: readonly string[], operatorIds: readonly string[]) {
  if (orderIds.length === 0) return new Map();
  const { rows } = await raw<{ orderId: string; taxIds: string[] | null }>`
    select o.order_id, (
      select case t.tax when 'store' then s.tax_ids end from store_terms as t join stores as s using (store_id)
      where t.store_id = o.store_id and t.since <= o.placed_at order by t.since desc limit 1) as tax_ids
    from orders as o where o.order_id = any(${[...orderIds]}::text[])`.execute(sql);
  return new Map(rows.map(({ orderId, taxIds }) => [orderId, taxIds ?? operatorIds]));
}

/** The registration numbers of who remits the taxes of one order. */
export async function findOrderTaxIds(sql: Sql, { orderId }: { orderId: string }, operatorIds: readonly string[]) {
  return (await findTaxIds(sql, [orderId], operatorIds)).get(orderId) ?? [];
}

/** Changes some of an existing store's terms from now on, and returns all of them. */
export async function setStoreTerms(tx: Sql, storeId: string, changes: Partial<StatementTerms>, now: Temporal.Instant) {
  const terms = { ...(await findStoreTerms(tx, storeId)), ...changes };
  await tx
    .insertInto('storeTerms')
    .values({ storeId, since: now.toString(), ...terms })
    .onConflict((conflict) => conflict.columns(['storeId', 'since']).doUpdateSet(terms))
    .execute();
  return terms;
}
