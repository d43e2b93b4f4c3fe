import { type RawBuilder, sql as raw } from 'kysely';
import { NOTICES } from '../../fulfillment/store-channels/store-notices.db.ts';
import { messagesBy } from '../../notify/messages/messages.db.ts';
import { waitingLetters } from '../../notify/outbox/letters.db.ts';
import { CALLS } from '../../notify/webhooks/calls.db.ts';
import type { BudgetKind } from '../../platform/config/config.ts';
import { instantParam, type Sql } from '../../platform/db/connect.ts';
import type { Country } from '../../supply/stores/store.ts';
import { ALERT_NOTICES } from './alerts/alerts.db.ts';

/** Maximum rows counted per queue; a longer one is reported as `10000 or more`. */
const MAX_COUNTED_ROWS = 10_000;

type QueueHealth = {
  queue: string;
  waiting: number;
  /** Number of waiting rows whose last attempt failed. */
  failing: number;
  /** When the row that has waited longest became due; null if none is due. */
  dueSince: Temporal.Instant | null;
  /** The last error of the failing row that has waited longest. */
  lastError: string | null;
};

type QueueCounts = Omit<QueueHealth, 'queue'>;

/** `rows` selects `due_at` and `last_error` of the waiting rows. */
async function countQueue(sql: Sql, queue: string, rows: RawBuilder<unknown>, now: Temporal.Instant) {
  const { rows: counted } = await raw<QueueCounts>`
    with waiting as (${rows} limit ${MAX_COUNTED_ROWS})
    select count(*)::int as waiting, count(last_error)::int as failing,
      min(due_at) filter (where due_at <= ${instantParam(now)}) as due_since,
      (select w.last_error from waiting as w where w.last_error is not null order by w.due_at limit 1) as last_error
    from waiting`.execute(sql);
  const [first] = counted;
  return { queue, waiting: 0, failing: 0, dueSince: null, lastError: null, ...first };
}

/** The queues of the service's own tables. */
export async function countQueues(sql: Sql, now: Temporal.Instant): Promise<QueueHealth[]> {
  const queues: Record<string, RawBuilder<unknown>> = {
    events: raw`select at as due_at, null as last_error from order_events where not dispatched order by at`,
    'store notices': raw`${waitingLetters(NOTICES)} order by due_at`,
    emails: raw`${waitingLetters(messagesBy('email'))} order by due_at`,
    SMS: raw`${waitingLetters(messagesBy('sms'))} order by due_at`,
    alerts: raw`${waitingLetters(ALERT_NOTICES)} order by due_at`,
    'webhook calls': waitingLetters(CALLS),
    statements: raw`select unwritten_since as due_at, write_error as last_error
      from ledger_orders where unwritten_since is not null order by unwritten_since`,
    'charges and refunds': raw`select started_at as due_at, null as last_error from (
        select charge_started_at as started_at from orders where charge_state = 'pending'
        union all select charge_started_at from orders where charge_state = 'capturing'
        union all select started_at from order_refund_parts where state = 'pending'
        union all select started_at from order_tips where state in ('pending', 'returning')
      ) as moving order by started_at`,
  };
  return Promise.all(Object.entries(queues).map(([queue, rows]) => countQueue(sql, queue, rows, now)));
}

/** Seconds after which a payment that the gateway has not answered counts as stuck. */
const STUCK_PAYMENT_SECONDS = 120;

/** Since when a charge, refund or tip of a live order waits for the gateway's answer for too long; null if none does. */
export async function readStuckPayments(sql: Sql, now: Temporal.Instant): Promise<Temporal.Instant | null> {
  const before = instantParam(now.subtract({ seconds: STUCK_PAYMENT_SECONDS }));
  const { rows } = await raw<{ since: Temporal.Instant | null }>`
    select min(stuck.started_at) as since from (
      select charge_started_at as started_at from orders
        where charge_state = 'pending' and mode = 'live' and charge_started_at <= ${before}
      union all select charge_started_at from orders
        where charge_state = 'capturing' and mode = 'live' and charge_started_at <= ${before}
      union all select p.started_at from order_refund_parts as p
        join order_refunds as r on r.refund_id = p.refund_id join orders as o on o.order_id = r.order_id
        where p.state = 'pending' and o.mode = 'live' and p.started_at <= ${before}
      union all select t.started_at from order_tips as t join orders as o on o.order_id = t.order_id
        where t.state in ('pending', 'returning') and o.mode = 'live' and t.started_at <= ${before}
    ) as stuck`.execute(sql);
  return rows[0]?.since ?? null;
}

