-- What the store hands over of an order's items where it differs from what was ordered: one element an item.
alter table orders add column adjustments jsonb not null default '[]';
