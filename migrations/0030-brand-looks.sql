-- The look of an account's pages: corners, a pair of fonts, a cover and the first line of its shop.
alter table brandings
  add column corners text not null default 'soft' check (corners in ('soft', 'square', 'round')),
  add column font text not null default 'system' check (font in ('system', 'modern', 'classic', 'friendly', 'market')),
  add column cover_url text,
  add column welcome text;
