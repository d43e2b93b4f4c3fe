import { present } from 'doorstep/collections';
import { sql as raw } from 'kysely';
import type { KeyMode } from '../../access/accounts/account.ts';
import type { OrderStatus } from '../../ordering/order/order.ts';
import { ORDER_FIELDS } from '../../ordering/order/order-columns.ts';
import { givenBackCents, orderTotalCents, placedAtOf } from '../../ordering/order/order-view.ts';
import { instantParam, type Sql } from '../../platform/db/connect.ts';
import type { ListCursor } from '../../platform/http/list-page.ts';
import { readPhone } from '../../platform/lib/phone.ts';
import { isIdOf } from '../../platform/lib/random-id.ts';
import { isStoreId } from '../../supply/stores/store-id.ts';

/** Rows of the operators' lists of orders, accounts and stores. */

/** The source of an order's total. */
const TOTALED = [
  ...(['quote', 'adjustments', 'driverStage', 'capturedCents', 'addedTipCents'] as const),
  ...(['moneyPlan', 'authorizedCents', 'refundedCents'] as const),
] as const;
const ORDER_COLUMNS = [
  ...TOTALED,
  'orderId',
  'orderNumber',
  'accountId',
  'mode',
  'storeId',
  'status',
  'pickup',
  'chargeState',
  'customerOrderId',
  'createdAt',
  'placedAt',
] as const;

/** An order in a list, without its customer; its total includes tips added after placing. */
export type ListedOrder = ReturnType<typeof listed>;
type OrderRow = Awaited<ReturnType<ReturnType<typeof selectOrders>['execute']>>[number];

const selectOrders = (sql: Sql) => sql.selectFrom('orders').select(ORDER_COLUMNS);

function listed({ quote, adjustments, driverStage, capturedCents, addedTipCents, ...money }: OrderRow) {
  const { authorizedCents: _authorized, moneyPlan: _plan, ...row } = money;
  const totaled = { ...money, quote, adjustments, driverStage, capturedCents, addedTipCents };
  const amounts = { totalCents: orderTotalCents(totaled), refundedCents: givenBackCents(totaled) };
  return { ...row, ...amounts, storeName: quote.store.name };
}

type Page = { mode: KeyMode; before: ListCursor | undefined; limit: number };

/** Filters of placed orders. `since` is the earliest placing time; `days` are by the clock of each order's store. */
export type PlacedFilter = {
  storeId?: string | undefined;
  accountId?: string | undefined;
  statuses?: readonly OrderStatus[] | undefined;
  since?: Temporal.Instant | undefined;
  days?: { from: Temporal.PlainDate; to: Temporal.PlainDate } | undefined;
};

/** Placed orders, newest first. */
export async function listPlaced(sql: Sql, { mode, before, limit, ...filter }: Page & PlacedFilter) {
  const rows = await selectOrders(sql)
    .where('mode', '=', mode)
    .where(isPlaced(filter))
    .$if(before !== undefined, (query) => query.where(isBefore('placed_at', before)))
    .orderBy('placedAt', 'desc')
    .orderBy('orderId', 'desc')
    .limit(limit)
    .execute();
  return rows.map(listed);
}

function isPlaced({ storeId, accountId, statuses, since, days }: PlacedFilter) {
  const conditions = [raw`placed_at is not null`];
  if (storeId !== undefined) conditions.push(raw`store_id = ${storeId}`);
  if (accountId !== undefined) conditions.push(raw`account_id = ${accountId}`);
  if (statuses !== undefined) conditions.push(raw`status = any(${[...statuses]}::text[])`);
  if (since !== undefined) conditions.push(raw`placed_at >= ${since.toString()}::timestamptz`);
  if (days !== undefined) conditions.push(raw`${isOnDays(days)}`);
  return raw<boolean>`(${raw.join(conditions, raw` and `)})`;
}

/** The range of the index covers every time zone; the store's own clock then decides. */
function isOnDays({ from, to }: NonNullable<PlacedFilter['days']>) {
  const [earliest, latest] = [from.subtract({ days: 1 }), to.add({ days: 2 })];
  return raw`placed_at >= ${`${earliest}T00:00:00Z`}::timestamptz and placed_at < ${`${latest}T00:00:00Z`}::timestamptz
    and (placed_at at time zone (quote->'store'->>'timeZone'))::date between ${`${from}`}::date and ${`${to}`}::date`;
}

