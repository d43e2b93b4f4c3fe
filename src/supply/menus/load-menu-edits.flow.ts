import type { Sql } from '../../platform/db/connect.ts';
import { findMenuEdits } from './menu.db.ts';
import type { CategoryEdit, Edits, ItemEdit, SequenceEdit } from './menu.ts';

/** A store's edits, before a change: the caller holds the change clock. */
export async function loadMenuEdits(tx: Sql, storeId: string): Promise<Edits> {
  const categories = new Map<string, CategoryEdit>();
  const items = new Map<string, ItemEdit>();
  const sequences = new Map<string, SequenceEdit>();
  for (const { externalId, ...edit } of await findMenuEdits(tx, storeId)) {
    const { feedChanged } = edit;
    if (edit.kind === 'category') categories.set(externalId, { feed: edit.feed, patch: edit.patch, feedChanged });
    else if (edit.kind === 'item') items.set(externalId, { feed: edit.feed, patch: edit.patch, feedChanged });
    else sequences.set(externalId, { feed: edit.feed, patch: edit.patch, feedChanged });
  }
  return { categories, items, sequences };
}
