-- Promotions of stores, accounts and the operator, with what orders used of them (docs/promotions.md).

create table promotions (
  promotion_id text primary key,
  offered_by text not null check (offered_by in ('store', 'account', 'operator')),
  -- The store or the account that offers it; empty for the operator.
  owner_id text not null,
  -- The id in the store's feed; null: not from a feed.
  external_id text,
  -- PromotionDetails: what never changes once it has begun.
  details jsonb not null,
  -- Where it is valid; null: in all stores.
  store_ids text[],
  -- In capital letters; null: automatic, unless it has generated codes.
  code text,
  generated_codes integer not null default 0,
  max_uses integer,
  max_uses_per_user integer,
  budget_cents bigint,
  -- Whether stores and pages show it.
  listed boolean not null,
  starts_at timestamptz,
  ends_at timestamptz,
  paused boolean not null default false,
  -- When it was ended; one that is past `ends_at` has ended too.
  ended_at timestamptz,
  created_at timestamptz not null
);
create index promotions_by_owner on promotions (offered_by, owner_id, created_at desc, promotion_id);
-- What an order looks at: those of its store, its account and the operator.
create index promotions_open on promotions (offered_by, owner_id) where ended_at is null;
create unique index promotions_by_code on promotions (offered_by, owner_id, code)
  where ended_at is null and code is not null;
create unique index promotions_by_external_id on promotions (owner_id, external_id)
  where ended_at is null and external_id is not null;

-- Stores that pay a part of what others offer: until a store has agreed, the promotion is not valid there.
create table promotion_agreements (
  promotion_id text not null references promotions,
  store_id text not null,
  agreed_by text not null,
  agreed_on date not null,
  recorded_at timestamptz not null,
  primary key (promotion_id, store_id)
);
create index promotion_agreements_by_store on promotion_agreements (store_id);

-- Generated codes, each for one use, as SHA-256.
create table promotion_codes (
  code_hash bytea not null,
  promotion_id text not null references promotions,
  primary key (promotion_id, code_hash)
);

-- What orders used of a promotion: placed ones, and those whose charge is under way. `sandbox` is the account whose sandbox
-- counts; empty for live orders. No foreign key, so that concurrent orders do not lock the promotion.
create table promotion_counts (
  promotion_id text not null,
  sandbox text not null,
  used bigint not null check (used >= 0),
  spent_cents bigint not null check (spent_cents >= 0),
  -- Subtotals of the orders at menu prices.
  sales_cents bigint not null,
  primary key (promotion_id, sandbox)
) with (fillfactor = 50);

-- The use of each order; canceling the order deletes it. User and card are HMACs, kept where they are limited: `user_use`
-- counts the uses of a user.
create table promotion_uses (
  order_id text not null,
  promotion_id text not null,
  sandbox text not null,
  discount_cents bigint not null,
  sales_cents bigint not null,
  user_hash text,
  user_use integer,
  card_hash text,
  code_hash bytea,
  used_at timestamptz not null,
  primary key (order_id, promotion_id)
);
create unique index promotion_uses_of_users on promotion_uses (promotion_id, sandbox, user_hash, user_use)
  where user_hash is not null;
create unique index promotion_uses_of_cards on promotion_uses (promotion_id, sandbox, card_hash) where card_hash is not null;
create unique index promotion_uses_of_codes on promotion_uses (promotion_id, sandbox, code_hash) where code_hash is not null;
-- Uses without a limit of users are kept until their order can no longer be canceled.
create index promotion_uses_by_age on promotion_uses (used_at)
  where user_hash is null and card_hash is null and code_hash is null;