/** How many placed orders match, at most `limit`. */
export async function countPlaced(sql: Sql, { mode, limit, ...filter }: PlacedFilter & Omit<Page, 'before'>) {
  const { rows } = await raw<{ count: number }>`select count(*)::int as count from (
    select from orders where mode = ${mode} and ${isPlaced(filter)} limit ${limit}) as matching`.execute(sql);
  return rows[0]?.count ?? 0;
}

export type ListedCustomer = { name: string; phone: number | null };

/** The customers of listed orders, by order id. */
export async function findCustomers(sql: Sql, orders: readonly Pick<ListedOrder, 'orderId'>[]) {
  const { rows } = await raw<ListedCustomer & { orderId: string }>`
    select order_id, request->'customer'->>'name' as name, (request->'customer'->>'phone')::bigint as phone
    from orders where order_id = any(${orders.map(({ orderId }) => orderId)}::text[])`.execute(sql);
  return new Map(rows.map(({ orderId, ...customer }) => [orderId, customer]));
}

/** Orders of an account, including unplaced ones, newest first. */
export async function listOfAccount(sql: Sql, { mode, accountId, before, limit }: Page & { accountId: string }) {
  const rows = await selectOrders(sql)
    .where('accountId', '=', accountId)
    .where('mode', '=', mode)
    .$if(before !== undefined, (query) => query.where(isBefore('created_at', before)))
    .orderBy('createdAt', 'desc')
    .orderBy('orderId', 'desc')
    .limit(limit)
    .execute();
  return rows.map(listed);
}

function isBefore(column: 'placed_at' | 'created_at', before: ListCursor | undefined) {
  const { at, id } = before ?? { at: Temporal.Instant.fromEpochMilliseconds(0), id: '' };
  return raw<boolean>`(${raw.ref(column)}, order_id) < (${instantParam(at)}, ${id})`;
}

/** The newest orders that match a search text, by each index that it may refer to. */
export async function findOrdersBySearch(
  sql: Sql,
  { orderId, orderNumber, phone, customerOrderId }: OrderSearch,
  limit: number,
): Promise<ListedOrder[]> {
  if (orderId !== undefined) return (await selectOrders(sql).where('orderId', '=', orderId).execute()).map(listed);
  const newest = () => selectOrders(sql).where('placedAt', 'is not', null).orderBy('placedAt', 'desc').limit(limit);
  const found = await Promise.all([
    orderNumber === undefined ? [] : newest().where('orderNumber', '=', orderNumber).execute(),
    customerOrderId === undefined ? [] : newest().where('customerOrderId', '=', customerOrderId).execute(),
    phone === undefined ? [] : newest().where(raw<string>`request->'customer'->>'phone'`, '=', phone).execute(),
  ]);
  const byId = new Map(found.flat().map((row) => [row.orderId, listed(row)]));
  return [...byId.values()].sort(newestFirst).slice(0, limit);
}

function newestFirst(one: ListedOrder, other: ListedOrder): number {
  return Temporal.Instant.compare(placedAtOf(other), placedAtOf(one));
}

/** Live orders that were offered to their stores and not confirmed, longest waiting first. */
export async function listAwaiting(sql: Sql, { now, limit }: { now: Temporal.Instant; limit: number }) {
  return sql
    .selectFrom('orders')
    .select(ORDER_FIELDS)
    .where('mode', '=', 'live')
    .where('status', '=', 'awaiting_confirmation')
    .where('offerAt', '<=', instantParam(now))
    .orderBy('offerAt')
    .orderBy('orderId')
    .limit(limit)
    .execute();
}

export type ListedAccount = { accountId: string; name: string; createdAt: Temporal.Instant };

/**
 * Accounts, newest first; with `search`, those whose name has its words or whose id begins with it. There are few,
 * because operators create accounts by hand.
 */
export async function listNewestAccounts(
  sql: Sql,
  { search, before, limit }: { search: string | undefined; before: ListCursor | undefined; limit: number },
): Promise<ListedAccount[]> {
  let query = sql.selectFrom('accounts').selectAll();
  if (search !== undefined) {
    query = query.where(
      raw<boolean>`(to_tsvector('simple', name) @@ ${prefixQuery(search)} or starts_with(account_id, ${search}::text))`,
    );
  }
  if (before) query = query.where(raw<boolean>`(created_at, account_id) < (${instantParam(before.at)}, ${before.id})`);
  return query.orderBy('createdAt', 'desc').orderBy('accountId', 'desc').limit(limit).execute();
}

/** An account's webhook endpoints, without secrets. */
export async function listEndpoints(sql: Sql, accountId: string) {
  return sql
    .selectFrom('webhookEndpoints')
    .select(['mode', 'url', 'enabled', 'failingSince'])
    .where('accountId', '=', accountId)
    .orderBy('mode')
    .execute();
}

