-- Carts of platforms of the Universal Commerce Protocol: what a platform wants of a store, whether or not it is there. The
-- lines, and the place and language that the platform named: CartContent. They have no buyer.
create table ucp_carts (
  cart_id text primary key,
  account_id text not null references accounts,
  mode text not null check (mode in ('sandbox', 'live')),
  profile_url text not null,
  store_id text not null,
  content jsonb not null,
  changed_at timestamptz not null
);
create index ucp_carts_changed on ucp_carts (changed_at);
