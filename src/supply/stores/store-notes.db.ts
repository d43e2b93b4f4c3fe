import type { Sql } from '../../platform/db/connect.ts';

export type StoreNote = {
  noteId: string;
  storeId: string;
  writtenBy: 'store' | 'operator';
  /** A member of staff or an operator; null is the store's owner or key. */
  writer: string | null;
  text: string;
  writtenAt: Temporal.Instant;
};

export const insertNote = (tx: Sql, note: StoreNote) =>
  tx
    .insertInto('storeNotes')
    .values({ ...note, writtenAt: note.writtenAt.toString() })
    .execute();

/** A store's notes, newest first; of one writer if `by` is given. */
export const listNotes = (sql: Sql, storeId: string, by: StoreNote['writtenBy'] | undefined, limit: number) =>
  sql
    .selectFrom('storeNotes')
    .selectAll()
    .where('storeId', '=', storeId)
    .$if(by !== undefined, (notes) => notes.where('writtenBy', '=', by ?? 'store'))
    .orderBy('writtenAt', 'desc')
    .orderBy('noteId', 'desc')
    .limit(limit)
    .execute();

/** Deletes a note, a store only its own, and returns it. */
export const deleteNote = (tx: Sql, noteId: string, ofStore: string | undefined): Promise<StoreNote | undefined> =>
  tx
    .deleteFrom('storeNotes')
    .where('noteId', '=', noteId)
    .$if(ofStore !== undefined, (notes) => notes.where('storeId', '=', ofStore ?? '').where('writtenBy', '=', 'store'))
    .returningAll()
    .executeTakeFirst();
