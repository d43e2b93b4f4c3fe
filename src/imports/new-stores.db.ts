import type { Sql } from '../db/connect.ts';
import { createRowBytes, instantBytes } from '../db/copied-bytes.ts';
import { copyRows } from '../db/copy-in.ts';
import { STORE_BYTES, STORE_COLUMNS, type StagedRow, writeStagedColumns } from './staging.db.ts';

const ADDED_COLUMNS = ['source', 'listed', 'created_at', 'updated_at', 'changed_seq'];
const COPY = `copy stores (${[...STORE_COLUMNS, ...ADDED_COLUMNS].join(', ')}) from stdin (format binary)`;

/** Rows of new stores, ready but for the number of their change. */
export type NewStoreRows = { numbered(seq: number): Buffer };

/** Makes the rows of new stores, so that nothing but the number is left to be done under the change clock. */
export function newStoreRows(
  rows: readonly StagedRow[],
  { source, at }: { source: string; at: Temporal.Instant },
): NewStoreRows {
  const bytes = createRowBytes(STORE_COLUMNS.length + ADDED_COLUMNS.length, rows.length * STORE_BYTES);
  const moment = instantBytes(at);
  for (const row of rows) {
    writeStagedColumns(bytes, row);
    bytes.text(source);
    bytes.flag(true);
    bytes.binary(moment);
    bytes.binary(moment);
    bytes.shared();
  }
  const finished = bytes.finish();
  return {
    numbered(seq) {
      bytes.fillShared(seq);
      return finished;
    },
  };
}

/** Inserts stores of which none exists; a store that exists is a unique violation. The caller holds the change clock. */
export async function insertNewStores(sql: Sql, rows: NewStoreRows, seq: number): Promise<void> {
  await copyRows(sql, COPY, rows.numbered(seq));
}
