-- Money that is collected when an order is handed over: how much was, and by whom; and the part of a ledger entry that
-- whoever handed the order over has (null in entries of earlier versions).
alter table orders add column collected_cents bigint, add column collected_by text;
alter table ledger_entries add column collected_cents bigint;
alter table orders drop constraint orders_charge_state_check;
alter table orders add constraint orders_charge_state_check check (charge_state in ('none', 'pending', 'waiting',
  'to_collect', 'charged', 'declined', 'refund_pending', 'refunded')) not valid;
alter table sandbox_gateway_cards drop constraint sandbox_gateway_cards_charge_status_check;
alter table sandbox_gateway_cards add constraint sandbox_gateway_cards_charge_status_check check (charge_status in (
  'succeeded', 'declined', 'waiting', 'to_collect')) not valid;
alter table sandbox_gateway_charges drop constraint sandbox_gateway_charges_status_check;
alter table sandbox_gateway_charges add constraint sandbox_gateway_charges_status_check check (status in ('succeeded',
  'declined', 'waiting', 'approved', 'canceled', 'to_collect')) not valid;
