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

-- A charge that its customer must approve (3-D Secure) waits; no money moves before the order is finalized again.
alter table orders add column waiting_charge_id text;
alter table orders drop constraint orders_charge_state_check;
alter table orders add constraint orders_charge_state_check
  check (charge_state in ('none', 'pending', 'waiting', 'charged', 'declined', 'refund_pending', 'refunded'));

-- What an operator must see of the gateway: disputes, refunds made at the gateway itself, refunds that failed.
create table gateway_events (
  event_id text primary key,
  kind text not null check (kind in ('dispute', 'refund_outside', 'refund_failed')),
  charge_id text not null,
  -- Null until the charge was looked up, and for a charge of no order here.
  order_id text,
  amount_cents bigint not null,
  status text not null,
  reason text not null,
  at timestamptz not null,
  received_at timestamptz not null
);
create index gateway_events_by_age on gateway_events (at desc, event_id);

-- The sandbox gateway's own books: a charge that waits has a link of its own, which is the permission to answer it.
alter table sandbox_gateway_cards drop constraint sandbox_gateway_cards_charge_status_check;
alter table sandbox_gateway_cards add constraint sandbox_gateway_cards_charge_status_check
  check (charge_status in ('succeeded', 'declined', 'waiting'));
alter table sandbox_gateway_charges drop constraint sandbox_gateway_charges_status_check;
alter table sandbox_gateway_charges add constraint sandbox_gateway_charges_status_check
  check (status in ('succeeded', 'declined', 'waiting', 'approved', 'canceled'));
alter table sandbox_gateway_charges add column link text unique;
