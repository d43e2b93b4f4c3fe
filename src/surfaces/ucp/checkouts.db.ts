import { present } from 'doorstep/collections';
import { type ExpressionBuilder, sql as raw } from 'kysely';
import { instantParam, type Sql } from '../../platform/db/connect.ts';
import type { PersonalData } from '../../platform/db/personal-data.db.ts';
import type { Database } from '../../platform/db/tables.ts';
import type { Retention } from '../../platform/jobs/delete-expired.db.ts';
import { type CartOwner, isOfUser } from './carts.db.ts';
import type { UcpCheckout } from './checkout.ts';

/* Checkouts of platforms, each changed by one request at a time, and the orders that they became. */

const COLUMNS = [
  'checkoutId',
  'accountId',
  'mode',
  'profileUrl',
  'userId',
  'storeId',
  'orderId',
  'asked as input',
  'shown',
  'isQuoted',
  'isCanceled',
  'changedAt',
] as const;

const isCheckout =
  (checkoutId: string, { accountId, mode, profileUrl, userId }: CartOwner) =>
  (row: ExpressionBuilder<Database, 'ucpCheckouts'>) =>
    row.and([
      row.and({ checkoutId, accountId, mode, ...present({ profileUrl }) }),
      ...(userId === undefined ? [] : [isOfUser(userId)(row)]),
    ]);

export async function findCheckout(
  sql: Sql,
  checkoutId: string,
  platform: CartOwner,
): Promise<UcpCheckout | undefined> {
  return sql.selectFrom('ucpCheckouts').select(COLUMNS).where(isCheckout(checkoutId, platform)).executeTakeFirst();
}

/** The checkout that became an order; undefined for an order that no platform made. */
export async function findCheckoutOfOrder(sql: Sql, orderId: string): Promise<UcpCheckout | undefined> {
  return sql.selectFrom('ucpCheckouts').select(COLUMNS).where('orderId', '=', orderId).executeTakeFirst();
}

/** The orders of these that became of checkouts of platforms that have proven who they are, with the platforms' profiles. */
export async function findProvenOrders(
  sql: Sql,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string | null, string>> {
  const rows = await sql
    .selectFrom('ucpCheckouts')
    .select(['orderId', 'profileUrl'])
    .where('orderId', 'in', [...orderIds])
    .where(raw<boolean>`(asked ->> 'isProven')::boolean`)
    .execute();
  return new Map(rows.map(({ orderId, profileUrl }) => [orderId, profileUrl]));
}

/** Deletes the carts of these orders. */
export async function deleteOrderedCarts(sql: Sql, orderIds: readonly string[]): Promise<void> {
  const ended = sql
    .selectFrom('ucpCheckouts')
    .select(raw<string>`asked ->> 'cartId'`.as('cartId'))
    .where('orderId', 'in', [...orderIds]);
  await sql.deleteFrom('ucpCarts').where('cartId', 'in', ended).execute();
}

/** Seconds until a dead request no longer keeps others from its checkout. */
const LEASE_SECONDS = 30;

/** Leases a checkout for one change; undefined if there is none, or another request is changing it. */
export async function leaseCheckout(
  sql: Sql,
  checkoutId: string,
  platform: CartOwner,
  now: Temporal.Instant,
): Promise<UcpCheckout | undefined> {
  return sql
    .updateTable('ucpCheckouts')
    .set({ leasedUntil: now.add({ seconds: LEASE_SECONDS }).toString() })
    .where(isCheckout(checkoutId, platform))
    .where((row) => row.or([row('leasedUntil', 'is', null), row('leasedUntil', '<=', instantParam(now))]))
    .returning(COLUMNS)
    .executeTakeFirst();
}

export async function releaseCheckout(sql: Sql, checkoutId: string): Promise<void> {
  await sql.updateTable('ucpCheckouts').set({ leasedUntil: null }).where('checkoutId', '=', checkoutId).execute();
}

export async function insertCheckout(sql: Sql, checkout: UcpCheckout): Promise<void> {
  await sql.insertInto('ucpCheckouts').values(written(checkout)).execute();
}

export async function saveCheckout(sql: Sql, checkout: UcpCheckout): Promise<void> {
  const { checkoutId, ...changes } = written(checkout);
  await sql.updateTable('ucpCheckouts').set(changes).where('checkoutId', '=', checkoutId).execute();
}

function written({ input, shown, changedAt, ...checkout }: UcpCheckout) {
  return { ...checkout, asked: JSON.stringify(input), shown: JSON.stringify(shown), changedAt: changedAt.toString() };
}

/**
 * How long a checkout can be read after its last change. A checkout without an order contains the buyer's data, but no
 * erasure of a user finds it. So it is deleted a day later.
 */
export const CHECKOUTS: readonly Retention[] = [
  { table: 'ucp_checkouts', age: 'changed_at', keepFor: { hours: 24 * 30 } },
  { table: 'ucp_checkouts', age: 'changed_at', where: 'order_id is null', keepFor: { hours: 24 } },
];

/** A checkout has the buyer's name, contacts and address. */
export const CHECKOUT_PERSONAL_DATA: PersonalData = { table: 'ucp_checkouts', where: 'order_id = any($1::text[])' };
