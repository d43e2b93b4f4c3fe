import { setTimeout as delay } from 'node:timers/promises';
import { budgetDay } from '../../access/budgets/budget.ts';
import type { WaitingEvent } from '../../ordering/order/order-events.db.ts';
import { RetryLog } from '../../platform/db/is-database-unavailable.ts';
import type { Metrics, Series } from '../../platform/lib/metrics.ts';
import { countOpenAlerts } from '../../surfaces/operator/alerts/alerts.db.ts';
import { ALERT_KINDS } from '../../surfaces/operator/alerts/alerts.ts';
import { readHealthFacts } from '../../surfaces/operator/conditions.db.ts';
import {
  CONDITION_KEYS,
  CONDITIONS,
  type HealthCondition,
  type HealthFacts,
  judgeConditions,
} from '../../surfaces/operator/conditions.ts';
import { countUsedUpBudgets, type QueueAge, readJobAges, readQueueAges } from '../../surfaces/operator/health.db.ts';
import type { Deps } from './deps.ts';

/** The metrics of the database, of the process with its search index, and of orders. Those of requests are in `app.ts`. */

/** Minimum interval in seconds between reads of the database for `/metrics`. */
const READ_INTERVAL_S = 5;
/** Maximum age in seconds of values reported during a database outage. */
const MAX_STALE_S = 60;
/** Time limit of a scrape's database read, shorter than a worker's limit for a scrape of all workers. */
const SCRAPE_READ_TIMEOUT_MS = 1000;
/** Maximum examined rows of today's budgets. */
const MAX_BUDGET_ROWS = 100_000;

type Numbers = {
  queues: QueueAge[];
  jobs: QueueAge[];
  budgets: Awaited<ReturnType<typeof countUsedUpBudgets>>;
  alerts: Awaited<ReturnType<typeof countOpenAlerts>>;
  health: HealthFacts;
};
type DatabaseReading = { at: Temporal.Instant; numbers: Numbers };
type DatabaseMetricsDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'config' | 'metrics' | 'peers' | 'quietBecause'>;

/** Registers metrics that a scrape reads from the database. One worker reads them, because all have the same. */
export function measureDatabase(deps: DatabaseMetricsDeps): void {
  const { db, clock, log, config, metrics, peers, quietBecause } = deps;
  if (peers.number !== 1) return;
  const read = sharedReads({ clock, log }, async (now) => {
    const budgets = { day: budgetDay(now), defaults: config.dailyBudgets, limit: MAX_BUDGET_ROWS };
    // Reads one after the other, so that a scrape uses one connection of the pool.
    const queues = await readQueueAges(db, now);
    const jobs = await readJobAges(db, now);
    const health = await readHealthFacts(db, {
      quiet: quietBecause,
      settingWarnings: config.warnings.map(({ text }) => text),
    });
    const alerts = await countOpenAlerts(db);
    return { queues, jobs, health, alerts, budgets: await countUsedUpBudgets(db, budgets) };
  });
  const measuredSeries: SeriesOf = (rows) => async () => {
    const { latest } = await read();
    return latest ? rows(latest) : [];
  };
  metrics.gauge('doorstep_database_up', 'Whether the database answered the last statements of /metrics.', async () =>
    (await read()).isUp ? 1 : 0,
  );
  measureAges(metrics, 'queue', measuredSeries);
  measureAges(metrics, 'job', measuredSeries);
  measureAlerts(metrics, measuredSeries);
  measureConditions(metrics, measuredSeries);
  metrics.gauges(
    'doorstep_budgets_used_up',
    'Accounts that have used up a daily budget, by budget and key mode.',
    ['budget', 'key_mode'],
    measuredSeries(({ numbers }) => numbers.budgets.map(({ kind, mode, accounts }) => [kind, mode, accounts])),
  );
}

/** Measures the service's own open alerts (docs/operator-dashboard.md#alerts), for teams that page by Prometheus. */
function measureAlerts(metrics: Metrics, seriesOf: SeriesOf): void {
  const openAlerts = seriesOf(({ numbers: { alerts } }) => ALERT_KINDS.map((kind) => [kind, alerts.get(kind) ?? 0]));
  metrics.gauges('doorstep_alerts_open', 'Open alerts to operators, by kind.', ['kind'], openAlerts);
}

