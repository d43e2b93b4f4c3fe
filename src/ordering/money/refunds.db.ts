import { sql as raw } from 'kysely';
import { instantParam, type Sql } from '../../platform/db/connect.ts';
import type { PersonalData } from '../../platform/db/personal-data.db.ts';
import { codeOnly, OF_ORDERS } from '../order/forgotten-orders.db.ts';
import type { Order } from '../order/order.ts';
import { isDiscounted } from '../order/order-discounts.ts';
import type { Refund, RefundPart } from './refund.ts';

/* Refunds and their parts in SQL. A refund has a part, and the gateway a call, for each charge that it takes from. */

const REFUND = [
  ...(['refundId', 'orderId', 'key', 'kind', 'reason', 'requestedBy', 'items', 'cents', 'tipCents'] as const),
  ...(['shares', 'state', 'refundedCents', 'createdAt', 'endedAt', 'sequence'] as const),
] as const;
const PART = ['refundId', 'part', 'chargeId', 'cents', 'gatewayKey', 'state'] as const;

export async function insertRefund(
  tx: Sql,
  refund: Refund,
  parts: readonly (RefundPart & { gatewayRefundId?: string })[],
): Promise<void> {
  const { createdAt, endedAt, items, shares } = refund;
  const at = createdAt.toString();
  const json = { items: JSON.stringify(items), shares: JSON.stringify(shares) };
  const row = { ...refund, ...json, createdAt: at, endedAt: endedAt?.toString() ?? null };
  await tx.insertInto('orderRefunds').values(row).execute();
  const rows = parts.map((part) => ({ gatewayRefundId: null, ...part, startedAt: at }));
  if (rows.length > 0) await tx.insertInto('orderRefundParts').values(rows).execute();
}

/** The refund under the caller's key; undefined if none is booked. */
export async function findRefundByKey(sql: Sql, orderId: string, key: string): Promise<Refund | undefined> {
  return sql
    .selectFrom('orderRefunds')
    .select(REFUND)
    .where('orderId', '=', orderId)
    .where('key', '=', key)
    .executeTakeFirst();
}

