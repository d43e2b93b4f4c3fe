import { sql as raw } from 'kysely';
import type { Sql } from '../../platform/db/connect.ts';
import type { CatalogProduct } from '../../supply/catalog/product.ts';

/** A category: its way from the top, and what it and those above it are called, in lower case: `butter`, `dairy > butter`. */
export type CategoryWay = { categoryNo: number; path: string; labels: readonly string[]; numbers: readonly number[] };

/** The categories of a store, from the top. */
const waysOf = (storeId: string) => raw`
  with recursive ways as (
    select category_no, name as path, array[lower(name)] as labels, array[category_no] as numbers,
      array[position, category_no] as place
    from categories where store_id = ${storeId} and parent_no is null and not removed
    union all
    select c.category_no, w.path || ' > ' || c.name, w.labels || lower(c.name) || lower(w.path || ' > ' || c.name),
      w.numbers || c.category_no, w.place || array[c.position, c.category_no]
    from ways as w join categories as c on c.store_id = ${storeId} and c.parent_no = w.category_no and not c.removed
  )`;

export async function findCategoryWays(
  sql: Sql,
  storeId: string,
  categoryNos: readonly number[],
): Promise<ReadonlyMap<number, CategoryWay>> {
  const { rows } = await raw<CategoryWay>`${waysOf(storeId)}
    select category_no, path, labels, numbers from ways where category_no = any(${[...categoryNos]}::integer[])
    order by category_no`.execute(sql);
  return new Map(rows.map((row) => [row.categoryNo, row]));
}

/** The categories of a filter, each by its number or label; null for all. */
export type CategoryFilter = { labels: readonly string[]; numbers: readonly number[] } | null;

/** Numbers of a store's products in the order of its catalog, those in stock first. */
export async function listProductNos(
  sql: Sql,
  storeId: string,
  { offset, limit, categories }: { offset: number; limit: number; categories: CategoryFilter },
): Promise<number[]> {
  const { labels = [], numbers = [] } = categories ?? {};
  const { rows } = await raw<{ productNo: number }>`${waysOf(storeId)}
    select p.product_no from products as p join ways as w on w.category_no = p.category_no
    where p.store_id = ${storeId} and p.available and not p.removed
      and (${categories === null} or w.labels && ${[...labels]}::text[] or w.numbers && ${[...numbers]}::integer[])
    order by p.qty_available is not distinct from 0, w.place, p.position, p.product_no
    offset ${offset} limit ${limit}`.execute(sql);
  return rows.map(({ productNo }) => productNo);
}

/** Stores of the service, by ID. */
export async function listStoreIds(sql: Sql, limit: number): Promise<string[]> {
  const query = sql.selectFrom('stores').select('storeId').where('listed', '=', true).orderBy('storeId').limit(limit);
  return (await query.execute()).map(({ storeId }) => storeId);
}

/** The products of stores that have something to choose. */
export async function findChosenProducts(
  sql: Sql,
  storeIds: readonly string[],
  limit: number,
): Promise<Pick<CatalogProduct, 'storeId' | 'productNo' | 'customizations'>[]> {
  const { rows } = await raw<Pick<CatalogProduct, 'storeId' | 'productNo' | 'customizations'>>`
    select store_id, product_no, customizations from products
    where store_id = any(${[...storeIds]}::text[]) and available and not removed and customizations is not null
    order by store_id, product_no limit ${limit}`.execute(sql);
  return rows;
}
