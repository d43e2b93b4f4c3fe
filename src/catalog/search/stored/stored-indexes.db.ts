import type { Sql } from '../../../db/connect.ts';
import { runHot } from '../../../db/hot-statement.ts';

/** A product index as it is stored; `changedSeq` is the number of the store's last change that it shows. */
export type StoredIndex = { storeId: string; changedSeq: number; bytes: Buffer };

const FIND_TEXT = `
  select i.store_id, i.bytes from unnest($1::text[]) as s (store_id)
  join stores on stores.store_id = s.store_id
  join product_indexes as i on i.store_id = s.store_id and i.changed_seq = stores.changed_seq and i.format = $2`;

/** The stored product indexes of the named stores by store, without those of another format or from before a change. */
export async function findStoredIndexes(
  sql: Sql,
  storeIds: readonly string[],
  format: string,
): Promise<Map<string, Buffer>> {
  const { rows } = await runHot<{ storeId: string; bytes: Buffer }>(sql, FIND_TEXT, [storeIds, format]);
  return new Map(rows.map(({ storeId, bytes }) => [storeId, bytes]));
}

const UNSTORED_TEXT = `
  select s.store_id from unnest($1::text[], $2::bigint[]) as s (store_id, changed_seq)
  where not exists (
    select from product_indexes as i
    where i.store_id = s.store_id and i.changed_seq >= s.changed_seq and i.format = $3
  )`;

/** The stores of which nothing as new is stored. */
export async function findUnstored(
  sql: Sql,
  changes: readonly Pick<StoredIndex, 'storeId' | 'changedSeq'>[],
  format: string,
): Promise<Set<string>> {
  const columns = [changes.map(({ storeId }) => storeId), changes.map(({ changedSeq }) => changedSeq)];
  const { rows } = await runHot<{ storeId: string }>(sql, UNSTORED_TEXT, [...columns, format]);
  return new Set(rows.map(({ storeId }) => storeId));
}

const SAVE_TEXT = `
  insert into product_indexes as i (store_id, changed_seq, bytes, format)
  select s.*, $4 from unnest($1::text[], $2::bigint[], $3::bytea[]) as s (store_id, changed_seq, bytes)
  on conflict (store_id) do update set changed_seq = excluded.changed_seq, bytes = excluded.bytes, format = excluded.format
  where i.changed_seq <= excluded.changed_seq`;

/** Stores product indexes in place of older ones. */
export async function saveIndexes(sql: Sql, indexes: readonly StoredIndex[], format: string): Promise<void> {
  await runHot(sql, SAVE_TEXT, [
    indexes.map(({ storeId }) => storeId),
    indexes.map(({ changedSeq }) => changedSeq),
    indexes.map(({ bytes }) => bytes),
    format,
  ]);
}
