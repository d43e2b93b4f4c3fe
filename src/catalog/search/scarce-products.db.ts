import type { Sql } from '../../db/connect.ts';
import { runHot } from '../../db/hot-statement.ts';
import type { ProductRef } from '../catalog-tokens.ts';

type Row = { store_id: string; product_no: number; qty_available: number };

// Each product is looked up by its key: for some thousand of them a planner would rather read the whole table.
const SCARCE_TEXT = `
  select w.store_id, w.product_no, p.qty_available
  from unnest($1::text[], $2::integer[], $3::integer[]) as w (store_id, product_no, quantity)
  cross join lateral (
    select qty_available from products
    where products.store_id = w.store_id and products.product_no = w.product_no offset 0
  ) as p
  where p.qty_available < w.quantity`;

/** Those of the named products of which fewer are in stock now than are wanted. */
export async function findScarceProducts(
  sql: Sql,
  wanted: readonly (ProductRef & { quantity: number })[],
): Promise<(ProductRef & { qtyAvailable: number })[]> {
  if (wanted.length === 0) return [];
  const storeIds = wanted.map(({ storeId }) => storeId);
  const productNos = wanted.map(({ productNo }) => productNo);
  const quantities = wanted.map(({ quantity }) => quantity);
  const { rows } = await runHot<Row>(sql, SCARCE_TEXT, [storeIds, productNos, quantities]);
  return rows.map((row) => ({ storeId: row.store_id, productNo: row.product_no, qtyAvailable: row.qty_available }));
}
