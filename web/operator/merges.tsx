import { useState } from 'preact/hooks';
import { Dialog } from '../dialog.tsx';
import { call, type ListedMerge } from './api.ts';
import { useLoad, useRun } from './hooks.ts';
import { DialogFoot, Empty, Fault, Id, Moment, Pill, Section, Table } from './parts.tsx';
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
      <Section title="Merges, newest first">
        {data === undefined && <Empty>Loading merges…</Empty>}
        {data?.merges.length === 0 && <Empty>No merged stores.</Empty>}
        {data && data.merges.length > 0 && (
          <Table
            caption="Merges"
            rows={data.merges}
            keyOf={({ merge_id }) => merge_id}
            columns={[
              { head: 'State', cell: ({ state }) => <Pill tone={state === 'merged' ? 'good' : 'plain'}>{state}</Pill> },
              {
                head: 'Store',
                cell: ({ store_id, name, source }) => <Named id={store_id} name={name} source={source} />,
              },
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
        )}
      </Section>
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
  const running = useRun();
  const submit = (event: Event) => {
    event.preventDefault();
    running.run(async () => {
      await call('POST /operator/merges/:merge_id/undo', { path: { merge_id: merge.merge_id } });
      onDone();
    });
  };
  return (
    <Dialog title={`${merge.name} and ${merge.into_name} are separate stores`} close={onClose}>
      <form onSubmit={submit}>
        <p>Search will show both from now on, and imports won't merge them again.</p>
        <DialogFoot running={running} verb="Undo merge" onClose={onClose} />
      </form>
    </Dialog>
  );
}
