-- Whether the tools of agents may quote orders that are not charged.
alter table accounts add column if not exists agent_unpaid boolean not null default false;
