-- What the store hands over of an order's items where it differs from what was ordered: one element an item.
alter table orders add column adjustments jsonb not null default '[]';

-- A point of sale is told of changed items; `copy` of such a notice is the sequence of its event.
alter table store_notices drop constraint store_notices_kind_check;
alter table store_notices add constraint store_notices_kind_check
  check (kind in ('offered', 'confirmed', 'item_changed', 'ready', 'canceled', 'kitchen_copy', 'receipt_copy'));