/** Measures the conditions of health, and the numbers behind them. */
function measureConditions(metrics: Metrics, seriesOf: SeriesOf): void {
  const faults = ({ numbers }: DatabaseReading) =>
    judgeConditions(numbers.health).map(({ key, fault }): [string, number] => [key, fault === undefined ? 0 : 1]);
  const help = 'Whether a health condition currently applies, by condition.';
  metrics.gauges('doorstep_condition', help, ['condition'], seriesOf(faults));
  for (const { gauge } of CONDITION_KEYS.map((key): HealthCondition => CONDITIONS[key])) {
    if (!gauge) continue;
    const measured = ({ numbers }: DatabaseReading): Series => {
      const value = gauge.value(numbers.health);
      return value === undefined ? [] : [[value]];
    };
    metrics.gauges(gauge.name, gauge.help, [], seriesOf(measured));
  }
}

type SeriesOf = (rows: (read: DatabaseReading) => Series) => () => Promise<Series>;

/** Number and age of due rows. The kind of job is `kind`, because Prometheus itself has a label `job`. */
const AGES = {
  queue: { label: 'queue', what: 'Rows of a queue', rows: ({ numbers }: DatabaseReading) => numbers.queues },
  job: { label: 'kind', what: 'Background jobs of a kind', rows: ({ numbers }: DatabaseReading) => numbers.jobs },
} as const;

function measureAges(metrics: DatabaseMetricsDeps['metrics'], of: keyof typeof AGES, seriesOf: SeriesOf): void {
  const { label, what, rows } = AGES[of];
  metrics.gauges(
    `doorstep_${of}_due`,
    `${what} that are due, counted up to 1000.`,
    [label],
    seriesOf((read) => rows(read).map(({ queue, due }) => [queue, due])),
  );
  const secondsTo = (now: Temporal.Instant, since: Temporal.Instant | null) =>
    since ? Math.max(0, since.until(now).total('seconds')) : 0;
  metrics.gauges(
    `doorstep_${of}_age_seconds`,
    `How long the longest-waiting item has been due: ${what}.`,
    [label],
    seriesOf((read) => rows(read).map(({ queue, dueSince }) => [queue, secondsTo(read.at, dueSince)])),
  );
}

/** Shares one reading between the gauges of a scrape, and between scrapes within seconds. */
function sharedReads(
  { clock, log }: Pick<Deps, 'clock' | 'log'>,
  readNumbers: (now: Temporal.Instant) => Promise<Numbers>,
): () => Promise<{ isUp: boolean; latest: DatabaseReading | undefined }> {
  let latest: DatabaseReading | undefined;
  let isUp = false;
  let triedAt: Temporal.Instant | undefined;
  let running: Promise<void> | undefined;
  const retryLog = new RetryLog(log, 'the numbers of /metrics could not be read');
  const secondsBetween = (at: Temporal.Instant, now: Temporal.Instant) => Math.abs(at.until(now).total('seconds'));

  async function readAgain(at: Temporal.Instant): Promise<void> {
    try {
      latest = { at, numbers: await readNumbers(at) };
      isUp = true;
      retryLog.worked();
    } catch (error) {
      isUp = false;
      retryLog.failed(error);
    } finally {
      running = undefined;
    }
  }

  return async () => {
    const now = clock.now();
    if (!running && (!triedAt || secondsBetween(triedAt, now) >= READ_INTERVAL_S)) {
      triedAt = now;
      running = readAgain(now);
    }
    if (running) await Promise.race([running, delay(SCRAPE_READ_TIMEOUT_MS, undefined, { ref: false })]);
    return { isUp, latest: latest && secondsBetween(latest.at, now) <= MAX_STALE_S ? latest : undefined };
  };
}

type MemoryMetricsDeps = Pick<
  Deps,
  'metrics' | 'clockWatch' | 'connectionUse' | 'search' | 'storeFeed' | 'productIndexes'
>;

