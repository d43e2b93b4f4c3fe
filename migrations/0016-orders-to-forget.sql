-- Runs outside a transaction.
-- Orders by their end, for those whose personal data has been kept long enough.
create index concurrently if not exists orders_to_forget on orders (coalesce(completed_at, canceled_at, requoted_at, created_at))
  where not is_forgotten and (status in ('completed', 'canceled') or status = 'unplaced' and charge_state = 'refunded');
-- Orders of one user: to list them, and to forget them.
create index concurrently if not exists orders_by_user on orders (account_id, mode, user_id, created_at desc);
-- Deleted cards whose payer is still named.
create index concurrently if not exists payment_methods_to_forget on payment_methods (deleted_at) where deleted_at is not null and user_email <> '';
