import { present } from 'doorstep/collections';
import type { Static } from 'typebox';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { sealProduct } from '../../supply/catalog/catalog-tokens.ts';
import { presentFood, presentPrices } from '../../supply/catalog/present-menu.ts';
import { presentWeighed } from '../../supply/catalog/present-weight.ts';
import { unitPriceOf } from '../../supply/catalog/unit-price.ts';
import type { KnownStores } from '../../supply/stores/known-stores.cache.ts';
import type { Mode } from '../../supply/stores/store.ts';
import { presentAddress } from '../../supply/stores/store-element.ts';
import type { NearStore } from '../stores/store-query.ts';
import type { StoreSearch } from '../stores/store-search.index.ts';
import type { FoundProduct } from './found-products.db.ts';
import type { FoundProductSchema, FoundStoreSchema } from './found-schema.ts';

export type PresentedStore = Static<typeof FoundStoreSchema>;

/** Presents the stores as they appear in answers, by id. A store that has left search since is dropped. */
export async function presentStores(
  { search, knownStores }: { search: Pick<StoreSearch, 'isOpen'>; knownStores: KnownStores },
  found: Iterable<NearStore>,
  nowEpochS: number,
): Promise<Map<string, PresentedStore>> {
  const nearById = new Map([...found].map((near) => [near.storeId, near]));
  const stores = await knownStores.of([...nearById.keys()]);
  const presented = new Map<string, PresentedStore>();
  for (const [storeId, { miles }] of nearById) {
    const store = stores.get(storeId);
    const isOpen = search.isOpen(storeId, nowEpochS);
    if (!store || isOpen === undefined) continue;
    presented.set(storeId, { name: store.name, address: presentAddress(store), miles, is_open: isOpen });
  }
  return presented;
}

/** Presents a product of the response, priced in its mode. */
export function presentFound(
  tokens: TokenSealer,
  product: FoundProduct,
  store: PresentedStore,
  mode: Mode,
): Static<typeof FoundProductSchema> {
  const { price, original_price, formatted_price } = presentPrices(product, mode);
  return {
    store_id: product.storeId,
    store,
    name: product.name,
    product_id: sealProduct(tokens, product),
    price,
    original_price,
    formatted_price,
    image: product.image,
    unit_size: product.unitSize,
    unit_of_measurement: product.unitOfMeasurement,
    ...present({ unit_price: unitPriceOf(product, price, store.address.country) }),
    ...presentWeighed(product, price),
    upc_code: product.upcCode,
    food: presentFood(product.food),
    category: product.category,
  };
}
