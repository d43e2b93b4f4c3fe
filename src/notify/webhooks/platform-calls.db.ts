import { sql as raw } from 'kysely';
import type { Sql } from '../../platform/db/connect.ts';
import { letterTable, queueAgain } from '../outbox/letters.db.ts';
import type { LeasedLetter } from '../outbox/send-letters.flow.ts';
import type { FailedCall } from './calls.db.ts';

/** A call to a platform about an order (docs/ucp.md#orders-of-a-shop). */
export type PlatformCall = FailedCall & { profileUrl: string; orderId: string; createdAt: Temporal.Instant };
export type LeasedPlatformCall = LeasedLetter & {
  webhookId: string;
  profileUrl: string;
  orderId: string;
  sequence: number;
};

/** Calls by platform: a slow one delays no other. An attempt counts once it is recorded. */
export const PLATFORM_CALLS = letterTable({
  table: 'ucp_calls',
  key: ['webhook_id'],
  owner: ['profile_url'],
  onLease: '',
  columns: `q.webhook_id, q.profile_url, q.order_id, q.sequence, q.attempts + 1 as attempts, q.attempts_before,
    q.created_at, q.leased_until`,
  states: { waiting: 'pending', sent: 'delivered', dead: 'dead' },
  sentAt: 'deliveredAt',
  onEnd: 'attempts = q.attempts + 1, last_status = e.last_status',
  onQueueAgain: 'attempts_before = attempts, delivered_at = null',
});

/** Lists the latest calls, newest event first, or one order's calls. */
export function listPlatformCalls(sql: Sql, { orderId, limit }: { orderId?: string; limit: number }) {
  return sql
    .selectFrom('ucpCalls')
    .select(['webhookId', 'type', 'orderId', 'attempts', 'lastStatus', 'nextAttemptAt', 'state', 'lastError'])
    .select(['profileUrl', 'createdAt'])
    .$if(orderId !== undefined, (query) => query.where('orderId', '=', orderId ?? ''))
    .orderBy('createdAt', 'desc')
    .orderBy('webhookId')
    .limit(limit)
    .execute();
}

/** Makes a call due at once, with all its attempts; returns false if there is none. */
export async function replayPlatformCall(sql: Sql, webhookId: string, at: Temporal.Instant): Promise<boolean> {
  return (await queueAgain(sql, PLATFORM_CALLS, raw`webhook_id = ${webhookId}`, at)) > 0;
}
