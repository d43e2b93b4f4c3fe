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

/** A store's notes by some writers, newest first. */
export const listNotes = (sql: Sql, storeId: string, writtenBy: readonly StoreNote['writtenBy'][], limit: number) => {
  const ofStore = sql.selectFrom('storeNotes').selectAll().where('storeId', '=', storeId);
  return ofStore
    .where('writtenBy', 'in', writtenBy)
    .orderBy('writtenAt', 'desc')
    .orderBy('noteId')
    .limit(limit)
    .execute();
};

/** Deletes a note, a store only its own, and returns it. */
export const deleteNote = (tx: Sql, noteId: string, storeId: string | undefined) =>
  tx
    .deleteFrom('storeNotes')
    .where('noteId', '=', noteId)
    .$if(storeId !== undefined, (notes) => notes.where('storeId', '=', storeId ?? '').where('writtenBy', '=', 'store'))
    .returningAll()
    .executeTakeFirst();
