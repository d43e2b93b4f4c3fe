import type { Sql } from '../../platform/db/connect.ts';
import type { WeightUnit } from '../pricing/weight.ts';
import { findOwnMenuPrice } from '../promotions/show-promotions.flow.ts';
import type { Mode } from '../stores/store.ts';
import { findStore } from '../stores/stores.db.ts';
import { priceForMode } from './availability.ts';
import { findCatalogProducts } from './products.db.ts';

/** The price of `per` of a product, as its store's scale has it. */
export type ScalePrice = { unit: WeightUnit; per: number; cents: number };

type ScaleProduct = { storeId: string; productNo: number; mode: Mode };

/**
 * The price that a store's scale prints on labels now: the store's own lowered price, otherwise the list price. A
 * discount that others pay does not change it. Null for a product that is no longer sold by weight.
 */
export async function findScalePrice(
  tx: Sql,
  { storeId, productNo, mode }: ScaleProduct,
  now: Temporal.Instant,
): Promise<ScalePrice | null> {
  const [product] = await findCatalogProducts(tx, storeId, [productNo], null);
  const store = await findStore(tx, storeId);
  if (!store || !product?.weight) return null;
  const { unit, per } = product.weight;
  const own = await findOwnMenuPrice(tx, store, { productNo, mode }, now);
  return { unit, per, cents: own ?? priceForMode(product, mode) };
}
