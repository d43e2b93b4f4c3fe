import type { Sql } from '../../db/connect.ts';
import { productWords } from '../../stores/search/item-words.ts';
import type { LikeProduct } from './same-products.ts';

/** Products of a store that share a UPC or the words of a name with the given products, sorted by number. */
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
