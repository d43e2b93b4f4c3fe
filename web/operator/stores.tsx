import { MERGES } from '../../src/surfaces/operator/tables.ts';
import { Field } from '../field.tsx';
import { type AnswerOf, call } from './api.ts';
import { useLoad } from './hooks.ts';
import { DialogButton, Id, List, Pill } from './parts.tsx';
import { Only } from './role.tsx';
import { Pager, SearchForm } from './search-form.tsx';

/** Conditions that keep live orders from a store. */
export function StoreStates({ store }: { store: AnswerOf<'GET /operator/stores'>['stores'][number] }) {
  return (
    <>
      {store.is_failing && <Pill tone="bad">channel failing</Pill>}
      {!store.has_channel && <Pill tone="warn">no channel</Pill>}
      {!store.listed && <Pill tone="warn">hidden from search</Pill>}
      {!store.online_ordering && <Pill tone="plain">ordering off</Pill>}
      {!store.has_catalog && <Pill tone="plain">no menu</Pill>}
      {store.merged_into !== null && <Pill tone="plain">merged</Pill>}
      {store.has_channel && !store.is_failing && <Pill tone="good">receives orders</Pill>}
    </>
  );
}

export function StoresView({ query }: { query: URLSearchParams }) {
  const { data, error } = useLoad('GET /operator/stores', { query: Object.fromEntries(query) });
  return (
    <>
      <h1>Stores</h1>
      <SearchForm tab="stores" query={query} label="Words of the name, or store ID">
        <Field label="Feed" name="source" maxLength={200} defaultValue={query.get('source') ?? ''} />
      </SearchForm>
      <p class="links">
        <a href="#/merges">Merged stores</a>
      </p>
      <List
        title="Stores"
        actions={
          <Only to="admin">
            <a class="button" href="#/stores/new">
              Add a store…
            </a>
          </Only>
        }
        rows={data?.stores}
        fault={error}
        empty="No stores found."
        keyOf={({ store_id }) => store_id}
        columns={[
          { head: 'Name', cell: ({ store_id, name }) => <a href={`#/stores/${store_id}`}>{name}</a> },
          { head: 'Place', cell: ({ city, state }) => `${city}, ${state}` },
          { head: 'State', cell: (store) => <StoreStates store={store} /> },
          {
            head: 'Feed',
            cell: ({ source }) => <a href={`#/stores?source=${encodeURIComponent(source)}`}>{source}</a>,
          },
          { head: 'ID', cell: ({ store_id }) => <Id id={store_id} /> },
        ]}
      />
      <Pager tab="stores" query={query} next={data?.next ?? null} name="after" />
    </>
  );
}

/** The decisions that two stores are one place. */
export function MergesView({ query }: { query: URLSearchParams }) {
  const { data, error, reload } = useLoad('GET /operator/merges', { query: Object.fromEntries(query) });
  return (
    <>
      <h1>Merged stores</h1>
      <List
        title="Merges, newest first"
        rows={data?.merges}
        fault={error}
        empty="No merged stores."
        keyOf={({ merge_id }) => merge_id}
        table={MERGES}
        act={({ state, name, into_name, merge_id }) =>
          state !== 'undone' && (
            <DialogButton
              to="admin"
              label="Undo…"
              title={`${name} and ${into_name} are separate stores`}
              verb="Undo merge"
              send={() => call('POST /operator/merges/:merge_id/undo', { path: { merge_id } }).then(reload)}
            >
              <p>Search will show both from now on, and imports won't merge them again.</p>
            </DialogButton>
          )
        }
      />
      <Pager tab="merges" query={query} next={data?.next ?? null} />
    </>
  );
}