export type FoundStore = NonNullable<Awaited<ReturnType<typeof findListed>>>;

const STORE_COLUMNS = [
  'storeId',
  'source',
  'listed',
  'mergedInto',
  'onlineOrdering',
  'hasCatalog',
  'hasChannel',
  raw<string>`profile->>'name'`.as('name'),
  raw<string>`profile->'address'->>'city'`.as('city'),
  raw<string>`profile->'address'->>'state'`.as('state'),
  raw<boolean>`exists (select 1 from store_channels as c
    where c.store_id = stores.store_id and c.failing_since is not null)`.as('isFailing'),
] as const;

const lowerName = raw<string>`lower(profile->>'name') collate "C"`;

/** The words of a search, each of which may be incomplete. Null, which finds nothing, for a text without words. */
const prefixQuery = (text: string) => raw`(select string_agg(quote_literal(lexeme) || ':*', ' & ')::tsquery
  from unnest(to_tsvector('simple', ${text}::text)))`;

/** Maximum matches that are sorted; the words of a longer list say too little. */
const MAX_MATCHES = 10_000;

/** Stores whose names have these words or beginnings of words anywhere, by name and id, after an earlier page's row. */
export async function findStoresByName(
  sql: Sql,
  { name, after, limit }: { name: string; after: { name: string; storeId: string } | undefined; limit: number },
): Promise<FoundStore[]> {
  // Materialized, so that no plan walks all names in order for the rare ones.
  const matching = raw<boolean>`store_id in (with matching as materialized (
    select store_id from stores where to_tsvector('simple', profile->>'name') @@ ${prefixQuery(name)} limit ${MAX_MATCHES})
    select store_id from matching)`;
  let query = sql.selectFrom('stores').select(STORE_COLUMNS).where(matching);
  if (after) {
    query = query.where(
      raw<boolean>`(lower(profile->>'name') collate "C", store_id) > (lower(${after.name}::text) collate "C", ${after.storeId})`,
    );
  }
  return query.orderBy(lowerName).orderBy('storeId').limit(limit).execute();
}

/** Stores of one feed or of all, by feed id, after an earlier page's row. */
export async function listStoresOfFeed(
  sql: Sql,
  { source, afterId, limit }: { source: string | undefined; afterId: string | undefined; limit: number },
): Promise<FoundStore[]> {
  let query = sql.selectFrom('stores').select(STORE_COLUMNS);
  if (source !== undefined) query = query.where('source', '=', source);
  if (afterId !== undefined) {
    query = query.where(
      raw<boolean>`(source, external_id) > (select s.source, s.external_id from stores as s where s.store_id = ${afterId})`,
    );
  }
  return query.orderBy('source').orderBy('externalId').limit(limit).execute();
}

export async function findListed(sql: Sql, storeId: string) {
  return sql.selectFrom('stores').select(STORE_COLUMNS).where('storeId', '=', storeId).executeTakeFirst();
}

/** A store's newest keys, without secrets. */
export async function listStoreKeys(sql: Sql, storeId: string, limit: number) {
  return sql
    .selectFrom('apiKeys')
    .select(['keyId', 'accountId', 'storeId', 'mode', 'hint', 'scopes', 'origins', 'createdAt', 'revokedAt'])
    .where('storeId', '=', storeId)
    .orderBy('createdAt', 'desc')
    .limit(limit)
    .execute();
}

/** A search text's possible subjects; each has its own index. */
type OrderSearch = {
  orderId?: string;
  orderNumber?: string;
  phone?: string;
  customerOrderId?: string;
  storeId?: string;
  accountId?: string;
};

/** Format of order numbers: a few letters and digits, such as A17. */
const ORDER_NUMBER = /^#?([a-z]{0,3}\d{1,6})$/i;

/**
 * Parses an operator's search text: an id by its form, otherwise a phone number, an order number or the account's own
 * order id. Phone numbers match in any notation, also without `+`, and only with `byPhone`.
 */
export function readOrderSearch(text: string, byPhone = true): OrderSearch {
  const words = text.trim();
  if (isIdOf('ord_', words)) return { orderId: words };
  if (isIdOf('acc_', words)) return { accountId: words };
  if (isStoreId(words)) return { storeId: words };
  const phone = byPhone ? (readPhone(words) ?? readPhone(`+${words}`)) : undefined;
  const [, orderNumber] = ORDER_NUMBER.exec(words) ?? [];
  return {
    customerOrderId: words,
    ...present({ orderNumber: orderNumber?.toUpperCase(), phone: phone && String(phone.number) }),
  };
}
