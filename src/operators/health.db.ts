import { type RawBuilder, sql as raw } from 'kysely';
import { instantParam, type Sql } from '../db/connect.ts';

/** A queue is counted up to this many rows: more is `10000 or more`. */
export const MAX_COUNTED = 10_000;

export type QueueHealth = {
  queue: string;
  waiting: number;
  /** Waiting rows whose last attempt failed. */
  failing: number;
  /** Since when the longest waiting row is due; null where none is due. */
  dueSince: Temporal.Instant | null;
  /** Why the last attempt of the longest waiting failing row failed. */
  lastError: string | null;
};

type Counted = Omit<QueueHealth, 'queue'>;

/** `rows` selects the columns due_at, has_failed and last_error of the rows that wait. */
async function countQueue(
  sql: Sql,
  queue: string,
  rows: RawBuilder<unknown>,
  now: Temporal.Instant,
): Promise<QueueHealth> {
  const { rows: counted } = await raw<Counted>`
    with waiting as (${rows} limit ${MAX_COUNTED})
    select count(*)::int as waiting, (count(*) filter (where has_failed))::int as failing,
      min(due_at) filter (where due_at <= ${instantParam(now)}) as due_since,
      (select w.last_error from waiting as w where w.last_error is not null order by w.due_at limit 1) as last_error
    from waiting`.execute(sql);
  const [first] = counted;
  return { queue, waiting: 0, failing: 0, dueSince: null, lastError: null, ...first };
}

/** The queues of the service's own tables. */
export async function countQueues(sql: Sql, now: Temporal.Instant): Promise<QueueHealth[]> {
  const messages = (channel: 'email' | 'sms') => raw`
    select next_attempt_at as due_at, last_error is not null as has_failed, last_error from messages
    where state = 'pending' and channel = ${channel} order by next_attempt_at`;
  return Promise.all([
    countQueue(
      sql,
      'events',
      raw`select at as due_at, false as has_failed, null::text as last_error from order_events where not dispatched order by at`,
      now,
    ),
    countQueue(
      sql,
      'store notices',
      raw`select next_attempt_at as due_at, last_error is not null as has_failed, last_error from store_notices
        where state = 'waiting' and next_attempt_at is not null order by next_attempt_at`,
      now,
    ),
    countQueue(sql, 'e-mails', messages('email'), now),
    countQueue(sql, 'SMS', messages('sms'), now),
    countQueue(
      sql,
      'webhook calls',
      raw`select next_attempt_at as due_at, attempts > 0 as has_failed, last_error from webhook_calls where state = 'pending'`,
      now,
    ),
    countQueue(
      sql,
      'charges and refunds',
      raw`select started_at as due_at, false as has_failed, null::text as last_error from (
          select charge_started_at as started_at from orders where charge_state = 'pending'
          union all select started_at from order_refund_parts where state = 'pending'
          union all select started_at from order_tips where state in ('pending', 'returning')
        ) as moving order by started_at`,
      now,
    ),
  ]);
}

export type JobHealth = {
  job: string;
  waiting: number;
  retrying: number;
  running: number;
  failed: number;
  dueSince: Temporal.Instant | null;
};

/** The queues of the job queue, which has a schema of its own beside that of the tables. */
export async function countJobs(sql: Sql, now: Temporal.Instant): Promise<JobHealth[]> {
  const { rows: schemas } = await raw<{ name: string }>`select current_schema() || '_jobs' as name`.execute(sql);
  const table = raw.id(schemas[0]?.name ?? '', 'job');
  const { rows } = await raw<JobHealth>`
    with jobs as (
      select name, state::text as state, start_after from ${table}
      where state in ('created', 'retry', 'active', 'failed') limit ${MAX_COUNTED}
    )
    select name as job, (count(*) filter (where state in ('created', 'retry')))::int as waiting,
      (count(*) filter (where state = 'retry'))::int as retrying, (count(*) filter (where state = 'active'))::int as running,
      (count(*) filter (where state = 'failed'))::int as failed,
      min(start_after) filter (where state in ('created', 'retry') and start_after <= ${instantParam(now)}) as due_since
    from jobs group by name order by name`.execute(sql);
  return rows;
}

export type FailingChannel = {
  storeId: string;
  storeName: string;
  channel: string;
  target: string | null;
  failingSince: Temporal.Instant;
  lastError: string | null;
};

