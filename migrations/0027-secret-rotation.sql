-- The secret that a webhook had before its last rotation. Calls carry its signature too until the time passes.
alter table webhook_endpoints add column previous_secret text, add column previous_secret_until timestamptz;
alter table store_channels add column previous_signing_secret text, add column previous_secret_until timestamptz;
