import { usePages } from '../use-read.ts';
import type { Product } from './product-row.tsx';
import type { Desk } from './use-step.ts';

const TYPING_MS = 250;

type Page = { products: Product[]; next_after: number | null };

/** The store's products whose names match a search. `show` shows a product from a response. */
export function useProducts({ context: { api } }: Desk, query: string, isOffOnly: boolean) {
  const parameters = new URLSearchParams({ query, off_sale: String(isOffOnly) });
  const read = async (after = 0) => {
    const { products, next_after } = await api.get<Page>(`/store/products?${parameters}&after=${after}`);
    return { items: products, next: next_after };
  };
  const waitMs = query === '' ? 0 : TYPING_MS;
  const { items = [], change, ...list } = usePages<Product, number>([query, isOffOnly], { read, waitMs });
  const show = (shown: Product) => change((each) => (each.external_id === shown.external_id ? shown : each));
  return { ...list, products: items, show };
}
