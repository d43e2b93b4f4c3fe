import { sql as raw } from 'kysely';
import type { Sql } from '../db/connect.ts';

export type StockItem = { productNo: number; quantity: number };

/**
 * Takes units out of stock where it is counted, and returns the numbers of the products that could not be taken: off
 * sale, removed, or fewer left than asked; a caller that gets any rolls its transaction back, since the others are
 * taken. Rows are locked in the order of their numbers, so that two orders wait for each other and never deadlock;
 * a transaction that also holds a slot does that first.
 */
export async function takeStock(sql: Sql, storeId: string, items: readonly StockItem[]): Promise<number[]> {
  const wanted = sumByProduct(items);
  if (wanted.size === 0) return [];
  const rows = await sql
    .selectFrom('products')
    .select(['product_no', 'qty_available', 'available', 'removed'])
    .where('store_id', '=', storeId)
    .where('product_no', 'in', [...wanted.keys()])
    .orderBy('product_no')
    .forUpdate()
    .execute();
  const onSale = new Map(rows.filter((row) => row.available && !row.removed).map((row) => [row.product_no, row]));
  const left = (productNo: number) => {
    const row = onSale.get(productNo);
    return row ? (row.qty_available ?? Infinity) : 0;
  };
  const refused = [...wanted].filter(([productNo, quantity]) => left(productNo) < quantity).map(([no]) => no);
  const taken = [...wanted].filter(
    ([productNo, quantity]) => Number.isFinite(left(productNo)) && left(productNo) >= quantity,
  );
  await addStock(
    sql,
    storeId,
    taken.map(([productNo, quantity]) => ({ productNo, quantity: -quantity })),
  );
  return refused;
}

/** Puts units back; a product whose stock is no longer counted stays so. */
export async function returnStock(sql: Sql, storeId: string, items: readonly StockItem[]): Promise<void> {
  const returned = sumByProduct(items);
  if (returned.size === 0) return;
  await sql
    .selectFrom('products')
    .select('product_no')
    .where('store_id', '=', storeId)
    .where('product_no', 'in', [...returned.keys()])
    .orderBy('product_no')
    .forUpdate()
    .execute();
  await addStock(
    sql,
    storeId,
    [...returned].map(([productNo, quantity]) => ({ productNo, quantity })),
  );
}

async function addStock(sql: Sql, storeId: string, items: readonly StockItem[]): Promise<void> {
  if (items.length === 0) return;
  const numbers = items.map((item) => item.productNo);
  const quantities = items.map((item) => item.quantity);
  await raw`
    update products set qty_available = products.qty_available + item.quantity
    from unnest(${numbers}::int[], ${quantities}::int[]) as item (product_no, quantity)
    where products.store_id = ${storeId} and products.product_no = item.product_no
      and products.qty_available is not null`.execute(sql);
}

function sumByProduct(items: readonly StockItem[]): Map<number, number> {
  const sums = new Map<number, number>();
  for (const { productNo, quantity } of items) sums.set(productNo, (sums.get(productNo) ?? 0) + quantity);
  return sums;
}
