import { Command } from 'commander';
import type { Static } from 'typebox';
import { listMergesProcedure, undoMergeProcedure } from '../../surfaces/operator/merges.route.ts';
import { type Manage, withManagement } from './manage.ts';
import { answer, type OutputOptions, secondsText } from './output.ts';
import { followPages, type ListForm, writePages } from './write-pages.ts';

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
      withManagement((manage, signal) => writePages(options, MERGES, pagesOfMerges(manage), signal)),
    );
}

type Merge = Static<(typeof undoMergeProcedure)['answer']>;

const pagesOfMerges = (manage: Manage) =>
  followPages(
    (before: string | undefined) => manage(listMergesProcedure, { query: before ? { before } : {} }),
    ({ merges }) => merges,
  );

const MERGES: ListForm<Merge> = {
  name: 'merges',
  document: mergeDocument,
  heads: ['MERGE', 'STATE', 'STORE', 'INTO', 'BY', 'METERS'],
  cells: (merge) => [
    merge.merge_id,
    merge.state,
    `${merge.name} (${merge.source})`,
    `${merge.into_name} (${merge.into_source})`,
    merge.reason,
    merge.meters.toFixed(0),
  ],
};

/** `doorstep stores unmerge`: undoes a merge. Search of a running service shows both stores within two seconds. */
export function unmergeStoreCommand(): Command {
  return new Command('unmerge')
    .description("Undo a merge permanently: search shows both stores, and imports won't merge them again.")
    .argument('<merge_id>', 'the ID shown by `stores merges`')
    .option('--json', 'print one JSON document: the merge')
    .action(async (merge_id: string, options: OutputOptions) => {
      const merge = await withManagement((manage) => manage(undoMergeProcedure, { params: { merge_id }, body: {} }));
      const { name, source, into_name, into_source } = merge;
      const text = `${name} (${source}) and ${into_name} (${into_source}) are separate stores again.`;
      answer(options, mergeDocument(merge), text);
    });
}

function mergeDocument({ decided_at, ended_at, undone_at, ...merge }: Merge): object {
  const moments = {
    decided_at: secondsText(decided_at),
    ended_at: secondsText(ended_at),
    undone_at: secondsText(undone_at),
  };
  return { ...merge, ...moments };
}
