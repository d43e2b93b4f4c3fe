-- The mode in which platforms of the Universal Commerce Protocol shop with the account; null: they do not.
alter table shops add column ucp text check (ucp in ('sandbox', 'live'));
