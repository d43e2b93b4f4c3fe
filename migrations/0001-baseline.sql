-- The schema, room by room as in src/. Later versions add migrations and leave this one as it is.

-- ---------------------------------------------------------------------------------------------------------------------
-- db: what every node shares

-- Secrets that the service generates, such as the key that seals opaque tokens.
create table settings (
  name text primary key,
  value text not null
);

-- Machines whose clocks differ from the database's by more than a few seconds.
create table clock_differences (
  host text primary key,
  -- Negative where the machine's clock is behind.
  ahead_seconds double precision not null,
  -- Repeated every minute while it differs; the row is deleted a day later.
  measured_at timestamptz not null
);

-- ---------------------------------------------------------------------------------------------------------------------
-- jobs: background work. A row waits, runs (while `leased_until` is ahead) or has failed for good.

create table jobs (
  job_id bigint generated always as identity primary key,
  kind text not null,
  -- One row of a kind that repeats; it is due again after each run.
  repeats boolean not null default false,
  payload jsonb not null,
  -- The trace that the job continues.
  traceparent text,
  due_at timestamptz not null,
  leased_until timestamptz,
  attempts integer not null default 0,
  failed_at timestamptz
);
create index jobs_due on jobs (kind, due_at) where failed_at is null;
create unique index jobs_repeating on jobs (kind) where repeats;
create index jobs_failed on jobs (failed_at) where failed_at is not null;

-- ---------------------------------------------------------------------------------------------------------------------
-- stores: profiles, switches and positions

-- One row that numbers every change of a store. A writer locks it first and holds it until its commit, so that numbers
-- appear in commit order and a reader that has seen N has seen everything up to N.
create table change_clock (
  only_row boolean primary key default true check (only_row),
  seq bigint not null
);
insert into change_clock (seq) values (0);

create table stores (
  store_id text primary key,
  source text not null,
  external_id text not null,
  -- The feed's facts about the store (StoreProfile) without its catalog. Hours of a channel that equal those of
  -- `operational` are left out.
  profile jsonb not null,
  -- The chain, where the source names one.
  brand text,
  -- StoreOrigin[]: the records and licenses behind an open directory's facts; null for a store's own feed.
  origins jsonb,
  -- Switches: the feed sets one when its own value changes, people in between.
  online_ordering boolean not null,
  accept_delivery boolean not null,
  accept_pickup boolean not null,
  supports_upc_codes boolean not null default false,
  has_catalog boolean not null default false,
  listed boolean not null default true,
  -- A live key may order only from a store that receives orders on some channel.
  has_channel boolean not null default false,
  -- Minutes of preparation with which the first channel that has an order confirms it; null: a person confirms.
  auto_confirm_minutes integer check (auto_confirm_minutes between 1 and 1440),
  -- Of the console, the notices and the kitchen tickets; set as a switch is.
  language text not null default 'en' check (language in ('en', 'fr', 'es')),
  -- Until then the store reads as closed.
  paused_until timestamptz,
  -- StoreHours and HoursException[] that the store set itself; null: those of the profile.
  own_hours jsonb,
  own_hours_exceptions jsonb,
  -- The kinds of photos that the store set itself; null: those of the profile.
  own_photos jsonb,
  -- What its operator set in place of the feed's tax class; null: that of the feed, else the default of the store's type.
  tax_class text,
  -- Registration numbers for taxes, such as `GST 12345 6789 RT0001`, on receipts and statements where the store remits.
  tax_ids text[] not null default '{}',
  -- What the store pays its own drivers for a delivery, which their page shows; 0 is not shown.
  driver_pay_cents integer not null default 0,
  -- Channels, courier and terms as the store's feed brought them last: only a value that differs from it is applied.
  feed_settings jsonb,
  -- Whether the store may be sold: the agreement that an operator recorded ({ signedOn, by, reference }; null: that of the
  -- feed, if any), since when and why an operator took it out of search and sale, and whether carts may be priced above
  -- its prices.
  agreement jsonb,
  delisted_at timestamptz,
  delist_reason text,
  allows_markup boolean not null default true,
  -- The position as columns, so that an index finds the stores around a spot. A spot row is a thousandth of a degree of
  -- latitude (about 111 m).
  latitude double precision generated always as ((profile->>'latitude')::double precision) stored,
  longitude double precision generated always as ((profile->>'longitude')::double precision) stored,
  spot_row integer generated always as (floor((profile->>'latitude')::double precision * 1000)::integer) stored,
  -- The store that stands for this one, since both are the same place: a listed store that is merged into none itself.
  -- A merged store is out of search.
  merged_into text references stores,
  -- Facts that a directory lends for a time must be read again by then, or removed.
  refresh_by timestamptz,
  -- Accounts whose sandbox keys alone see the store; null: everyone. A store has accounts while sandbox keys alone have
  -- added its place.
  sandbox_accounts text[],
  -- Hash of the whole feed line with its catalog: an equal hash is an unchanged store.
  feed_hash bytea not null,
  changed_seq bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (source, external_id)
) with (toast_tuple_target = 4080); -- compress a row only where two would not fit a page: compressing slows imports
-- A follower of the change feed continues after the last store it has seen, also within one transaction's stores.
create index stores_by_change on stores (changed_seq, store_id);
create index stores_by_spot on stores (spot_row, longitude);
-- Stores of open directories: a store of a feed of its own is compared with these.
create index stores_of_places on stores (spot_row, longitude) where origins is not null;
create index stores_merged on stores (merged_into) where merged_into is not null;
create index stores_to_refresh on stores (refresh_by) where refresh_by is not null;
-- Operators search stores by the words of the name.
create index stores_by_name_words on stores using gin (to_tsvector('simple', profile->>'name'));

-- Every decision that two stores are one place. A decision that was undone is never made again.
create table store_merges (
  merge_id text primary key,
  -- The store that left search, and the one that stands for both.
  store_id text not null references stores,
  into_store_id text not null references stores,
  reason text not null check (reason in ('name', 'brand', 'phone')),
  meters double precision not null,
  decided_at timestamptz not null,
  -- When the store that stood for both left search, so that this one came back.
  ended_at timestamptz,
  undone_at timestamptz
);
create unique index store_merges_holding on store_merges (store_id) where ended_at is null and undone_at is null;
create index store_merges_by_store on store_merges (store_id);
create index store_merges_by_target on store_merges (into_store_id);

-- Marks of search snapshots. A node trusts a snapshot file only where the database has its mark: a file of another
-- database, or of a history that a restore has undone, has none.
create table search_snapshots (
  mark text primary key,
  -- Every change of a store up to this number was committed when the mark was made, and is in the snapshot.
  seq bigint not null,
  made_at timestamptz not null
);

-- Each process's search index, compared with the listed stores.
create table search_checks (
  -- A process; its row is deleted a day after it has ended.
  node text primary key,
  checked_at timestamptz not null,
  -- [{ storeId, reason }]: stores that cannot be converted for search, at most 100.
  left_out jsonb not null,
  -- The last difference: when it was found, how many stores search lacked, and the first of them.
  differed_at timestamptz,
  missing integer not null default 0,
  first_missing text
);

-- ---------------------------------------------------------------------------------------------------------------------
-- accounts: keys, idempotency, branding, limits and budgets

