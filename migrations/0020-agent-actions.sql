-- What programs do for customers: how much an order that they place may cost, and what they changed.

-- In cents of the order's currency; null where the customer places every order.
alter table oauth_grants add column max_order_cents integer;

create table agent_actions (
  action_no bigint generated always as identity primary key,
  grant_id text not null references oauth_grants on delete cascade,
  order_id text not null,
  operation text not null,
  created_at timestamptz not null
);
create index agent_actions_of_grant on agent_actions (grant_id, created_at);
