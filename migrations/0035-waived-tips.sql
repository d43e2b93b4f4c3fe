-- Later tips below the minimum of a card gateway, which the operator pays.
alter table orders add column waived_tip_cents bigint not null default 0;
