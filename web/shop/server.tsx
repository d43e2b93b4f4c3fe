import { renderToString } from 'preact-render-to-string';
import { LANGUAGES } from '../../src/platform/languages/language.ts';
import type { RenderedShop, ShopVisit } from '../../src/surfaces/shop/shop-visit.ts';
import { storeData } from '../../src/surfaces/shop/structured-data.ts';
import { shop as words } from '../../src/texts/en/shop.ts';
import { App } from './app.tsx';
import type { ShopBoot } from './boot.ts';
import { storeStreet } from './door.ts';
import { readPage } from './read-page.ts';
import { createShop, type Shop, storePath } from './shop-context.ts';
import { pictureOf } from './store-card.tsx';
import { leavesOf } from './use-menu.ts';

/** The server's half of the shop: reads a page's first view through the API and renders it with the same components. */

export { storePath };

/** Requests are sent within the service, which has no address of its own. */
const SERVICE = 'http://service.invalid';

/** Rejects with the error of the API. */
export async function renderShop(visit: ShopVisit, send: typeof fetch): Promise<RenderedShop> {
  const { requested, near, storeIds, siteUrl, knowsPlace, ...rest } = visit;
  const boot: ShopBoot = { ...rest, languages: LANGUAGES, page: { kind: 'missing' } };
  const shop = createShop(boot, SERVICE, send);
  boot.page = await readPage(shop.api, visit);
  if (boot.page.kind === 'store' && requested.kind === 'store' && requested.handed) {
    const { handed, codes } = requested;
    Object.assign(boot, { handed, codes });
  }
  return {
    status: boot.page.kind === 'missing' ? 404 : 200,
    boot: JSON.stringify(boot),
    markup: visit.renderOnce(JSON.stringify(boot), () => renderToString(<App shop={shop} />)),
    ...metaOf(shop, visit),
  };
}

type Meta = Omit<RenderedShop, 'status' | 'boot' | 'markup'>;

/** The head of the page: texts for search engines and previews of links. A chosen language has pages of its own. */
function metaOf(shop: Shop, { siteUrl, base, storeIds }: ShopVisit): Meta {
  const { page, brand } = shop.boot;
  const { list, orders, frame } = words;
  const home = siteUrl + shop.pathOf('/');
  switch (page.kind) {
    case 'list': {
      const description = list.description({ brand: brand.name });
      return { title: list.title, description, canonicalUrl: home, isIndexed: true };
    }
    case 'orders':
      return {
        title: orders.title,
        description: orders.kept,
        canonicalUrl: siteUrl + shop.pathOf('/orders'),
        isIndexed: false,
      };
    case 'missing':
      return { title: frame.unknownStore, description: frame.unknownStoreWhy, canonicalUrl: home, isIndexed: false };
    case 'store': {
      const { store, menu } = page;
      const path = storeIds?.length === 1 ? '/' : storePath('', store._id, store.name);
      const facts = [store.cuisines.join(', '), storeStreet(store.address)].filter((text) => text !== '').join(' · ');
      return {
        title: store.name,
        description: store.description || facts,
        canonicalUrl: siteUrl + shop.pathOf(path),
        isIndexed: true,
        pictureUrl: pictureOf(store),
        structuredData: JSON.stringify(storeData(store, menu.categories.flatMap(leavesOf), siteUrl + base + path)),
      };
    }
  }
}
