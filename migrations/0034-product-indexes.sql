-- Product indexes as bytes, for nodes that start. A node reads an index instead of the rows of the products while the store
-- has the same number of its last change. Unlogged: nodes can build every index again, and a crash or a failover leaves none.
create unlogged table product_indexes (
  store_id text primary key,
  changed_seq bigint not null,
  -- Names what the bytes mean; another version of the service writes its own.
  format text not null,
  bytes bytea not null
);
-- Numbers that do not compress well: compressing them would take more time than reading them.
alter table product_indexes alter column bytes set storage external;