/** Registers metrics of the process: its clock, its connections and, if it answers searches, its index. */
export function measureMemory(deps: MemoryMetricsDeps, { isSearching }: { isSearching: boolean }): void {
  const { metrics, connectionUse, clockWatch } = deps;
  metrics.gauge(
    'doorstep_clock_difference_seconds',
    "Seconds that the machine's clock is ahead of the database's. Negative if it is behind.",
    () => clockWatch.aheadS,
  );
  metrics.gauges(
    'doorstep_database_connections',
    "Connections of the process's pool to the database, by state.",
    ['state'],
    () => {
      const { busy, idle } = connectionUse();
      return { busy, idle };
    },
  );
  metrics.gauge('doorstep_database_connections_max', 'Connections that the pool may open.', () => connectionUse().max);
  metrics.gauge(
    'doorstep_database_waiting',
    'Statements and transactions that wait for a connection.',
    () => connectionUse().waiting,
  );
  if (isSearching) measureIndex(deps);
}

function measureIndex({ metrics, search, storeFeed, productIndexes }: MemoryMetricsDeps): void {
  metrics.gauge('doorstep_search_loaded', 'Whether the search index has every store.', () =>
    storeFeed.isLoaded ? 1 : 0,
  );
  metrics.gauges('doorstep_search_stores', 'Listed stores of the search index, by kind.', ['kind'], () => {
    const { stores, sellers } = search.count();
    return { listed: stores, with_catalog: sellers };
  });
  metrics.gauges(
    'doorstep_search_absent_stores',
    "Listed stores missing from search, because they can't be converted or until it has been reloaded.",
    ['reason'],
    () => ({ unconvertible: storeFeed.leftOut, missing: storeFeed.missing }),
  );
  metrics.gauge(
    'doorstep_search_document_bytes',
    'Bytes of the documents of stores in the search index.',
    () => search.documentBytes,
  );
  metrics.gauge('doorstep_search_lag_seconds', 'Age of the last change included in search, about a second.', () =>
    storeFeed.lagSeconds(),
  );
  metrics.gauge('doorstep_product_indexes', 'Product indexes in memory.', () => productIndexes.indexCount);
  metrics.gauge('doorstep_product_index_products', 'Products in memory.', () => productIndexes.productCount);
}

/** Buckets in seconds: from an automatic confirmation to half an hour, when few customers still wait. */
const CONFIRM_BUCKETS = [5, 15, 30, 60, 120, 180, 300, 600, 900, 1800];
/** Reasons that the service itself writes. Texts of accounts and stores must not become labels. */
export const KNOWN_REASONS: ReadonlySet<string> = new Set([
  'store_did_not_confirm',
  'courier_gave_up',
  'not_placed_in_time',
  'payment_failed',
  'out_of_stock',
  'canceled_by_store',
]);

/**
 * Counts order events when they are dispatched, so that each counts once over all nodes. A worker that dies right after
 * the commit leaves one batch uncounted.
 */
export function countOrderEvents(metrics: Metrics): (events: readonly WaitingEvent[]) => void {
  const count = metrics.countBy({
    name: 'doorstep_order_events_total',
    help: 'Order events, by type, key mode and order mode.',
    labels: ['type', 'key_mode', 'mode'],
  });
  const cancel = metrics.countBy({
    name: 'doorstep_order_cancelations_total',
    help: 'Canceled orders, by reason (other: text from an account, a store or an operator) and key mode.',
    labels: ['reason', 'key_mode'],
  });
  const confirm = metrics.histogram({
    name: 'doorstep_order_confirm_seconds',
    help: 'Time from sending an order to its store until its confirmation, by key mode.',
    labels: ['key_mode'],
    buckets: CONFIRM_BUCKETS,
  });
  return (events) => {
    for (const event of events) {
      const { type, mode: key_mode, orderMode, offerAt, at } = event;
      count({ type: type.slice('order.'.length), key_mode, mode: orderMode });
      if (type === 'order.confirmed') confirm({ key_mode }, Math.max(0, offerAt.until(at).total('seconds')));
      if (event.type === 'order.canceled') {
        const { reason } = event.data;
        cancel({ reason: KNOWN_REASONS.has(reason) ? reason : 'other', key_mode });
      }
    }
  };
}