/** The newest refund under a key, or under a key that begins with `again`; undefined if none is booked. */
export async function findNewestByKey(
  sql: Sql,
  orderId: string,
  { key, again }: { key: string; again: string },
): Promise<Refund | undefined> {
  return sql
    .selectFrom('orderRefunds')
    .select(REFUND)
    .where('orderId', '=', orderId)
    .where(raw<boolean>`(key = ${key} or starts_with(key, ${again}))`)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** All refunds of these orders, oldest first. */
export async function findRefunds(sql: Sql, orderIds: readonly string[]): Promise<Refund[]> {
  if (orderIds.length === 0) return [];
  return sql
    .selectFrom('orderRefunds')
    .select(REFUND)
    .where('orderId', 'in', [...orderIds])
    .orderBy('createdAt')
    .orderBy('sequence')
    .orderBy('refundId')
    .execute();
}

/** The refunds of an order; skips the look-up if it has none. */
export async function listRefunds(
  sql: Sql,
  { orderId, quote, refundedCents, refundingCents }: Refundable,
): Promise<Refund[]> {
  return refundedCents + refundingCents === 0 && !isDiscounted(quote) ? [] : findRefunds(sql, [orderId]);
}

type Refundable = Pick<Order, 'orderId' | 'quote' | 'refundedCents' | 'refundingCents'>;

export type RefundsByOrder = ReadonlyMap<string, readonly Refund[]>;

/** The refunds of each of these orders that has any. */
export async function findRefundsByOrder(
  sql: Sql,
  orders: readonly Pick<Order, 'orderId' | 'refundedCents' | 'refundingCents'>[],
): Promise<RefundsByOrder> {
  const refunded = orders.filter(({ refundedCents, refundingCents }) => refundedCents + refundingCents > 0);
  const ids = refunded.map(({ orderId }) => orderId);
  return Map.groupBy(await findRefunds(sql, ids), ({ orderId }) => orderId);
}

/** Cents that refunds have taken or will take from each charge of an order, by charge ID. */
export async function findRefundedAmounts(sql: Sql, orderId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await sql
    .selectFrom('orderRefundParts as p')
    .innerJoin('orderRefunds as r', 'r.refundId', 'p.refundId')
    .select(['p.chargeId', raw<number>`sum(p.cents)::bigint`.as('cents')])
    .where('r.orderId', '=', orderId)
    .where('p.state', '!=', 'failed')
    .groupBy('p.chargeId')
    .execute();
  return new Map(rows.map(({ chargeId, cents }) => [chargeId, cents]));
}

/** Parts of refunds that the gateway has not answered, oldest first. */
export async function findPendingParts(sql: Sql, orderId: string): Promise<RefundPart[]> {
  return sql
    .selectFrom('orderRefundParts as p')
    .innerJoin('orderRefunds as r', 'r.refundId', 'p.refundId')
    .select(PART.map((name) => `p.${name}` as const))
    .where('r.orderId', '=', orderId)
    .where('p.state', '=', 'pending')
    .orderBy('p.startedAt')
    .orderBy('p.refundId')
    .orderBy('p.part')
    .execute();
}

export async function findParts(sql: Sql, refundId: string): Promise<RefundPart[]> {
  return sql.selectFrom('orderRefundParts').select(PART).where('refundId', '=', refundId).orderBy('part').execute();
}

/** Ends a part; returns false if it has already ended. */
export async function endPart(
  tx: Sql,
  { refundId, part }: Pick<RefundPart, 'refundId' | 'part'>,
  outcome: { state: 'done'; gatewayRefundId: string } | { state: 'failed' },
): Promise<boolean> {
  const result = await tx
    .updateTable('orderRefundParts')
    .set(outcome)
    .where('refundId', '=', refundId)
    .where('part', '=', part)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function saveRefundEnd(
  tx: Sql,
  refundId: string,
  {
    shares,
    endedAt,
    ...end
  }: Pick<Refund, 'state' | 'refundedCents' | 'shares' | 'sequence'> & {
    endedAt: Temporal.Instant;
  },
): Promise<void> {
  await tx
    .updateTable('orderRefunds')
    .set({ ...end, shares: JSON.stringify(shares), endedAt: endedAt.toString() })
    .where('refundId', '=', refundId)
    .execute();
}

export async function findRefund(sql: Sql, refundId: string): Promise<Refund | undefined> {
  return sql.selectFrom('orderRefunds').select(REFUND).where('refundId', '=', refundId).executeTakeFirst();
}

/** Orders with a refund that has been pending since before a moment. */
export async function findUnfinishedRefunds(
  sql: Sql,
  { before, after, limit }: { before: Temporal.Instant; after: { orderId: string } | undefined; limit: number },
): Promise<{ orderId: string }[]> {
  return sql
    .selectFrom('orderRefundParts as p')
    .innerJoin('orderRefunds as r', 'r.refundId', 'p.refundId')
    .select('r.orderId')
    .distinct()
    .where('p.state', '=', 'pending')
    .where('p.startedAt', '<', instantParam(before))
    .where('r.orderId', '>', after?.orderId ?? '')
    .orderBy('r.orderId')
    .limit(limit)
    .execute();
}

export async function countRefunds(sql: Sql, orderId: string): Promise<number> {
  const counted = await sql
    .selectFrom('orderRefunds')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('orderId', '=', orderId)
    .executeTakeFirst();
  return counted?.count ?? 0;
}

/**
 * Returns the cents that a store may still refund today by its clock, live or in one sandbox; negative beyond the
 * limit, null without a limit. Locks the store's row, so that its refunds are counted one after another.
 */
export async function lockDayLeft(
  tx: Sql,
  { storeId, mode, accountId }: Pick<Order, 'storeId' | 'mode' | 'accountId'>,
  now: Temporal.Instant,
): Promise<number | null> {
  await raw`select from stores where store_id = ${storeId} for no key update`.execute(tx);
  const { rows } = await raw<{ left: number | null }>`
    select (refund_limit_cents - coalesce((
      select sum(case r.state when 'pending' then r.cents else r.refunded_cents end)
      from order_refunds as r join orders as o using (order_id)
      where r.requested_by = 'store' and o.store_id = s.store_id and o.mode = ${mode}
        and (o.mode = 'live' or o.account_id = ${accountId})
        and r.created_at >= date_trunc('day', ${instantParam(now)}, s.profile->>'timeZone')), 0))::bigint as left
    from stores as s where store_id = ${storeId}`.execute(tx);
  return rows[0]?.left ?? null;
}

/** A reason may name someone; amounts stay. */
export const REFUND_PERSONAL_DATA: PersonalData = {
  table: 'order_refunds',
  where: OF_ORDERS,
  set: { reason: codeOnly('reason') },
};
