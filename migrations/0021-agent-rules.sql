-- Which programs customers of an account may let act for them.

create table agent_rules (
  account_id text primary key references accounts on delete cascade,
  -- Whether only the hosts below may, beside programs that the operator registered.
  is_listed boolean not null,
  hosts text[] not null,
  blocked_hosts text[] not null
);
