-- Runs outside a transaction.
create index concurrently if not exists promotion_uses_by_identity on promotion_uses using gin (identities) where identities is not null;
create index concurrently if not exists orders_by_mailbox on orders (mailbox_of(request->'customer'->>'email'), placed_at desc) where placed_at is not null and request->'customer'->>'email' <> '';
