import type { Static } from 'typebox';
import type { TokenSealer } from '../../lib/tokens.ts';
import type { Mode } from '../../stores/mode.ts';
import type { SearchIndex } from '../../stores/search/search-index.ts';
import type { NearStore } from '../../stores/search/store-query.ts';
import { sealProduct } from '../catalog-tokens.ts';
import { presentPrices } from '../present-menu.ts';
import type { FoundProduct } from './found-products.db.ts';
import type { FoundStoreSchema } from './found-schema.ts';

export type PresentedStore = Static<typeof FoundStoreSchema>;

/**
 * Name, address and distance of stores by their ids, from the index as it is now; one that has left it since it was
 * found is left out.
 */
export function presentStores(
  sellers: SearchIndex,
  found: Iterable<NearStore>,
  nowEpochS: number,
): Map<string, PresentedStore> {
  const distinct = [...new Map([...found].map((store) => [store.storeId, store])).values()];
  const there = distinct.filter(({ ordinal, storeId }) => sellers.storeIdAt(ordinal) === storeId);
  const page = { ordinals: there.map(({ ordinal }) => ordinal), miles: there.map(({ miles }) => miles), nextPage: 0 };
  const { stores } = JSON.parse(sellers.writePage(page, nowEpochS, []).toString()) as {
    stores: (Omit<PresentedStore, 'miles'> & { _id: string })[];
  };
  return new Map(
    stores.map(({ _id, name, address, is_open }, at) => [
      _id,
      { name, address, miles: (there[at] as NearStore).miles, is_open },
    ]),
  );
}

/** A product as an element of the answer; prices are the mode's. */
export function presentFound(tokens: TokenSealer, product: FoundProduct, store: PresentedStore, mode: Mode) {
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
    upc_code: product.upcCode,
    category: product.category,
  };
}
