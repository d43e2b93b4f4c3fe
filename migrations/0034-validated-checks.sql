-- Validating reads each table once, beside reads and writes. It stands in a file of its own, which locks nothing else.
alter table store_notices validate constraint store_notices_kind_check;
alter table orders validate constraint orders_charge_state_check;
alter table sandbox_gateway_cards validate constraint sandbox_gateway_cards_charge_status_check;
alter table sandbox_gateway_charges validate constraint sandbox_gateway_charges_status_check;
