-- The checkout that a cart became last: a conversion replaces the one that it has seen, so that a cart has one at a time.
alter table ucp_carts add column checkout_id text;
