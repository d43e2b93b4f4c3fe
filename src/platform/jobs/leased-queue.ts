import type { Logger } from 'pino';
import type { Sql } from '../db/connect.ts';
import { runPrepared } from '../db/hot-statement.ts';
import { causeOf, isDatabaseUnavailable } from '../db/is-database-unavailable.ts';
import type { Clock } from '../lib/clock.ts';
import type { Limiter, TakeLimits } from './owner-limiter.ts';

/*
 * Leased queues (jobs, webhook calls, emails, SMS, store notices, courier calls): a due row is leased with SKIP LOCKED,
 * worked on outside a transaction, then recorded. Expired leases and failures are due again: at least once.
 * A `Limiter` shares the node among owners.
 */

/** A queue's table. Conditions are SQL; `q` is a row of the table and `w` its owner. */
export type QueueTable = {
  table: string;
  key: readonly string[];
  /** The owner's columns, which lead the queue's index. The owner's name is their values, joined by spaces. */
  owner: readonly string[];
  /** SQL condition of rows that wait for work, and of the queue's partial index. */
  waits: string;
  /** Column with the time when the row is due; last in the index. */
  dueAt: string;
  /** Further SQL condition for work on a due row to start. */
  mayStart?: string;
  /** Seconds, as a number or SQL. Must exceed the duration of the work, or the item is leased twice. */
  leaseSeconds: number | string;
  onLease?: string;
  columns: string;
  join?: { table: string; on: string };
};

export type QueueWork<Item> = {
  name: string;
  db: Sql;
  clock: Clock;
  log: Logger;
  table: QueueTable;
  limiter: Limiter;
  ownerOf(item: Item): string;
  /** Works on one item and records the outcome. An item without a recorded outcome is due again after its lease. */
  work(item: Item): Promise<unknown>;
};

/** A queue on one node. Each finished item makes room at once: the queue drains as fast as the receiver allows. */
export class LeasedQueue<Item = unknown> {
  readonly name: string;
  private readonly queue: QueueWork<Item>;
  private readonly running = new Set<Promise<void>>();
  /** Single-flight: two concurrent leases would count the same free slots twice. */
  private leasing: Promise<number> | undefined;
  private isIdling = false;

  constructor(queue: QueueWork<Item>) {
    this.name = queue.name;
    this.queue = queue;
  }

  get runningCount(): number {
    return this.running.size;
  }

  /** Leases due rows within the limits, starts work on them without awaiting it, and returns their number. */
  runOnce(): Promise<number> {
    this.leasing ??= this.leaseAndStart().finally(() => {
      this.leasing = undefined;
    });
    return this.leasing;
  }

  /** Checks the queue now. */
  wake(): void {
    this.runOnce().catch(this.logLeaseFailure);
  }

  /** Resolves once all started work has ended; until then no new work starts. */
  async idle(): Promise<void> {
    this.isIdling = true;
    await this.leasing?.catch(this.logLeaseFailure);
    while (this.running.size > 0) await Promise.all(this.running);
    this.isIdling = false;
  }

  private async leaseAndStart(): Promise<number> {
    const { queue } = this;
    const { free, others } = queue.limiter;
    const limits = { free, others, allowances: queue.limiter.allowances() };
    const items = limits.free > 0 ? await leaseDue<Item>(queue.db, queue.table, limits, queue.clock.now()) : [];
    for (const item of items) this.start(item);
    return items.length;
  }

  private start(item: Item): void {
    const task = this.workOn(item).finally(() => this.running.delete(task));
    this.running.add(task);
  }

  private async workOn(item: Item): Promise<void> {
    const owner = this.queue.ownerOf(item);
    const startedMs = performance.now();
    this.queue.limiter.started(owner);
    await this.queue.work(item).catch(this.logFailure);
    this.queue.limiter.ended(owner, performance.now() - startedMs);
    // A lease in progress has not yet counted the slot that this item freed.
    await this.leasing?.catch(this.logLeaseFailure);
    if (!this.isIdling) this.wake();
  }

  private readonly logLeaseFailure = (error: unknown): void => {
    // The loop that runs the queue logs an outage once.
    if (!isDatabaseUnavailable(error)) this.logFailure(error);
  };

  /** Every failure is logged: its item may have been sent and will be sent again. */
  private readonly logFailure = (error: unknown): void => {
    this.queue.log.warn({ ...causeOf(error), queue: this.name }, 'a queue failed; trying again');
  };
}

/**
 * Leases due rows within each owner's allowance: the first row of every owner before the second of any, running rows
 * counted, then by longest wait.
 */
export async function leaseDue<Item>(
  sql: Sql,
  table: QueueTable,
  { free, allowances, others }: TakeLimits,
  now: Temporal.Instant,
): Promise<Item[]> {
  const owners = allowances.map(({ owner }) => owner);
  const calls = allowances.map(({ calls }) => calls);
  const running = allowances.map(({ running }) => running);
  const { rows } = await runPrepared<Item>(sql, leaseText(table), [
    now.toString(),
    owners,
    calls,
    running,
    others,
    free,
  ]);
  return rows;
}

/**
 * Writes the statement of a lease. It skips through the index from owner to owner, so a long queue costs the others
 * nothing. $1 now; $2, $3, $4 known owners, allowances, running rows; $5 default allowance; $6 row limit.
 */
function leaseText({ table, key, owner, waits, dueAt, mayStart, leaseSeconds, onLease, columns, join }: QueueTable) {
  const list = (row: string, names: readonly string[]) => names.map((name) => `${row}.${name}`).join(', ');
  const tuple = (row: string, names: readonly string[]) => `(${list(row, names)})`;
  const isDue = `${waits} and q.${dueAt} <= $1::timestamptz and (q.leased_until is null or q.leased_until <= $1::timestamptz)`;
  return `
    with recursive waiting (${owner.join(', ')}) as (
      (select ${list('q', owner)} from ${table} as q where ${waits} order by ${list('q', owner)} limit 1)
      union all
      select next.* from waiting as w cross join lateral (
        select ${list('q', owner)} from ${table} as q where ${waits} and ${tuple('q', owner)} > ${tuple('w', owner)}
        order by ${list('q', owner)} limit 1
      ) as next
    ), due as (
      select d.* from waiting as w
      left join unnest((select $2::text[]), (select $3::int[]), (select $4::int[])) as known (owner, calls, running)
        on known.owner = concat_ws(' ', ${list('w', owner)})
      cross join lateral (
        select first.*, row_number() over (order by first.due_at) + coalesce(known.running, 0) as position from (
          select ${list('q', key)}, q.${dueAt} as due_at from ${table} as q
          where ${tuple('q', owner)} = ${tuple('w', owner)} and ${isDue}${mayStart ? ` and ${mayStart}` : ''}
          order by q.${dueAt} limit coalesce(known.calls, $5::int)
        ) as first
      ) as d
      order by d.position, d.due_at limit $6::int
    ), free as (
      select ${list('q', key)} from ${table} as q join due on ${tuple('due', key)} = ${tuple('q', key)}
      where ${isDue} for update of q skip locked
    )
    update ${table} as q
    set leased_until = $1::timestamptz + make_interval(secs => ${leaseSeconds})${onLease ? `, ${onLease}` : ''}
    from free${join ? `, ${join.table}` : ''}
    where ${tuple('q', key)} = ${tuple('free', key)}${join ? ` and ${join.on}` : ''}
    returning ${columns}`;
}
