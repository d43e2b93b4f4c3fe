import type { Caller } from '../accounts/account.ts';
import type { CatalogProduct } from '../catalog/product.ts';
import { PRODUCT_EXPRESSIONS, type ProductRow, productOfRow } from '../catalog/products.db.ts';
import type { Sql } from '../db/connect.ts';
import { runHot, unnested } from '../db/hot-statement.ts';
import type { PaymentMethod } from '../payments/payment-method.ts';
import { methodText } from '../payments/payment-methods.db.ts';

/** What an order names of its store and of its customer. */
export type OrderQuestion = {
  caller: Caller;
  storeId: string;
  productNos: readonly number[];
  paymentMethodId: string | null;
};
export type OrderAnswer = { products: CatalogProduct[]; paymentMethod: PaymentMethod | undefined };

type Row = { n: number; method: PaymentMethod | null } & (ProductRow | { productNo: null });

/** Answers for several orders in one look: placing an order waits for each look it takes. */
export async function findOrderFacts(sql: Sql, questions: readonly OrderQuestion[]): Promise<OrderAnswer[]> {
  const { rows } = await runHot<Row>(sql, FACTS_TEXT, [
    questions.map(({ caller }) => caller.accountId),
    questions.map(({ caller }) => caller.mode),
    questions.map(({ paymentMethodId }) => paymentMethodId),
    questions.map(({ storeId }) => storeId),
    questions.map(({ productNos }) => `{${productNos.join(',')}}`),
  ]);
  const answers = questions.map((): OrderAnswer => ({ products: [], paymentMethod: undefined }));
  for (const { n, method, ...product } of rows) {
    const answer = answers[n - 1];
    if (!answer) continue;
    if (method !== null) answer.paymentMethod = method;
    if (product.productNo !== null) answer.products.push(productOfRow(product));
  }
  return answers;
}

/** One row at least for each question, with the payment method in each; without a product its columns are null. */
const FACTS_TEXT = `
  select q.n, (select to_json(m) from (${methodText('q.account_id', 'q.mode', 'q.payment_method_id')}) as m) as method,
    ${PRODUCT_EXPRESSIONS}
  from ${unnested(['text', 'text', 'text', 'text', 'text'])}
    with ordinality as q (account_id, mode, payment_method_id, store_id, product_nos, n)
  left join products on products.store_id = q.store_id and products.product_no = any(q.product_nos::integer[])
  order by q.n, products.product_no`;
