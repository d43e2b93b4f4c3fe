-- The shop of an account: its pages at the account's own host.
create table shops (
  account_id text primary key references accounts,
  mode text not null check (mode in ('sandbox', 'live')),
  -- The publishable key that its pages send. Anyone can read it there, so it is kept as it is.
  key_id text not null references api_keys,
  key text not null,
  -- The only stores that it shows; null for all.
  store_ids text[],
  -- The address near which a visitor without one is shown stores.
  near text,
  -- Whether the service's own host shows it at /shop, as the demo does.
  is_default boolean not null default false
);
create unique index shops_default on shops (is_default) where is_default;
