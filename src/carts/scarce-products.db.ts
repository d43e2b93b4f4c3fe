import type { Sandbox } from '../accounts/account.ts';
import type { ProductRef } from '../catalog/catalog-tokens.ts';
import { stockLeft } from '../catalog/stock.db.ts';
import type { Sql } from '../db/connect.ts';
import { runPrepared } from '../db/hot-statement.ts';

type ScarceProduct = ProductRef & { qtyAvailable: number };

// `offset 0` makes the planner look each product up by its key; for some thousand keys it would read the whole table.
const SCARCE_TEXT = `
  select w.store_id, n.product_no, p.qty_available
  from unnest($1::text[], $2::text[]) as w (store_id, product_nos)
  cross join lateral unnest(w.product_nos::integer[]) as n (product_no)
  cross join lateral (
    select ${stockLeft('products', '$4')} as qty_available from products
    where products.store_id = w.store_id and products.product_no = n.product_no offset 0
  ) as p
  where p.qty_available < $3`;

/** The named products of which fewer than `quantity` are left now to a sandbox, or to live callers. */
export async function findScarceProducts(
  sql: Sql,
  wanted: readonly { storeId: string; productNos: readonly number[] }[],
  { quantity, sandbox }: { quantity: number; sandbox: Sandbox },
): Promise<ScarceProduct[]> {
  const storeIds = wanted.map(({ storeId }) => storeId);
  const productNos = wanted.map((one) => `{${one.productNos.join(',')}}`);
  const { rows } = await runPrepared<ScarceProduct>(sql, SCARCE_TEXT, [storeIds, productNos, quantity, sandbox ?? '']);
  return rows;
}
