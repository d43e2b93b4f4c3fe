-- The operator's view: what it finds orders and stores by, what operators changed in it, and what became of imports.

-- Live orders that wait for their store: they ring until a channel has answered.
create index orders_awaiting on orders (offer_at) where status = 'awaiting_confirmation' and mode = 'live';

-- Placed orders, newest first, and what an order is searched by: the number at the counter, a phone, the account's own id.
create index orders_by_placing on orders (mode, placed_at desc, order_id desc) where placed_at is not null;
create index orders_by_number on orders (order_number, placed_at desc) where order_number is not null;
create index orders_by_phone on orders ((request->'customer'->>'phone'), placed_at desc) where placed_at is not null;
create index orders_by_customer_order_id on orders (customer_order_id, placed_at desc)
  where customer_order_id is not null and placed_at is not null;

-- Stores whose name begins with some letters.
create index stores_by_name on stores ((lower(profile->>'name') collate "C"), store_id);

-- Keys of a store.
create index api_keys_by_store on api_keys (store_id, created_at desc) where store_id is not null;
-- Accounts, newest first.
create index accounts_by_creation on accounts (created_at desc, account_id desc);

-- Every change that an operator made. `details` holds no secret.
create table operator_actions (
  action_no bigint generated always as identity primary key,
  at timestamptz not null,
  session_id text not null,
  action text not null,
  -- The id of the order, store, account, key or other thing that was changed.
  target text not null,
  details jsonb not null
);
create index operator_actions_by_target on operator_actions (target, action_no desc);

-- Channels that fail, longest failing first.
create index store_channels_failing on store_channels (failing_since) where failing_since is not null;

-- What became of each import. Without `finished_at` it is running, or its process died.
create table import_runs (
  run_no bigint generated always as identity primary key,
  -- The names of the feeds.
  source text not null,
  format text not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  -- The numbers of the report: read, created and so on.
  counts jsonb not null default '{}',
  error_count integer not null default 0,
  warning_count integer not null default 0,
  -- The first of each; the report of the command has more.
  errors jsonb not null default '[]',
  warnings jsonb not null default '[]'
);
