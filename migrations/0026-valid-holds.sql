-- Proves what 0023 left unproven, without a lock that orders wait for.
alter table orders validate constraint orders_charge_state_check;
alter table order_refunds validate constraint order_refunds_kind_check;
alter table gateway_events validate constraint gateway_events_kind_check;
alter table sandbox_gateway_charges validate constraint sandbox_gateway_charges_status_check;
