import { setTimeout as delay } from 'node:timers/promises';
import { budgetDay } from '../../access/budgets/budget.ts';
import type { GaugeValue } from '../../platform/lib/metrics.ts';
import { countUsedUpBudgets, type QueueAge, readJobAges, readQueueAges } from '../../surfaces/operator/health.db.ts';
import type { Deps } from './deps.ts';

/** Minimum interval in seconds between reads of the database for `/metrics`. */
const READ_INTERVAL_S = 5;
/** Maximum age in seconds of values reported during a database outage. */
const MAX_STALE_S = 60;
/** Time limit of a scrape's database read, shorter than a worker's limit for a scrape of all workers. */
const WAIT_MS = 1000;
/** Maximum rows of today's budgets that are examined. */
const MAX_BUDGET_ROWS = 100_000;

type Numbers = {
  queues: QueueAge[];
  jobs: QueueAge[];
  budgets: Awaited<ReturnType<typeof countUsedUpBudgets>>;
};
type DatabaseReading = { at: Temporal.Instant; numbers: Numbers };
type DatabaseMetricsDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'metrics' | 'peers'>;

/** Metrics that a scrape reads from the database. One worker reads them, because they are the same for all. */
export function measureDatabase({ db, clock, config, metrics, peers }: DatabaseMetricsDeps): void {
  if (peers.number !== 1) return;
  const read = sharedReads(clock, async (now) => {
    const budgets = { day: budgetDay(now), defaults: config.dailyBudgets, limit: MAX_BUDGET_ROWS };
    // Reads one after the other, so that a scrape uses one connection of the pool.
    const queues = await readQueueAges(db, now);
    const jobs = await readJobAges(db, now);
    return { queues, jobs, budgets: await countUsedUpBudgets(db, budgets) };
  });
  const measuredSeries = <Label extends string>(rows: (read: DatabaseReading) => readonly GaugeValue<Label>[]) => {
    return async () => {
      const { latest } = await read();
      return latest ? rows(latest) : [];
    };
  };
  metrics.gauges(
    {
      name: 'doorstep_database_up',
      help: 'Whether the database answered the last statements of /metrics.',
      labels: [],
    },
    async () => [{ labels: {}, value: (await read()).isUp ? 1 : 0 }],
  );
  measureAges(metrics, 'queue', measuredSeries);
  measureAges(metrics, 'job', measuredSeries);
  metrics.gauges(
    {
      name: 'doorstep_budgets_used_up',
      help: 'Accounts that have used up a budget of the day, by budget and mode of the key.',
      labels: ['budget', 'key_mode'],
    },
    measuredSeries(({ numbers }) =>
      numbers.budgets.map(({ kind, mode, accounts }) => ({
        labels: { budget: kind, key_mode: mode },
        value: accounts,
      })),
    ),
  );
}

type SeriesOf = <Label extends string>(
  rows: (read: DatabaseReading) => readonly GaugeValue<Label>[],
) => () => Promise<readonly GaugeValue<Label>[]>;

/** Number and age of due rows. The kind of job is `kind`, because Prometheus itself has a label `job`. */
const AGES = {
  queue: { label: 'queue', what: 'Rows of a queue', rows: ({ numbers }: DatabaseReading) => numbers.queues },
  job: { label: 'kind', what: 'Background jobs of a kind', rows: ({ numbers }: DatabaseReading) => numbers.jobs },
} as const;

function measureAges(metrics: DatabaseMetricsDeps['metrics'], of: keyof typeof AGES, seriesOf: SeriesOf): void {
  const { label, what, rows } = AGES[of];
  const seriesLabels = (value: string) => ({ [label]: value }) as Readonly<Record<typeof label, string>>;
  metrics.gauges(
    { name: `doorstep_${of}_due`, help: `${what} that are due, counted up to 1000.`, labels: [label] },
    seriesOf((read) => rows(read).map(({ queue, due }) => ({ labels: seriesLabels(queue), value: due }))),
  );
  metrics.gauges(
    {
      name: `doorstep_${of}_age_seconds`,
      help: `For how long the longest waiting is due: ${what}.`,
      labels: [label],
    },
    seriesOf((read) =>
      rows(read).map(({ queue, dueSince }) => ({
        labels: seriesLabels(queue),
        value: dueSince ? Math.max(0, dueSince.until(read.at).total('seconds')) : 0,
      })),
    ),
  );
}

/** Shares one reading between the gauges of a scrape, and between scrapes within seconds. */
function sharedReads(
  clock: Deps['clock'],
  readNumbers: (now: Temporal.Instant) => Promise<Numbers>,
): () => Promise<{ isUp: boolean; latest: DatabaseReading | undefined }> {
  let latest: DatabaseReading | undefined;
  let isUp = false;
  let triedAt: Temporal.Instant | undefined;
  let running: Promise<void> | undefined;
  const secondsBetween = (at: Temporal.Instant, now: Temporal.Instant) => Math.abs(at.until(now).total('seconds'));

  async function readAgain(at: Temporal.Instant): Promise<void> {
    try {
      latest = { at, numbers: await readNumbers(at) };
      isUp = true;
    } catch {
      isUp = false;
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
    if (running) await Promise.race([running, delay(WAIT_MS, undefined, { ref: false })]);
    return { isUp, latest: latest && secondsBetween(latest.at, now) <= MAX_STALE_S ? latest : undefined };
  };
}