create table accounts (
  account_id text primary key,
  name text not null,
  -- Whether carts of the account may be charged below their stores' own prices.
  negative_markup boolean not null default false,
  -- Whether the orders of agents are placed by the tool, or by a person on the hosted checkout.
  agent_orders text not null default 'place' check (agent_orders in ('place', 'handover')),
  -- Whether the tools of agents may quote orders that are not charged.
  agent_unpaid boolean not null default false,
  -- Whether orders that stores take by phone belong to the account; at most one.
  is_house boolean not null default false,
  created_at timestamptz not null
);
create index accounts_by_creation on accounts (created_at desc, account_id desc);
create unique index accounts_house on accounts (is_house) where is_house;

-- Only the SHA-256 of a key is stored; `hint` is its prefix and last four characters, for people. A store key belongs to a
-- store: a live one to no account, a sandbox one to the account whose orders it plays with.
create table api_keys (
  key_id text primary key,
  account_id text references accounts,
  store_id text references stores,
  mode text not null check (mode in ('sandbox', 'live')),
  key_hash bytea not null unique,
  hint text not null,
  -- Of an account's key; a store's key has no use for them.
  scopes text[] not null default '{read,order,webhooks}',
  -- Origins of pages that send a publishable key, which has no scopes; null for any other key.
  origins text[],
  created_at timestamptz not null,
  revoked_at timestamptz,
  check (account_id is not null or (store_id is not null and mode = 'live'))
);
create index api_keys_by_account on api_keys (account_id);
create index api_keys_by_store on api_keys (store_id, created_at desc) where store_id is not null;
create index api_keys_by_origin on api_keys using gin (origins) where origins is not null and revoked_at is null;

-- The first answer to a POST with an Idempotency-Key, replayed for 24 hours. `running` without an answer is a request that
-- is still being answered, or one whose process died.
create table idempotency_keys (
  account_id text not null,
  mode text not null,
  key text not null,
  fingerprint bytea not null,
  state text not null check (state in ('running', 'done')),
  attempt integer not null default 1,
  started_at timestamptz not null,
  status integer,
  content_type text,
  body text,
  primary key (account_id, mode, key)
);
create index idempotency_keys_by_age on idempotency_keys (started_at);

-- The shop of an account: its pages at the account's own host.
create table shops (
  account_id text primary key references accounts,
  mode text not null check (mode in ('sandbox', 'live')),
  -- One that is switched off keeps its stores and address for the next time.
  is_on boolean not null default true,
  -- The publishable key that its pages send. Anyone can read it there, so it is kept as it is.
  key_id text not null references api_keys,
  key text not null,
  -- The only stores that it shows; null for all.
  store_ids text[],
  -- The address near which a visitor without one is shown stores.
  near text,
  -- Whether the service's own host shows it at /shop, as the demo does.
  is_default boolean not null default false
);
create unique index shops_default on shops (is_default) where is_default;

-- How an account appears to the people who order through it.
create table brandings (
  account_id text primary key references accounts,
  display_name text,
  -- Of pages and messages of orders without a language of their own.
  language text not null default 'en' check (language in ('en', 'fr', 'es')),
  logo_url text,
  -- `#rrggbb`.
  color text check (color ~ '^#[0-9a-f]{6}$'),
  -- A 16 by 16 pixel PNG, and its media type.
  favicon bytea,
  favicon_type text,
  from_address text,
  bcc_address text,
  -- Where customers get help; the phone is in E.164.
  help_url text,
  help_email text,
  help_phone text,
  -- What customers agree to when they order on the hosted checkout.
  terms_url text,
  privacy_url text,
  -- Whether customers cancel an order themselves.
  customer_cancel boolean not null default false,
  -- An https URL with the placeholders {order_id}, {store_id} and {customer_order_id}.
  reorder_url text,
  -- The channels of the two optional messages.
  on_its_way text not null default 'off' check (on_its_way in ('off', 'sms', 'email', 'both')),
  delivered text not null default 'off' check (delivered in ('off', 'sms', 'email', 'both')),
  tracking_host text unique,
  -- When the host last answered for the service (links use it from then on), and when it was last checked.
  tracking_host_verified_at timestamptz,
  tracking_host_checked_at timestamptz,
  updated_at timestamptz not null
);
create index brandings_verified on brandings (account_id) where tracking_host_verified_at is not null;

-- The limits that an operator has set for an account; every other limit is the setting of the service.
create table account_limits (
  account_id text not null references accounts,
  kind text not null,
  max bigint not null check (max >= 0),
  primary key (account_id, kind)
);

-- What an account has used of a budget in a UTC day; for photos, what a store has used: `account_id` is then its id. No foreign key: concurrent writers would lock the account's row.
create table budget_use (
  account_id text not null,
  mode text not null check (mode in ('sandbox', 'live')),
  kind text not null,
  day date not null,
  used bigint not null check (used >= 0),
  -- Of unplaced orders alone.
  bytes bigint not null default 0 check (bytes >= 0),
  -- The units that the last statement was granted: the answer to that statement.
  granted bigint not null default 0,
  primary key (account_id, mode, kind, day)
);
create index budget_use_by_day on budget_use (day);

-- What operators entered of stores that they added, as a line of a feed; the feed of such a store is `manual`.
create table manual_stores (
  store_id text primary key references stores,
  line jsonb not null
);

-- ---------------------------------------------------------------------------------------------------------------------
-- photos: pictures that stores upload

create table photos (
  -- A hash of the store's id and the photo's content.
  photo_id text primary key,
  store_id text not null references stores,
  -- Where the files are.
  storage text not null check (storage in ('database', 'bucket')),
  -- Width and height of each size.
  sizes jsonb not null,
  created_at timestamptz not null,
  -- Since when no picture, no product and no undo of the store names the photo; null: one does.
  unreferenced_since timestamptz
);
create index photos_by_store on photos (store_id);

create table photo_files (
  photo_id text not null references photos on delete cascade,
  size text not null,
  bytes bytea not null,
  primary key (photo_id, size)
);
-- WebP does not shrink.
alter table photo_files alter column bytes set storage external;

-- ---------------------------------------------------------------------------------------------------------------------
-- catalog: menus and their versions

