-- What one account may cost its operator: budgets a day, declined cards an hour, and prices below the store's own.

-- Whether carts of the account may be charged below their stores' own prices.
alter table accounts add column negative_markup boolean not null default false;

-- The limits that an operator has set for an account; every other limit is the setting of the service.
create table account_limits (
  account_id text not null references accounts,
  kind text not null,
  most bigint not null check (most >= 0),
  primary key (account_id, kind)
);

-- What an account has used of a budget in a UTC day. No foreign key: concurrent writers would lock the account's row together.
create table budget_use (
  account_id text not null,
  mode text not null check (mode in ('sandbox', 'live')),
  kind text not null,
  day date not null,
  used bigint not null check (used >= 0),
  -- Of unplaced orders alone.
  bytes bigint not null default 0 check (bytes >= 0),
  -- What the last statement that asked for several units was given: the answer to that statement.
  granted bigint not null default 0,
  primary key (account_id, mode, kind, day)
);
create index budget_use_by_day on budget_use (day);

-- Declined charges and cards of the last hour, by each thing that is held back after too many declines.
create table card_declines (
  account_id text not null,
  mode text not null check (mode in ('sandbox', 'live')),
  scope text not null check (scope in ('user', 'card', 'key')),
  subject text not null,
  at timestamptz not null
);
create index card_declines_by_subject on card_declines (account_id, mode, scope, subject, at);
create index card_declines_by_age on card_declines (at);

-- The gateway's name of the card itself, whatever token it was saved under; null where the gateway tells none.
alter table payment_methods add column fingerprint text;

-- `over_budget`: the account's budget of the day was used up. `not_sent`: SMS do not go to this number.
alter table messages drop constraint messages_state_check;
alter table messages add constraint messages_state_check
  check (state in ('pending', 'sent', 'kept', 'dead', 'over_budget', 'not_sent')) not valid;
