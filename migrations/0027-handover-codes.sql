-- The four digits for which an order is handed over, and how many wrong ones were sent.
alter table orders add column handover_code text, add column handover_tries integer not null default 0;
