-- What is known of a product's food: Food as in src/catalog/food.ts; null where nothing is known. Options have theirs in
-- `customizations`. The views of a product contain it.
alter table products
  add column food jsonb,
  -- The bits of `foodClaims` for product search: diets, and allergens that the food has no trace of.
  add column food_claims integer not null default 0;
