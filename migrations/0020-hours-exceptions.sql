-- Hours of single dates that a store set itself (HoursException[]); null: those of the profile.
alter table stores add column own_hours_exceptions jsonb;

-- What has menu hours: an inventory tells when it is sold.
create index products_with_hours on products (store_id) where hours is not null and not removed;
create index categories_with_hours on categories (store_id) where menu_hours <> '[]';
