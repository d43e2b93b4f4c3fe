import { sql as raw } from 'kysely';
import {
  changeLetters,
  insertLetters,
  letterTable,
  queueAgain,
  recordAttempts,
  withdrawLetters,
} from '../../notify/outbox/letters.db.ts';
import type { LeasedLetter } from '../../notify/outbox/send-letters.flow.ts';
import { hasEnded, type Order } from '../../ordering/order/order.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { type Db, instantParam, type Sql } from '../../platform/db/connect.ts';
import { columnName } from '../../platform/db/hot-statement.ts';
import type { Language } from '../../platform/languages/language.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import { isPrinter, type StoreChannel } from './store-channel.ts';
import { findPolledPrinters } from './store-channels.db.ts';
import { isAcknowledgedBySending, type NoticeKind, type NoticeState, type StoreNotice } from './store-notice.ts';

/*
 * The queue of notices to stores: one row per order, kind and channel, leased by workers until it is sent or
 * withdrawn.
 */

const COLUMNS = [
  'orderId',
  'storeId',
  'channel',
  'kind',
  'copy',
  'state',
  'attempts',
  'endedAttempts',
  'mayBeSent',
  'lastError',
  'nextAttemptAt',
  'createdAt',
  'sentAt',
  'acknowledgedAt',
] as const;

/**
 * A notice that a worker has leased, with the current settings of its channel. `hasChannel` is false if the channel was
 * removed.
 */
export type TakenNotice = StoreNotice &
  Pick<LeasedLetter, 'leasedUntil'> & {
    target: string | null;
    signingSecret: string | null;
    previousSecret: string | null;
    previousSecretUntil: Temporal.Instant | null;
    encoding: string | null;
    hasChannel: boolean;
    /** Whether the channel is a printer that fetches its tickets. */
    isPolled: boolean;
    /** The state of the channel's offer of the order. */
    offer: NoticeState | null;
    /** The store's current language. */
    language: Language;
  };

const channelColumn = (name: string) =>
  `(select s.${name} from store_channels as s where (s.store_id, s.channel) = (q.store_id, q.channel))`;

/**
 * Notices by store channel. A printer gets one at a time, oldest first, so that tickets never mix; its lease
 * covers the longest tickets.
 */
export const NOTICES = letterTable({
  table: 'store_notices',
  key: ['order_id', 'channel', 'kind', 'copy'],
  owner: ['store_id', 'channel'],
  waits: `q.state = 'waiting' and q.next_attempt_at is not null`,
  mayStart: `(q.channel not like 'printer%' or not exists (
    select from store_notices as o where o.store_id = q.store_id and o.channel = q.channel and o.state = 'waiting' and (
      o.leased_until > $1::timestamptz
      or (o.created_at, o.order_id, o.kind, o.copy) < (q.created_at, q.order_id, q.kind, q.copy))))`,
  leaseSeconds: `case when q.channel like 'printer%' then 90 else 25 end`,
  columns: `${[...COLUMNS, 'leasedUntil'].map((name) => `q.${columnName(name)}`).join(', ')}, ${channelColumn('target')} as target,
    ${channelColumn('signing_secret')} as signing_secret, ${channelColumn('previous_signing_secret')} as previous_secret,
    ${channelColumn('previous_secret_until')} as previous_secret_until, ${channelColumn('encoding')} as encoding,
    ${channelColumn('channel')} is not null as has_channel, ${channelColumn('secret_hash')} is not null as is_polled,
    (select o.state from store_notices as o where (o.order_id, o.channel, o.kind, o.copy) = (q.order_id, q.channel,
      'offered', 0)) as offer,
    (select l.language from stores as l where l.store_id = q.store_id) as language`,
  states: { waiting: 'waiting', sent: 'sent', dead: 'withdrawn' },
  onEnd: `ended_attempts = q.ended_attempts + 1, may_be_sent = q.may_be_sent or coalesce(e.may_be_sent, false),
    acknowledged_at = coalesce(e.acknowledged_at, q.acknowledged_at)`,
});

/** How long a ticket waits for a printer that polls. The queue leases it only then, to withdraw it. */
const POLLED_HOURS = 24;

export function isPastPolling({ createdAt }: Pick<StoreNotice, 'createdAt'>, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(createdAt.add({ hours: POLLED_HOURS }), now) <= 0;
}

/** A notice that is due from `at` on. */
export type NewNotice = NoticeKey & { storeId: string; at: Temporal.Instant };

/** Queues notices; an existing notice stays as it is. */
export async function insertNotices(sql: Sql, notices: readonly NewNotice[]): Promise<void> {
  const printing = notices.filter(({ channel }) => isPrinter(channel)).map(({ storeId }) => storeId);
  const polled = await findPolledPrinters(sql, [...new Set(printing)]);
  const rows = notices.map(({ at, orderId, storeId, channel, kind, copy }) => {
    const nextAttemptAt = polled.has(`${storeId} ${channel}`) ? at.add({ hours: POLLED_HOURS }) : at;
    return { orderId, storeId, channel, kind, copy, state: 'waiting', createdAt: at, nextAttemptAt };
  });
  return insertLetters(sql, NOTICES, rows);
}

/** Selects notices of one kind of one order, on every channel. */
export type OrderNotices = Pick<StoreNotice, 'orderId' | 'kind'>;

