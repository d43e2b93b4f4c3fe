import { type Caller, sandboxOf } from '../accounts/account.ts';
import type { CatalogProduct } from '../catalog/product.ts';
import { type ProductRow, productExpressions, productOfRow } from '../catalog/products.db.ts';
import type { Sql } from '../db/connect.ts';
import { runHot, unnested } from '../db/hot-statement.ts';
import type { PaymentMethod } from '../payments/payment-method.ts';
import { methodText } from '../payments/payment-methods.db.ts';

/** The ids that an order names: of its store, products and payment method. */
export type InputsQuery = {
  caller: Caller;
  storeId: string;
  productNos: readonly number[];
  paymentMethodId: string | null;
};
export type OrderInputs = { products: CatalogProduct[]; paymentMethod: PaymentMethod | undefined };

type Row = { n: number; method: PaymentMethod | null } & (ProductRow | { productNo: null });

/** The inputs of several orders in one statement, because placing an order waits for every statement. */
export async function findOrderInputs(sql: Sql, queries: readonly InputsQuery[]): Promise<OrderInputs[]> {
  const { rows } = await runHot<Row>(sql, INPUTS_TEXT, [
    queries.map(({ caller }) => caller.accountId),
    queries.map(({ caller }) => caller.mode),
    queries.map(({ paymentMethodId }) => paymentMethodId),
    queries.map(({ storeId }) => storeId),
    queries.map(({ productNos }) => `{${productNos.join(',')}}`),
    queries.map(({ caller }) => sandboxOf(caller) ?? ''),
  ]);
  const inputs = queries.map((): OrderInputs => ({ products: [], paymentMethod: undefined }));
  for (const { n, method, ...product } of rows) {
    const found = inputs[n - 1];
    if (!found) continue;
    if (method !== null) found.paymentMethod = method;
    if (product.productNo !== null) found.products.push(productOfRow(product));
  }
  return inputs;
}

/** At least one row for each query, each with the payment method; the product columns are null without a product. */
const INPUTS_TEXT = `
  select q.n, (select to_json(m) from (${methodText('q.account_id', 'q.mode', 'q.payment_method_id')}) as m) as method,
    ${productExpressions('q.sandbox')}
  from ${unnested(['text', 'text', 'text', 'text', 'text', 'text'])}
    with ordinality as q (account_id, mode, payment_method_id, store_id, product_nos, sandbox, n)
  left join products on products.store_id = q.store_id and products.product_no = any(q.product_nos::integer[])
  order by q.n, products.product_no`;
