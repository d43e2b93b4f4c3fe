import { type Caller, sandboxOf } from '../accounts/account.ts';
import type { DeclineScope } from '../accounts/budgets/budget.ts';
import type { CatalogProduct } from '../catalog/product.ts';
import { type ProductRow, productExpressions, productOfRow } from '../catalog/products.db.ts';
import type { Sql } from '../db/connect.ts';
import { runHot, unnested } from '../db/hot-statement.ts';
import { countedSince, type HeldBack } from '../payments/declines/decline.ts';
import { heldBackText } from '../payments/declines/declines.db.ts';
import type { PaymentMethod } from '../payments/payment-method.ts';
import { methodText } from '../payments/payment-methods.db.ts';

/** The ids that an order names: of its store, products and payment method. */
export type InputsQuery = {
  caller: Caller;
  storeId: string;
  productNos: readonly number[];
  paymentMethodId: string | null;
  /** The paying user; null where no card is to be charged. */
  payingUserId: string | null;
  now: Temporal.Instant;
};
export type OrderInputs = {
  products: readonly CatalogProduct[];
  paymentMethod: PaymentMethod | undefined;
  /** Whether the operator lets the account sell below the store's own price. */
  allowsNegativeMarkup: boolean;
  /** What declined cards hold back: the user, the card or the key. */
  heldBack: HeldBack | undefined;
};

type Row = {
  n: number;
  method: PaymentMethod | null;
  negativeMarkup: boolean | null;
  heldBack: { scope: DeclineScope; at: string } | null;
} & (ProductRow | { productNo: null });

/** Reads all that orders are judged and priced by, apart from their stores, in one statement. */
export async function findOrderInputs(sql: Sql, queries: readonly InputsQuery[]): Promise<OrderInputs[]> {
  const { rows } = await runHot<Row>(sql, INPUTS_TEXT, [
    queries.map(({ caller }) => caller.accountId),
    queries.map(({ caller }) => caller.mode),
    queries.map(({ paymentMethodId }) => paymentMethodId),
    queries.map(({ storeId }) => storeId),
    queries.map(({ productNos }) => `{${productNos.join(',')}}`),
    queries.map(({ caller }) => sandboxOf(caller) ?? ''),
    queries.map(({ payingUserId }) => payingUserId),
    queries.map(({ caller, payingUserId }) => (payingUserId === null ? null : caller.keyId)),
    queries.map(({ now }) => countedSince(now).toString()),
  ]);
  const byQuery = Map.groupBy(rows, ({ n }) => n);
  return queries.map((_, index) => inputsOf(byQuery.get(index + 1) ?? []));
}

function inputsOf(rows: readonly Row[]): OrderInputs {
  const [first] = rows;
  const products = rows.flatMap(({ n, method, negativeMarkup, heldBack, ...product }) =>
    product.productNo === null ? [] : [productOfRow(product)],
  );
  const heldBack = first?.heldBack ?? undefined;
  return {
    products,
    paymentMethod: first?.method ?? undefined,
    allowsNegativeMarkup: first?.negativeMarkup ?? false,
    heldBack: heldBack && { scope: heldBack.scope, at: Temporal.Instant.from(heldBack.at) },
  };
}

const HELD_BACK_TEXT = heldBackText({
  ...{ accountId: 'q.account_id', mode: 'q.mode', user: 'q.paying_user_id', key: 'q.key_id', since: 'q.since' },
  card: 'case when q.key_id is not null then coalesce(m.fingerprint, m."gatewayToken") end',
});

/** At least one row for each query, each with the payment method; the product columns are null without a product. */
const INPUTS_TEXT = `
  select q.n, to_json(m) as method, to_json(h) as held_back,
    (select negative_markup from accounts where accounts.account_id = q.account_id) as negative_markup,
    ${productExpressions('q.sandbox')}
  from ${unnested(['text', 'text', 'text', 'text', 'text', 'text', 'text', 'text', 'timestamptz'])}
    with ordinality as
      q (account_id, mode, payment_method_id, store_id, product_nos, sandbox, paying_user_id, key_id, since, n)
  left join lateral (${methodText('q.account_id', 'q.mode', 'q.payment_method_id')}) as m on true
  left join lateral (${HELD_BACK_TEXT}) as h on true
  left join products on products.store_id = q.store_id and products.product_no = any(q.product_nos::integer[])
  order by q.n, products.product_no`;
