-- A restaurant shows one list of leaf categories: those with a product on sale in the mode, in the sequence of a walk
-- through all categories. A grocery lists every category of a level (docs/adr/0002-menu-version-kept-by-triggers.md).
--
-- No product or category may change between the hashes below and the new triggers. Every writer locks products first.
lock table products, categories in share row exclusive mode;

alter table menus
  -- XOR of the digests of all categories; both digests of the row contain it.
  add column category_digest bigint not null default 0,
  -- Hash of the leaves that a restaurant shows in each mode: their numbers, names and sequence. 0 for an empty list.
  add column delivery_leaves bigint not null default 0,
  add column pickup_leaves bigint not null default 0;

-- Hashes the shown leaves of the stores that are restaurants. The change clock serialises its callers: a writer that
-- changes categories, or puts products on or off sale, holds the clock until its commit.
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

create or replace function fold_products_inserted() returns trigger language plpgsql as $$
begin
  perform fold_menu_digest(store_id, bit_xor(delivery_digest), bit_xor(pickup_digest), 0) from new_rows group by store_id order by store_id;
  perform write_shown_leaves(array_agg(distinct store_id)) from new_rows
  where delivery_digest <> 0 or pickup_digest <> 0
  having count(*) > 0;
  return null;
end $$;

create or replace function fold_products_updated() returns trigger language plpgsql as $$
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
create or replace function fold_categories_inserted() returns trigger language plpgsql as $$
begin
  perform fold_menu_digest(store_id, bit_xor(digest), bit_xor(digest), bit_xor(digest)) from new_rows group by store_id order by store_id;
  return null;
end $$;

create or replace function fold_categories_updated() returns trigger language plpgsql as $$
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
create trigger stores_type_changed after update of profile on stores for each row
  when (old.profile->>'type' is distinct from new.profile->>'type') execute function fold_store_type();

drop function fold_menu_digest(text, bigint, bigint);

update menus as m set category_digest = c.digest
from (select store_id, bit_xor(digest) as digest from categories group by store_id) as c where c.store_id = m.store_id;
select write_shown_leaves(array_agg(store_id)) from menus having count(*) > 0;
