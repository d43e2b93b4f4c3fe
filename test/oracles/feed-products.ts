/** Products with choices from the real feeds, if they are next to the repository; parsed by docs/feeds.md. */
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Customization } from '../../src/supply/catalog/product.ts';

type FeedOption = {
  id: string;
  name: string;
  price?: number;
  default_qty?: number;
  min_qty?: number;
  max_qty?: number;
  conditional_price?: Record<string, number>;
  customizations?: FeedCustomization[];
};
type FeedCustomization = {
  id: string;
  name: string;
  min_choice_options: number;
  max_choice_options: number;
  options: FeedOption[];
};
type FeedCategory = {
  categories?: FeedCategory[];
  products?: { id: string; price: number; customizations?: FeedCustomization[] }[];
};
export type FeedProduct = { id: string; price: number; customizations: Customization[] };

function customizationsOf(customizations: FeedCustomization[] = []): Customization[] {
  return customizations.map(({ id, name, min_choice_options, max_choice_options, options }) => ({
    id,
    name,
    minChoiceOptions: min_choice_options,
    maxChoiceOptions: max_choice_options,
    options: options.map((option) => ({
      id: option.id,
      name: option.name,
      price: option.price ?? 0,
      defaultQty: option.default_qty ?? 0,
      minQty: option.min_qty ?? 0,
      maxQty: option.max_qty ?? 1,
      conditionalPrice: option.conditional_price ?? {},
      customizations: customizationsOf(option.customizations),
    })),
  }));
}

function productsOf(categories: FeedCategory[] = []): FeedProduct[] {
  return categories.flatMap(({ products = [], categories: inner }) => [
    ...products.map(({ id, price, customizations }) => ({
      id,
      price,
      customizations: customizationsOf(customizations),
    })),
    ...productsOf(inner),
  ]);
}

const feedFile = (name: string): URL => new URL(`../../../shared/data/feed/${name}.ndjson.gz`, import.meta.url);

/** For a test's `skip`: false if the feed exists. */
export const feedMissing = (name: string): string | false =>
  existsSync(feedFile(name)) ? false : `${name}.ndjson.gz is not beside the repository`;

export function feedProducts(name: string): FeedProduct[] {
  const lines = gunzipSync(readFileSync(feedFile(name)))
    .toString('utf8')
    .trim()
    .split('\n');
  return lines.flatMap((line) => productsOf((JSON.parse(line) as { categories?: FeedCategory[] }).categories));
}
