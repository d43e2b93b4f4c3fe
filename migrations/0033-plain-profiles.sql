-- A row of a store is compressed only where two of them would not fit a page: compression takes a quarter of the processor
-- time that PostgreSQL needs to import a store. Rows that are there stay as they are.
alter table stores set (toast_tuple_target = 4080);
