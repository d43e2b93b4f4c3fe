-- Orders under way that hold counted stock, by store: an import leaves them what they hold.
create index orders_holding_stock on orders (store_id)
  where status in ('unplaced', 'awaiting_confirmation', 'in_progress') and stock_held <> '[]';
