import type { Sql } from '../db/connect.ts';

/** Whether a product is on sale, and its stock (null: not counted). */
export type ProductState = { available: boolean; qtyAvailable: number | null };

/** A product of the store's current catalogue, by the id of its feed. */
export async function findProductState(
  sql: Sql,
  storeId: string,
  externalId: string,
): Promise<(ProductState & { productNo: number }) | undefined> {
  return sql
    .selectFrom('products')
    .select(['productNo', 'available', 'qtyAvailable'])
    .where('storeId', '=', storeId)
    .where('externalId', '=', externalId)
    .where('removed', '=', false)
    .executeTakeFirst();
}

/** Writes the given fields and leaves the others as they are. */
export async function updateProductState(
  sql: Sql,
  { storeId, productNo }: { storeId: string; productNo: number },
  { available, qtyAvailable }: Partial<ProductState>,
): Promise<void> {
  await sql
    .updateTable('products')
    .set({
      ...(available === undefined ? {} : { available }),
      ...(qtyAvailable === undefined ? {} : { qtyAvailable }),
    })
    .where('storeId', '=', storeId)
    .where('productNo', '=', productNo)
    .execute();
}
