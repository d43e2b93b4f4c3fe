-- Console codes and sessions of an account's sandbox at a store; null: the store's own, for its live orders.
alter table access_codes add column account_id text references accounts;
alter table console_sessions add column account_id text references accounts;
