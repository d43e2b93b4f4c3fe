-- Runs outside a transaction.
-- Accounts look for an order by their own id of it.
create index concurrently if not exists orders_by_customer_order_id on orders (account_id, mode, (request->>'customerOrderId')) where request->>'customerOrderId' <> '';
