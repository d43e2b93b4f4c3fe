-- Runs outside a transaction.
-- Ended calls, messages and notices by age, for those whose time to be kept is over.
create index concurrently if not exists webhook_calls_ended on webhook_calls (created_at) where state <> 'pending';
create index concurrently if not exists messages_ended on messages (created_at) where state <> 'pending';
create index concurrently if not exists store_notices_ended on store_notices (created_at) where state <> 'waiting';
create index concurrently if not exists alert_notices_ended on alert_notices (created_at) where state <> 'pending';
