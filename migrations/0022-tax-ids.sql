-- Registration numbers of a store for taxes, such as `GST 12345 6789 RT0001`, on receipts and statements where it remits.
alter table stores add column tax_ids text[] not null default '{}';
