import type { Sql } from '../../../db/connect.ts';
import { runPrepared } from '../../../db/hot-statement.ts';

/** A product index as it is stored; `changedSeq` is the number of the store's last change that it shows. */
export type StoredIndex = { storeId: string; changedSeq: number; bytes: Buffer };

/** An answer has the indexes that begin within so many bytes. */
const MAX_ANSWER_BYTES = 4 * 2 ** 20;

const FIND_TEXT = `
  select found.store_id, case when found.first_byte < $3::int then found.bytes end as bytes
  from (
    select i.store_id, i.bytes,
      sum(octet_length(i.bytes)) over (order by i.store_id) - octet_length(i.bytes) as first_byte
    from unnest($1::text[]) as s (store_id)
    join stores on stores.store_id = s.store_id
    join product_indexes as i on i.store_id = s.store_id and i.changed_seq = stores.changed_seq and i.format = $2
  ) as found`;

/**
 * The stored product indexes of the named stores by store, without those of another format or from before a change. Null
 * stands for an index for which the answer has no room; the answer has one index at least where any is stored.
 */
export async function findStoredIndexes(
  sql: Sql,
  storeIds: readonly string[],
  format: string,
): Promise<Map<string, Buffer | null>> {
  const values = [storeIds, format, MAX_ANSWER_BYTES];
  const { rows } = await runPrepared<{ storeId: string; bytes: Buffer | null }>(sql, FIND_TEXT, values);
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
  const { rows } = await runPrepared<{ storeId: string }>(sql, UNSTORED_TEXT, [...columns, format]);
  return new Set(rows.map(({ storeId }) => storeId));
}

/**
 * Rows are locked in the sequence of their stores: two nodes that store the same indexes at one time wait for each other
 * instead of deadlocking. The bytes of all indexes are one value, which the driver sends as it is; an array of them would
 * be written as hexadecimal text.
 */
const SAVE_TEXT = `
  insert into product_indexes as i (store_id, changed_seq, bytes, format)
  select s.store_id, s.changed_seq, substring($3::bytea from s.first_byte for s.length), $6
  from unnest($1::text[], $2::bigint[], $4::int[], $5::int[]) as s (store_id, changed_seq, first_byte, length)
  order by s.store_id
  on conflict (store_id) do update set changed_seq = excluded.changed_seq, bytes = excluded.bytes, format = excluded.format
  where i.changed_seq <= excluded.changed_seq`;

/** Stores product indexes in place of older ones. */
export async function saveIndexes(sql: Sql, indexes: readonly StoredIndex[], format: string): Promise<void> {
  const lengths = indexes.map(({ bytes }) => bytes.length);
  let end = 0;
  const firstBytes = lengths.map((length) => {
    end += length;
    return end - length + 1;
  });
  await runPrepared(sql, SAVE_TEXT, [
    indexes.map(({ storeId }) => storeId),
    indexes.map(({ changedSeq }) => changedSeq),
    Buffer.concat(indexes.map(({ bytes }) => bytes)),
    firstBytes,
    lengths,
    format,
  ]);
}

export async function deleteStoredIndex(sql: Sql, storeId: string): Promise<void> {
  await runPrepared(sql, 'delete from product_indexes where store_id = $1', [storeId]);
}
