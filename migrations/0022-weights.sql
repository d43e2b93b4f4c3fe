-- How a product is sold by weight, as SoldByWeight of src/supply/pricing/weight.ts; null: by the piece.
alter table products add column weight jsonb;
-- Patterns of the labels of a store's scale (src/supply/catalog/scale-label.ts); null: those of its country.
alter table stores add column scale_labels text[];
