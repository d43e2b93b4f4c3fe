import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Format, formatOf } from '../../src/platform/languages/format.ts';
import { createShopApi, type ShopApi } from './api.ts';
import type { ShopBoot } from './boot.ts';

/** The data of every shop component: how the page began, the API, and how amounts and times are written. */
export type Shop = {
  boot: ShopBoot;
  api: ShopApi;
  formatFor(country: string): Format;
  /** The path of a shop page, in the chosen language. */
  pathOf(page: string): string;
  pathOfStore(store: { _id: string; name: string }): string;
};

const Context = createContext<Shop | undefined>(undefined);
export const ShopProvider = Context.Provider;

export function useShop(): Shop {
  const shop = useContext(Context);
  if (!shop) throw new Error('The component is outside of the shop.');
  return shop;
}

/** `send` replaces the platform's `fetch` on the server. */
export function createShop(boot: ShopBoot, baseUrl: string, send?: typeof fetch): Shop {
  const pathOf = (page: string) => `${boot.base}${page}${boot.lang ? `?lang=${boot.lang}` : ''}`;
  return {
    boot,
    api: createShopApi({ baseUrl, key: boot.publishableKey, ...(send && { fetch: send, retries: 0 }) }),
    formatFor: (country) => formatOf(boot.language, country === 'CA' ? 'CA' : 'US'),
    pathOf,
    pathOfStore: ({ _id, name }) => pathOf(storePath('', _id, name)),
  };
}

const MAX_SLUG = 60;

/** A store's page; its name is for people, only its ID identifies it. */
export const storePath = (base: string, storeId: string, name: string): string =>
  `${base}/s/${slugOf(name)}-${storeId}`;

/** The words of a name for an address: `joes-pizza`. */
function slugOf(name: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase();
  const words = plain.replace(/[^a-z0-9]+/g, '-').slice(0, MAX_SLUG);
  return words.replace(/^-|-$/g, '') || 'store';
}
