import { useMemo } from 'preact/hooks';
import type { FoundProduct } from '../../clients/typescript/src/api-types.ts';
import { foldText } from '../../packages/search-engine/text/normalize-text.ts';
import { shop as words } from '../../src/texts/en/shop.ts';
import { usePages } from '../use-read.ts';
import { type Product, ProductList } from './product-list.tsx';
import { Press } from './sheet.tsx';
import { useShop } from './shop-context.ts';
import { useStore } from './store-context.ts';

const { store: say, frame } = words;

const TYPING_MS = 250;

/** The store's products for a query: from a restaurant's menu at once, from a grocery by the service's search. */
export function StoreSearch({ query }: { query: string }) {
  return useStore().store.type === 'grocery' ? <GrocerySearch query={query} /> : <MenuSearch query={query} />;
}

function MenuSearch({ query }: { query: string }) {
  const { sections } = useStore().menu;
  const texts = useMemo(
    () =>
      sections.flatMap(({ products = [] }) =>
        products.map((product) => ({ product, text: foldText(`${product.name} ${product.description ?? ''}`) })),
      ),
    [sections],
  );
  const parts = foldText(query).split(/\s+/);
  const found = texts.filter(({ text }) => parts.every((part) => text.includes(part))).map(({ product }) => product);
  return <Found products={found} />;
}

function GrocerySearch({ query }: { query: string }) {
  const { api } = useShop();
  const { store, pickup, menu } = useStore();
  const { latitude: user_latitude, longitude: user_longitude } = store.address;
  const read = async (page?: number) => {
    const common = { store_id: store._id, pickup, query, user_latitude, user_longitude };
    const found = await api.products.search({ ...common, ...(page && { page }) }).first();
    return { items: found.products.map(productOf), next: found.products.length < PAGE ? null : found.next_page };
  };
  const { items, error, more } = usePages([query, pickup], { read, waitMs: TYPING_MS });
  // The menu knows the choices of a product, so that one without any needs no dialog.
  const known = new Map(menu.sections.flatMap((section) => section.products ?? []).map((one) => [one.product_id, one]));
  const shown = useMemo(() => items?.map((one) => known.get(one.product_id) ?? one), [items, menu.sections]);
  if (error || !shown) return <p role="status">{error ? frame.failed : frame.loading}</p>;
  return (
    <>
      <Found products={shown} />
      {more && (
        <Press class="wide" onClick={more}>
          {say.more}
        </Press>
      )}
    </>
  );
}

/** Products of a page of the search. */
const PAGE = 50;

/** A product of a search, which says nothing of its choices. */
function productOf({ image, ...product }: FoundProduct): Product {
  const rest = { ...product, min_price: product.price, customizations: [], should_fetch_customizations: true };
  return image === null ? rest : { ...rest, image };
}

function Found({ products }: { products: readonly Product[] }) {
  const name = products.length === 0 ? say.noneFound : say.found({ count: products.length });
  const sections = useMemo(() => [{ id: 'found', categoryId: '', name, count: products.length, products }], [products]);
  return (
    <>
      <p class="unseen" role="status">
        {name}
      </p>
      <ProductList sections={sections} />
    </>
  );
}
