import { useState } from 'preact/hooks';
import { call, type ListedMerge } from './api.ts';
import { useLoad } from './hooks.ts';
import { ActionDialog, Fault, Id, List, Moment, Pill } from './parts.tsx';
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
        columns={[
          { head: 'State', cell: ({ state }) => <Pill tone={state === 'merged' ? 'good' : 'plain'}>{state}</Pill> },
          { head: 'Store', cell: ({ store_id, name, source }) => <Named id={store_id} name={name} source={source} /> },
          {
            head: 'Into',
            cell: ({ into_store_id, into_name, into_source }) => (
              <Named id={into_store_id} name={into_name} source={into_source} />
            ),
          },
          { head: 'Reason', cell: ({ reason, meters }) => `${reason}, ${meters} m apart` },
          { head: 'Decided', class: 'number', cell: ({ decided_at }) => <Moment at={decided_at} /> },
          { head: 'ID', cell: ({ merge_id }) => <Id id={merge_id} /> },
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

function Named({ id, name, source }: { id: string; name: string; source: string }) {
  return (
    <>
      <a href={`#/stores/${id}`}>{name}</a> <span class="soft">{source}</span>
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
