-- Runs outside a transaction.
-- Operators search stores by the words of the name.
create index concurrently if not exists stores_by_name_words on stores using gin (to_tsvector('simple', profile->>'name'));
drop index concurrently if exists stores_by_name;
