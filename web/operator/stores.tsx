import type { OperatorListedStore } from './api.ts';
import { useLoad } from './hooks.ts';
import { Fault, Id, List, Pill } from './parts.tsx';
import { Only } from './role.tsx';
import { Pager, SearchForm } from './search-form.tsx';

/** Conditions that keep live orders from a store. */
export function StoreStates({ store }: { store: OperatorListedStore }) {
  return (
    <span class="pills">
      {store.is_failing && <Pill tone="bad">channel failing</Pill>}
      {!store.has_channel && <Pill tone="warn">no channel</Pill>}
      {!store.listed && <Pill tone="warn">hidden from search</Pill>}
      {!store.online_ordering && <Pill tone="plain">ordering off</Pill>}
      {!store.has_catalog && <Pill tone="plain">no menu</Pill>}
      {store.merged_into !== null && <Pill tone="plain">merged</Pill>}
      {store.has_channel && !store.is_failing && <Pill tone="good">receives orders</Pill>}
    </span>
  );
}

export function StoresView({ query }: { query: URLSearchParams }) {
  const { data, error, isLoading } = useLoad('GET /operator/stores', { query: Object.fromEntries(query) });
  return (
    <>
      <h1>Stores</h1>
      <SearchForm tab="stores" query={query} label="Words of the name, or store ID">
        <label>
          Feed
          <input type="text" name="source" maxLength={200} defaultValue={query.get('source') ?? ''} />
        </label>
      </SearchForm>
      <p class="links">
        <a href="#/merges">Merged stores</a>
      </p>
      <Fault>{error}</Fault>
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
        loading={isLoading && 'Loading stores…'}
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
