import type { Sql } from '../../platform/db/connect.ts';
import { invalidField } from '../../platform/http/request-schema.ts';
import { isStoreId } from '../stores/store-id.ts';
import { markStoreChanged, nextChange, notifyChange } from '../stores/stores.db.ts';
import { recountSandboxes } from './stock.db.ts';
import { findProductState, type ProductState, updateProductState } from './store-products.db.ts';

/** Changes to a product's state; omitted fields keep their value. `availableAt` goes with `available`. */
export type ProductSwitches = Partial<ProductState>;

/**
 * Sets a product's sale state and stock in the caller's transaction, also for sandboxes, and returns both; undefined
 * if it does not exist. Writes only changes. The caller evicts the inventory after the commit.
 */
export async function setProduct(
  sql: Sql,
  { storeId, externalId }: { storeId: string; externalId: string },
  switches: ProductSwitches,
  at: Temporal.Instant,
): Promise<ProductState | undefined> {
  const before = isStoreId(storeId) ? await findProductState(sql, storeId, externalId) : undefined;
  if (!before) return undefined;
  const { productNo, weight } = before;
  if (weight && typeof switches.qtyAvailable === 'number')
    throw invalidField('body', 'qty_available', 'must be null for goods by weight');
  if (!isUnchanged(before, switches)) {
    await markStoreChanged(sql, storeId, { seq: await nextChange(sql), at });
    await updateProductState(sql, { storeId, productNo }, switches);
    if (switches.qtyAvailable !== undefined) await recountSandboxes(sql, [{ storeId, productNo }]);
    await notifyChange(sql);
  }
  return { ...before, ...(switches.available === undefined ? {} : { availableAt: null }), ...switches };
}

function isUnchanged(before: ProductState, { available, availableAt, qtyAvailable }: ProductSwitches): boolean {
  const isSameSale =
    available === before.available && availableAt?.epochMilliseconds === before.availableAt?.epochMilliseconds;
  return (
    (available === undefined || isSameSale) && (qtyAvailable === undefined || qtyAvailable === before.qtyAvailable)
  );
}
