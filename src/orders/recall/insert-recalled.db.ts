import type { Sql } from '../../db/connect.ts';
import { columnName, LEAVES_UNSYNCED, runHot, unnested } from '../../db/hot-statement.ts';
import { countedSince } from '../../payments/declines/decline.ts';
import { heldBackText } from '../../payments/declines/declines.db.ts';
import { methodText } from '../../payments/payment-methods.db.ts';
import type { Order } from '../order.ts';
import { PRODUCT_VERSION, type ReadProduct } from '../order-inputs.db.ts';
import { INSERTED_TYPES, valuesOf, WRITTEN_COLUMNS } from '../order-row.ts';

/** The inputs that an order was priced by; all else of an order comes from its request and its store. */
export type SeenInputs = {
  /** The key whose declined cards count, and the moment of the order. */
  keyId: string;
  now: Temporal.Instant;
  allowsNegativeMarkup: boolean;
  products: readonly ReadProduct[];
};

/** A new order that charges a saved card, and the inputs that it was priced by. */
export type RecalledOrder = { order: Order; seen: SeenInputs };

/**
 * Stores new orders whose inputs are as they were seen: the payment method exists, nothing holds the attempt back, and
 * the account and the products are unchanged. Returns the ids of stored orders. An order whose inputs have changed, and
 * an order whose Idempotency-Key is already stored, is left out. The commit waits for the disk unless the charges of all
 * orders are in the sandbox's books (ADR 60).
 */
export async function insertRecalled(sql: Sql, orders: readonly RecalledOrder[]): Promise<ReadonlySet<string>> {
  const rows = orders.map(({ order, seen }) => [...valuesOf(order, WRITTEN_COLUMNS.insert), ...seenValuesOf(seen)]);
  const lists = TYPES.map((_, index) => rows.map((row) => row[index]));
  const { rows: stored } = await runHot<{ orderId: string }>(
    sql,
    areOfSandbox(orders) ? UNSYNCED_TEXT : INSERT_TEXT,
    lists,
  );
  return new Set(stored.map(({ orderId }) => orderId));
}

/** A charge in the sandbox's books is a later commit of the same log, so it is never on disk without its order. */
function areOfSandbox(orders: readonly RecalledOrder[]): boolean {
  return orders.every(({ order }) => order.mode === 'sandbox');
}

function seenValuesOf({ keyId, now, allowsNegativeMarkup, products }: SeenInputs): unknown[] {
  const numbers = products.map(({ product }) => product.productNo);
  const versions = Object.fromEntries(products.map(({ product, version }) => [product.productNo, version]));
  const seen = [`{${numbers.join(',')}}`, JSON.stringify(versions)];
  return [keyId, countedSince(now).toString(), allowsNegativeMarkup, ...seen];
}

const COLUMNS = WRITTEN_COLUMNS.insert.map(columnName);
const SEEN_COLUMNS = ['key_id', 'since', 'negative_markup', 'product_nos', 'versions'];
const TYPES = [...INSERTED_TYPES, 'text', 'timestamptz', 'boolean', 'text', 'jsonb'];

const HELD_BACK_TEXT = heldBackText({
  ...{ accountId: 'o.account_id', mode: 'o.mode', user: 'o.user_id', key: 'o.key_id', since: 'o.since' },
  card: 'coalesce(m.fingerprint, m."gatewayToken")',
});

/**
 * Whether the inputs of the order `o` are as they were seen. Each part is counted, so that the planner looks the few rows
 * up by their keys instead of joining whole tables.
 */
const IS_UNCHANGED = `
  1 = (
    select count(*) from (${methodText('o.account_id', 'o.mode', 'o.payment_method_id')}) as m
    where not exists (${HELD_BACK_TEXT})
  )
  and o.negative_markup = (select a.negative_markup from accounts as a where a.account_id = o.account_id)
  and cardinality(o.product_nos::integer[]) = (
    select count(*) from products
    where products.store_id = o.store_id and products.product_no = any(o.product_nos::integer[])
      and o.versions ->> products.product_no::text = ${PRODUCT_VERSION}
  )`;

/** Idempotency-Keys in one order, so that no two statements wait for each other in a circle. */
const INSERT_TEXT = insertText(IS_UNCHANGED);
const UNSYNCED_TEXT = insertText(`${LEAVES_UNSYNCED} and ${IS_UNCHANGED}`);

function insertText(condition: string): string {
  return `
  insert into orders (${COLUMNS.join(', ')})
  select ${COLUMNS.map((column) => `o.${column}`).join(', ')}
  from ${unnested(TYPES)} as o (${[...COLUMNS, ...SEEN_COLUMNS].join(', ')})
  where ${condition}
  order by o.account_id collate "C", o.mode, o.idempotency_key collate "C"
  on conflict (account_id, mode, idempotency_key) where idempotency_key is not null do nothing
  returning order_id`;
}