/** Withdraws notices that no channel has yet, for orders that have ended; calls of changes stay. */
export async function withdrawWaiting(sql: Sql, withdrawn: readonly OrderNotices[]): Promise<void> {
  if (withdrawn.length === 0) return;
  const [orderIds, kinds] = [withdrawn.map(({ orderId }) => orderId), withdrawn.map(({ kind }) => kind)];
  const which = raw`(order_id, kind) in (select * from unnest(${orderIds}::text[], ${kinds}::text[]))
    and (channel <> 'webhook' or kind = 'offered')`;
  await withdrawLetters(sql, NOTICES, which);
}

/** Its channel is a printer that polls: a ticket that it has fetched may be on paper before it says so. */
const POLLED = raw<boolean>`exists (select from store_channels as c
  where c.store_id = store_notices.store_id and c.channel = store_notices.channel and c.secret_hash is not null)`;

/** Finds which of these channels have been notified of an order, by order id. */
export async function findNotifiedChannels(sql: Sql, orderIds: readonly string[], channels: readonly StoreChannel[]) {
  if (orderIds.length === 0) return [];
  return sql
    .selectFrom('storeNotices')
    .select(['orderId', 'storeId', 'channel'])
    .distinct()
    .where('orderId', 'in', orderIds)
    .where(raw<string>`split_part(channel, ':', 1)`, 'in', channels)
    .where('kind', 'in', ['offered', 'confirmed'])
    .where((eb) => eb.or([eb('state', 'in', ['sent', 'acknowledged']), eb.and([eb('attempts', '>', 0), POLLED])]))
    .execute();
}

export type NoticeKey = Pick<StoreNotice, 'orderId' | 'channel' | 'kind' | 'copy'>;

/** Marks notices as sent, also when withdrawn during sending. */
export async function markNoticesSent(sql: Sql, notices: readonly NoticeKey[], at: Temporal.Instant): Promise<void> {
  const taken = notices.map(({ orderId, channel, kind, copy }) => {
    const key = { orderId, channel, kind, copy };
    if (!isAcknowledgedBySending(channel)) return { ...key, state: 'sent', sentAt: at };
    return { ...key, state: 'acknowledged', sentAt: at, acknowledgedAt: at };
  });
  await recordAttempts(sql, NOTICES, taken);
}

/** Makes failed notices on these store channels due at once; a running attempt is not affected. */
export async function retryFailedNotices(
  tx: Sql,
  storeId: string,
  channels: readonly StoreChannel[],
  at: Temporal.Instant,
): Promise<void> {
  if (channels.length === 0) return;
  const which = raw`store_id = ${storeId} and channel = any(${channels}::text[]) and state = 'waiting'
    and attempts > 0 and leased_until is null and next_attempt_at > ${instantParam(at)}`;
  await queueAgain(tx, NOTICES, which, at);
}

/** Moves a store's waiting tickets from the queue to a printer that polls, or back. */
export async function requeueTickets(
  tx: Sql,
  { storeId, channel }: { storeId: string; channel: StoreChannel },
  { isPolled, at }: { isPolled: boolean; at: Temporal.Instant },
): Promise<void> {
  const which = raw`store_id = ${storeId} and channel = ${channel} and state = 'waiting'`;
  const dueAt = isPolled
    ? raw`created_at + make_interval(hours => ${POLLED_HOURS})`
    : raw`greatest(created_at, ${instantParam(at)})`;
  await changeLetters(tx, NOTICES, which, raw`next_attempt_at = ${dueAt}`);
}

/** Lists the offers of an order, and all other notices to its channels, oldest first. */
export async function listNotices(sql: Sql, orderId: string): Promise<StoreNotice[]> {
  return sql
    .selectFrom('storeNotices')
    .select(COLUMNS)
    .where('orderId', '=', orderId)
    .orderBy('createdAt')
    .orderBy('channel')
    .orderBy('copy')
    .execute();
}

export async function findOrderNotices(sql: Sql, orderIds: readonly string[]): Promise<StoreNotice[]> {
  if (orderIds.length === 0) return [];
  return sql
    .selectFrom('storeNotices')
    .select(COLUMNS)
    .where('orderId', 'in', orderIds)
    .where('kind', '=', 'offered')
    .orderBy('channel')
    .execute();
}

/** Stores the hash of a notice's link, for finding the link. */
export async function saveLinkHash(sql: Sql, notice: NoticeKey, linkHash: Buffer): Promise<void> {
  const { orderId, channel, kind, copy } = notice;
  await sql
    .updateTable('storeNotices')
    .set({ linkHash })
    .where((eb) => eb.and({ orderId, channel, kind, copy }))
    .execute();
}

/** Finds the notice of a one-order link; undefined for an unknown link. */
export async function findNoticeByLink(sql: Sql, linkHash: Buffer): Promise<StoreNotice | undefined> {
  return sql.selectFrom('storeNotices').select(COLUMNS).where('linkHash', '=', linkHash).executeTakeFirst();
}

/** Returns the number of the next copy of a ticket of this kind. */
export async function nextCopyNo(sql: Sql, orderId: string, kind: NoticeKind): Promise<number> {
  const row = await sql
    .selectFrom('storeNotices')
    .select((eb) => eb.fn.max('copy').as('last'))
    .where('orderId', '=', orderId)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return (row?.last ?? 0) + 1;
}

/** Finds the order of an offer's link; undefined for an unknown link, and once the order has ended. */
export async function findLinkedOrder(db: Db, link: string): Promise<Order | undefined> {
  const notice = await findNoticeByLink(db, sha256(link));
  const order = notice && (await findAnyOrder(db, notice.orderId));
  return order && hasEnded(order) ? undefined : order;
}
