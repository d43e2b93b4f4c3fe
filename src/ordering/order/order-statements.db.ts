import { type Caller, sandboxOf } from '../../access/accounts/account.ts';
import type { DeclineScope } from '../../access/budgets/budget.ts';
import type { Db, Sql } from '../../platform/db/connect.ts';
import { columnName, isRefusedStatement, runPrepared, unnested } from '../../platform/db/hot-statement.ts';
import { batchCalls } from '../../platform/lib/batch-calls.ts';
import { SerialGate } from '../../platform/lib/batch-gate.ts';
import { currentOwner } from '../../platform/load/event-loop-scheduler.ts';
import type { CatalogProduct } from '../../supply/catalog/product.ts';
import { type ProductRow, productExpressions, productOfRow } from '../../supply/catalog/products.db.ts';
import {
  type FactsJson,
  type LoadedPromotions,
  promotionFactsOf,
  promotionFactsText,
} from '../../supply/promotions/promotion-facts.db.ts';
import { usesJson } from '../../supply/promotions/promotion-use.ts';
import type { PromotionUser } from '../../supply/promotions/promotion-user.ts';
import { countUsesText } from '../../supply/promotions/promotion-uses.db.ts';
import type { KitchenLoad } from '../../supply/stores/kitchen.ts';
import { type Attempt, countedSince, type DeclineBlock } from '../payments/decline.ts';
import { chargesText, declineBlockText } from '../payments/declines.db.ts';
import type { PaymentMethod } from '../payments/payment-method.ts';
import { methodText } from '../payments/payment-methods.db.ts';
import type { ChargeState, Order } from './order.ts';
import { columnValues, sqlTypes, WRITTEN_COLUMNS } from './order-columns.ts';
import { EVENT_COLUMNS, EVENT_TYPES, eventValues, type LoggedStep } from './orders.db.ts';
import { heldDiscounts } from './weighed-order.ts';

/** Ids that an order refers to: its store, products and payment method. */
export type InputsQuery = {
  caller: Caller;
  storeId: string;
  productNos: readonly number[];
  paymentMethodId: string | null;
  /** The paying user; null if no card is charged. */
  payingUserId: string | null;
  /** Upper-cased. */
  promotionCodes: readonly string[];
  promotionUser: PromotionUser | undefined;
  now: Temporal.Instant;
};
export type OrderInputs = {
  products: readonly CatalogProduct[];
  paymentMethod: PaymentMethod | undefined;
  /** Whether the account may sell below the store's own price. */
  allowsNegativeMarkup: boolean;
  /** The decline limit that the user, the card or the key has reached. */
  declineBlock: DeclineBlock | undefined;
  /** The load of the store's kitchen. */
  load: KitchenLoad;
  promotions: LoadedPromotions;
};

type Row = {
  n: number;
  method: PaymentMethod | null;
  negativeMarkup: boolean | null;
  kitchen: KitchenLoad | null;
  declineBlock: { scope: DeclineScope; at: string } | null;
  promotions: FactsJson | null;
} & (ProductRow | { productNo: null });

/** Reads all inputs for assessing and pricing orders, except their stores, in one statement. */
export async function findOrderInputs(sql: Sql, queries: readonly InputsQuery[]): Promise<OrderInputs[]> {
  const { rows } = await runPrepared<Row>(sql, INPUTS_TEXT, [
    queries.map(({ caller }) => caller.accountId),
    queries.map(({ caller }) => caller.mode),
    queries.map(({ paymentMethodId }) => paymentMethodId),
    queries.map(({ storeId }) => storeId),
    queries.map(({ productNos }) => `{${productNos.join(',')}}`),
    queries.map(({ caller }) => sandboxOf(caller) ?? ''),
    queries.map(({ payingUserId }) => payingUserId),
    queries.map(({ caller, payingUserId }) => (payingUserId === null ? null : caller.keyId)),
    queries.map(({ now }) => countedSince(now).toString()),
    queries.map(({ promotionCodes }) => `{${promotionCodes.map((code) => `"${code}"`).join(',')}}`),
    queries.map(({ promotionUser }) => promotionUser && JSON.stringify(promotionUser)),
    queries.map(({ now }) => now.toString()),
  ]);
  const byQuery = Map.groupBy(rows, ({ n }) => n);
  return queries.map((query, index) => inputsOf(query, byQuery.get(index + 1) ?? []));
}

function inputsOf({ promotionUser }: InputsQuery, rows: readonly Row[]): OrderInputs {
  const [first] = rows;
  const products = rows.flatMap(({ n, method, negativeMarkup, kitchen, declineBlock, promotions, ...product }) =>
    product.productNo === null ? [] : [productOfRow(product)],
  );
  const declineBlock = first?.declineBlock ?? undefined;
  return {
    products,
    paymentMethod: first?.method ?? undefined,
    allowsNegativeMarkup: first?.negativeMarkup ?? false,
    load: first?.kitchen ?? {},
    promotions: promotionFactsOf(first?.promotions ?? null, promotionUser !== undefined),
    declineBlock: declineBlock && { scope: declineBlock.scope, at: Temporal.Instant.from(declineBlock.at) },
  };
}

