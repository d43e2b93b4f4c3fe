-- Runs outside a transaction.
create index concurrently if not exists products_with_menu_price on products (store_id)
  where menu_price is not null or menu_pickup_price is not null;
