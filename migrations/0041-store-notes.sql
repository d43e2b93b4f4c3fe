-- Notes about a store, by the store or by an operator. An ended note is deleted.
create table store_notes (
  note_id text primary key,
  store_id text not null references stores,
  -- 'store' or 'operator', and the name of the person; null: the store's owner or key.
  written_by text not null check (written_by in ('store', 'operator')),
  writer text,
  text text not null,
  written_at timestamptz not null
);
create index store_notes_by_store on store_notes (store_id, written_at desc, note_id desc);
