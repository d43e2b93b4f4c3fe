-- How an account appears to the people who order through it.
create table brandings (
  account_id text primary key references accounts,
  display_name text,
  logo_url text,
  from_address text,
  bcc_address text,
  -- A 16 by 16 pixel PNG or ICO, and its media type.
  favicon bytea,
  favicon_type text,
  tracking_host text unique,
  updated_at timestamptz not null
);

-- Where an account wants to be told of its sandbox orders' events, and where of its live ones': each is seen and changed
-- with keys of its mode alone. Replacing the endpoint keeps the secret.
create table webhook_endpoints (
  account_id text not null references accounts,
  mode text not null check (mode in ('sandbox', 'live')),
  url text not null,
  secret text not null,
  enabled boolean not null,
  -- Since when every delivery has failed; null while the last one succeeded.
  failing_since timestamptz,
  updated_at timestamptz not null,
  primary key (account_id, mode)
);

-- One call for one event, and its queue: `next_attempt_at` is when it is due, `leased_until` keeps it from other
-- workers while one is calling, and lets it go when that one dies.
create table webhook_deliveries (
  webhook_id text primary key,
  account_id text not null references accounts,
  mode text not null check (mode in ('sandbox', 'live')),
  order_id text,
  sequence integer,
  type text not null,
  body text not null,
  state text not null check (state in ('pending', 'delivered', 'dead')),
  attempts integer not null default 0,
  -- How many of them were before the last replay: the retry schedule begins anew with it.
  attempts_before integer not null default 0,
  -- The HTTP status of the last attempt; null where there was no answer.
  last_status integer,
  last_error text,
  next_attempt_at timestamptz,
  leased_until timestamptz,
  created_at timestamptz not null,
  delivered_at timestamptz,
  unique (order_id, sequence)
);
-- By endpoint first: however much waits for one, the next calls of all others are found past it.
create index webhook_deliveries_due on webhook_deliveries (account_id, mode, next_attempt_at) where state = 'pending';
create index webhook_deliveries_by_endpoint on webhook_deliveries (account_id, mode, created_at desc, webhook_id);

-- One SMS or e-mail to one person, and its queue, as above; a sandbox order's are never sent. What it says is written
-- when it is sent or read, from its event. That row is the only one that it references: it is locked at that moment anyway.
create table messages (
  message_id text primary key,
  account_id text not null,
  order_id text not null,
  sequence integer not null,
  mode text not null check (mode in ('sandbox', 'live')),
  channel text not null check (channel in ('sms', 'email')),
  kind text not null,
  state text not null check (state in ('pending', 'sent', 'kept', 'dead')),
  attempts integer not null default 0,
  last_error text,
  next_attempt_at timestamptz,
  leased_until timestamptz,
  created_at timestamptz not null,
  sent_at timestamptz,
  -- No person is told the same twice.
  unique (order_id, channel, kind),
  foreign key (order_id, sequence) references order_events
);
create index messages_due on messages (next_attempt_at) where state = 'pending';
