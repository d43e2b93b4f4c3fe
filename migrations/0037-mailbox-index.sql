-- Runs outside a transaction.
drop index concurrently if exists orders_by_mailbox;
create index concurrently if not exists orders_by_mailbox on orders (mailbox_of(request->'customer'->>'email'), placed_at desc) where placed_at is not null and request->'customer'->>'email' <> '';
