-- A point of sale is called with every change of an order.
alter table store_notices drop constraint store_notices_kind_check;
alter table store_notices add constraint store_notices_kind_check check (kind in ('offered', 'confirmed', 'item_changed',
  'ready', 'driver_assigned', 'picked_up', 'driver_nearby', 'completed', 'canceled', 'refunded', 'tipped', 'kitchen_copy',
  'receipt_copy')) not valid;
