import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from './api.ts';
import type { Product } from './product-row.tsx';
import type { Desk } from './use-step.ts';

const TYPING_MS = 250;

type Page = { products: Product[]; next_after: number | null };

export type ProductList = {
  products: readonly Product[];
  isLoading: boolean;
  error: string;
  /** Reads the next page; undefined on the last one. */
  more: (() => void) | undefined;
  /** Shows a product from an answer. */
  show(product: Product): void;
};

/** The store's products whose names match a search. */
export function useProducts({ context }: Desk, query: string, isOffOnly: boolean): ProductList {
  const [products, setProducts] = useState<readonly Product[]>([]);
  const [next, setNext] = useState<number | null>(null);
  const [isLoading, setLoading] = useState(true);
  const [error, setError] = useState('');
  /** Number of the latest search; answers to earlier ones are discarded. */
  const search = useRef(0);

  /** Reads the page of products after `after`. */
  async function read(after: number): Promise<void> {
    search.current += 1;
    const mine = search.current;
    setLoading(true);
    setError('');
    const parameters = new URLSearchParams({ query, off_sale: String(isOffOnly), after: String(after) });
    try {
      const page = await context.api.get<Page>(`/store/products?${parameters}`);
      if (mine !== search.current) return;
      setProducts((shown) => (after === 0 ? page.products : [...shown, ...page.products]));
      setNext(page.next_after);
    } catch (failure) {
      if (mine === search.current) setError(messageOf(failure));
    }
    if (mine === search.current) setLoading(false);
  }

  useEffect(() => {
    const timer = window.setTimeout(() => void read(0), query === '' ? 0 : TYPING_MS);
    return () => window.clearTimeout(timer);
  }, [query, isOffOnly]);

  return {
    products,
    isLoading,
    error,
    more: next === null ? undefined : () => void read(next),
    show: (changed) =>
      setProducts((shown) => shown.map((each) => (each.external_id === changed.external_id ? changed : each))),
  };
}
