-- What a signed-in customer's orders leave for the next one: a name, and the doors that orders went to.
alter table customers add column first_name text, add column last_name text;

create table customer_addresses (
  account_id text not null,
  mode text not null,
  user_id text not null,
  -- On one line; `door` has its parts and coordinate.
  address text not null,
  door jsonb not null,
  used_at timestamptz not null,
  primary key (account_id, mode, user_id, address),
  foreign key (account_id, mode, user_id) references customers on delete cascade
);
