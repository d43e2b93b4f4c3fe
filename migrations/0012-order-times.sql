-- The short number of a placed order, such as A17: unique within its store, the store's local day and its key mode. Null
-- while unplaced, and for orders that were placed before numbers existed.
alter table orders add column order_number text;
-- When the store is offered the order; null while unplaced. Before this column every order was offered when placed.
alter table orders add column offer_at timestamptz;
update orders set offer_at = placed_at where status in ('awaiting_confirmation', 'in_progress');

-- The last number of a store's local day. Live orders of all accounts share a counter (account_id is empty); the sandbox
-- of each account has its own.
create table order_counters (
  store_id text not null,
  account_id text not null,
  day date not null,
  last integer not null,
  primary key (store_id, account_id, day)
) with (fillfactor = 50);
