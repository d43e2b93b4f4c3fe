-- Validating reads each table once, beside reads and writes. It stands in a file of its own, which locks nothing else.
alter table stores validate constraint stores_busy_minutes_check;
alter table store_notices validate constraint store_notices_kind_check;
