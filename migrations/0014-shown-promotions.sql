-- What promotions change in menus and searches: the prices to which they lower products, by mode, and the offers that a
-- store lists (ShownOffer[]).
alter table products add column menu_price integer, add column menu_pickup_price integer;
alter table stores add column offers jsonb;

-- When these are next written: when a promotion begins or ends, or at once. Stores without promotions are absent. All are
-- of one queue, whose name is empty.
create table shown_promotions (
  store_id text primary key references stores,
  queue text not null default '',
  due_at timestamptz,
  leased_until timestamptz
);
create index shown_promotions_due on shown_promotions (queue, due_at) where due_at is not null;

-- The constraint of 0011, on refunds from before it.
alter table order_refunds validate constraint order_refunds_cents_check;
