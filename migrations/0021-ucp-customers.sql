-- Customers whom platforms of the Universal Commerce Protocol act for, by a token: null for what was made without one.
alter table ucp_carts add column user_id text;
alter table ucp_checkouts add column user_id text;
