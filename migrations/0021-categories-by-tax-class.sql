-- Runs outside a transaction.
-- The version of an inventory depends on the categories that have a class.
create index concurrently if not exists categories_with_tax_class on categories (store_id) where tax_classes <> '{}';
