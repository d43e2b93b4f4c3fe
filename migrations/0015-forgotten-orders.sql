-- Whether the personal data of an order is gone (docs/operating.md#personal-data).
alter table orders add column is_forgotten boolean not null default false;
