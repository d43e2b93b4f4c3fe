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
  return sql
    .selectFrom('products')
    .select(['productNo', 'upcCode', 'name'])
    .where('storeId', '=', storeId)
    .where('removed', '=', false)
    .where((eb) => eb.or([eb('upcCode', 'in', [...upcs, '']), eb('searchWords', 'in', words)]))
    .orderBy('productNo')
    .execute();
}
