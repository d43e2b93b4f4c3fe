-- Platforms of the Universal Commerce Protocol that order for an account, and their checkouts.
create table ucp_platforms (
  profile_url text primary key,
  account_id text not null references accounts,
  mode text not null check (mode in ('sandbox', 'live')),
  orders text not null check (orders in ('place', 'handover')),
  bound_at timestamptz not null
);

create table ucp_checkouts (
  checkout_id text primary key,
  account_id text not null references accounts,
  mode text not null check (mode in ('sandbox', 'live')),
  profile_url text not null,
  store_id text not null,
  -- The order that the last cart that could be quoted became.
  order_id text references orders on delete cascade,
  asked jsonb not null,
  shown jsonb not null,
  is_quoted boolean not null,
  is_canceled boolean not null,
  changed_at timestamptz not null,
  leased_until timestamptz
);
create index ucp_checkouts_by_order on ucp_checkouts (order_id);
create index ucp_checkouts_changed on ucp_checkouts (changed_at);
