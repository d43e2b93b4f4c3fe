-- What a store sets itself: products and options on sale, a pause, hours of its own. An import replaces such a value
-- only where the feed's own value differs from that feed's previous one.
alter table products
  -- The feed's own values as of its last import; feed_available null: not known, imported by an earlier version.
  add column feed_available boolean,
  add column feed_qty_available integer,
  -- Ids of the options that the store has off sale, sorted; an id stays while the option is not in the menu.
  add column options_off text[] not null default '{}',
  -- Customizations as the feed has them; null while no option is off. `customizations`, `option_count`, `min_extra` and
  -- the views are always of what is shown.
  add column full_customizations jsonb;
create index products_with_options_off on products (store_id, product_no) where options_off <> '{}';

alter table stores
  -- Until then the store reads as closed.
  add column paused_until timestamptz,
  -- StoreHours that the store set; null: the hours of the profile.
  add column own_hours jsonb;
