-- Where a store is, as columns, so that stores around a spot are found by index: a row of the index is a
-- thousandth of a degree of latitude (about 111 m).
alter table stores
  add column latitude double precision generated always as ((profile->>'latitude')::double precision) stored,
  add column longitude double precision generated always as ((profile->>'longitude')::double precision) stored,
  add column spot_row integer generated always as (floor((profile->>'latitude')::double precision * 1000)::integer) stored,
  -- The chain it belongs to, where its source tells.
  add column brand text,
  -- StoreOrigin[]: the records and licences that an open directory's facts come with; null for a store's own feed.
  add column origins jsonb,
  -- The store that stands for this one, since both are the same place; it is out of search while this is set. Always
  -- a store that is listed and merged into none itself: store_merges has the decisions one by one.
  add column merged_into text references stores,
  -- What a directory lends for a time must be read again by then, or goes.
  add column refresh_by timestamptz;
create index stores_by_spot on stores (spot_row, longitude);
-- Stores that open directories told of: what a store of a feed of its own is compared with.
create index stores_of_places on stores (spot_row, longitude) where origins is not null;
create index stores_merged on stores (merged_into) where merged_into is not null;
create index stores_to_refresh on stores (refresh_by) where refresh_by is not null;

-- Every decision that two stores are one place; an undone one is never taken again.
create table store_merges (
  merge_id text primary key,
  -- The store that left search, and the one that stands for both.
  store_id text not null references stores,
  into_store_id text not null references stores,
  reason text not null check (reason in ('name', 'brand', 'phone')),
  metres double precision not null,
  decided_at timestamptz not null,
  -- When the store that stood for both left search, so that this one came back.
  ended_at timestamptz,
  undone_at timestamptz
);
create unique index store_merges_holding on store_merges (store_id) where ended_at is null and undone_at is null;
create index store_merges_by_store on store_merges (store_id);
create index store_merges_by_target on store_merges (into_store_id);

-- Which place of a directory became, or is, which store.
create table place_links (
  directory text not null,
  directory_place_id text not null,
  -- The wire's service_place_id.
  place_id text not null unique,
  store_id text not null references stores,
  added_at timestamptz not null,
  primary key (directory, directory_place_id)
);
create index place_links_by_store on place_links (store_id);
