import { Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import type { Context } from '../../platform/db/context.ts';
import { component } from '../../platform/http/api-components.ts';
import { BEFORE, cutPage, listCursor, NEXT, readBefore } from '../../platform/http/list-page.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { undoMerge } from '../../supply/stores/merges/merge-places.flow.ts';
import { listMerges, type MergeRow, mergeState } from '../../supply/stores/merges/merges.db.ts';
import { moment, showRow } from './field-schemas.ts';
import { MERGES } from './tables.ts';

const PAGE_SIZE = 50;

const MergeSchema = component('ListedMerge', 'A decision that two stores are the same place.', {
  merge_id: Type.String(),
  store_id: Type.String(),
  name: Type.String(),
  source: Type.String(),
  into_store_id: Type.String(),
  into_name: Type.String(),
  into_source: Type.String(),
  reason: Type.String({ description: 'The data that both have in common.' }),
  meters: Type.Number({ description: 'The distance between them.' }),
  decided_at: Type.Integer({ description: 'Epoch seconds.' }),
  ended_at: moment('When search stopped listing the merged store.'),
  undone_at: moment('When an operator undid it.'),
  state: Type.Enum(['merged', 'ended', 'undone']),
});

export const listMergesOperation = operation({
  endpoint: 'GET /merges',
  summary: 'List store merges, newest first',
  description:
    'Search shows a merged store as the store that it was merged into. `state` says whether the merge is in effect.',
  query: Type.Object({ before: BEFORE }),
  answer: Type.Object({ merges: Type.Array(MergeSchema), next: NEXT }, { description: '50 per page.' }),
  on: { operator: { command: 'stores merges', table: MERGES, role: 'viewer' } },
}).run(async (deps: Context, { query }) => {
  const cursor = readBefore(query.before);
  const after = cursor && { decidedAt: cursor.at, mergeId: cursor.id };
  const rows = await listMerges(deps.db, after, PAGE_SIZE + 1);
  const { page, next } = cutPage(rows, PAGE_SIZE, ({ decidedAt: at, mergeId: id }) => listCursor({ at, id }));
  return { merges: page.map(presentMerge), next };
});

export const undoMergeOperation = operation({
  endpoint: 'POST /merges/:merge_id/undo',
  refuses: ['not_found'],
  summary: 'Undo a merge permanently',
  description: 'For two different stores. Search shows both again, and no import merges them.',
  params: Type.Object({ merge_id: Type.String({ maxLength: 64, description: 'A merge.' }) }),
  body: Type.Object({}),
  answer: MergeSchema,
  on: { operator: { command: 'stores unmerge <merge_id>', role: 'admin' } },
}).run(async (_needs: object, { save, params }) => {
  const { merge_id: mergeId } = params;
  const merge = await save(
    async (tx, at) => {
      const undone = await undoMerge(tx, mergeId, at);
      if (!undone) throw new Refusal('not_found', 'There is no such merge.');
      return undone;
    },
    ({ storeId, intoStoreId }) => ({
      action: 'merge.undo',
      target: mergeId,
      details: { store_id: storeId, into_store_id: intoStoreId },
    }),
  );
  return presentMerge(merge);
});

const presentMerge = (row: MergeRow) => ({ ...showRow(row), meters: Math.round(row.meters), state: mergeState(row) });
