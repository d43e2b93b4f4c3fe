-- A card of the gateway is one payment method: a token that is sent twice, or a setup that is reported twice, makes no second.
drop index payment_methods_by_token;
create unique index payment_methods_by_token on payment_methods (gateway_token);

-- A page of the gateway on which a customer enters a card. The id is part of the link, and is the permission.
create table card_setups (
  setup_id text primary key,
  account_id text not null references accounts,
  mode text not null check (mode in ('sandbox', 'live')),
  user_id text not null,
  user_email text not null,
  return_url text not null,
  -- The gateway's own id of its page; null until the gateway has opened one.
  gateway_session text,
  state text not null check (state in ('open', 'completed', 'canceled')),
  payment_method_id text,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index card_setups_by_expiry on card_setups (expires_at);
