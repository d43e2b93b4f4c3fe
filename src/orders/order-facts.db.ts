import type { Caller } from '../accounts/account.ts';
import type { CatalogProduct } from '../catalog/product.ts';
import { PRODUCT_EXPRESSIONS, type ProductRow, productOfRow } from '../catalog/products.db.ts';
import type { Sql } from '../db/connect.ts';
import { runHot } from '../db/hot-statement.ts';
import type { PaymentMethod } from '../payments/payment-method.ts';
import { METHOD_TEXT, type MethodRow, methodOf } from '../payments/payment-methods.db.ts';

type Question = { storeId: string; productNos: readonly number[]; paymentMethodId: string | null };
type Row = { method: MethodRow | null } & (ProductRow | { product_no: null });

/** What an order names of its store and of its customer, in one look: placing an order waits for each look it takes. */
export async function findOrderFacts(
  sql: Sql,
  caller: Caller,
  { storeId, productNos, paymentMethodId }: Question,
): Promise<{ products: CatalogProduct[]; paymentMethod: PaymentMethod | undefined }> {
  const { accountId, mode } = caller;
  const { rows } = await runHot<Row>(sql, FACTS_TEXT, [accountId, mode, paymentMethodId, storeId, productNos]);
  const method = rows[0]?.method ?? null;
  return {
    products: rows.flatMap((row) => (row.product_no === null ? [] : [productOfRow(row)])),
    paymentMethod: method === null ? undefined : methodOf(method),
  };
}

/** One row at least, with the payment method in each; without a product its columns are null. */
const FACTS_TEXT = `
  select (select to_json(m) from (${METHOD_TEXT}) as m) as method, ${PRODUCT_EXPRESSIONS}
  from (select) as one
  left join products on products.store_id = $4 and products.product_no = any($5::integer[])
  order by products.product_no`;
