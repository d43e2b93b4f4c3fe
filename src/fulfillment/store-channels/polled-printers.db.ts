import { sql as raw } from 'kysely';
import { changeLetters } from '../../notify/outbox/letters.db.ts';
import { instantParam, type Sql } from '../../platform/db/connect.ts';
import { runPrepared } from '../../platform/db/hot-statement.ts';
import type { StoreChannel } from './store-channel.ts';
import type { StoreNotice } from './store-notice.ts';
import { NOTICES, type NoticeKey, type TakenNotice } from './store-notices.db.ts';

/* Printers that poll, by the hash of the secret in their URL, and the tickets that wait for them, in SQL. */

/** A printer that polls, and its oldest due ticket; `orderId` is null without one. */
export type PolledPrinter = {
  storeId: string;
  channel: StoreChannel;
  seenAt: Temporal.Instant;
  /** The error that the channel shows. */
  lastError: string | null;
  isFailing: boolean;
  orderId: string | null;
  kind: StoreNotice['kind'];
  copy: number;
  /** Why the ticket's last attempt failed. */
  ticketError: string | null;
  leasedUntil: Temporal.Instant | null;
};

/** One indexed statement: a thousand printers poll every five seconds. */
const POLL = `
  select s.store_id, s.channel, s.seen_at, s.last_error, s.failing_since is not null as is_failing, n.*
  from store_channels as s left join lateral (
    select q.order_id, q.kind, q.copy, q.last_error as ticket_error, q.leased_until from store_notices as q
    where q.store_id = s.store_id and q.channel = s.channel and q.state = 'waiting' and q.created_at <= $2::timestamptz
    order by q.created_at, q.order_id, q.kind, q.copy limit 1
  ) as n on true
  where s.secret_hash = $1::bytea`;

export async function findPolledPrinter(sql: Sql, secretHash: Buffer, now: Temporal.Instant) {
  const { rows } = await runPrepared<PolledPrinter>(sql, POLL, [secretHash, now.toString()]);
  return rows[0];
}

/** Records a poll, and the error that keeps the printer from printing; null without one. */
export async function recordPoll(
  sql: Sql,
  secretHash: Buffer,
  { at, error }: { at: Temporal.Instant; error: string | null },
): Promise<void> {
  await raw`
    update store_channels set seen_at = ${instantParam(at)}, last_error = ${error}::text,
      failing_since = case when ${error}::text is not null then coalesce(failing_since, ${instantParam(at)}) end
    where secret_hash = ${secretHash}`.execute(sql);
}

/** Printers that have not polled since a moment and are not known as failing, with whether a ticket waits for them. */
export async function findSilentPrinters(sql: Sql, since: Temporal.Instant) {
  const { rows } = await raw<{ storeId: string; isNeeded: boolean }>`
    select store_id, exists (select from store_notices as n
      where n.store_id = c.store_id and n.channel = c.channel and n.state = 'waiting') as is_needed
    from store_channels as c
    where secret_hash is not null and failing_since is null and seen_at < ${instantParam(since)}`.execute(sql);
  return rows;
}

/** Records the silent printers of stores as failing. */
export async function recordSilentPrinters(
  sql: Sql,
  storeIds: readonly string[],
  { since, at, error }: { since: Temporal.Instant; at: Temporal.Instant; error: string },
): Promise<void> {
  await raw`
    update store_channels set failing_since = ${instantParam(at)}, last_error = ${error}
    where secret_hash is not null and failing_since is null and seen_at < ${instantParam(since)}
      and store_id = any(${storeIds}::text[])`.execute(sql);
}

const SELECTED = `q.order_id = $1 and q.kind = $2 and q.copy = $3 and q.store_id = $4 and q.channel = $5`;

const TAKE = `
  update store_notices as q set attempts = q.attempts + 1, leased_until = $6::timestamptz
  where ${SELECTED} and q.state = 'waiting' returning ${NOTICES.columns}`;

const FIND = `select ${NOTICES.columns} from store_notices as q where ${SELECTED} and q.attempts > 0`;

type TicketKey = NoticeKey & { storeId: string };

/**
 * Counts an attempt on a waiting ticket before it is handed out, so that the next one is marked as a reprint; undefined
 * if the ticket waits no longer.
 */
export async function takeTicket(
  sql: Sql,
  { orderId, kind, copy, storeId, channel }: TicketKey,
  leasedUntil: Temporal.Instant,
): Promise<TakenNotice | undefined> {
  const values = [orderId, kind, copy, storeId, channel, leasedUntil.toString()];
  return (await runPrepared<TakenNotice>(sql, TAKE, values)).rows[0];
}

/** Finds a ticket that was handed out. */
export async function findTicket(sql: Sql, { orderId, kind, copy, storeId, channel }: TicketKey) {
  return (await runPrepared<TakenNotice>(sql, FIND, [orderId, kind, copy, storeId, channel])).rows[0];
}

const ticketOf = (ticket: TicketKey) => raw`order_id = ${ticket.orderId} and channel = ${ticket.channel}
  and kind = ${ticket.kind} and copy = ${ticket.copy} and store_id = ${ticket.storeId} and state = 'waiting'`;

/** Records why a ticket that was handed out is not printed, and when it may be handed out again. */
export async function recordFailedTicket(
  sql: Sql,
  ticket: TicketKey,
  { error, retryAt }: { error: string; retryAt: Temporal.Instant },
): Promise<void> {
  const set = raw`last_error = ${error}, leased_until = ${instantParam(retryAt)}`;
  await changeLetters(sql, NOTICES, ticketOf(ticket), set);
}

/** Withdraws a ticket that is too late to be useful. */
export async function withdrawTicket(sql: Sql, ticket: TicketKey): Promise<void> {
  const set = raw`state = 'withdrawn', last_error = 'withdrawn', next_attempt_at = null, leased_until = null`;
  await changeLetters(sql, NOTICES, ticketOf(ticket), set);
}
