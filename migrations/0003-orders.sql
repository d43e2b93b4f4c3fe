-- What the service may know of a card: its brand and last four digits, and the gateway's own token for it.
create table payment_methods (
  payment_method_id text primary key,
  account_id text not null references accounts,
  mode text not null check (mode in ('sandbox', 'live')),
  user_id text not null,
  user_email text not null,
  gateway_token text not null,
  brand text not null,
  last4 text not null,
  expiration_month integer not null,
  expiration_year integer not null,
  created_at timestamptz not null,
  deleted_at timestamptz
);
create index payment_methods_by_user on payment_methods (account_id, mode, user_id) where deleted_at is null;

-- How many orders hold a window of a store; never above the store's capacity.
create table slot_holds (
  store_id text not null references stores,
  pickup boolean not null,
  starts_at timestamptz not null,
  held integer not null check (held >= 0),
  primary key (store_id, pickup, starts_at)
);

-- Counts the changes of a store's slot_holds for the caches of inventories. A row of its own, locked after the window's:
-- on `menus`, which the triggers of products lock, an order with a slot and one without could wait for each other.
create table slot_versions (
  store_id text primary key references stores,
  version bigint not null
);

create table orders (
  order_id text primary key,
  -- Orders lie by account and order, stores by store: no foreign key crosses, so that either can be distributed, and so
  -- that orders placed at once do not lock the row of one store or account together.
  account_id text not null,
  mode text not null check (mode in ('sandbox', 'live')),
  user_id text not null,
  store_id text not null,
  status text not null check (status in ('unplaced', 'awaiting_confirmation', 'in_progress', 'completed', 'canceled')),
  pickup boolean not null,
  -- The order as the client asked for it, parsed (OrderRequest), and the quote it was given, frozen (FrozenQuote).
  request jsonb not null,
  quote jsonb not null,
  total_with_tip bigint not null,
  idempotency_key text,
  -- Money. The gateway key of an attempt is order_id:charge_attempt; the same key never charges twice.
  charge_user boolean not null,
  payment_method_id text,
  charge_state text not null check (charge_state in ('none', 'pending', 'charged', 'declined', 'refund_pending', 'refunded')),
  charge_attempt integer not null default 0,
  charge_started_at timestamptz,
  charge_id text,
  charged_cents bigint not null default 0,
  refunded_cents bigint not null default 0,
  -- What the order holds of its store, given back on cancelation: [{ productNo, quantity }] and a slot.
  stock_held jsonb not null default '[]',
  slot_starts_at timestamptz,
  slot_ends_at timestamptz,
  slot_held boolean not null default false,
  -- Progress.
  is_ready boolean not null default false,
  driver jsonb not null default '{}',
  driver_stage text not null default 'none' check (driver_stage in ('none', 'assigned', 'picked_up', 'nearby')),
  cancel_reason text,
  eta timestamptz,
  created_at timestamptz not null,
  placed_at timestamptz,
  confirm_by timestamptz,
  completed_at timestamptz,
  canceled_at timestamptz,
  favorited boolean not null default false,
  customer_order_id text,
  last_sequence integer not null default 0
);
create index orders_by_account on orders (account_id, mode, created_at desc, order_id);
create unique index orders_by_idempotency_key on orders (account_id, mode, idempotency_key) where idempotency_key is not null;
create index orders_by_charge_under_way on orders (charge_started_at) where charge_state in ('pending', 'refund_pending');

-- The log everything that follows an order derives from.
create table order_events (
  order_id text not null references orders,
  sequence integer not null,
  type text not null,
  at timestamptz not null,
  data jsonb not null,
  -- How far the order was right after the event (OrderProgress): with its request and quote, the order as it was then.
  progress jsonb not null,
  -- Whether the jobs that follow from it exist; set with them, in one transaction.
  dispatched boolean not null default false,
  primary key (order_id, sequence)
);
create index order_events_to_dispatch on order_events (at) where not dispatched;

-- An order's request and quote are a few kilobytes that are read with it: kept in the row as they are, not compressed.
alter table orders set (toast_tuple_target = 8160);
