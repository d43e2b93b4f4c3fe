-- Whether a store may be sold: the agreement that an operator recorded ({ signedOn, by, reference }; null: that of the feed,
-- if any), since when and why an operator took it out of search and sale, and whether carts may be priced above its prices.
alter table stores
  add column agreement jsonb,
  add column delisted_at timestamptz,
  add column delist_reason text,
  add column allows_markup boolean not null default true;
