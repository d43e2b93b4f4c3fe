-- Calls to platforms of the Universal Commerce Protocol about the orders that their checkouts became, and their queue. A
-- call has the order as it is when it is made, so the row says only which event it follows from.
create table ucp_calls (
  webhook_id text primary key,
  profile_url text not null,
  order_id text not null,
  sequence integer not null,
  type text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'dead')),
  attempts integer not null default 0,
  attempts_before integer not null default 0,
  last_status integer,
  last_error text,
  next_attempt_at timestamptz,
  leased_until timestamptz,
  created_at timestamptz not null,
  delivered_at timestamptz,
  unique (order_id, sequence)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- By platform first: however much waits for one, the next calls of all others are found past it.
create index ucp_calls_due on ucp_calls (profile_url, next_attempt_at) where state = 'pending';
create index ucp_calls_ended on ucp_calls (created_at) where state <> 'pending';
create index ucp_calls_latest on ucp_calls (created_at desc, webhook_id);
