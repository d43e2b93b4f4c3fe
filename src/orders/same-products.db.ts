import type { Sql } from '../db/connect.ts';
import { productWords } from '../stores/search/item-words.ts';
import type { LikeProduct } from './same-products.ts';

/** A store's products of the UPCs, or of the words of the names, of others; in the order of their numbers. */
export async function findLikeProducts(
  sql: Sql,
  storeId: string,
  others: readonly LikeProduct[],
): Promise<LikeProduct[]> {
  const upcs = others.flatMap(({ upcCode }) => (upcCode === null ? [] : [upcCode]));
  const words = others.map(({ name }) => productWords(name));
  const rows = await sql
    .selectFrom('products')
    .select(['product_no', 'upc_code', 'name'])
    .where('store_id', '=', storeId)
    .where('removed', '=', false)
    .where((eb) => eb.or([eb('upc_code', 'in', [...upcs, '']), eb('search_words', 'in', words)]))
    .orderBy('product_no')
    .execute();
  return rows.map((row) => ({ productNo: row.product_no, upcCode: row.upc_code, name: row.name }));
}
