-- One row that numbers every change of a store. A writer takes it first and holds it until its commit,
-- so numbers appear in commit order and a reader that has seen N has seen everything up to N.
create table change_clock (
  only_row boolean primary key default true check (only_row),
  seq bigint not null
);
insert into change_clock (seq) values (0);

create table stores (
  store_id text primary key,
  source text not null,
  external_id text not null,
  -- What the feed says of the store, complete with defaults (StoreProfile), without its catalogue.
  profile jsonb not null,
  -- Live switches: the feed sets them when its own value changes, people in between.
  online_ordering boolean not null,
  accept_delivery boolean not null,
  accept_pickup boolean not null,
  supports_upc_codes boolean not null default false,
  has_catalogue boolean not null default false,
  listed boolean not null default true,
  -- Of the whole feed line with its catalogue: an equal hash is an unchanged store.
  feed_hash bytea not null,
  changed_seq bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (source, external_id)
);
-- A follower of the change feed goes on after the last store it has seen, also within one transaction's stores.
create index stores_by_change on stores (changed_seq, store_id);

create table categories (
  store_id text not null references stores,
  category_no integer not null,
  external_id text not null,
  parent_no integer,
  position integer not null,
  name text not null,
  -- The menu hours of the category and of all above it, as far as they have any (WeeklyHours[]).
  menu_hours jsonb not null default '[]',
  is_leaf boolean not null,
  removed boolean not null default false,
  digest bigint not null generated always as (
    case when removed then 0
    else hashtextextended(category_no::text || '|' || coalesce(parent_no::text, '-') || '|' || position::text || '|' || name, 0) end
  ) stored,
  primary key (store_id, category_no),
  unique (store_id, external_id)
);
create index categories_by_parent on categories (store_id, parent_no, position) where not removed;

create table products (
  store_id text not null references stores,
  product_no integer not null,
  external_id text not null,
  category_no integer not null,
  position integer not null,
  name text not null,
  -- The words of the name as search compares them, a space around each (src/stores/search/item-words.ts).
  search_words text not null,
  description text,
  price integer not null check (price >= 0),
  pickup_price integer not null check (pickup_price >= 0),
  original_price integer not null check (original_price >= 0),
  image text,
  thumbnail_image text,
  unit_size double precision,
  unit_of_measurement text not null,
  upc_code text,
  is_alcoholic boolean not null,
  in_delivery boolean not null,
  in_pickup boolean not null,
  hours jsonb,
  -- Customization[] as in src/catalog/product.ts; null where there are none.
  customizations jsonb,
  option_count integer not null,
  -- Cents that the cheapest way to meet the required choices adds to the price.
  min_extra integer not null,
  available boolean not null,
  qty_available integer check (qty_available >= 0),
  removed boolean not null default false,
  -- Of the product's own feed entry: live stock is overwritten only when the entry itself changed.
  feed_hash bytea not null,
  -- Of what an inventory shows of it in each mode (name, prices, place in the list), stock left out; null: not in that mode.
  delivery_view bigint,
  pickup_view bigint,
  delivery_digest bigint not null generated always as (
    case when removed or not available or delivery_view is null then 0
    else hashtextextended(product_no::text || '|' || delivery_view::text || '|' || coalesce(qty_available::text, '-'), 0) end
  ) stored,
  pickup_digest bigint not null generated always as (
    case when removed or not available or pickup_view is null then 0
    else hashtextextended(product_no::text || '|' || pickup_view::text || '|' || coalesce(qty_available::text, '-'), 0) end
  ) stored,
  primary key (store_id, product_no),
  unique (store_id, external_id)
);
create index products_by_category on products (store_id, category_no, position) where not removed;
create index products_by_upc on products (upc_code) where upc_code is not null and not removed;

-- The version of a store's inventory in each mode: the XOR of all digests, kept by the triggers below,
-- so it changes when, and only when, what a client would see changes.
create table menus (
  store_id text primary key references stores,
  delivery_digest bigint not null default 0,
  pickup_digest bigint not null default 0
);

create function fold_menu_digest(changed_store text, delivery bigint, pickup bigint) returns void language sql as $$
  insert into menus as m (store_id, delivery_digest, pickup_digest) values (changed_store, delivery, pickup)
  on conflict (store_id) do update
    set delivery_digest = m.delivery_digest # excluded.delivery_digest,
        pickup_digest = m.pickup_digest # excluded.pickup_digest
$$;

create function fold_products_inserted() returns trigger language plpgsql as $$
begin
  perform fold_menu_digest(store_id, bit_xor(delivery_digest), bit_xor(pickup_digest)) from new_rows group by store_id order by store_id;
  return null;
end $$;

create function fold_products_updated() returns trigger language plpgsql as $$
begin
  perform fold_menu_digest(store_id, bit_xor(delivery_digest), bit_xor(pickup_digest))
  from (select store_id, delivery_digest, pickup_digest from new_rows union all select store_id, delivery_digest, pickup_digest from old_rows) as r
  group by store_id having bit_xor(delivery_digest) <> 0 or bit_xor(pickup_digest) <> 0 order by store_id;
  return null;
end $$;

create function fold_categories_inserted() returns trigger language plpgsql as $$
begin
  perform fold_menu_digest(store_id, bit_xor(digest), bit_xor(digest)) from new_rows group by store_id order by store_id;
  return null;
end $$;

create function fold_categories_updated() returns trigger language plpgsql as $$
begin
  perform fold_menu_digest(store_id, bit_xor(digest), bit_xor(digest))
  from (select store_id, digest from new_rows union all select store_id, digest from old_rows) as r
  group by store_id having bit_xor(digest) <> 0 order by store_id;
  return null;
end $$;

create trigger products_inserted after insert on products referencing new table as new_rows
  for each statement execute function fold_products_inserted();
create trigger products_updated after update on products referencing new table as new_rows old table as old_rows
  for each statement execute function fold_products_updated();
create trigger categories_inserted after insert on categories referencing new table as new_rows
  for each statement execute function fold_categories_inserted();
create trigger categories_updated after update on categories referencing new table as new_rows old table as old_rows
  for each statement execute function fold_categories_updated();
