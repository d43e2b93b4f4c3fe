import { Command } from 'commander';
import { systemClock } from '../../platform/lib/clock.ts';
import { undoMerge } from '../../supply/stores/merges/merge-places.flow.ts';
import { listMerges, type MergeRow, mergeState } from '../../supply/stores/merges/merges.db.ts';
import { CommandFailure } from './failure.ts';
import { answer, jsonDocument, type OutputOptions } from './output.ts';
import { withDatabase } from './with-database.ts';
import { type ListForm, readPages, writePages } from './write-pages.ts';

/** `doorstep stores merges`: lists every decision that two stores are the same place, newest first. */
export function storeMergesCommand(): Command {
  return new Command('merges')
    .description('List merges, newest first. A merge records that two stores are the same place.')
    .option(
      '--json',
      'print one JSON document: { merges: [{ merge_id, store_id, name, source, into_store_id, …, reason, meters, state, … }] }',
    )
    .addHelpText(
      'after',
      '\nState: `merged` while search shows one store for both, `ended` after that store left search, `undone` after\n`doorstep stores unmerge`.',
    )
    .action((options: OutputOptions) =>
      withDatabase(({ db, signal }) =>
        writePages(
          options,
          MERGES,
          readPages<MergeRow>((last, limit) => listMerges(db, last, limit)),
          signal,
        ),
      ),
    );
}

const MERGES: ListForm<MergeRow> = {
  name: 'merges',
  document: mergeOf,
  heads: ['MERGE', 'STATE', 'STORE', 'INTO', 'BY', 'METERS'],
  cells: (row) => [
    row.mergeId,
    mergeState(row),
    `${row.name} (${row.source})`,
    `${row.intoName} (${row.intoSource})`,
    row.reason,
    row.meters.toFixed(0),
  ],
};

/** `doorstep stores unmerge`: undoes a merge. Search of a running service shows both stores within two seconds. */
export function unmergeStoreCommand(): Command {
  return new Command('unmerge')
    .description("Undo a merge permanently: search shows both stores, and imports won't merge them again.")
    .argument('<merge_id>', 'the ID shown by `stores merges`')
    .option('--json', 'print one JSON document: the merge')
    .action(async (mergeId: string, options: OutputOptions) => {
      const merge = await withDatabase(async ({ db, log }) => {
        const undone = await db.transaction().execute((tx) => undoMerge(tx, mergeId, systemClock.now()));
        if (!undone) throw new CommandFailure(`No such merge: ${mergeId}.`);
        log.info({ mergeId, storeId: undone.storeId, intoStoreId: undone.intoStoreId }, 'merge undone');
        return undone;
      });
      answer(
        options,
        mergeOf(merge),
        `${merge.name} (${merge.source}) and ${merge.intoName} (${merge.intoSource}) are separate stores again.`,
      );
    });
}

function mergeOf(row: MergeRow): object {
  return { ...jsonDocument(row), meters: Math.round(row.meters * 10) / 10, state: mergeState(row) };
}
