-- The sandbox card processor plays an outside party: these tables are its own books, written only by its adapter.
create table sandbox_gateway_cards (
  token text primary key,
  brand text not null,
  last4 text not null,
  -- What every charge of the card comes to; one that loses its answer is written all the same.
  charge_status text not null check (charge_status in ('succeeded', 'declined')),
  decline_code text,
  loses_answer boolean not null,
  created_at timestamptz not null
);

create table sandbox_gateway_charges (
  charge_id text primary key,
  idempotency_key text not null unique,
  order_id text not null,
  card_token text not null,
  amount bigint not null check (amount > 0),
  currency text not null check (currency in ('usd', 'cad')),
  refunded_amount bigint not null default 0 check (refunded_amount between 0 and amount),
  status text not null check (status in ('succeeded', 'declined')),
  decline_code text,
  created_at timestamptz not null
);
create index sandbox_gateway_charges_by_order on sandbox_gateway_charges (order_id);
create index sandbox_gateway_charges_by_card on sandbox_gateway_charges (card_token);

create table sandbox_gateway_refunds (
  idempotency_key text primary key,
  refund_id text not null unique,
  charge_id text not null references sandbox_gateway_charges,
  amount bigint not null check (amount > 0),
  created_at timestamptz not null
);

-- Ours again: which payment method a charge in the gateway's books was made with.
create index payment_methods_by_token on payment_methods (gateway_token);
