import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type {
  Category,
  FullQuote,
  Inventory,
  QuoteFailure,
  ReadInventoryQuery,
} from '../../clients/typescript/src/api-types.ts';
import { DoorstepConnectionError } from '../../clients/typescript/src/errors.ts';
import { listen } from '../listen.ts';
import type { FoundStore, ShopApi } from './api.ts';
import type { Near } from './boot.ts';
import type { Product, Section } from './product-list.tsx';
import { useShop } from './shop-context.ts';

/*
 * A store's menu in the mode of the visitor, as the server rendered it and as it is now. A restaurant's is read
 * whole; a grocery's products are read category by category, when they come near the screen.
 */

/** A part of the menu that the bar on top leads to: a category, or a grocery's department with those below it. */
export type Chapter = { id: string; name: string; sectionId: string; sectionIds: readonly string[] };

export type StoreMenu = {
  sections: readonly Section[];
  chapters: readonly Chapter[];
  quote: FullQuote | undefined;
  quoteError: QuoteFailure | undefined;
  /** Why the shown menu may be out of date. */
  stale: 'offline' | 'failed' | undefined;
  read(sections: readonly Section[]): void;
};

type Where = { place: Near | null; pickup: boolean };

/** A menu is read again when the page is shown after so long. */
const OLD_MS = 60_000;
/** Categories that are read at a time, so that a long jump over a grocery does not read them all. */
const MAX_READS = 6;

export function useMenu(store: FoundStore, first: Inventory, { place, pickup }: Where, isKnown: boolean): StoreMenu {
  const { api } = useShop();
  const [menu, setMenu] = useState(first);
  const [stale, setStale] = useState<StoreMenu['stale']>();
  const [read, setRead] = useState<ReadonlyMap<string, readonly Product[]>>(new Map());
  const reading = useRef(new Set<string>());
  const readAt = useRef(0);
  const isGrocery = store.type === 'grocery';
  const door = place && { user_latitude: place.latitude, user_longitude: place.longitude };

  useEffect(() => {
    if (!isKnown) return;
    let controller = new AbortController();
    const refresh = async () => {
      controller.abort();
      controller = new AbortController();
      const { signal } = controller;
      readAt.current = Date.now();
      const query = { ...menuQuery(store, pickup), ...((pickup || door) && { include_quote: true, ...door }) };
      try {
        const now = await api.stores.inventory(query, { signal });
        setMenu((shown) => (shown.menu_id === now.menu_id ? { ...now, categories: shown.categories } : now));
        setStale(undefined);
      } catch (error) {
        if (signal.aborted) return;
        setStale(error instanceof DoorstepConnectionError ? 'offline' : 'failed');
      }
    };
    const shown = () => {
      if (document.visibilityState === 'visible' && Date.now() - readAt.current > OLD_MS) refresh();
    };
    refresh();
    const ends = [listen(document, 'visibilitychange', shown), listen(window, 'online', refresh)];
    return () => {
      controller.abort();
      for (const end of ends) end();
    };
  }, [isKnown, pickup, place?.latitude, place?.longitude]);

  // Products of another menu version, or of the other mode, are read again.
  useEffect(() => {
    reading.current = new Set();
    setRead(new Map());
  }, [menu.menu_id, pickup]);

  const chapters = useMemo(() => menu.categories.map(chapterOf), [menu.categories]);
  const sections = useMemo(
    () => menu.categories.flatMap((category) => sectionsOf(category, isGrocery, read)),
    [menu.categories, read],
  );
  const { quote } = menu;
  return {
    sections,
    chapters,
    quote: quote && !('error' in quote) ? quote : undefined,
    quoteError: menu.quote_error,
    stale,
    read(missing) {
      const own = reading.current;
      const missingNow = missing.filter(({ id }) => !own.has(id)).slice(0, MAX_READS);
      for (const { id, categoryId } of missingNow) {
        own.add(id);
        readCategory(api, store, pickup, categoryId).then(
          (products) => {
            if (own === reading.current) setRead((known) => new Map(known).set(id, products));
          },
          () => own.delete(id),
        );
      }
    },
  };
}

/** The request for a store's menu: for a grocery its tree of categories, whose products are read later. */
export function menuQuery({ _id, type }: FoundStore, pickup: boolean): ReadInventoryQuery {
  return { store_id: _id, pickup, ...(type === 'grocery' && { category_tree: true }) };
}

/** The products of a grocery's category. */
export async function readCategory(api: ShopApi, { _id }: FoundStore, pickup: boolean, categoryId: string) {
  const { categories } = await api.stores.inventory({ store_id: _id, pickup, subcategory_id: categoryId });
  return categories.flatMap((category) => category.menu_item_list);
}

const sectionIdOf = ({ subcategory_id: id }: Category) => `c-${id}`;
/** The categories with products in a tree of them. */
export const leavesOf = (category: Category): readonly Category[] =>
  category.subcategories?.length ? category.subcategories.flatMap(leavesOf) : [category];

function chapterOf(category: Category): Chapter {
  const sectionIds = leavesOf(category).map(sectionIdOf);
  const [sectionId = ''] = sectionIds;
  return { id: category.subcategory_id, name: category.name, sectionId, sectionIds };
}

function sectionsOf(category: Category, isGrocery: boolean, read: ReadonlyMap<string, readonly Product[]>): Section[] {
  return leavesOf(category).map((leaf) => {
    const id = sectionIdOf(leaf);
    const own = leaf.menu_item_list;
    const products = read.get(id) ?? (isGrocery && own.length === 0 && leaf.product_count > 0 ? undefined : own);
    return {
      id,
      categoryId: leaf.subcategory_id,
      name: leaf.name,
      count: products?.length ?? leaf.product_count,
      products,
    };
  });
}
