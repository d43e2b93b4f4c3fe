-- A placed order's notes, apartment, name and phone may change, and whoever brings or makes it is told.
alter table store_notices drop constraint store_notices_kind_check;
alter table store_notices add constraint store_notices_kind_check check (kind in ('offered', 'confirmed', 'item_changed',
  'updated', 'ready', 'driver_assigned', 'picked_up', 'driver_nearby', 'completed', 'canceled', 'refunded', 'tipped',
  'kitchen_copy', 'receipt_copy')) not valid;
alter table courier_deliveries add column changed_at timestamptz;
