import type { MapFiles } from '../../fulfillment/deliveries/street-map.ts';
import type { Language } from '../../platform/languages/language.ts';
import type { SavedAddress } from '../../supply/addresses/saved-addresses.db.ts';
import type { LineWeight } from '../../supply/pricing/weight.ts';

/** The cookie of a device that keeps the visitor's place: `1`, so that the first view is laid out for it. */
export const PLACE_COOKIE = 'doorstep_place';

/** The contract between the shop's pages and their rendering components (`web/shop/server.tsx`). */

/**
 * A line of a cart that an agent filled. Cents are for one unit with its options. For items sold by weight, they are
 * for the price's unit, and `quantity` is in steps or pieces.
 */
export type HandedLine = {
  productId: string;
  name: string;
  image: string;
  quantity: number;
  unitCents: number;
  weight?: LineWeight & { optionsCents: number };
  options: readonly { optionId: string; name: string; quantity: number }[];
};

/** A cart that an agent filled; codes of promotions are in capital letters, absent without any. */
export type HandedCart = { handed: readonly HandedLine[]; codes?: readonly string[] | undefined };

export type PageRequest =
  | { kind: 'list'; search: string }
  | ({ kind: 'store'; storeId: string } & Partial<HandedCart>)
  | { kind: 'orders' };

/** The brand's parts on a shop's pages; `welcome` is the first line of its list. */
export type ShopBrand = { name: string; logoUrl?: string; coverUrl?: string; welcome?: string };

export type ShopVisit = {
  requested: PageRequest;
  near: { address: string; latitude: number; longitude: number } | null;
  storeIds: readonly string[] | null;
  /** Whether the device keeps the visitor's place, which the service does not learn. */
  knowsPlace: boolean;
  /** URL of the site without a slash at its end; `base` is the path of the shop on it. */
  siteUrl: string;
  base: string;
  apiBase: string;
  publishableKey: string;
  language: Language;
  /** The language that the address chooses. */
  lang?: Language;
  isSandbox: boolean;
  brand: ShopBrand;
  nowEpochS: number;
  /** The signed-in customer; null for a visitor, absent where no one can sign in. */
  customer?: { addresses: readonly SavedAddress[] } | null;
  /** The map of a chain's stores; absent where the service has no tiles. */
  map?: MapFiles;
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

/** Rejects with the error of the API. */
type RenderShop = (visit: ShopVisit, send: typeof fetch) => Promise<RenderedShop>;

/** The exports of the bundle of `web/shop/server.tsx`. */
export type ShopRenderer = {
  renderShop: RenderShop;
  /** The path of a store's page on the site. */
  storePath(base: string, storeId: string, name: string): string;
};
