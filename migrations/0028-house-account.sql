-- The account that orders which a store takes by phone belong to; at most one.
alter table accounts add column is_house boolean not null default false;
create unique index accounts_house on accounts (is_house) where is_house;
