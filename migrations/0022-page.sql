-- What an account sets for its customers beyond its name: its colour, where they get help, whether they cancel an order
-- themselves, where they order again, and which messages they get besides the usual ones.
alter table brandings
  -- `#rrggbb`.
  add color text check (color ~ '^#[0-9a-f]{6}$'),
  add help_url text,
  add help_email text,
  -- In E.164.
  add help_phone text,
  add customer_cancel boolean not null default false,
  -- An https URL with the placeholders {order_id}, {store_id} and {customer_order_id}.
  add reorder_url text,
  -- The channels of the two messages that an account may add.
  add on_its_way text not null default 'off' check (on_its_way in ('off', 'sms', 'email', 'both')),
  add delivered text not null default 'off' check (delivered in ('off', 'sms', 'email', 'both')),
  -- When the tracking host last answered for the service; links use the host from then on.
  add tracking_host_verified_at timestamptz,
  -- When the host was last asked, whatever it answered.
  add tracking_host_checked_at timestamptz;

create index brandings_verified on brandings (account_id) where tracking_host_verified_at is not null;
