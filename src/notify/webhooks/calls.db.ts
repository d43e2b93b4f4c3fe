import { sql as raw } from 'kysely';
import { instantParam, type Sql } from '../../platform/db/connect.ts';
import type { SigningSecrets } from '../../platform/lib/standard-webhook.ts';
import { letterTable, queueAgain, withdrawLetters } from '../outbox/letters.db.ts';
import type { LeasedLetter } from '../outbox/send-letters.flow.ts';
import type { Owner, WebhookCall } from './webhook.ts';

/* The queue of webhook calls: one row per event and endpoint, leased by workers, kept for replays. */

const COLUMNS = ['webhookId', 'type', 'orderId', 'attempts', 'lastStatus', 'nextAttemptAt', 'state'] as const;

export type NewCall = Owner & {
  webhookId: string;
  orderId: string | null;
  sequence: number | null;
  type: string;
  body: string;
  at: Temporal.Instant;
  /** Time of the first attempt; null if the endpoint is off, so that only a replay calls it. */
  nextAttemptAt: Temporal.Instant | null;
};

/**
 * Writes the calls of events. Repeating it for the same event writes nothing. Passes each column as a list, because
 * JSON bodies within one JSON parameter would cost twice as much.
 */
export async function insertCalls(sql: Sql, calls: readonly NewCall[]): Promise<void> {
  if (calls.length === 0) return;
  const column = <K extends keyof NewCall>(name: K) => calls.map((call) => call[name]);
  const instants = (name: 'at' | 'nextAttemptAt') => column(name).map((instant) => instant?.toString() ?? null);
  await raw`
    insert into webhook_calls
      (webhook_id, account_id, mode, order_id, sequence, type, body, created_at, next_attempt_at, state)
    select *, case when next_attempt_at is null then 'dead' else 'pending' end
    from unnest(${column('webhookId')}::text[], ${column('accountId')}::text[], ${column('mode')}::text[],
      ${column('orderId')}::text[], ${column('sequence')}::int[], ${column('type')}::text[], ${column('body')}::text[],
      ${instants('at')}::timestamptz[], ${instants('nextAttemptAt')}::timestamptz[])
      as d (webhook_id, account_id, mode, order_id, sequence, type, body, created_at, next_attempt_at)
    on conflict (order_id, sequence) do nothing`.execute(sql);
}

/** A call with the reason of its last failure. */
export type FailedCall = WebhookCall & { lastError: string | null };

/** Lists the owner's latest calls, newest event first. */
export async function listCalls(sql: Sql, { accountId, mode }: Owner, limit: number): Promise<FailedCall[]> {
  return sql
    .selectFrom('webhookCalls')
    .select([...COLUMNS, 'lastError'])
    .where('accountId', '=', accountId)
    .where('mode', '=', mode)
    .orderBy('createdAt', 'desc')
    .orderBy('sequence', 'desc')
    .orderBy('webhookId')
    .limit(limit)
    .execute();
}

/** Lists the calls of one order, in the order of its events. */
export async function listCallsOfOrder(sql: Sql, orderId: string): Promise<FailedCall[]> {
  const query = sql.selectFrom('webhookCalls').select([...COLUMNS, 'lastError']);
  return query.where('orderId', '=', orderId).orderBy('sequence').execute();
}

/** Finds the owner of a call; undefined for an unknown id. */
export async function findCallOwner(sql: Sql, webhookId: string): Promise<Owner | undefined> {
  const query = sql.selectFrom('webhookCalls').select(['accountId', 'mode']);
  return query.where('webhookId', '=', webhookId).executeTakeFirst();
}

/** Selects calls to replay: one call in any state, or every undelivered call since a moment. */
export type Replay = { webhookId: string } | { since: Temporal.Instant };

/** Makes calls due at once, with a full retry schedule; returns their number. */
export function replayCalls(sql: Sql, owner: Owner, replay: Replay, at: Temporal.Instant): Promise<number> {
  const which =
    'webhookId' in replay
      ? raw`webhook_id = ${replay.webhookId}`
      : raw`created_at >= ${instantParam(replay.since)} and state <> 'delivered' and order_id is not null`;
  return queueAgain(sql, CALLS, raw`${isOwned(owner)} and ${which}`, at);
}

/** Fails the waiting calls of an endpoint that is switched off or detached; a replay revives them. */
export const endWaitingCalls = (tx: Sql, owner: Owner): Promise<void> => withdrawLetters(tx, CALLS, isOwned(owner));

const isOwned = ({ accountId, mode }: Owner) => raw`account_id = ${accountId} and mode = ${mode}`;

/** A call leased by this worker, with everything an attempt needs. */
export type LeasedCall = SigningSecrets &
  LeasedLetter & {
    webhookId: string;
    owner: Owner;
    /** Null for a test call. */
    orderId: string | null;
    sequence: number | null;
    body: string;
    url: string;
  };

/** Calls by endpoint. An attempt counts once it is recorded. */
export const CALLS = letterTable({
  table: 'webhook_calls',
  key: ['webhook_id'],
  owner: ['account_id', 'mode'],
  mayStart:
    'exists (select from webhook_endpoints as e where (e.account_id, e.mode) = (w.account_id, w.mode) and e.enabled)',
  onLease: '',
  columns: `q.webhook_id, json_build_object('accountId', q.account_id, 'mode', q.mode) as owner, q.order_id, q.sequence,
    q.body, q.attempts + 1 as attempts, q.attempts_before, q.created_at, q.leased_until,
    e.url, e.secret, e.previous_secret as previous, e.previous_secret_until as previous_until`,
  join: { table: 'webhook_endpoints as e', on: '(e.account_id, e.mode) = (q.account_id, q.mode)' },
  states: { waiting: 'pending', sent: 'delivered', dead: 'dead' },
  sentAt: 'deliveredAt',
  onEnd: 'attempts = q.attempts + 1, last_status = e.last_status',
  onQueueAgain: 'attempts_before = attempts, delivered_at = null',
});
