-- When a product that is off sale until tomorrow goes on sale by itself.
alter table products add column available_at timestamptz;
