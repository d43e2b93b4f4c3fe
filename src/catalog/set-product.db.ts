import type { Sql } from '../db/connect.ts';
import { isStoreId } from '../stores/store-id.ts';
import { nextChange, notifyChange } from '../stores/stores.db.ts';
import type { CatalogProduct } from './product.ts';
import { findProducts } from './products.db.ts';

/** Whether it is on sale, and its stock (null: not counted); what is left out stays as it is. */
export type ProductSwitches = { available?: boolean; qtyAvailable?: number | null };

/**
 * Takes a product off or on sale and sets its stock, in the caller's transaction; undefined where the store has no
 * such product now. What already stands so writes nothing. The caller evicts the store's inventory once the
 * transaction is through.
 */
export async function setProduct(
  sql: Sql,
  { storeId, externalId }: { storeId: string; externalId: string },
  switches: ProductSwitches,
  at: Temporal.Instant,
): Promise<CatalogProduct | undefined> {
  if (!isStoreId(storeId)) return undefined;
  const before = await sql
    .selectFrom('products')
    .select(['product_no', 'available', 'qty_available'])
    .where('store_id', '=', storeId)
    .where('external_id', '=', externalId)
    .where('removed', '=', false)
    .executeTakeFirst();
  if (!before) return undefined;

  const available = switches.available ?? before.available;
  const qtyAvailable = switches.qtyAvailable === undefined ? before.qty_available : switches.qtyAvailable;
  if (available !== before.available || qtyAvailable !== before.qty_available) {
    const seq = await nextChange(sql);
    await sql
      .updateTable('stores')
      .set({ changed_seq: seq, updated_at: at.toString() })
      .where('store_id', '=', storeId)
      .execute();
    await sql
      .updateTable('products')
      .set({
        ...(switches.available === undefined ? {} : { available: switches.available }),
        ...(switches.qtyAvailable === undefined ? {} : { qty_available: switches.qtyAvailable }),
      })
      .where('store_id', '=', storeId)
      .where('product_no', '=', before.product_no)
      .execute();
    await notifyChange(sql);
  }
  const [product] = await findProducts(sql, storeId, [before.product_no]);
  return product;
}
