import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FoundProduct } from '../../clients/typescript/src/api-types.ts';
import { foldText } from '../../packages/search-engine/text/normalize-text.ts';
import { shop as words } from '../../src/texts/en/shop.ts';
import { type Product, ProductList } from './product-list.tsx';
import { useShop } from './shop-context.ts';
import { useStore } from './store-context.ts';

/* Search within a store. */

const { store: say, frame } = words;

const TYPING_MS = 250;

/** What the store has of a query: of a restaurant's menu at once, of a grocery by the service's search. */
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

type Results = { products: readonly Product[]; nextPage: number | undefined; state: 'loading' | 'found' | 'failed' };

function GrocerySearch({ query }: { query: string }) {
  const { api } = useShop();
  const { store, pickup, menu } = useStore();
  const [{ products, nextPage, state }, setResults] = useState<Results>({
    products: [],
    nextPage: undefined,
    state: 'loading',
  });

  /** Of the query that is shown: answers to another one are dropped. */
  const current = useRef(new AbortController());

  async function read(page?: number): Promise<void> {
    const { signal } = current.current;
    const { latitude, longitude } = store.address;
    const common = { store_id: store._id, pickup, query, user_latitude: latitude, user_longitude: longitude };
    try {
      const answer = await api.products.search({ ...common, ...(page && { page }) }, { signal }).first();
      if (signal.aborted) return;
      const more = answer.products.map(productOf);
      const next = more.length > 0 ? answer.next_page : undefined;
      setResults((known) => ({
        products: page === undefined ? more : [...known.products, ...more],
        nextPage: next,
        state: 'found',
      }));
    } catch {
      if (!signal.aborted) setResults((known) => ({ ...known, state: 'failed' }));
    }
  }

  useEffect(() => {
    current.current = new AbortController();
    setResults((known) => ({ ...known, state: 'loading' }));
    const timer = window.setTimeout(read, TYPING_MS);
    return () => {
      window.clearTimeout(timer);
      current.current.abort();
    };
  }, [query, pickup]);

  // The menu knows the choices of a product, so that one without any needs no dialog.
  const known = new Map(menu.sections.flatMap((section) => section.products ?? []).map((one) => [one.product_id, one]));
  const shown = useMemo(() => products.map((one) => known.get(one.product_id) ?? one), [products, menu.sections]);
  if (state === 'loading') return <p role="status">{frame.loading}</p>;
  if (state === 'failed') return <p role="status">{frame.failed}</p>;
  return (
    <>
      <Found products={shown} />
      {nextPage !== undefined && products.length >= PAGE && (
        <button type="button" class="wide" onClick={() => read(nextPage)}>
          {say.more}
        </button>
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
