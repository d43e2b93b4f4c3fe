-- Runs outside a transaction.
create index concurrently if not exists payment_methods_by_card on payment_methods (account_id, mode, (coalesce(fingerprint, gateway_token)));
create index concurrently if not exists orders_by_payment_method on orders (payment_method_id) where placed_at is not null and payment_method_id is not null;
