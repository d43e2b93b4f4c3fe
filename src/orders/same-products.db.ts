import type { CatalogProduct } from '../catalog/product.ts';
import type { Sql } from '../db/connect.ts';

/** For each wanted product the number of the same one in another store: of its UPC, else of its name in any letter case. */
export async function findSameProducts(
  sql: Sql,
  storeId: string,
  wanted: readonly CatalogProduct[],
): Promise<Map<number, number>> {
  const upcs = wanted.flatMap(({ upcCode }) => (upcCode === null ? [] : [upcCode]));
  const names = wanted.map(({ name }) => name.toLowerCase());
  const rows = await sql
    .selectFrom('products')
    .select(['product_no', 'upc_code', 'name'])
    .where('store_id', '=', storeId)
    .where('removed', '=', false)
    .where((eb) => eb.or([eb('upc_code', 'in', [...upcs, '']), eb(eb.fn<string>('lower', ['name']), 'in', names)]))
    .orderBy('product_no')
    .execute();
  const same = new Map<number, number>();
  for (const { productNo, upcCode, name } of wanted) {
    const match =
      rows.find((row) => upcCode !== null && row.upc_code === upcCode) ??
      rows.find((row) => row.name.toLowerCase() === name.toLowerCase());
    if (match) same.set(productNo, match.product_no);
  }
  return same;
}
