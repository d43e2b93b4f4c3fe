-- Which company of couriers delivers the live orders of a store; a store without a row has none.
create table store_couriers (
  store_id text primary key references stores (store_id),
  gateway text not null,
  set_at timestamptz not null
);

-- Deliveries by couriers: a row is written before its gateway is called, so that no crash forgets a call.
create table courier_deliveries (
  order_id text not null references orders (order_id),
  attempt integer not null,
  gateway text not null,
  key text not null unique,
  state text not null,
  is_wanted boolean not null,
  is_too_late boolean not null,
  ready_at timestamptz not null,
  quote_id text,
  sent_at timestamptz,
  delivery_id text,
  driver_name text,
  fee_cents integer,
  currency text,
  tracking_url text,
  proof_url text,
  reported_at timestamptz,
  last_event_id text,
  failures integer not null,
  last_error text,
  created_at timestamptz not null,
  next_call_at timestamptz,
  leased_until timestamptz,
  primary key (order_id, attempt)
);

create unique index courier_deliveries_by_id on courier_deliveries (gateway, delivery_id) where delivery_id is not null;
create index courier_deliveries_due on courier_deliveries (next_call_at) where next_call_at is not null;
