-- Runs outside a transaction.
create index concurrently if not exists store_loads_to_publish on store_loads (account_id, publish_at) where publish_at is not null;
create index concurrently if not exists order_refunds_of_stores on order_refunds (created_at) where requested_by = 'store';
create index concurrently if not exists stores_to_learn on stores (learned_at) where learned_at is not null;
