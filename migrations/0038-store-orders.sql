-- Runs outside a transaction.
-- Orders under way by store: a store lists them however old they are.
create index concurrently if not exists orders_under_way on orders (store_id, mode, placed_at desc)
  where status in ('awaiting_confirmation', 'in_progress') and placed_at is not null;
-- Orders that their store was offered later than they were placed, by the offer.
create index concurrently if not exists orders_offered_later on orders (store_id, mode, offer_at)
  where offer_at > placed_at;
