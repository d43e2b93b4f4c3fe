-- What the orders of each account's sandbox hold of a store, beside the live count in products.qty_available and
-- slot_holds (docs/adr/0018-a-sandbox-counts-for-itself.md). No live order reads, writes or locks these rows.

-- Units that the sandbox orders of an account have taken of a product since its store last set the stock.
create table sandbox_stock (
  store_id text not null references stores,
  account_id text not null,
  product_no integer not null,
  held integer not null check (held >= 0),
  primary key (store_id, account_id, product_no)
);

-- How many sandbox orders of an account hold a window; never above the store's capacity.
create table sandbox_slot_holds (
  store_id text not null references stores,
  account_id text not null,
  pickup boolean not null,
  starts_at timestamptz not null,
  held integer not null check (held >= 0),
  primary key (store_id, account_id, pickup, starts_at)
);

-- Counts the changes of an account's windows at a store for the caches of inventories, as slot_versions does.
create table sandbox_slot_versions (
  store_id text not null references stores,
  account_id text not null,
  version bigint not null,
  primary key (store_id, account_id)
);

-- What a sandbox order holds of its sandbox. stock_held and slot_held stay what an order holds of the live count: an
-- earlier version of the service gives back only these, and never gives the live count units that it has not lost.
alter table orders
  add column sandbox_stock_held jsonb not null default '[]',
  add column sandbox_slot_held boolean not null default false;

-- The accounts for whose sandbox keys alone the store exists; null: the store is everyone's. A store has accounts while
-- sandbox keys alone have added its place.
alter table stores add column sandbox_accounts text[];