type JobHealth = {
  job: string;
  waiting: number;
  retrying: number;
  running: number;
  failed: number;
  dueSince: Temporal.Instant | null;
};

/** Background jobs by kind. */
export async function countJobs(sql: Sql, now: Temporal.Instant): Promise<JobHealth[]> {
  const { rows } = await raw<JobHealth>`
    with counted as (
      select kind, due_at, attempts, failed_at is not null as has_failed,
        failed_at is null and leased_until > ${instantParam(now)} as is_running
      from jobs limit ${MAX_COUNTED_ROWS}
    )
    select kind as job, (count(*) filter (where not has_failed and is_running is not true))::int as waiting,
      (count(*) filter (where not has_failed and is_running is not true and attempts > 0))::int as retrying,
      (count(*) filter (where is_running))::int as running, (count(*) filter (where has_failed))::int as failed,
      min(due_at) filter (where not has_failed and is_running is not true and due_at <= ${instantParam(now)}) as due_since
    from counted group by kind order by kind`.execute(sql);
  return rows;
}

/** Failing store channels, those that have failed longest first. */
export async function listFailingChannels(sql: Sql, limit: number) {
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

/** Whether no channel of a row of `stores` works: each is failing, or is a console that is not open. */
const isUnreached = (now: Temporal.Instant) => raw<boolean>`not exists (
  select 1 from store_channels as c
  where c.store_id = stores.store_id and c.failing_since is null
    and not (c.channel like 'printer%' and c.print_at = 'confirmed')
    and (c.channel <> 'console' or exists (
      select 1 from console_sessions as e
      where e.store_id = c.store_id and e.revoked_at is null and e.expires_at > ${instantParam(now)})))`;

/** Whether a store of the catalog with a menu, on sale or not, has no channel that works. */
export const isUnreachedOffer = (now: Temporal.Instant) =>
  raw<boolean>`listed and has_catalog and merged_into is null and delisted_at is null and ${isUnreached(now)}`;

type UnreachedStore = { storeId: string; storeName: string; channels: string[] };

/** Live stores that cannot receive orders, because every channel fails or is a console that is not open. */
export async function listUnreachedStores(sql: Sql, now: Temporal.Instant, limit: number): Promise<UnreachedStore[]> {
  const { rows } = await raw<UnreachedStore>`
    select stores.store_id, profile->>'name' as store_name, live.channels
    from (select store_id, array_agg(channel order by channel) as channels from store_channels group by store_id) as live
    join stores on stores.store_id = live.store_id
    where has_channel and merged_into is null and delisted_at is null and ${isUnreached(now)}
    order by stores.store_id limit ${limit}`.execute(sql);
  return rows;
}

type NamedStore = { storeId: string; storeName: string };

/** Live stores that have not agreed to be sold, neither by their feed nor to an operator. */
export async function listUnagreedStores(sql: Sql, limit: number): Promise<NamedStore[]> {
  return sql
    .selectFrom('stores')
    .select(['storeId', raw<string>`profile->>'name'`.as('storeName')])
    .where(raw<boolean>`has_channel and listed and merged_into is null and delisted_at is null
      and agreement is null and not profile ? 'agreement'`)
    .orderBy('storeId')
    .limit(limit)
    .execute();
}

type StatewideTaxStore = { storeId: string; storeName: string; country: Country; state: string };

/** Live stores without taxes of their own, which have those of the built-in table. */
export async function listStatewideTaxStores(sql: Sql, limit: number): Promise<StatewideTaxStore[]> {
  const { rows } = await raw<StatewideTaxStore>`
    select s.store_id, s.profile->>'name' as store_name, s.profile->'address'->>'country' as country,
      s.profile->'address'->>'state' as state
    from (select distinct store_id from store_channels) as live join stores as s on s.store_id = live.store_id
    where s.has_channel and s.merged_into is null and s.profile->'fees'->>'taxes' is null
      and s.profile->'fees'->>'salesTaxPercent' is null
    order by s.store_id limit ${limit}`.execute(sql);
  return rows;
}

type SilentStore = { storeId: string; storeName: string; offeredSince: Temporal.Instant };

/**
 * Stores that were offered live orders and never acknowledged one. Scalar subqueries limit the plan to each store's own
 * order index, up to the first acknowledged order.
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

/** Webhook endpoints that fail or were switched off; an account has up to two. */
export async function listFailingEndpoints(sql: Sql, limit: number) {
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

/** An endpoint with so many calls in an hour is judged by them. */
const MIN_JUDGED_CALLS = 10;
const MAX_JUDGED_CALLS = 200;

/** A live endpoint that needs a person, with its calls of the last hour and those of them with a failed attempt. */
type UnreliableEndpoint = { accountId: string; accountName: string; isFailing: boolean; calls: number; failed: number };

/** Live endpoints at which every call has failed for 15 minutes, or half of the calls in an hour. */
export async function listUnreliableEndpoints(sql: Sql, now: Temporal.Instant, limit: number) {
  const failingSince = instantParam(now.subtract({ minutes: 15 }));
  const { rows } = await raw<UnreliableEndpoint>`
    select e.account_id, a.name as account_name, coalesce(e.failing_since <= ${failingSince}, false) as is_failing,
      h.calls, h.failed
    from webhook_endpoints as e join accounts as a on a.account_id = e.account_id
    cross join lateral (
      select count(*)::int as calls,
        (count(*) filter (where c.state <> 'delivered' or c.attempts > c.attempts_before + 1))::int as failed
      from (
        select state, attempts, attempts_before from webhook_calls as w
        where (w.account_id, w.mode) = (e.account_id, e.mode) and w.attempts > w.attempts_before
          and w.created_at > ${instantParam(now.subtract({ hours: 1 }))}
        order by w.created_at desc limit ${MAX_JUDGED_CALLS}
      ) as c
    ) as h
    where e.mode = 'live'
      and (e.failing_since <= ${failingSince} or (h.calls >= ${MIN_JUDGED_CALLS} and h.failed * 2 >= h.calls))
    order by e.account_id limit ${limit}`.execute(sql);
  return rows;
}

type DatabaseHealth = {
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

/** Maximum due rows counted per queue. */
const MAX_DUE_COUNTED = 1000;

/** A queue's due rows, counted up to MAX_DUE_COUNTED, and when the one that has waited longest became due. */
export type QueueAge = { queue: string; due: number; dueSince: Temporal.Instant | null };

/**
 * Due rows of each queue in the service's tables. Every statement reads the start of one partial index, so neither long
 * queues nor long order histories cost more.
 */
export async function readQueueAges(sql: Sql, now: Temporal.Instant): Promise<QueueAge[]> {
  const at = instantParam(now);
  const first = (due: RawBuilder<unknown>) =>
    raw`(select count(*)::int, min(at) from (${due} order by at limit ${MAX_DUE_COUNTED}) as due)`;
  const queues: Record<string, RawBuilder<unknown>> = {
    order_events: raw`select at from order_events where not dispatched and at <= ${at}`,
    messages: raw`select next_attempt_at as at from messages where state = 'pending' and next_attempt_at <= ${at}`,
    webhook_calls: dueCalls(at),
    store_notices: raw`select next_attempt_at as at from store_notices
      where state = 'waiting' and next_attempt_at is not null and next_attempt_at <= ${at}`,
    courier_calls: raw`select next_call_at as at from courier_deliveries
      where next_call_at is not null and next_call_at <= ${at}`,
    charges: raw`select charge_started_at as at from orders where charge_state in ('pending', 'refund_pending')
      union all select charge_started_at from orders where charge_state = 'capturing'`,
    refunds: raw`select started_at as at from order_refund_parts where state = 'pending'`,
    ledgers: raw`select unwritten_since as at from ledger_orders where unwritten_since is not null`,
    tips: raw`select started_at as at from order_tips where state in ('pending', 'returning')`,
    live_orders_awaiting_confirmation: raw`select offer_at as at from orders
      where status = 'awaiting_confirmation' and mode = 'live' and offer_at <= ${at}`,
  };
  const parts = Object.entries(queues).map(
    ([queue, due]) => raw`select ${queue}::text as queue, counted.count as due, counted.min as due_since
      from ${first(due)} as counted`,
  );
  const { rows } = await raw<QueueAge>`${raw.join(parts, raw` union all `)}`.execute(sql);
  return rows;
}

/** Loose index scan: the index leads with the owner, so each recursive step finds the next owner with calls. */
const dueCalls = (at: RawBuilder<unknown>) => raw`
  with recursive waiting (account_id, mode, nth) as (
    (select account_id, mode, 1 from webhook_calls where state = 'pending' order by account_id, mode limit 1)
    union all
    select next.*, w.nth + 1 from waiting as w cross join lateral (
      select c.account_id, c.mode from webhook_calls as c
      where c.state = 'pending' and (c.account_id, c.mode) > (w.account_id, w.mode)
      order by c.account_id, c.mode limit 1
    ) as next where w.nth < ${MAX_DUE_COUNTED}
  )
  select due.at from waiting as w
  join webhook_endpoints as e on e.account_id = w.account_id and e.mode = w.mode and e.enabled
  cross join lateral (
    select c.next_attempt_at as at from webhook_calls as c
    where c.account_id = w.account_id and c.mode = w.mode and c.state = 'pending' and c.next_attempt_at <= ${at}
    order by c.next_attempt_at limit ${MAX_DUE_COUNTED}
  ) as due`;

/** Due jobs of each kind. */
export async function readJobAges(sql: Sql, now: Temporal.Instant): Promise<QueueAge[]> {
  const { rows } = await raw<QueueAge>`
    select kind as queue, count(*)::int as due, min(due_at) as due_since from (
      select kind, due_at from jobs
      where failed_at is null and due_at <= ${instantParam(now)} and (leased_until is null or leased_until <= ${instantParam(now)})
      limit ${MAX_DUE_COUNTED}
    ) as due group by kind`.execute(sql);
  return rows;
}

/** `defaults` are the limits of accounts without their own. */
type BudgetQuestion = { day: string; defaults: Readonly<Record<BudgetKind, number>>; limit: number };
type BudgetUse = { kind: BudgetKind; mode: 'sandbox' | 'live' };
type UsedUpBudget = BudgetUse & { accountId: string; accountName: string; used: number; max: number };

/** Begins a statement with `used_up`: the budgets of the day's rows that are used up. */
const withUsedUp = ({ day, defaults }: BudgetQuestion, maxRows: number | null) => raw`
  with today as (
    select account_id, mode, kind, used, bytes from budget_use where day = ${day}::date limit ${maxRows}::bigint
  ), used as (
    select account_id, mode, kind, used from today
    union all
    select account_id, mode, 'unplaced_bytes', bytes from today where kind = 'unplaced_orders'
  ), used_up as (
    select used.*, coalesce(l.max, d.max) as max from used
    join unnest(${Object.keys(defaults)}::text[], ${Object.values(defaults)}::bigint[]) as d (kind, max)
      on d.kind = used.kind
    left join account_limits as l on l.account_id = used.account_id and l.kind = used.kind
    where used.used >= coalesce(l.max, d.max)
  )`;

/** Daily budgets that are used up, live ones first, by account name. */
export async function listUsedUpBudgets(sql: Sql, question: BudgetQuestion): Promise<UsedUpBudget[]> {
  const { rows } = await raw<UsedUpBudget>`
    ${withUsedUp(question, null)}
    select u.account_id, a.name as account_name, u.mode, u.kind, u.used, u.max
    from used_up as u join accounts as a on a.account_id = u.account_id
    order by u.mode, a.name, u.account_id, u.kind limit ${question.limit}`.execute(sql);
  return rows;
}

/** Number of accounts with a used-up budget today. Examines at most `limit` rows. */
export async function countUsedUpBudgets(sql: Sql, question: BudgetQuestion) {
  const { rows } = await raw<BudgetUse & { accounts: number }>`
    ${withUsedUp(question, question.limit)}
    select kind, mode, count(*)::int as accounts from used_up group by kind, mode`.execute(sql);
  return rows;
}
