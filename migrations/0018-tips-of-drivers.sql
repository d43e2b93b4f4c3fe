-- A tip is the driver's. What a payout has of it for the store's drivers (null in entries of earlier versions), and what
-- refunds gave back of it.
alter table ledger_entries add column tips_to_pass_on_cents bigint;
alter table orders add column refunded_tip_cents bigint not null default 0;
alter table order_refunds add column tip_cents bigint not null default 0;
alter table store_terms alter column tip set default 'driver';
