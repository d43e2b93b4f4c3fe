-- Runs outside a transaction.
create index concurrently if not exists orders_capturing on orders (charge_started_at) where charge_state = 'capturing';
