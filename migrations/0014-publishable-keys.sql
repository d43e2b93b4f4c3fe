-- Origins of pages that send a publishable key; null for any other key. Such a key has no scopes, so a node of the version
-- before refuses it.
alter table api_keys add column origins text[];
create index api_keys_by_origin on api_keys using gin (origins) where origins is not null and revoked_at is null;
