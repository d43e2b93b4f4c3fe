-- Runs outside a transaction.
-- By account, and by a store's channel: however much waits for one of them, the next rows of all others are found past it.
create index concurrently if not exists messages_waiting on messages (channel, account_id, next_attempt_at)
  where state = 'pending';
create index concurrently if not exists store_notices_waiting on store_notices (store_id, channel, next_attempt_at)
  where state = 'waiting' and next_attempt_at is not null;
