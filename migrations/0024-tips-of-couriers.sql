-- A raised tip that a courier company cannot take is owed to its driver. Of a delivery: the whole tip that the company
-- has; null until it is requested, and in rows of earlier versions. Of a raise: when the operator paid it out itself.
alter table courier_deliveries add column tip_cents bigint;
alter table order_tips add column paid_out_at timestamptz;
