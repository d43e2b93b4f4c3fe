-- Logical replication copies changes of tables with a primary key alone. These two have the rows of the last hour.
alter table card_declines add column decline_no bigint generated always as identity primary key;
alter table key_charges add column charge_no bigint generated always as identity primary key;
