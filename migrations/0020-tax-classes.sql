-- Tax classes (src/supply/stores/tax-class.ts). Of a product: its own, as its feed or store says. Of a category: those of
-- the category and of all above it, as far as they have any; the last one counts. Of a store: what its operator set in
-- place of the feed's. Null everywhere: the default of the store's type.
alter table products add column tax_class text;
alter table categories add column tax_classes text[] not null default '{}';
alter table stores add column tax_class text;