const DECLINE_BLOCK_TEXT = declineBlockText({
  accountId: 'q.account_id',
  mode: 'q.mode',
  user: 'q.paying_user_id',
  key: 'q.key_id',
  since: 'q.since',
  card: 'case when q.key_id is not null then coalesce(m.fingerprint, m."gatewayToken") end',
});

const PROMOTIONS_TEXT = promotionFactsText({
  accountId: 'q.account_id',
  mode: 'q.mode',
  storeId: 'q.store_id',
  productNos: 'q.product_nos::integer[]',
  sandbox: 'q.sandbox',
  codes: 'q.codes::text[]',
  user: 'q.known',
  card: 'coalesce(m.fingerprint, m."gatewayToken")',
  now: 'q.now',
});

/** At least one row per query, with the payment method; product columns are null if there is no product. */
const INPUTS_TEXT = `
  select q.n, to_json(m) as method, to_json(h) as decline_block,
    (select negative_markup from accounts where accounts.account_id = q.account_id) as negative_markup,
    (select kitchen from store_loads as l where l.store_id = q.store_id and l.account_id = q.sandbox) as kitchen,
    f.promotions,
    ${productExpressions('q.sandbox')}
  from ${unnested([...Array<string>(8).fill('text'), 'timestamptz', 'text', 'text', 'timestamptz'])}
    with ordinality as q (account_id, mode, payment_method_id, store_id, product_nos, sandbox, paying_user_id, key_id,
      since, codes, known, now, n)
  left join lateral (${methodText('q.account_id', 'q.mode', 'q.payment_method_id')}) as m on true
  left join lateral (${DECLINE_BLOCK_TEXT}) as h on true
  -- Not inlined, where it would run for each product.
  left join lateral (select ${PROMOTIONS_TEXT} as promotions offset 0) as f on true
  left join products on products.store_id = q.store_id and products.product_no = any(q.product_nos::integer[])
  order by q.n, products.product_no`;

/** Stores new orders; returns the ids of those stored. Omits an order whose Idempotency-Key is already stored. */
export async function insertOrders(sql: Sql, orders: readonly Order[]): Promise<ReadonlySet<string>> {
  const rows = orders.map((order) => columnValues(order, WRITTEN_COLUMNS.insert));
  const { rows: stored } = await runPrepared<{ orderId: string }>(
    sql,
    INSERT_TEXT,
    listsOf(rows, WRITTEN_COLUMNS.insert.length),
  );
  return new Set(stored.map(({ orderId }) => orderId));
}

/** Turns rows into one list per column, for `unnested`. */
function listsOf(rows: readonly unknown[][], columns: number): unknown[][] {
  return Array.from({ length: columns }, (_, index) => rows.map((row) => row[index]));
}

const INSERTED_COLUMNS = WRITTEN_COLUMNS.insert.map(columnName).join(', ');

/** Idempotency-Keys are inserted in order, so that concurrent statements cannot deadlock. */
const INSERT_TEXT = `
  insert into orders (${INSERTED_COLUMNS})
  select ${INSERTED_COLUMNS} from ${unnested(sqlTypes(WRITTEN_COLUMNS.insert))} as given (${INSERTED_COLUMNS})
  order by account_id collate "C", mode, idempotency_key collate "C"
  on conflict (account_id, mode, idempotency_key) where idempotency_key is not null do nothing
  returning order_id`;

/**
 * A step that places an order, and the state that its charge must have. `charged` records a live charge for its key and
 * card.
 */
export type PlacingStep = LoggedStep & { chargeState: ChargeState; charged?: Attempt | undefined };

/**
 * Writes steps that place orders, with events and numbers, and returns the numbers by id: A1 to A9999, then B1, unique
 * within store, local day and sandbox. Skips an order whose charge has left the expected state.
 */
export async function placeOrders(sql: Sql, steps: readonly PlacingStep[]): Promise<ReadonlyMap<string, string>> {
  const rows = steps.map((step) => [...placingValues(step), ...columnValues(step.order, PLACED), ...eventValues(step)]);
  type Numbered = { orderId: string; orderNumber: string };
  const { rows: placed } = await runPrepared<Numbered>(sql, PLACE_TEXT, listsOf(rows, PLACE_TYPES.length));
  return new Map(placed.map(({ orderId, orderNumber }) => [orderId, orderNumber]));
}

