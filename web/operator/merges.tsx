import { useState } from 'preact/hooks';
import { MERGES } from '../../src/surfaces/operator/tables.ts';
import { call, type ListedMerge } from './api.ts';
import { useLoad } from './hooks.ts';
import { ActionDialog, Fault, List } from './parts.tsx';
import { Only } from './role.tsx';
import { Pager } from './search-form.tsx';

/** The decisions that two stores are one place. */
export function MergesView({ query }: { query: URLSearchParams }) {
  const { data, error, reload } = useLoad('GET /operator/merges', { query: Object.fromEntries(query) });
  const [undoing, setUndoing] = useState<ListedMerge>();
  return (
    <>
      <h1>Merged stores</h1>
      <Fault>{error}</Fault>
      <List
        title="Merges, newest first"
        rows={data?.merges}
        loading="Loading merges…"
        empty="No merged stores."
        keyOf={({ merge_id }) => merge_id}
        table={MERGES}
        columns={[
          {
            head: 'Actions',
            class: 'do',
            cell: (merge) =>
              merge.state !== 'undone' && (
                <Only to="admin">
                  <button type="button" onClick={() => setUndoing(merge)}>
                    Undo…
                  </button>
                </Only>
              ),
          },
        ]}
      />
      <Pager tab="merges" query={query} next={data?.next ?? null} />
      {undoing && (
        <UndoDialog
          merge={undoing}
          onClose={() => setUndoing(undefined)}
          onDone={() => {
            setUndoing(undefined);
            reload();
          }}
        />
      )}
    </>
  );
}

function UndoDialog({ merge, onClose, onDone }: { merge: ListedMerge; onClose(): void; onDone(): void }) {
  const path = { merge_id: merge.merge_id };
  return (
    <ActionDialog
      title={`${merge.name} and ${merge.into_name} are separate stores`}
      verb="Undo merge"
      onClose={onClose}
      send={() => call('POST /operator/merges/:merge_id/undo', { path }).then(onDone)}
    >
      <p>Search will show both from now on, and imports won't merge them again.</p>
    </ActionDialog>
  );
}
