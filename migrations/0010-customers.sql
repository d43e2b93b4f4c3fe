-- Customers who sign in at their account's host, and the programs that they let act for them.

create table customers (
  account_id text not null references accounts,
  mode text not null check (mode in ('sandbox', 'live')),
  user_id text not null,
  -- Verified: in lower case, and in E.164.
  email text,
  phone text,
  language text,
  created_at timestamptz not null,
  primary key (account_id, mode, user_id),
  unique (account_id, mode, email),
  unique (account_id, mode, phone)
);

create table customer_sessions (
  token_hash bytea primary key,
  account_id text not null,
  mode text not null,
  user_id text not null,
  expires_at timestamptz not null,
  foreign key (account_id, mode, user_id) references customers on delete cascade
);
create index customer_sessions_of_user on customer_sessions (account_id, mode, user_id);

-- The code that a browser waits for. The code itself derives from the service's secret and the nonce.
create table sign_in_codes (
  browser_hash bytea not null,
  account_id text not null references accounts on delete cascade,
  mode text not null,
  contact text not null,
  nonce bytea not null,
  tries integer not null default 0,
  language text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (browser_hash, account_id)
);

-- What a customer allows a client. It begins with a code, which is exchanged once.
create table oauth_grants (
  grant_id text primary key,
  account_id text not null,
  mode text not null,
  user_id text not null,
  client_id text not null,
  client_name text not null,
  client_host text not null,
  scopes text[] not null,
  redirect_uri text not null,
  code_challenge text not null,
  resource text not null,
  code_hash bytea not null unique,
  code_expires_at timestamptz not null,
  -- When the code was exchanged; null for a grant that gave nothing yet.
  exchanged_at timestamptz,
  -- Whether the client proves itself; its refresh token then stays.
  is_confidential boolean not null default false,
  created_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz,
  foreign key (account_id, mode, user_id) references customers on delete cascade
);
create index oauth_grants_of_user on oauth_grants (account_id, mode, user_id);
create index oauth_grants_of_client on oauth_grants (client_id);

create table oauth_tokens (
  token_hash bytea primary key,
  grant_id text not null references oauth_grants on delete cascade,
  kind text not null check (kind in ('access', 'refresh')),
  scopes text[] not null,
  expires_at timestamptz not null,
  -- When a refresh token was exchanged for the next one.
  rotated_at timestamptz
);
create index oauth_tokens_of_grant on oauth_tokens (grant_id);
create index oauth_tokens_by_age on oauth_tokens (expires_at);

-- Clients that the operator registers for an account.
create table oauth_clients (
  client_id text primary key,
  account_id text not null references accounts,
  name text not null,
  redirect_uris text[] not null,
  -- Null for a client without a secret.
  secret_hash bytea,
  previous_hash bytea,
  previous_until timestamptz,
  jwks_uri text,
  created_at timestamptz not null,
  removed_at timestamptz
);
create index oauth_clients_of_account on oauth_clients (account_id);
