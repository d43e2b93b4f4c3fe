-- The ledger of what customers paid after placing, and of what went back.

-- `refunding_cents` is promised and not given back yet, `added_tip_cents` was added to the tip after placing.
alter table orders add column refunding_cents bigint not null default 0 check (refunding_cents >= 0);
alter table orders add column added_tip_cents bigint not null default 0 check (added_tip_cents >= 0);
alter table orders add constraint orders_refunded_check check (refunded_cents between 0 and charged_cents);

-- A refund of an order. It is booked first, with the order's row locked, and then given back at the gateway.
create table order_refunds (
  refund_id text primary key,
  order_id text not null references orders,
  -- The caller's name of the refund within its order: a repeated booking finds the first.
  key text not null,
  kind text not null check (kind in ('requested', 'item_changed', 'canceled', 'at_gateway')),
  reason text not null,
  -- The units that it gives back: [{ index, quantity, cents, taxCents }].
  items jsonb not null default '[]',
  cents bigint not null check (cents > 0),
  state text not null check (state in ('pending', 'done', 'failed')),
  -- What went back, once it has ended.
  refunded_cents bigint not null default 0 check (refunded_cents between 0 and cents),
  created_at timestamptz not null,
  ended_at timestamptz,
  -- The sequence of the event `order.refunded` that told of it.
  sequence integer,
  unique (order_id, key)
);

-- What a refund takes from each charge of its order. `gateway_key` names the part at the gateway, once and for all.
create table order_refund_parts (
  refund_id text not null references order_refunds,
  part integer not null,
  charge_id text not null,
  cents bigint not null check (cents > 0),
  gateway_key text not null unique,
  state text not null check (state in ('pending', 'done', 'failed')),
  gateway_refund_id text,
  started_at timestamptz not null,
  primary key (refund_id, part)
);
create index order_refund_parts_pending on order_refund_parts (started_at) where state = 'pending';

-- A tip that was raised after placing: a charge of its own, under the key order_id:tip:attempt.
create table order_tips (
  order_id text not null references orders,
  attempt integer not null,
  -- The whole tip of the order after it, and what it adds.
  tip_cents bigint not null,
  cents bigint not null check (cents > 0),
  payment_method_id text,
  -- `returning`: charged too late, and on its way back.
  state text not null check (state in ('pending', 'charged', 'declined', 'given_up', 'returning', 'returned')),
  charge_id text,
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (order_id, attempt)
);
create unique index order_tips_one_pending on order_tips (order_id) where state = 'pending';
create index order_tips_unresolved on order_tips (started_at) where state in ('pending', 'returning');

-- What was given back, or was on its way back, before the ledger existed.
insert into order_refunds (refund_id, order_id, key, kind, reason, cents, state, refunded_cents, created_at, ended_at, sequence)
select 'rf_' || order_id, order_id, 'before-the-ledger', case status when 'canceled' then 'canceled' else 'at_gateway' end,
  '', refunded_cents, 'done', refunded_cents, coalesce(canceled_at, created_at), coalesce(canceled_at, created_at),
  (select max(sequence) from order_events as e where e.order_id = orders.order_id and e.type = 'order.refunded')
from orders where refunded_cents > 0;
insert into order_refund_parts (refund_id, part, charge_id, cents, gateway_key, state, started_at)
select 'rf_' || order_id, 1, charge_id, refunded_cents, order_id || ':before-the-ledger', 'done', coalesce(canceled_at, created_at)
from orders where refunded_cents > 0 and charge_id is not null;

insert into order_refunds (refund_id, order_id, key, kind, reason, cents, state, created_at)
select 'rf2_' || order_id, order_id, 'canceled', 'canceled', coalesce(cancel_reason, ''), charged_cents - refunded_cents, 'pending',
  coalesce(charge_started_at, created_at)
from orders where charge_state = 'refund_pending' and charged_cents > refunded_cents and charge_id is not null;
insert into order_refund_parts (refund_id, part, charge_id, cents, gateway_key, state, started_at)
select 'rf2_' || order_id, 1, charge_id, charged_cents - refunded_cents, order_id || ':' || charge_attempt || ':refund', 'pending',
  coalesce(charge_started_at, created_at)
from orders where charge_state = 'refund_pending' and charged_cents > refunded_cents and charge_id is not null;
update orders set refunding_cents = charged_cents - refunded_cents
where charge_state = 'refund_pending' and charged_cents > refunded_cents and charge_id is not null;

-- An order may have many refunds, each with its e-mail. Every other message follows an event that an order has once.
alter table messages drop constraint messages_order_id_channel_kind_key;
alter table messages add constraint messages_once_an_event unique (order_id, channel, kind, sequence);
