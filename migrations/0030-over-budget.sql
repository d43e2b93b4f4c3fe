-- Runs outside a transaction.
-- Messages that wait for a budget, by account.
create index concurrently if not exists messages_over_budget on messages (account_id, channel, created_at)
  where state = 'over_budget';