create table categories (
  store_id text not null references stores,
  category_no integer not null,
  external_id text not null,
  parent_no integer,
  position integer not null,
  name text not null,
  -- The menu hours of the category and of all above it, as far as they have any (WeeklyHours[]).
  menu_hours jsonb not null default '[]',
  -- The tax classes of the category and of all above it, as far as they have any; the last one counts.
  tax_classes text[] not null default '{}',
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
-- An inventory shows when something with menu hours is sold.
create index categories_with_hours on categories (store_id) where menu_hours <> '[]';
-- The version of an inventory depends on the categories that have a class.
create index categories_with_tax_class on categories (store_id) where tax_classes <> '{}';

create table products (
  store_id text not null references stores,
  product_no integer not null,
  external_id text not null,
  category_no integer not null,
  position integer not null,
  name text not null,
  -- The words of the name as search compares them, with a space around each (src/supply/catalog/search-words.ts).
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
  -- The class that its feed or store says (src/supply/stores/tax-class.ts); null: that of its category.
  tax_class text,
  -- Food as in src/supply/catalog/food.ts; null where nothing is known. Options have theirs in `customizations`.
  food jsonb,
  -- The bits of `foodClaims` for product search: diets, and allergens that the food has no trace of.
  food_claims integer not null default 0,
  in_delivery boolean not null,
  in_pickup boolean not null,
  hours jsonb,
  -- Customization[] as in src/supply/catalog/product.ts; null where there are none.
  customizations jsonb,
  option_count integer not null,
  -- Cents that the cheapest way to meet the required choices adds to the price.
  min_extra integer not null,
  -- Ids of the options that the store has taken off sale, sorted; an id stays while the option is not in the menu.
  options_off text[] not null default '{}',
  -- Customizations as the feed has them; null while no option is off. `customizations`, `option_count`, `min_extra` and
  -- the views describe what is shown.
  full_customizations jsonb,
  available boolean not null,
  -- When a product that is off sale until tomorrow goes on sale by itself.
  available_at timestamptz,
  qty_available integer check (qty_available >= 0),
  -- The feed's own values as of its last import: an import replaces what the store has set only where they changed.
  feed_available boolean not null,
  feed_qty_available integer,
  removed boolean not null default false,
  -- Hash of the product's own feed entry.
  feed_hash bytea not null,
  -- Hash of what an inventory shows of it in each mode (name, prices, food, place in the list) apart from stock; null: not
  -- in that mode.
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
create index products_with_options_off on products (store_id, product_no) where options_off <> '{}';
create index products_with_hours on products (store_id) where hours is not null and not removed;

-- The version of a store's inventory in each mode: the XOR of all digests, maintained by the triggers below, so that it
-- changes when, and only when, what a client sees changes (docs/adr/0002-menu-version-kept-by-triggers.md).
create table menus (
  store_id text primary key references stores,
  -- Both contain the digests of all categories, which `category_digest` has alone.
  delivery_digest bigint not null default 0,
  pickup_digest bigint not null default 0,
  category_digest bigint not null default 0,
  -- A restaurant shows one list of leaf categories: those with a product on sale in the mode, depth first. Hash of their
  -- numbers, names and sequence; 0 for an empty list. A grocery lists every category of a level and has no such hash.
  delivery_leaves bigint not null default 0,
  pickup_leaves bigint not null default 0
);

-- Hashes the shown leaves of those of the stores that are restaurants. The change clock serializes its callers: a writer
-- that changes categories, or puts products on or off sale, holds the clock until its commit.
create function write_shown_leaves(changed_stores text[]) returns void language sql as $$
  with recursive restaurants as (
    select store_id from stores where store_id = any(changed_stores) and profile->>'type' = 'restaurant'
  ), walk as (
    select c.store_id, c.category_no, c.name, c.is_leaf, array[c.position, c.category_no] as path
    from restaurants join categories as c using (store_id)
    where c.parent_no is null and not c.removed
    union all
    select c.store_id, c.category_no, c.name, c.is_leaf, w.path || c.position || c.category_no
    from walk as w join categories as c on c.store_id = w.store_id and c.parent_no = w.category_no
    where not w.is_leaf and not c.removed
  ), leaves as (
    select w.store_id, w.path, jsonb_build_array(w.category_no, w.name) as shown,
      exists (select from products as p where p.store_id = w.store_id and p.category_no = w.category_no
        and not p.removed and p.available and p.delivery_view is not null) as in_delivery,
      exists (select from products as p where p.store_id = w.store_id and p.category_no = w.category_no
        and not p.removed and p.available and p.pickup_view is not null) as in_pickup
    from walk as w where w.is_leaf
  )
  insert into menus as m (store_id, delivery_leaves, pickup_leaves)
  select r.store_id,
    coalesce(hashtextextended((jsonb_agg(l.shown order by l.path) filter (where l.in_delivery))::text, 0), 0),
    coalesce(hashtextextended((jsonb_agg(l.shown order by l.path) filter (where l.in_pickup))::text, 0), 0)
  from restaurants as r left join leaves as l using (store_id)
  group by r.store_id order by r.store_id
  on conflict (store_id) do update set delivery_leaves = excluded.delivery_leaves, pickup_leaves = excluded.pickup_leaves
    where (m.delivery_leaves, m.pickup_leaves) <> (excluded.delivery_leaves, excluded.pickup_leaves)
$$;

create function fold_menu_digest(changed_store text, delivery bigint, pickup bigint, category bigint) returns void language sql as $$
  insert into menus as m (store_id, delivery_digest, pickup_digest, category_digest)
  values (changed_store, delivery, pickup, category)
  on conflict (store_id) do update
    set delivery_digest = m.delivery_digest # excluded.delivery_digest,
        pickup_digest = m.pickup_digest # excluded.pickup_digest,
        category_digest = m.category_digest # excluded.category_digest
$$;

create function fold_products_inserted() returns trigger language plpgsql as $$
begin
  perform fold_menu_digest(store_id, bit_xor(delivery_digest), bit_xor(pickup_digest), 0) from new_rows group by store_id order by store_id;
  perform write_shown_leaves(array_agg(distinct store_id)) from new_rows
  where delivery_digest <> 0 or pickup_digest <> 0
  having count(*) > 0;
  return null;
end $$;

create function fold_products_updated() returns trigger language plpgsql as $$
begin
  perform fold_menu_digest(store_id, bit_xor(delivery_digest), bit_xor(pickup_digest), 0)
  from (select store_id, delivery_digest, pickup_digest from new_rows union all select store_id, delivery_digest, pickup_digest from old_rows) as r
  group by store_id having bit_xor(delivery_digest) <> 0 or bit_xor(pickup_digest) <> 0 order by store_id;
  -- A list changes only where a category has another number of products on sale; an order changes no such number. A join
  -- of the two tables would take quadratic time: the planner knows no sizes of transition tables.
  perform write_shown_leaves(array_agg(distinct store_id)) from (
    select store_id from (
      select store_id, category_no, (delivery_digest <> 0)::int as delivery, (pickup_digest <> 0)::int as pickup from new_rows
      union all
      select store_id, category_no, -(delivery_digest <> 0)::int, -(pickup_digest <> 0)::int from old_rows) as r
    group by store_id, category_no having sum(delivery) <> 0 or sum(pickup) <> 0) as changed
  having count(*) > 0;
  return null;
end $$;

-- A new category has no products yet, so it changes no list.
create function fold_categories_inserted() returns trigger language plpgsql as $$
begin
  perform fold_menu_digest(store_id, bit_xor(digest), bit_xor(digest), bit_xor(digest)) from new_rows group by store_id order by store_id;
  return null;
end $$;

create function fold_categories_updated() returns trigger language plpgsql as $$
begin
  perform fold_menu_digest(store_id, bit_xor(digest), bit_xor(digest), bit_xor(digest))
  from (select store_id, digest from new_rows union all select store_id, digest from old_rows) as r
  group by store_id having bit_xor(digest) <> 0 order by store_id;
  perform write_shown_leaves(array_agg(distinct store_id)) from (
    select store_id from (select * from new_rows union all select * from old_rows) as r
    group by store_id, category_no having bit_xor(digest) <> 0 or bool_or(is_leaf) <> bool_and(is_leaf)) as changed
  having count(*) > 0;
  return null;
end $$;

-- A grocery has no hash of shown leaves; it needs one once it becomes a restaurant.
create function fold_store_type() returns trigger language plpgsql as $$
begin
  perform write_shown_leaves(array[new.store_id]);
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
create trigger stores_type_changed after update of profile on stores for each row
  when (old.profile->>'type' is distinct from new.profile->>'type') execute function fold_store_type();

-- Categories, items and sequences of items that the store edits (docs/store-api.md#the-menu): an edit is a patch over the
-- feed's value (src/supply/menus/menu.ts). An object has the store's own fields, an array its sequence, JSON's null removes.
create table menu_edits (
  store_id text not null references stores,
  kind text not null check (kind in ('category', 'item', 'sequence')),
  -- The category or item; of a sequence the category whose list it is, '' for the top.
  external_id text not null,
  -- Null while the feed does not have it.
  feed jsonb,
  patch jsonb not null,
  feed_changed boolean not null default false,
  primary key (store_id, kind, external_id)
);

-- The newest changes of a store's menu, with the states that undo one.
create table menu_changes (
  store_id text not null references stores,
  change_no bigint not null,
  at timestamptz not null,
  actor text not null check (actor in ('key', 'session', 'operator', 'feed')),
  actor_id text,
  action text not null,
  target text not null,
  name text not null,
  before jsonb not null,
  after jsonb not null,
  undone_by bigint,
  primary key (store_id, change_no)
);

-- LZ4 takes a quarter off PostgreSQL's processor time for inserting a store, for a tenth more bytes. A server without it,
-- such as the embedded one, keeps its own method.
do $$ begin
  alter table stores alter column profile set compression lz4;
  alter table products alter column customizations set compression lz4;
exception when feature_not_supported then
  null;
end $$;

-- What the orders of each account's sandbox hold of a store's stock, beside the live count in products.qty_available
-- (docs/adr/0018-a-sandbox-counts-for-itself.md). No live order reads, writes or locks these rows.

-- Units that the sandbox orders of an account have taken of a product since its store last set the stock.
create table sandbox_stock (
  store_id text not null references stores,
  account_id text not null,
  product_no integer not null,
  held integer not null check (held >= 0),
  primary key (store_id, account_id, product_no)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- quotes: the capacity of windows

-- How many orders hold a window of a store; never above the store's capacity. Live orders of all accounts share a count
-- (account_id is empty); the sandbox of each account has its own.
create table slot_holds (
  store_id text not null references stores,
  account_id text not null,
  pickup boolean not null,
  starts_at timestamptz not null,
  held integer not null check (held >= 0),
  primary key (store_id, account_id, pickup, starts_at)
);

-- Counts the changes of a store's slot_holds for the caches of inventories. A table of its own, locked after the window's
-- row: on `menus`, which the triggers of products lock, an order with a slot and one without could deadlock.
create table slot_versions (
  store_id text not null references stores,
  account_id text not null,
  version bigint not null,
  primary key (store_id, account_id)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- imports

-- The result of each import. Without `finished_at` it is running, or its process died.
create table import_runs (
  run_no bigint generated always as identity primary key,
  -- The names of the feeds.
  source text not null,
  format text not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  -- The numbers of the report: read, created and so on.
  counts jsonb not null default '{}',
  error_count integer not null default 0,
  warning_count integer not null default 0,
  -- The first of each; the report of the command has more.
  errors jsonb not null default '[]',
  warnings jsonb not null default '[]'
);

-- ---------------------------------------------------------------------------------------------------------------------
-- places

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

-- ---------------------------------------------------------------------------------------------------------------------
-- payments: cards and their limits

-- What the service may store of a card: its brand and last four digits, and the gateway's own token for it.
create table payment_methods (
  payment_method_id text primary key,
  account_id text not null references accounts,
  mode text not null check (mode in ('sandbox', 'live')),
  user_id text not null,
  user_email text not null,
  gateway_token text not null,
  -- The gateway's name of the card itself, whatever token it was saved under; null where the gateway has none.
  fingerprint text,
  brand text not null,
  last4 text not null,
  expiration_month integer not null,
  expiration_year integer not null,
  created_at timestamptz not null,
  deleted_at timestamptz
);
create index payment_methods_by_user on payment_methods (account_id, mode, user_id) where deleted_at is null;
-- A token that is sent twice, or a setup that is reported twice, makes no second payment method.
create unique index payment_methods_by_token on payment_methods (gateway_token);
-- Deleted cards whose payer is still named.
create index payment_methods_to_forget on payment_methods (deleted_at) where deleted_at is not null and user_email <> '';

-- A page of the gateway on which a customer enters a card. The id is part of the link, and is the permission.
create table card_setups (
  setup_id text primary key,
  account_id text not null references accounts,
  mode text not null check (mode in ('sandbox', 'live')),
  user_id text not null,
  user_email text not null,
  return_url text not null,
  -- The order on whose checkout the page was opened; null for a page that a client opened.
  order_id text,
  -- The gateway's own id of its page; null until the gateway has opened one.
  gateway_session text,
  state text not null check (state in ('open', 'completed', 'canceled')),
  payment_method_id text,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index card_setups_by_expiry on card_setups (expires_at);
create index card_setups_by_order on card_setups (order_id) where order_id is not null;

-- For an operator: disputes, refunds made at the gateway itself, refunds that failed.
create table gateway_events (
  event_id text primary key,
  kind text not null check (kind in ('dispute', 'refund_outside', 'refund_failed')),
  charge_id text not null,
  -- Null until the charge was looked up, and for a charge of no order here.
  order_id text,
  amount_cents bigint not null,
  status text not null,
  reason text not null,
  at timestamptz not null,
  received_at timestamptz not null
);
create index gateway_events_by_age on gateway_events (at desc, event_id);

-- Declined charges and cards of the last hour, by each thing that too many declines block.
create table card_declines (
  -- Logical replication copies changes of tables with a primary key alone.
  decline_no bigint generated always as identity primary key,
  account_id text not null,
  mode text not null check (mode in ('sandbox', 'live')),
  scope text not null check (scope in ('user', 'card', 'key')),
  subject text not null,
  at timestamptz not null
);
create index card_declines_by_subject on card_declines (account_id, mode, scope, subject, at);
create index card_declines_by_age on card_declines (at);

-- Card testing by one live key: its charges of the last hour, and the cards that an account has ever charged.
create table key_charges (
  charge_no bigint generated always as identity primary key,
  account_id text not null,
  key_id text not null,
  at timestamptz not null
);
create index key_charges_by_key on key_charges (account_id, key_id, at);
create index key_charges_by_age on key_charges (at);

create table charged_cards (
  account_id text not null,
  card text not null,
  primary key (account_id, card)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- orders, their events, refunds and tips

create table orders (
  order_id text primary key,
  -- No foreign key to stores or accounts, so that concurrent orders do not lock the row of one.
  account_id text not null,
  mode text not null check (mode in ('sandbox', 'live')),
  user_id text not null,
  store_id text not null,
  customer_order_id text,
  idempotency_key text,
  -- Such as A17: unique within its store, the store's local day and its key mode. Null while unplaced.
  order_number text,
  status text not null check (status in ('unplaced', 'awaiting_confirmation', 'in_progress', 'completed', 'canceled')),
  pickup boolean not null,
  -- The order as the client asked for it, parsed (OrderRequest), and the quote it was given, frozen (FrozenQuote).
  request jsonb not null,
  quote jsonb not null,
  -- The random part of the link of the hosted checkout, and until when the link works; null for an order placed at once.
  checkout_key text,
  checkout_until timestamptz,
  -- What the store hands over where it differs from what was ordered: one element an item.
  adjustments jsonb not null default '[]',
  -- Money. The gateway key of an attempt is order_id:charge_attempt; the same key never charges twice.
  total_with_tip bigint not null,
  charge_user boolean not null,
  payment_method_id text,
  charge_state text not null
    check (charge_state in ('none', 'pending', 'waiting', 'to_collect', 'charged', 'declined', 'refund_pending', 'refunded')),
  charge_attempt integer not null default 0,
  charge_started_at timestamptz,
  charge_id text,
  -- A charge that its customer must approve (3-D Secure): no money moves before the order is finalized again.
  waiting_charge_id text,
  charged_cents bigint not null default 0,
  -- Added to the tip after placing.
  added_tip_cents bigint not null default 0 check (added_tip_cents >= 0),
  -- Promised and not given back yet.
  refunding_cents bigint not null default 0 check (refunding_cents >= 0),
  refunded_cents bigint not null default 0,
  -- What refunds gave back of the tip, and of the account's part, which no store sees.
  refunded_tip_cents bigint not null default 0,
  refunded_account_cents bigint not null default 0,
  -- Money that was collected when the order was handed over, and by whom.
  collected_cents bigint,
  collected_by text,
  -- What the order holds of its store, in its sandbox's count or the live one: [{ productNo, quantity }] and a slot.
  stock_held jsonb not null default '[]',
  slot_held boolean not null default false,
  slot_starts_at timestamptz,
  slot_ends_at timestamptz,
  -- Progress.
  is_ready boolean not null default false,
  driver jsonb not null default '{}',
  driver_stage text not null default 'none' check (driver_stage in ('none', 'assigned', 'picked_up', 'nearby')),
  -- The number of the driver's link that works: every assignment of a driver has the next one. 0 before the first.
  driver_link integer not null default 0,
  -- The four digits for which the order is handed over, and how many wrong ones were sent.
  handover_code text,
  handover_tries integer not null default 0,
  cancel_reason text,
  favorited boolean not null default false,
  last_sequence integer not null default 0,
  eta timestamptz,
  created_at timestamptz not null,
  -- When an unplaced order was last quoted anew, or tried to be placed; null since it was created.
  requoted_at timestamptz,
  placed_at timestamptz,
  -- When the store is offered the order; null while unplaced.
  offer_at timestamptz,
  -- When a first channel had the order.
  received_at timestamptz,
  confirm_by timestamptz,
  -- When the store said that the food is ready.
  ready_by timestamptz,
  completed_at timestamptz,
  canceled_at timestamptz,
  -- Whether its personal data is gone (docs/operating.md#personal-data).
  is_forgotten boolean not null default false,
  constraint orders_refunded_check check (refunded_cents between 0 and charged_cents)
) with (
  toast_tuple_target = 8160, -- a request and a quote are read with the row: not compressed, not moved out
  -- By default a fifth of a table is dead before autovacuum cleans it: weeks of calls, where each order writes several.
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02
);

create index orders_by_account on orders (account_id, mode, created_at desc, order_id);
create unique index orders_by_idempotency_key on orders (account_id, mode, idempotency_key) where idempotency_key is not null;
create index orders_by_charge_under_way on orders (charge_started_at) where charge_state in ('pending', 'refund_pending');
-- Unplaced orders by their last use. Orders that are charged at once never come into it: they are pending until placed.
create index orders_untouched on orders (coalesce(requoted_at, created_at))
  where status = 'unplaced' and charge_state in ('none', 'declined');
-- Open orders that hold counted stock, by store: an import leaves them what they hold.
create index orders_holding_stock on orders (store_id, mode, account_id)
  where status in ('unplaced', 'awaiting_confirmation', 'in_progress') and stock_held <> '[]';
create index orders_by_store on orders (store_id, placed_at desc) where placed_at is not null;
-- A store lists its open orders, however old they are.
create index orders_under_way on orders (store_id, mode, placed_at desc)
  where status in ('awaiting_confirmation', 'in_progress') and placed_at is not null;
-- Orders that their store was offered later than they were placed.
create index orders_offered_later on orders (store_id, mode, offer_at) where offer_at > placed_at;
-- Live orders that wait for their store: they ring until a channel has answered.
create index orders_awaiting on orders (offer_at) where status = 'awaiting_confirmation' and mode = 'live';
-- An operator's search: the newest, by number at the counter, by phone, by the account's own id.
create index orders_by_placing on orders (mode, placed_at desc, order_id desc) where placed_at is not null;
create index orders_by_number on orders (order_number, placed_at desc) where order_number is not null;
create index orders_by_phone on orders ((request->'customer'->>'phone'), placed_at desc) where placed_at is not null;
create index orders_by_customer_order_id on orders (customer_order_id, placed_at desc)
  where customer_order_id is not null and placed_at is not null;
-- Accounts look for an order by their own id of it.
create index orders_by_account_order_id on orders (account_id, mode, customer_order_id) where customer_order_id is not null;

-- Orders by their end, for those whose personal data has been kept long enough.
create index orders_to_forget on orders (coalesce(completed_at, canceled_at, requoted_at, created_at))
  where not is_forgotten and (status in ('completed', 'canceled') or status = 'unplaced' and charge_state = 'refunded');
-- Orders of one user: to list them, and to forget them.
create index orders_by_user on orders (account_id, mode, user_id, created_at desc);

-- The log from which everything that follows an order derives.
create table order_events (
  order_id text not null references orders,
  sequence integer not null,
  type text not null,
  at timestamptz not null,
  data jsonb not null,
  -- The order's progress right after the event (OrderProgress): with its request and quote, the order as it was then.
  progress jsonb not null,
  -- Whether the jobs that follow from it exist; set with them, in one transaction.
  dispatched boolean not null default false,
  -- The trace of the request or job that wrote the event (W3C traceparent), so that what follows joins it; null without a
  -- collector.
  traceparent text,
  primary key (order_id, sequence)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index order_events_to_dispatch on order_events (at) where not dispatched;

-- The last number of a store's local day. Live orders of all accounts share a counter (account_id is empty); the sandbox
-- of each account has its own.
create table order_counters (
  store_id text not null,
  account_id text not null,
  day date not null,
  last integer not null,
  primary key (store_id, account_id, day)
) with (fillfactor = 50);

-- Totals of the orders that were placed on a day, by the clock of their store: charts add up days instead of orders.
create table order_days (
  mode text not null check (mode in ('sandbox', 'live')),
  day date not null,
  store_id text not null,
  account_id text not null,
  orders integer not null,
  canceled integer not null,
  -- Totals with tips, and what was refunded of them.
  sales_cents bigint not null,
  refunded_cents bigint not null,
  -- Confirmed orders, and the sum of their seconds from the offer to the confirmation.
  confirmed integer not null,
  confirm_seconds bigint not null,
  primary key (mode, day, store_id, account_id)
) with (fillfactor = 70);
create index order_days_by_store on order_days (store_id, mode, day);
create index order_days_by_account on order_days (account_id, mode, day);

-- A refund of an order. It is booked first, with the order's row locked, and then given back at the gateway.
create table order_refunds (
  refund_id text primary key,
  order_id text not null references orders,
  -- The caller's name of the refund within its order: a repeated booking finds the first.
  key text not null,
  kind text not null check (kind in ('requested', 'item_changed', 'canceled', 'at_gateway')),
  reason text not null,
  -- Who requested it, unless it was the account.
  requested_by text,
  -- The units that it gives back: [{ index, quantity, cents, taxCents }].
  items jsonb not null default '[]',
  cents bigint not null check (cents > 0),
  tip_cents bigint not null default 0,
  -- What it gives back of each owner's part.
  shares jsonb not null,
  state text not null check (state in ('pending', 'done', 'failed')),
  -- What went back, once it has ended.
  refunded_cents bigint not null default 0 check (refunded_cents between 0 and cents),
  created_at timestamptz not null,
  ended_at timestamptz,
  -- The sequence of its event `order.refunded`.
  sequence integer,
  unique (order_id, key)
);

-- What a refund takes from each charge of its order. `gateway_key` identifies the part at the gateway, once and for all.
create table order_refund_parts (
  refund_id text not null references order_refunds,
  part integer not null,
  charge_id text not null,
  cents bigint not null check (cents > 0),
  gateway_key text not null unique,
  state text not null check (state in ('pending', 'done', 'failed')),
  gateway_refund_id text,
  started_at timestamptz not null,
  primary key (refund_id, part)
);
create index order_refund_parts_pending on order_refund_parts (started_at) where state = 'pending';

-- A tip that was raised after placing: a charge of its own, under the key order_id:tip:attempt.
create table order_tips (
  order_id text not null references orders,
  attempt integer not null,
  -- The whole tip of the order after it, and what it adds.
  tip_cents bigint not null,
  cents bigint not null check (cents > 0),
  payment_method_id text,
  reason text not null default '',
  -- Who raised it, unless it was the account or the customer.
  requested_by text,
  -- `returning`: charged too late, and on its way back.
  state text not null check (state in ('pending', 'charged', 'declined', 'given_up', 'returning', 'returned')),
  charge_id text,
  started_at timestamptz not null,
  ended_at timestamptz,
  -- When the operator paid out a tip that its courier company could not take.
  paid_out_at timestamptz,
  primary key (order_id, attempt)
);
create unique index order_tips_one_pending on order_tips (order_id) where state = 'pending';
create index order_tips_unresolved on order_tips (started_at) where state in ('pending', 'returning');

-- ---------------------------------------------------------------------------------------------------------------------
-- statements: what stores are owed, derived from the events of orders

-- What an operator agreed with a store. The newest row before an order was placed holds for the order.
create table store_terms (
  store_id text not null references stores,
  since timestamptz not null,
  commission_percent double precision not null,
  per_order_cents integer not null,
  -- Null: the operator where an outside courier drives, else the store.
  delivery_fee text check (delivery_fee in ('store', 'operator')),
  tax text not null check (tax in ('operator', 'store')),
  primary key (store_id, since)
);

-- The ledger of an order: its terms, and what its entries come to (LedgerState). Whoever writes entries locks it.
create table ledger_orders (
  order_id text primary key,
  store_id text not null,
  account_id text not null,
  mode text not null check (mode in ('sandbox', 'live')),
  order_number text not null,
  -- The last event whose entry was written.
  last_sequence integer not null default 0,
  state jsonb not null,
  -- The store's own driver who delivered, and the local day; null until then, and for every other order.
  driver_name text,
  driver_phone bigint,
  delivered_on text,
  -- Since when events of a damaged order have no entries, and why; null for every other order.
  unwritten_since timestamptz,
  write_error text
);
create index ledger_orders_by_delivery on ledger_orders (store_id, mode, delivered_on)
  where delivered_on is not null;
create index ledger_orders_unwritten on ledger_orders (unwritten_since) where unwritten_since is not null;

-- What one event of an order changed, in cents. Never changed once written.
create table ledger_entries (
  order_id text not null,
  sequence integer not null,
  store_id text not null,
  account_id text not null,
  mode text not null check (mode in ('sandbox', 'live')),
  -- The month of the statement, such as 2026-11. A correction stands in the open month; its event was in a closed one.
  month text not null,
  -- The local day and the moment of the event.
  date text not null,
  at timestamptz not null,
  kind text not null check (kind in ('sale', 'refund', 'adjustment', 'tip')),
  is_correction boolean not null,
  -- The parts of the charge or refund; service fees are with small-order fees, the account's with its markup.
  sales_cents bigint not null,
  delivery_fees_cents bigint not null,
  service_fees_cents bigint not null,
  taxes_cents bigint not null,
  -- The taxes by name, `[{ name, cents }]`, whose sum is taxes_cents.
  tax_lines jsonb not null,
  tip_cents bigint not null,
  account_cents bigint not null,
  -- The other owners' shares. Taxes are a share of their own, and so are the account's cents.
  store_cents bigint not null,
  driver_cents bigint not null,
  operator_cents bigint not null,
  commission_cents bigint not null,
  payout_cents bigint not null,
  -- What a payout has of the tip for the store's drivers.
  tips_to_pass_on_cents bigint not null,
  collected_elsewhere_cents bigint not null,
  -- What whoever handed the order over has of it.
  collected_cents bigint not null,
  primary key (order_id, sequence)
);
create index ledger_entries_by_store on ledger_entries (store_id, mode, month, at, order_id, sequence);
create index ledger_entries_by_month on ledger_entries (month, mode, store_id);

-- The entries of the ledger whose taxes an outside service computed, each to be recorded there once. `record` is the
-- service's id of it: null until the service has it, and '' where there was nothing to record.
create table tax_records (
  order_id text not null,
  sequence integer not null,
  record text,
  primary key (order_id, sequence)
);
create index tax_records_open on tax_records (order_id) where record is null;

-- Months whose statements never change. A month is closed with all months before it.
create table closed_months (
  month text primary key,
  closed_at timestamptz not null
);

-- ---------------------------------------------------------------------------------------------------------------------
-- deliveries: drivers and couriers

-- The last position of a delivery's driver, written every few seconds: some two hundred bytes instead of the order's row of
-- several kilobytes and many indexes. It counts while its order has taken no further step.
create table driver_positions (
  order_id text primary key,
  -- `last_sequence` of the order when the position came.
  last_sequence integer not null,
  -- The members of the order's `driver` that the position changes.
  moved jsonb not null,
  eta timestamptz
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- What the driver recorded at the door. A photo is a JPEG without metadata.
create table delivery_proofs (
  order_id text primary key references orders,
  photo bytea,
  id_checked boolean not null default false,
  at timestamptz not null
);
-- A JPEG does not shrink.
alter table delivery_proofs alter column photo set storage external;

-- Which courier company delivers the live orders of a store; a store without a row has none.
create table store_couriers (
  store_id text primary key references stores,
  gateway text not null,
  set_at timestamptz not null
);

-- Deliveries by couriers: a row is written before its gateway is called, so that no crash forgets a call.
create table courier_deliveries (
  order_id text not null references orders,
  attempt integer not null,
  gateway text not null,
  key text not null unique,
  state text not null,
  is_wanted boolean not null,
  is_too_late boolean not null,
  ready_at timestamptz not null,
  quote_id text,
  sent_at timestamptz,
  delivery_id text,
  driver_name text,
  fee_cents integer,
  currency text,
  -- The whole tip that the company has; null until it is requested. A raised one that it cannot take is owed to its driver.
  tip_cents bigint,
  tracking_url text,
  proof_url text,
  reported_at timestamptz,
  last_event_id text,
  failures integer not null,
  last_error text,
  -- When the order's notes, apartment, name or phone last changed.
  changed_at timestamptz,
  created_at timestamptz not null,
  next_call_at timestamptz,
  leased_until timestamptz,
  primary key (order_id, attempt)
);
create unique index courier_deliveries_by_id on courier_deliveries (gateway, delivery_id) where delivery_id is not null;
create index courier_deliveries_due on courier_deliveries (next_call_at) where next_call_at is not null;
create index courier_deliveries_waiting on courier_deliveries (gateway, next_call_at) where next_call_at is not null;

-- ---------------------------------------------------------------------------------------------------------------------
-- merchants: how a store receives its live orders, and who works with them

create table store_channels (
  store_id text not null references stores,
  channel text not null check (channel in ('console', 'email', 'sms', 'webhook', 'printer', 'operator')),
  -- An email address, a phone number (E.164), a URL, or HOST:PORT; null for the console and the operator.
  target text,
  -- Signs the calls of a webhook. After a rotation they carry the signature of the previous secret too, for a time.
  signing_secret text,
  previous_signing_secret text,
  previous_secret_until timestamptz,
  -- Of a printer: when its kitchen ticket is printed, and its character encoding.
  print_at text not null default 'offered' check (print_at in ('offered', 'confirmed')),
  encoding text not null default 'multilingual',
  -- Since when every attempt has failed, and why the last one did; null while the last one succeeded.
  failing_since timestamptz,
  last_error text,
  created_at timestamptz not null,
  primary key (store_id, channel)
);
create index store_channels_failing on store_channels (failing_since) where failing_since is not null;

-- A person who runs the service. A disabled one cannot sign in, and the row stays for the history of changes.
create table operators (
  operator_id text primary key,
  name text not null,
  -- In lower case; signs in by email link or OpenID Connect.
  email text unique,
  -- E.164.
  phone text,
  role text not null check (role in ('viewer', 'support', 'admin')),
  -- Alerts go to operators on duty.
  on_duty boolean not null default false,
  alert_webhook_url text,
  alert_webhook_secret text,
  created_at timestamptz not null,
  disabled_at timestamptz
);

-- An unused sign-in link of an operator's email, bound to the cookie of the browser that asked for it.
create table sign_in_links (
  token_hash bytea primary key,
  browser_hash bytea not null,
  operator_id text not null references operators,
  expires_at timestamptz not null
);

-- A person who works at a store, named by its owner. A removed one cannot sign in, and the row stays for the history of
-- changes.
create table store_staff (
  staff_id text primary key,
  store_id text not null references stores,
  name text not null,
  created_at timestamptz not null,
  removed_at timestamptz
);
create unique index store_staff_names on store_staff (store_id, lower(name)) where removed_at is null;

-- A code that opens one console session, of a store or an operator; a staff member's opens any number of them until it is
-- replaced. Only its SHA-256 is stored.
create table access_codes (
  code_hash bytea primary key,
  store_id text references stores,
  operator_id text references operators,
  -- The account whose sandbox at the store it opens; null: the store's own console, for its live orders.
  account_id text references accounts,
  staff_id text references store_staff,
  created_at timestamptz not null,
  -- Null: a staff member's code.
  expires_at timestamptz,
  redeemed_at timestamptz,
  check (store_id is not null or operator_id is not null)
);

-- A console session. The token changes once a day; the one before it is accepted for a minute more.
create table console_sessions (
  session_id text primary key,
  store_id text references stores,
  operator_id text references operators,
  account_id text references accounts,
  staff_id text references store_staff,
  token_hash bytea not null unique,
  previous_hash bytea unique,
  rotated_at timestamptz not null,
  -- The browser's name for itself, for the list of sessions.
  device text not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  check (store_id is not null or operator_id is not null)
);
create index console_sessions_by_store on console_sessions (store_id, created_at);
create index console_sessions_by_staff on console_sessions (staff_id, created_at) where staff_id is not null;
create index access_codes_by_staff on access_codes (staff_id) where staff_id is not null;

-- Wrong codes of a client address since a moment.
create table sign_in_failures (
  client text primary key,
  failures integer not null,
  since timestamptz not null
);

-- ---------------------------------------------------------------------------------------------------------------------
-- offers

-- Everything that a channel of a store is sent about an order, and its queue. An order's offer on a channel is its row of
-- kind 'offered'. `leased_until` keeps a row from other workers while one works on it.
create table store_notices (
  order_id text not null,
  store_id text not null,
  channel text not null,
  kind text not null check (kind in ('offered', 'confirmed', 'item_changed', 'updated', 'ready', 'driver_assigned',
    'picked_up', 'driver_nearby', 'completed', 'canceled', 'refunded', 'tipped', 'kitchen_copy', 'receipt_copy')),
  -- Counts the copies of a ticket that were asked for; the sequence of its event for `item_changed`; 0 otherwise.
  copy integer not null default 0,
  -- waiting: not there yet; sent: the channel has it; acknowledged: a person or a system has answered it;
  -- withdrawn: it became stale before it was sent.
  state text not null check (state in ('waiting', 'sent', 'acknowledged', 'withdrawn')),
  attempts integer not null default 0,
  -- The attempts whose end was recorded: another one may have reached its channel before its worker died.
  ended_attempts integer not null default 0,
  -- Whether an attempt that failed may have reached the channel all the same: its ticket may be in the kitchen.
  may_be_sent boolean not null default false,
  last_error text,
  next_attempt_at timestamptz,
  leased_until timestamptz,
  created_at timestamptz not null,
  sent_at timestamptz,
  acknowledged_at timestamptz,
  -- The hash of the link that opens this one order without a sign-in; the link is in the email or SMS alone.
  link_hash bytea unique,
  primary key (order_id, channel, kind, copy)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index store_notices_due on store_notices (next_attempt_at) where state = 'waiting' and next_attempt_at is not null;
-- By channel of a store: however much waits for one of them, the next rows of all others are found past it.
create index store_notices_waiting on store_notices (store_id, channel, next_attempt_at)
  where state = 'waiting' and next_attempt_at is not null;
create index store_notices_by_printer on store_notices (store_id, channel) where state = 'waiting';
-- Ended notices by age, for those whose time to be kept is over.
create index store_notices_ended on store_notices (created_at) where state <> 'waiting';

-- ---------------------------------------------------------------------------------------------------------------------
-- webhooks

-- Where an account receives the events of its sandbox orders, and where those of its live ones: each is seen and changed
-- with keys of its mode alone. Replacing the endpoint keeps the secret.
create table webhook_endpoints (
  account_id text not null references accounts,
  mode text not null check (mode in ('sandbox', 'live')),
  url text not null,
  secret text not null,
  -- The secret before the last rotation: calls carry its signature too until the time passes.
  previous_secret text,
  previous_secret_until timestamptz,
  enabled boolean not null,
  -- Since when every call has failed; null while the last one succeeded.
  failing_since timestamptz,
  updated_at timestamptz not null,
  primary key (account_id, mode)
);

-- One call for one event, and its queue: `next_attempt_at` is when it is due, `leased_until` keeps it from other workers
-- while one is calling, and releases it when that one dies.
create table webhook_calls (
  webhook_id text primary key,
  account_id text not null references accounts,
  mode text not null check (mode in ('sandbox', 'live')),
  order_id text,
  sequence integer,
  type text not null,
  body text not null,
  state text not null check (state in ('pending', 'delivered', 'dead')),
  attempts integer not null default 0,
  -- How many of them were before the last replay: the retry schedule begins anew with it.
  attempts_before integer not null default 0,
  -- The HTTP status of the last attempt; null where there was no answer.
  last_status integer,
  last_error text,
  next_attempt_at timestamptz,
  leased_until timestamptz,
  created_at timestamptz not null,
  delivered_at timestamptz,
  unique (order_id, sequence)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- By endpoint first: however much waits for one, the next calls of all others are found past it.
create index webhook_calls_due on webhook_calls (account_id, mode, next_attempt_at) where state = 'pending';
create index webhook_calls_by_endpoint on webhook_calls (account_id, mode, created_at desc, webhook_id);
-- Ended calls by age, for those whose time to be kept is over.
create index webhook_calls_ended on webhook_calls (created_at) where state <> 'pending';

-- ---------------------------------------------------------------------------------------------------------------------
-- messages

-- One SMS or email to one person, and its queue as above; those of sandbox orders are never sent. Its text is written when
-- it is sent or read, from its event, the only row that it references: that row is locked at that moment anyway.
create table messages (
  message_id text primary key,
  account_id text not null,
  order_id text not null,
  sequence integer not null,
  mode text not null check (mode in ('sandbox', 'live')),
  channel text not null check (channel in ('sms', 'email')),
  kind text not null,
  -- `over_budget`: the account's budget of the day was used up. `not_sent`: SMS do not go to this number.
  state text not null check (state in ('pending', 'sent', 'kept', 'dead', 'over_budget', 'not_sent')),
  attempts integer not null default 0,
  last_error text,
  next_attempt_at timestamptz,
  leased_until timestamptz,
  created_at timestamptz not null,
  sent_at timestamptz,
  -- The first SMS of an account to a number says how to opt out.
  says_opt_out boolean not null default false,
  -- Counts the copies that operators have sent again; 0 is the message of the event itself.
  copy integer not null default 0,
  -- What the customer wrote in a report of a problem.
  report jsonb,
  foreign key (order_id, sequence) references order_events
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- No person is sent the same twice: an order may have many refunds, each with its email, and several reports.
create unique index messages_once_an_event on messages (order_id, channel, kind, sequence, copy) where report is null;
create unique index messages_once_a_report on messages (order_id, md5(report::text)) where report is not null;
create index messages_due on messages (next_attempt_at) where state = 'pending';
-- By account: however much waits for one, the next rows of all others are found past it.
create index messages_waiting on messages (channel, account_id, next_attempt_at) where state = 'pending';
create index messages_over_budget on messages (account_id, channel, created_at) where state = 'over_budget';
create index messages_ended on messages (created_at) where state <> 'pending';

-- The numbers that an account has written to, and those that get no SMS of any account. In E.164.
create table sms_recipients (
  account_id text not null references accounts,
  phone text not null,
  primary key (account_id, phone)
);
create table sms_opt_outs (
  phone text primary key,
  opted_out_at timestamptz not null
);

-- ---------------------------------------------------------------------------------------------------------------------
-- operators

-- Every change that an operator made. `details` holds no secret.
create table operator_actions (
  action_no bigint generated always as identity primary key,
  at timestamptz not null,
  session_id text not null,
  action text not null,
  -- The id of the order, store, account, key or other thing that was changed.
  target text not null,
  details jsonb not null
);
create index operator_actions_by_target on operator_actions (target, action_no desc);

-- A condition that operators on duty are alerted to. It opens once it has held for a while, and ends once it has been gone
-- for a while, so that a flapping condition sends no stream of messages.
create table alerts (
  alert_id text primary key,
  -- The condition: its kind and what it is about.
  key text not null,
  kind text not null,
  title text not null,
  -- The page of the operator's view about it.
  page text not null,
  seen_since timestamptz not null,
  opened_at timestamptz,
  -- Since when the condition of an open alert is gone.
  clear_since timestamptz,
  ended_at timestamptz,
  acknowledged_at timestamptz,
  -- The operator's name.
  acknowledged_by text
);
create unique index alerts_under_way on alerts (key) where ended_at is null;
create index alerts_ended on alerts (ended_at desc) where ended_at is not null;

-- A message to one operator by one way, about alerts that opened or ended together, and its queue.
create table alert_notices (
  notice_id text primary key,
  operator_id text not null references operators,
  way text not null check (way in ('email', 'sms', 'webhook')),
  phase text not null check (phase in ('opened', 'resolved')),
  state text not null check (state in ('pending', 'sent', 'dead')),
  attempts integer not null default 0,
  last_error text,
  next_attempt_at timestamptz,
  leased_until timestamptz,
  created_at timestamptz not null,
  sent_at timestamptz
);
create index alert_notices_waiting on alert_notices (operator_id, way, next_attempt_at) where state = 'pending';
create index alert_notices_ended on alert_notices (created_at) where state <> 'pending';

-- What a notice is about. The key makes a second message to the same person about the same alert impossible.
create table alert_notice_items (
  alert_id text not null references alerts on delete cascade,
  operator_id text not null references operators,
  way text not null,
  phase text not null,
  notice_id text not null references alert_notices on delete cascade,
  primary key (alert_id, operator_id, way, phase)
);
create index alert_notice_items_by_notice on alert_notice_items (notice_id);

-- ---------------------------------------------------------------------------------------------------------------------
-- ucp: agents' platforms

-- Platforms of the Universal Commerce Protocol that order for an account, and their checkouts.
create table ucp_platforms (
  profile_url text primary key,
  account_id text not null references accounts,
  mode text not null check (mode in ('sandbox', 'live')),
  orders text not null check (orders in ('place', 'handover')),
  bound_at timestamptz not null
);

create table ucp_checkouts (
  checkout_id text primary key,
  account_id text not null references accounts,
  mode text not null check (mode in ('sandbox', 'live')),
  profile_url text not null,
  store_id text not null,
  -- The order that the last cart that could be quoted became.
  order_id text references orders on delete cascade,
  asked jsonb not null,
  shown jsonb not null,
  is_quoted boolean not null,
  is_canceled boolean not null,
  changed_at timestamptz not null,
  leased_until timestamptz
);
create index ucp_checkouts_by_order on ucp_checkouts (order_id);
create index ucp_checkouts_changed on ucp_checkouts (changed_at);

-- ---------------------------------------------------------------------------------------------------------------------
-- adapters: the books of the sandbox card processor, which plays an outside party. Only its adapter writes them.

create table sandbox_gateway_cards (
  token text primary key,
  brand text not null,
  last4 text not null,
  -- The result of every charge of the card; one that loses its answer is written all the same.
  charge_status text not null check (charge_status in ('succeeded', 'declined', 'waiting', 'to_collect')),
  decline_code text,
  loses_answer boolean not null,
  created_at timestamptz not null
);

create table sandbox_gateway_charges (
  charge_id text primary key,
  idempotency_key text not null unique,
  order_id text not null,
  card_token text not null,
  amount bigint not null check (amount > 0),
  currency text not null check (currency in ('usd', 'cad')),
  refunded_amount bigint not null default 0 check (refunded_amount between 0 and amount),
  status text not null check (status in ('succeeded', 'declined', 'waiting', 'approved', 'canceled', 'to_collect')),
  decline_code text,
  -- The link of a charge that waits for its customer: it is the permission to answer the charge.
  link text unique,
  -- Where the customer goes after answering; null: a page says to go back.
  return_url text,
  created_at timestamptz not null
);
create index sandbox_gateway_charges_by_order on sandbox_gateway_charges (order_id);
create index sandbox_gateway_charges_by_card on sandbox_gateway_charges (card_token);

create table sandbox_gateway_refunds (
  idempotency_key text primary key,
  refund_id text not null unique,
  charge_id text not null references sandbox_gateway_charges,
  amount bigint not null check (amount > 0),
  created_at timestamptz not null
);
