-- A shop that is switched off keeps its stores and address for the next time.
alter table shops add column is_on boolean not null default true;
-- Channels, courier and terms as the store's feed brought them last: only a value that differs from it is applied.
alter table stores add column feed_settings jsonb;
