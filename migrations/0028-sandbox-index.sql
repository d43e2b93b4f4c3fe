-- Runs outside a transaction.
-- Sandbox orders under way that hold counted stock, by store and account.
create index concurrently if not exists orders_holding_sandbox_stock on orders (store_id, account_id)
  where status in ('unplaced', 'awaiting_confirmation', 'in_progress') and sandbox_stock_held <> '[]';
