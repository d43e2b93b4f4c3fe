-- Money that a card holds until it is captured, for orders whose total is known when they leave their store.
alter table orders add column authorized_cents bigint,
  add column captured_cents bigint,
  -- The attempt whose hold the order's charge is, and until when the card holds it; null before it does.
  add column hold_attempt integer,
  add column hold_until timestamptz;
alter table orders drop constraint orders_charge_state_check,
  add constraint orders_charge_state_check check (charge_state in ('none', 'pending', 'waiting', 'to_collect', 'authorized',
    'capturing', 'charged', 'declined', 'refund_pending', 'refunded')) not valid;

alter table order_refunds drop constraint order_refunds_kind_check,
  add constraint order_refunds_kind_check check (kind in ('requested', 'item_changed', 'canceled', 'at_gateway',
    'weighed')) not valid;

alter table gateway_events drop constraint gateway_events_kind_check,
  add constraint gateway_events_kind_check check (kind in ('dispute', 'refund_outside', 'refund_failed', 'capture_failed')) not valid;

-- The books of the sandbox card processor.
alter table sandbox_gateway_charges add column authorized_amount bigint,
  add column capture_before timestamptz;
alter table sandbox_gateway_charges drop constraint sandbox_gateway_charges_status_check,
  add constraint sandbox_gateway_charges_status_check check (status in ('succeeded', 'declined', 'waiting', 'approved',
    'canceled', 'to_collect', 'authorized')) not valid;