function placingValues({ order, at, chargeState, charged }: PlacingStep): unknown[] {
  const { orderId, storeId, accountId, mode, quote, chargeAttempt } = order;
  const day = at.toZonedDateTimeISO(quote.store.timeZone).toPlainDate().toString();
  const world = mode === 'sandbox' ? accountId : '';
  const counted = charged ? [charged.accountId, charged.keyId ?? null, charged.card ?? null] : [null, null, null];
  return [orderId, chargeState, chargeAttempt, storeId, world, day, ...counted, usesJson(world, heldDiscounts(quote))];
}

/** Numbers per letter. After Z9999, a store's day starts again with A1. */
const PER_LETTER = 9999;
const numberText = (n: string) => `chr(65 + (${n} - 1) / ${PER_LETTER} % 26) || ((${n} - 1) % ${PER_LETTER} + 1)`;

const PLACED = WRITTEN_COLUMNS.placed;
const PLACED_COLUMNS = PLACED.map((name) => `new_${columnName(name)}`).join(', ');
const SET_PLACED = PLACED.map((name) => `${columnName(name)} = new_${columnName(name)}`).join(', ');
const GIVEN = 'given_id, state_before, attempt, store, world, world_day, account_id, key_id, card, uses';
const GIVEN_TYPES = ['text', 'text', 'integer', 'text', 'text', 'date', 'text', 'text', 'text', 'jsonb'];
const PLACE_TYPES = [...GIVEN_TYPES, ...sqlTypes(PLACED), ...EVENT_TYPES];
const GIVEN_EVENT = EVENT_COLUMNS.map((column) => `event_${column}`).join(', ');

/**
 * Lock order against deadlocks: orders by id, counters by key, uses of promotions, cards. The `|| ''` keeps the planner off the index of
 * pending charges, which is full of dead tuples of recently placed orders.
 */
const PLACE_TEXT = `
  with open as materialized (
    select given.* from ${unnested(PLACE_TYPES)} as given (${GIVEN}, ${PLACED_COLUMNS}, ${GIVEN_EVENT})
    join orders on order_id = given_id and charge_state || '' = state_before and charge_attempt = attempt
    order by given_id for no key update of orders
  ), counted as (
    insert into order_counters as c (store_id, account_id, day, last)
    select store, world, world_day, count(*)::integer from open group by 1, 2, 3 order by 1, 2, 3
    on conflict (store_id, account_id, day) do update set last = c.last + excluded.last
    returning c.store_id, c.account_id as world, c.day, c.last
  ), numbered as materialized (
    select open.*, last + 1 - row_number() over (partition by store, open.world, world_day order by given_id desc)::integer as n
    from open join counted on counted.store_id = store and counted.world = open.world and counted.day = world_day
  ), step as (
    update orders set ${SET_PLACED}, order_number = ${numberText('n')}
    from numbered where order_id = given_id
    returning order_id, order_number, numbered.account_id, key_id, card, uses, ${GIVEN_EVENT}
  ), logged as (
    insert into order_events (order_id, ${EVENT_COLUMNS.join(', ')}) select order_id, ${GIVEN_EVENT} from step
  ), ${countUsesText('step', 'step.uses', 'event_at')}, ${chargesText('step', 'event_at')}
  select order_id, order_number from step`;

const MAX_BATCH = 16;

/**
 * Batches statements of orders that are placed at the same time, because a statement and its commit cost several times
 * its rows. The steps of one order stay sequential, each with its own commit.
 */
export type OrderStatements = {
  findInputs(query: InputsQuery): Promise<OrderInputs>;
  /** Returns false if an order with the same Idempotency-Key is already stored. */
  insertOrder(order: Order): Promise<boolean>;
  /** Returns the placed order's number; undefined, with nothing changed, if its charge is in another state. */
  placeOrder(step: PlacingStep): Promise<string | undefined>;
};

export function createOrderStatements(db: Db): OrderStatements {
  const limits = {
    maxBatch: MAX_BATCH,
    didNothing: isRefusedStatement,
    ownerNow: currentOwner,
    gate: new SerialGate(),
  };
  return {
    findInputs: batchCalls({ ...limits, run: (queries: readonly InputsQuery[]) => findOrderInputs(db, queries) }),
    insertOrder: batchCalls({
      ...limits,
      run: async (orders: readonly Order[]) => {
        const stored = await insertOrders(db, orders);
        return orders.map(({ orderId }) => stored.has(orderId));
      },
    }),
    placeOrder: batchCalls({
      ...limits,
      run: async (steps: readonly PlacingStep[]) => {
        const numbers = await placeOrders(db, steps);
        return steps.map(({ order }) => numbers.get(order.orderId));
      },
    }),
  };
}

/** Creates `OrderStatements` within a transaction, for one order. */
export function singleOrderStatements(tx: Sql): Pick<OrderStatements, 'insertOrder' | 'placeOrder'> {
  return {
    insertOrder: async (order) => (await insertOrders(tx, [order])).has(order.orderId),
    placeOrder: async (step) => (await placeOrders(tx, [step])).get(step.order.orderId),
  };
}
