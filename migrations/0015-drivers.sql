-- The number of the driver's link that works: every assignment of a driver has the next number. 0 before the first one.
alter table orders add column driver_link integer not null default 0;

-- The last position of a delivery's driver: a row of some two hundred bytes that is written every few seconds, while the
-- row of the order has several kilobytes and four indexes. The row counts while its order has taken no further step.
create table driver_positions (
  order_id text primary key,
  -- `last_sequence` of the order when the position came.
  last_sequence integer not null,
  -- The members of the order's `driver` that the position changes.
  moved jsonb not null,
  eta timestamptz
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- What the driver recorded at the door. A photo is a JPEG without metadata.
create table delivery_proofs (
  order_id text primary key references orders,
  photo bytea,
  id_checked boolean not null default false,
  at timestamptz not null
);
-- A JPEG does not shrink.
alter table delivery_proofs alter column photo set storage external;