/** The channels of stores that fail, longest failing first. */
export async function listFailingChannels(sql: Sql, limit: number): Promise<FailingChannel[]> {
  return sql
    .selectFrom('storeChannels as c')
    .innerJoin('stores as s', 's.storeId', 'c.storeId')
    .select(['c.storeId', 'c.channel', 'c.target', 'c.failingSince', 'c.lastError'])
    .select(raw<string>`s.profile->>'name'`.as('storeName'))
    .where('c.failingSince', 'is not', null)
    .orderBy('c.failingSince')
    .limit(limit)
    .$narrowType<{ failingSince: Temporal.Instant }>()
    .execute();
}

export type UnreachedStore = { storeId: string; storeName: string; channels: string[] };

/** Stores that are on sale for live keys although each of their channels fails, or is a console that nobody has open. */
export async function listUnreachedStores(sql: Sql, now: Temporal.Instant, limit: number): Promise<UnreachedStore[]> {
  const { rows } = await raw<UnreachedStore>`
    select s.store_id, s.profile->>'name' as store_name, live.channels
    from (select store_id, array_agg(channel order by channel) as channels from store_channels group by store_id) as live
    join stores as s on s.store_id = live.store_id
    where s.has_channel and s.merged_into is null and not exists (
      select 1 from store_channels as c
      where c.store_id = s.store_id and c.failing_since is null and not (c.channel = 'printer' and c.print_at = 'confirmed')
        and (c.channel <> 'console' or exists (
          select 1 from console_sessions as e
          where e.store_id = c.store_id and e.revoked_at is null and e.expires_at > ${instantParam(now)})))
    order by s.store_id limit ${limit}`.execute(sql);
  return rows;
}

export type SilentStore = { storeId: string; storeName: string; offeredSince: Temporal.Instant };

/**
 * Stores that were offered live orders and have never acknowledged one. Scalar subqueries keep the plan to the index of each
 * store's own orders, and end at the first acknowledged one.
 */
export async function listSilentStores(sql: Sql, limit: number): Promise<SilentStore[]> {
  const offers = raw`orders as o join store_notices as n on n.order_id = o.order_id and n.kind = 'offered'
    where o.store_id = live.store_id and o.mode = 'live' and o.placed_at is not null`;
  const { rows } = await raw<SilentStore>`
    with silent as materialized (
      select live.store_id, (select min(n.created_at) from ${offers}) as offered_since
      from (select distinct store_id from store_channels) as live
      where (select true from ${offers} and n.state = 'acknowledged' limit 1) is null
        and (select true from ${offers} limit 1)
    )
    select s.store_id, s.profile->>'name' as store_name, silent.offered_since
    from silent join stores as s on s.store_id = silent.store_id
    where s.auto_confirm_minutes is null
    order by silent.offered_since limit ${limit}`.execute(sql);
  return rows;
}

export type FailingEndpoint = {
  accountId: string;
  accountName: string;
  mode: 'sandbox' | 'live';
  enabled: boolean;
  failingSince: Temporal.Instant | null;
};

/** The webhook endpoints that fail or were switched off; an account has two at most. */
export async function listFailingEndpoints(sql: Sql, limit: number): Promise<FailingEndpoint[]> {
  return sql
    .selectFrom('webhookEndpoints as e')
    .innerJoin('accounts as a', 'a.accountId', 'e.accountId')
    .select(['e.accountId', 'a.name as accountName', 'e.mode', 'e.enabled', 'e.failingSince'])
    .where((eb) => eb.or([eb('e.failingSince', 'is not', null), eb('e.enabled', '=', false)]))
    .orderBy('e.failingSince')
    .orderBy('e.accountId')
    .limit(limit)
    .execute();
}

export type DatabaseHealth = {
  migrations: number;
  lastMigration: string;
  migratedAt: Temporal.Instant;
  bytes: number;
  connections: number;
  maxConnections: number;
};

export async function readDatabaseHealth(sql: Sql): Promise<DatabaseHealth | undefined> {
  const { rows } = await raw<DatabaseHealth>`
    select (select count(*) from migrations)::int as migrations, m.name as last_migration, m.applied_at as migrated_at,
      pg_database_size(current_database()) as bytes,
      (select count(*) from pg_stat_activity where datname = current_database())::int as connections,
      current_setting('max_connections')::int as max_connections
    from migrations as m order by m.name desc limit 1`.execute(sql);
  return rows[0];
}
