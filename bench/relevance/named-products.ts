import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { demoCatalog } from '../../demo/catalog.ts';
import { FEEDS } from '../setup.ts';

/** A feed's product, referenced by feed, store id and product id. */
export type NamedProduct = { ref: string; name: string; category: string; latitude: number; longitude: number };

type Line = {
  external_id: string;
  latitude: number;
  longitude: number;
  categories?: readonly Category[];
  categories_file?: string;
};
type Category = {
  name: string;
  categories?: readonly Category[];
  products?: readonly { id: string; name: string }[];
};
type FileProduct = { id: string; name: string; path: string[] };

/** Feeds that contain products. */
export const PRODUCT_FEEDS = ['bay-area', 'pizza', 'icecream', 'market'] as const;

/** Every product of the real feeds; undefined on a machine without them. */
export function readRealProducts(): NamedProduct[] | undefined {
  const files = PRODUCT_FEEDS.map((feed) => join(FEEDS, `${feed}.ndjson.gz`));
  if (!files.every((file) => existsSync(file))) return undefined;
  return PRODUCT_FEEDS.flatMap((feed, n) =>
    linesOf<Line>(files[n] as string).flatMap((line) => productsOf(feed, line)),
  );
}

export function readDemoProducts(): NamedProduct[] {
  return [...demoCatalog()].flatMap((store) => productsOf('demo', store as Line));
}

function linesOf<T>(file: string): T[] {
  const lines = gunzipSync(readFileSync(file)).toString().split('\n');
  return lines.filter(Boolean).map((line) => JSON.parse(line) as T);
}

function productsOf(feed: string, store: Line): NamedProduct[] {
  const { latitude, longitude } = store;
  const named = (id: string, name: string, category: string): NamedProduct => {
    return { ref: `${feed}/${store.external_id}/${id}`, name, category, latitude, longitude };
  };
  const found: NamedProduct[] = [];
  const walk = (categories: readonly Category[]): void => {
    for (const { name, categories: inner = [], products = [] } of categories) {
      walk(inner);
      for (const product of products) found.push(named(product.id, product.name, name));
    }
  };
  walk(store.categories ?? []);
  if (store.categories_file === undefined) return found;
  const fileProducts = linesOf<FileProduct>(join(FEEDS, store.categories_file));
  return [...found, ...fileProducts.map(({ id, name, path }) => named(id, name, path.at(-1) ?? ''))];
}
