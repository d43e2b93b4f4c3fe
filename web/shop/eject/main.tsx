import { render } from 'preact';
import type { PageRequest } from '../../../src/surfaces/shop/shop-visit.ts';
import { startPage } from '../../start-page.ts';
import { App } from '../app.tsx';
import type { Near, ShopBoot } from '../boot.ts';
import { KEPT_SETTINGS, readKept } from '../device.ts';
import { readPage } from '../read-page.ts';
import { createShop } from '../shop-context.ts';
import { settings } from './settings.ts';

export type Settings = Pick<ShopBoot, 'apiBase' | 'publishableKey' | 'language' | 'brand'> & {
  near: Near | null;
  storeIds: readonly string[] | null;
};

/** The page that the address asks for. */
function pageRequestAt({ pathname, search }: Location): PageRequest {
  const [onlyStore, ...others] = settings.storeIds ?? [];
  const [, storeId = others.length === 0 && pathname === '/' ? onlyStore : undefined] =
    /^\/s\/(?:.*-)?([0-9a-f]{24})$/.exec(pathname) ?? [];
  if (storeId !== undefined) return { kind: 'store', storeId };
  return pathname === '/orders' ? { kind: 'orders' } : { kind: 'list', search };
}

/** Reads the first view through the API, and renders it. */
async function start(root: HTMLElement): Promise<void> {
  const { near, storeIds, ...shown } = settings;
  const boot: ShopBoot = {
    ...shown,
    languages: [settings.language],
    isSandbox: settings.publishableKey.startsWith('ds_pub_test_'),
    base: '',
    nowEpochS: Math.floor(Date.now() / 1000),
    page: { kind: 'missing' },
  };
  document.documentElement.lang = settings.language;
  document.title = settings.brand.name;
  const shop = createShop(boot, new URL(settings.apiBase, location.origin).href);
  const knowsPlace = (readKept(KEPT_SETTINGS)?.place ?? null) !== null;
  boot.page = await readPage(shop.api, { requested: pageRequestAt(location), near, storeIds, knowsPlace });
  render(<App shop={shop} />, root);
}

startPage((root) => {
  start(root).catch((error: unknown) => {
    root.textContent = error instanceof Error ? error.message : String(error);
  });
});
