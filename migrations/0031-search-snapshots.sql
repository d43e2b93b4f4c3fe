-- Marks of search snapshots. A node trusts the snapshot of its search index only where the database knows the mark: a file
-- of another database, or of a history that a restore has undone, has none.
create table search_snapshots (
  mark text primary key,
  -- Every change of a store up to this number was committed when the mark was made, and is in the snapshot.
  seq bigint not null,
  made_at timestamptz not null
);
