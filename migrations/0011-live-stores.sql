-- How a store receives its live orders, and who works with them.

-- A live key may order only from a store that something or somebody of it receives orders on.
alter table stores
  add column has_channel boolean not null default false,
  -- Minutes of preparation with which the first channel that has an order confirms it; null: a person confirms.
  add column auto_confirm_minutes integer check (auto_confirm_minutes between 1 and 1440);

create table store_channels (
  store_id text not null references stores,
  channel text not null check (channel in ('console', 'email', 'sms', 'webhook', 'printer', 'operator')),
  -- An e-mail address, a phone number (E.164), a URL, or HOST:PORT; null for the console and the operator.
  target text,
  -- Signs the calls of a webhook.
  signing_secret text,
  -- Of a printer: when its kitchen ticket is printed, and its character encoding.
  print_at text not null default 'offered' check (print_at in ('offered', 'confirmed')),
  encoding text not null default 'multilingual',
  -- Since when every attempt has failed, and why the last one did; null while the last one succeeded.
  failing_since timestamptz,
  last_error text,
  created_at timestamptz not null,
  primary key (store_id, channel)
);

-- Everything that a channel of a store is to be told of an order, and the queue of it. An order's offer on a channel is
-- its row of kind 'offered'. `leased_until` keeps a row from other workers while one works on it.
create table store_notices (
  order_id text not null,
  store_id text not null,
  channel text not null,
  kind text not null check (kind in ('offered', 'confirmed', 'ready', 'canceled', 'kitchen_copy', 'receipt_copy')),
  -- Counts the copies of a ticket that were asked for; 0 is what the order itself brings.
  copy integer not null default 0,
  -- waiting: not there yet; sent: the channel has it; acknowledged: a person or a system has answered it;
  -- withdrawn: it became pointless before it was sent.
  state text not null check (state in ('waiting', 'sent', 'acknowledged', 'withdrawn')),
  attempts integer not null default 0,
  -- The attempts whose end was recorded: another one may have reached its channel before its worker died.
  ended_attempts integer not null default 0,
  -- Whether an attempt that failed may have reached the channel all the same: its ticket may lie in the kitchen.
  may_be_sent boolean not null default false,
  last_error text,
  next_attempt_at timestamptz,
  leased_until timestamptz,
  created_at timestamptz not null,
  sent_at timestamptz,
  acknowledged_at timestamptz,
  -- The secret of a link that opens this one order without a sign-in; in e-mails and SMS.
  link text unique,
  primary key (order_id, channel, kind, copy)
);
create index store_notices_due on store_notices (next_attempt_at) where state = 'waiting' and next_attempt_at is not null;
create index store_notices_by_printer on store_notices (store_id, channel) where state = 'waiting';

-- When a first channel had the order; and when the store said that the food is ready.
alter table orders
  add column received_at timestamptz,
  add column ready_by timestamptz;
create index orders_by_store on orders (store_id, placed_at desc) where placed_at is not null;

-- A store key belongs to a store: a live one to no account, a sandbox one to the account whose orders it plays with.
alter table api_keys alter column account_id drop not null;
alter table api_keys
  add column store_id text references stores,
  add check (account_id is not null or (store_id is not null and mode = 'live'));

-- A code that makes a console session once, of a store or (store_id null) of an operator. Only its SHA-256 is kept.
create table access_codes (
  code_hash bytea primary key,
  store_id text references stores,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  redeemed_at timestamptz
);

-- A console session. The token changes once a day; the one before it is taken for a minute more.
create table console_sessions (
  session_id text primary key,
  store_id text references stores,
  token_hash bytea not null unique,
  previous_hash bytea unique,
  rotated_at timestamptz not null,
  -- What the browser calls itself, for the list of sessions.
  device text not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index console_sessions_by_store on console_sessions (store_id, created_at);

-- Wrong codes of a client address since a moment.
create table sign_in_failures (
  client text primary key,
  failures integer not null,
  since timestamptz not null
);
