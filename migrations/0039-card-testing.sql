-- Card testing by one live key: its charges of the last hour, and the cards that an account has ever charged.
create table key_charges (
  account_id text not null,
  key_id text not null,
  at timestamptz not null
);
create index key_charges_by_key on key_charges (account_id, key_id, at);
create index key_charges_by_age on key_charges (at);

create table charged_cards (
  account_id text not null,
  card text not null,
  primary key (account_id, card)
);
insert into charged_cards (account_id, card)
select distinct m.account_id, coalesce(m.fingerprint, m.gateway_token)
from orders as o join payment_methods as m on m.payment_method_id = o.payment_method_id
where o.mode = 'live' and o.charge_id is not null;

-- One limit for users, cards and keys became three.
insert into account_limits (account_id, kind, most)
select account_id, 'declines_' || scope, greatest(most, 1)
from account_limits, unnest(array['user', 'card', 'key']) as scope where kind = 'declines'
on conflict do nothing;
delete from account_limits where kind = 'declines';
