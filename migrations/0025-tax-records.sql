-- The entries of the ledger whose taxes an outside service computed, each to be recorded there once. `record` is the
-- service's id of it: null until the service has it, and '' where there was nothing to record.
create table tax_records (
  order_id text not null,
  sequence integer not null,
  record text,
  primary key (order_id, sequence)
);
create index tax_records_open on tax_records (order_id) where record is null;
