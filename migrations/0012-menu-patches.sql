-- An edit of a menu is a patch over the feed's value (src/supply/menus/menu.ts): an object has the store's own fields, an
-- array its sequence, JSON's null removes. A row without a patch is of an earlier version, whose edit is what the menu has
-- in place of `feed`; the next edit or import of the store gives it one. `feed` is null while the feed does not have it.
alter table menu_edits add column patch jsonb, add column feed_changed boolean not null default false;
