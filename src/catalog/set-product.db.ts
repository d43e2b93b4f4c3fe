import type { Sql } from '../db/connect.ts';

/** Whether a product is on sale, and its stock (null: not counted). */
export type ProductState = { available: boolean; qtyAvailable: number | null };

/** A product that the store has now, by the id that its feed gives it. */
export async function findProductState(
  sql: Sql,
  storeId: string,
  externalId: string,
): Promise<(ProductState & { productNo: number }) | undefined> {
  const row = await sql
    .selectFrom('products')
    .select(['product_no', 'available', 'qty_available'])
    .where('store_id', '=', storeId)
    .where('external_id', '=', externalId)
    .where('removed', '=', false)
    .executeTakeFirst();
  return row && { productNo: row.product_no, available: row.available, qtyAvailable: row.qty_available };
}

/** Writes what is given, and leaves the rest as it is now. */
export async function updateProductState(
  sql: Sql,
  { storeId, productNo }: { storeId: string; productNo: number },
  { available, qtyAvailable }: Partial<ProductState>,
): Promise<void> {
  await sql
    .updateTable('products')
    .set({
      ...(available === undefined ? {} : { available }),
      ...(qtyAvailable === undefined ? {} : { qty_available: qtyAvailable }),
    })
    .where('store_id', '=', storeId)
    .where('product_no', '=', productNo)
    .execute();
}
