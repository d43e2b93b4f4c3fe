import { instantParam, type Sql } from '../../platform/db/connect.ts';
import type { EventKey } from '../order/order-events.db.ts';
import { amountOf } from './ledger.db.ts';
import { TAXABLE_PARTS, type TaxedEntry } from './tax-reversals.ts';

/** Entries whose taxes an outside service computed; `record` is null until the service has it. */
export type TaxRecord = TaxedEntry & EventKey & { record: string | null };

export async function insertTaxRecords(tx: Sql, entries: readonly EventKey[]): Promise<void> {
  if (entries.length > 0) await tx.insertInto('taxRecords').values(entries).execute();
}

/** Orders with unrecorded entries, by id. */
export async function findUnrecordedOrders(sql: Sql, after: string, limit: number): Promise<string[]> {
  const open = sql.selectFrom('taxRecords').select('orderId').distinct().where('record', 'is', null);
  const rows = await open.where('orderId', '>', after).orderBy('orderId').limit(limit).execute();
  return rows.map(({ orderId }) => orderId);
}

const recordsWithEntries = (sql: Sql) =>
  sql
    .selectFrom('taxRecords as r')
    .innerJoin('ledgerEntries as e', (join) =>
      join.onRef('e.orderId', '=', 'r.orderId').onRef('e.sequence', '=', 'r.sequence'),
    );

/** The number of orders with unrecorded entries from before a moment. */
export async function countUnrecordedOrders(sql: Sql, before: Temporal.Instant): Promise<number> {
  const { orders } = await recordsWithEntries(sql)
    .select(({ fn }) => fn.count<number>('r.orderId').distinct().as('orders'))
    .where('r.record', 'is', null)
    .where('e.at', '<', instantParam(before))
    .executeTakeFirstOrThrow();
  return orders;
}

/** The entries of an order, recorded and not, in order. */
export async function findTaxRecords(sql: Sql, orderId: string): Promise<TaxRecord[]> {
  return recordsWithEntries(sql)
    .select(['r.orderId', 'r.sequence', 'r.record', 'e.taxLines'])
    .select(TAXABLE_PARTS.map((name) => amountOf(name).as(name)))
    .where('r.orderId', '=', orderId)
    .orderBy('r.sequence')
    .execute();
}

/** Saves the service's id of a record, '' where there was nothing to record. */
export async function saveTaxRecord(sql: Sql, { orderId, sequence }: EventKey, record: string): Promise<void> {
  const own = sql.updateTable('taxRecords').set({ record }).where('orderId', '=', orderId);
  await own.where('sequence', '=', sequence).execute();
}
