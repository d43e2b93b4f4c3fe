import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from './api.ts';
import { Button } from './button.tsx';
import { Alert } from './notices.tsx';
import { type Product, ProductRow } from './product-row.tsx';
import type { Desk } from './use-step.ts';

const TYPING_MS = 250;

type Page = { products: Product[]; next_after: number | null };

/** What the store sells: searched, taken off sale and back, counted. */
export function ProductsView({ desk }: { desk: Desk }) {
  const [query, setQuery] = useState('');
  const [isOffOnly, setOffOnly] = useState(false);
  const list = useProducts(desk, query, isOffOnly);
  return (
    <div class="page">
      <h1 class="unseen">Products</h1>
      <div class="view-head search">
        <input
          {...{
            type: 'search',
            placeholder: 'Find a product',
            value: query,
            enterkeyhint: 'search',
            autocomplete: 'off',
          }}
          aria-label="Find a product"
          onInput={({ currentTarget }) => setQuery(currentTarget.value)}
        />
        <button type="button" class="button" aria-pressed={isOffOnly} onClick={() => setOffOnly(!isOffOnly)}>
          Off sale
        </button>
      </div>
      <section class="panel" aria-label="Products" aria-busy={list.isLoading}>
        <Alert text={list.error} />
        <ul class="rows">
          {list.products.map((product) => (
            <ProductRow key={product.external_id} desk={desk} product={product} show={list.show} />
          ))}
        </ul>
        {list.products.length === 0 && !list.isLoading && !list.error && (
          <p class="empty">{isOffOnly ? 'Everything is on sale.' : 'No product has these words in its name.'}</p>
        )}
        {list.more && (
          <Button isBusy={list.isLoading} onPress={list.more}>
            {list.isLoading ? 'Loading…' : 'Show more'}
          </Button>
        )}
      </section>
    </div>
  );
}

type ProductList = {
  products: readonly Product[];
  isLoading: boolean;
  error: string;
  /** Reads the next page; undefined on the last. */
  more: (() => void) | undefined;
  /** Shows a product as an answer has it. */
  show(product: Product): void;
};

function useProducts({ place }: Desk, query: string, isOffOnly: boolean): ProductList {
  const [products, setProducts] = useState<readonly Product[]>([]);
  const [next, setNext] = useState<number | null>(null);
  const [isLoading, setLoading] = useState(true);
  const [error, setError] = useState('');
  /** Answers of an earlier search come too late. */
  const search = useRef(0);

  async function read(after: number, before: readonly Product[]): Promise<void> {
    search.current += 1;
    const mine = search.current;
    setLoading(true);
    setError('');
    const asked = new URLSearchParams({ query, off_sale: String(isOffOnly), after: String(after) });
    try {
      const page = await place.api.get<Page>(`/store/products?${asked}`);
      if (mine !== search.current) return;
      setProducts([...before, ...page.products]);
      setNext(page.next_after);
    } catch (failure) {
      if (mine === search.current) setError(messageOf(failure));
    }
    if (mine === search.current) setLoading(false);
  }

  useEffect(() => {
    const timer = window.setTimeout(() => void read(0, []), query === '' ? 0 : TYPING_MS);
    return () => window.clearTimeout(timer);
  }, [query, isOffOnly]);

  return {
    ...{ products, isLoading, error },
    more: next === null ? undefined : () => void read(next, products),
    show: (changed) =>
      setProducts((shown) => shown.map((each) => (each.external_id === changed.external_id ? changed : each))),
  };
}
