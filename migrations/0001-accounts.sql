-- Secrets the service made for itself, shared by every node: the key that seals opaque tokens.
create table settings (
  name text primary key,
  value text not null
);

create table accounts (
  account_id text primary key,
  name text not null,
  created_at timestamptz not null
);

-- Only the SHA-256 of a key is kept; `hint` is its prefix and last four characters, for people.
create table api_keys (
  key_id text primary key,
  account_id text not null references accounts,
  mode text not null check (mode in ('sandbox', 'live')),
  key_hash bytea not null unique,
  hint text not null,
  created_at timestamptz not null,
  revoked_at timestamptz
);
create index api_keys_by_account on api_keys (account_id);

-- The first answer to a POST with an Idempotency-Key, replayed for 24 hours.
-- `running` without an answer is a request still under way, or one whose process died.
create table idempotency_keys (
  account_id text not null,
  mode text not null,
  key text not null,
  fingerprint bytea not null,
  state text not null check (state in ('running', 'done')),
  attempt integer not null default 1,
  started_at timestamptz not null,
  status integer,
  content_type text,
  body text,
  primary key (account_id, mode, key)
);
create index idempotency_keys_by_age on idempotency_keys (started_at);
