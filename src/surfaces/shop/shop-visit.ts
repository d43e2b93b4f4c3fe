import type { Language } from '../../platform/languages/language.ts';

/** What the pages of the shop and their rendering components (`web/shop/server.tsx`) say to each other. */

export type PageRequest = { kind: 'list'; search: string } | { kind: 'store'; storeId: string } | { kind: 'orders' };

export type ShopVisit = {
  requested: PageRequest;
  near: { address: string; latitude: number; longitude: number } | null;
  storeIds: readonly string[] | null;
  /** URL of the site without a slash at its end; `base` is the path of the shop on it. */
  siteUrl: string;
  base: string;
  apiBase: string;
  publishableKey: string;
  language: Language;
  /** The language that the address chooses. */
  lang?: Language;
  isSandbox: boolean;
  brand: { name: string; logoUrl?: string };
  nowEpochS: number;
  /** The markup of `data`: rendered, or kept since the same was rendered. No part of the page's data. */
  renderOnce(data: string, render: () => string): string;
};

export type RenderedShop = {
  status: 200 | 404;
  markup: string;
  /** JSON that the page hydrates from. */
  boot: string;
  title: string;
  description: string;
  canonicalUrl: string;
  isIndexed: boolean;
  pictureUrl?: string | undefined;
  /** JSON-LD. */
  structuredData?: string;
};

/** Rejects with the refusal of the API. */
type RenderShop = (visit: ShopVisit, send: typeof fetch) => Promise<RenderedShop>;

/** What the bundle of `web/shop/server.tsx` has. */
export type ShopRenderer = {
  renderShop: RenderShop;
  /** The path of a store's page on the site. */
  storePath(base: string, storeId: string, name: string): string;
};
