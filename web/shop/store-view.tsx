import type { ShopPage } from './boot.ts';
import { useShop } from './shop-context.ts';

/** A store with its menu. */
export function StoreView({ page: { store, menu } }: { page: Extract<ShopPage, { kind: 'store' }> }) {
  const format = useShop().formatFor(store.address.country);
  return (
    <main id="main" tabIndex={-1}>
      <h1>{store.name}</h1>
      {menu.categories.map(({ subcategory_id: id, name, menu_item_list: items }) => (
        <section key={id}>
          <h2>{name}</h2>
          <ul>
            {items.map((item) => (
              <li key={item.product_id}>
                {item.name} <b>{format.money(item.price)}</b>
                <p class="hint">{item.description}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </main>
  );
}
