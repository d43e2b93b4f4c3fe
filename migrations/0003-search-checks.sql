-- Each process's search index, compared with the listed stores.
create table search_checks (
  -- A process; its row is deleted a day after it has ended.
  node text primary key,
  checked_at timestamptz not null,
  -- [{ storeId, reason }]: stores that cannot be converted for search, at most 100.
  left_out jsonb not null,
  -- The last difference: when it was found, how many stores search lacked, and the first of them.
  differed_at timestamptz,
  missing integer not null default 0,
  first_missing text
);
