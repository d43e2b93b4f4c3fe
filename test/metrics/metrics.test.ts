import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql as raw } from 'kysely';
import { describeSlots } from '../../src/app/cli/workers/run-workers.ts';
import { RESOLVE_CHARGE } from '../../src/ordering/order/dispatch-events.flow.ts';
import type { Sql } from '../../src/platform/db/connect.ts';
import { readJobAges, readQueueAges } from '../../src/surfaces/operator/health.db.ts';
import type { App } from '../harness.ts';
import { textOf } from '../source-files.ts';
import { until } from '../until.ts';
import {
  CONFIRMED_AFTER_S,
  givenMeasuredShop,
  JOB_STARTS_S,
  LATE_S,
  letClockAloneGoOn,
  scrape,
} from './measured-shop.ts';
import { type ScrapedMetric, scrapedMetrics } from './scraped-metrics.ts';

let app: App;
let metrics: Map<string, ScrapedMetric>;
before(async () => {
  app = await givenMeasuredShop();
  metrics = await scrape(app);
});
after(() => app.close());

const own = () => [...metrics].filter(([name]) => name.startsWith('doorstep_'));
function sumOf(name: string, labels: Record<string, string> = {}): number {
  const series = metrics.get(name.replace(/_(count|sum|bucket)$/, ''))?.series ?? metrics.get(name)?.series ?? [];
  return series
    .filter((each) => each.name === name)
    .filter((each) => Object.entries(labels).every(([label, value]) => each.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}

test('docs/monitoring.md describes every metric with its type and its labels, and no other', () => {
  const workers = scrapedMetrics(describeSlots([{ number: 1, starts: 1 }] as never, new Set([1])));
  const found = [...own(), ...workers].map(([name, { type, series }]) => ({
    name,
    type,
    labels: [...new Set(series.flatMap(({ labels }) => Object.keys(labels)))].filter((label) => label !== 'le').sort(),
  }));
  const byName = <Row extends { name: string }>(rows: Row[]) => rows.sort((a, b) => (a.name < b.name ? -1 : 1));
  assert.deepEqual(byName(describedMetrics()), byName(found));
});

test('every metric has a help text, counters end with _total, and no label carries an id or a name of Prometheus', () => {
  const ids = /^(?:acc|ord|sto|pm|key)_|[0-9a-f]{8}-[0-9a-f]{4}|\d{6}/;
  for (const [name, { type, help, series }] of own()) {
    assert.ok(help.length > 10, `${name} has no help`);
    assert.equal(name.endsWith('_total'), type === 'counter', `${name} is a ${type}`);
    assert.doesNotMatch(name, /_(ms|millis|milliseconds|minutes|kb|mb|cents)(_|$)/);
    for (const { labels } of series)
      for (const [label, value] of Object.entries(labels)) {
        if (label === 'le' || label === 'commit') continue;
        assert.ok(label !== 'job' && label !== 'instance', `${name} ${label}`);
        assert.doesNotMatch(value, ids, `${name} ${label}`);
        assert.ok(!value.includes(app.accountId), `${name} ${label}`);
      }
  }
});

test('orders are counted by event, and by the mode of their key and their own', () => {
  const labels = { key_mode: 'sandbox', mode: 'delivery' };
  const counted = ['placed', 'confirmed', 'driver_assigned', 'picked_up', 'completed', 'canceled', 'refunded'].map(
    (type) => [type, sumOf('doorstep_order_events_total', { ...labels, type })],
  );
  assert.deepEqual(Object.fromEntries(counted), {
    placed: 2,
    confirmed: 1,
    driver_assigned: 1,
    picked_up: 1,
    completed: 1,
    canceled: 1,
    refunded: 1,
  });
  assert.equal(sumOf('doorstep_order_cancelations_total', { reason: 'canceled_by_store' }), 1);
});

test('the time until a store has confirmed is measured from the offer', () => {
  const labels = { key_mode: 'sandbox' };
  assert.equal(sumOf('doorstep_order_confirm_seconds_count', labels), 1);
  const seconds = sumOf('doorstep_order_confirm_seconds_sum', labels);
  // The test clock advances a second per round of jobs.
  assert.ok(seconds >= CONFIRMED_AFTER_S && seconds < CONFIRMED_AFTER_S + 60, `${seconds} s`);
});

test('a declined card is counted by its code and the mode of the key', () => {
  assert.equal(sumOf('doorstep_http_problems_total', { code: 'payment_declined', key_mode: 'sandbox' }), 1);
});

test('a due job is measured by its kind', () => {
  assert.equal(sumOf('doorstep_job_due', { kind: RESOLVE_CHARGE.name }), 1);
  assert.equal(sumOf('doorstep_job_age_seconds', { kind: RESOLVE_CHARGE.name }), LATE_S - JOB_STARTS_S);
});

test('an account without budget is counted by budget, without its id', () => {
  assert.equal(sumOf('doorstep_budgets_used_up', { budget: 'sms', key_mode: 'live' }), 1);
});

test('the index, the pool and the database are measured', () => {
  assert.equal(sumOf('doorstep_database_up'), 1);
  assert.equal(sumOf('doorstep_search_loaded'), 1);
  assert.equal(sumOf('doorstep_search_stores', { kind: 'listed' }), 1);
  assert.equal(sumOf('doorstep_search_absent_stores'), 0);
  assert.ok(metrics.get('doorstep_search_lag_seconds')?.series.length === 1);
  assert.equal(sumOf('doorstep_database_connections_max'), 16);
  assert.ok(sumOf('doorstep_database_connections') >= 1);
  assert.equal(sumOf('doorstep_database_waiting'), 0);
});

test('a reading of the queues touches no row of an order that has ended', async () => {
  const { db } = app.service.deps;
  const touched = await db.transaction().execute(async (tx) => {
    // The test tables are so small that PostgreSQL would prefer sequential scans.
    await raw`set local enable_seqscan = off`.execute(tx);
    // The counts include the connection's earlier reads.
    const before = await countTouched(tx);
    await readQueueAges(tx, app.service.deps.clock.now());
    await readJobAges(tx, app.service.deps.clock.now());
    const after = await countTouched(tx);
    return after.map(({ table, scans, rows }, nth) => ({
      table,
      isScanned: scans > (before[nth]?.scans ?? 0),
      rows: rows - (before[nth]?.rows ?? 0),
    }));
  });
  assert.deepEqual(
    touched,
    ['messages', 'order_events', 'orders'].map((table) => ({ table, isScanned: true, rows: 0 })),
  );
});

/** PostgreSQL's own counts of what this connection touched in the test tables. */
async function countTouched(sql: Sql): Promise<{ table: string; scans: number; rows: number }[]> {
  const { rows } = await raw<{ table: string; scans: number; rows: number }>`
    select relname as table, (seq_scan + idx_scan)::int as scans, (seq_tup_read + idx_tup_fetch)::int as rows
    from pg_stat_xact_user_tables where schemaname = current_schema() and relname in ('orders', 'order_events', 'messages')
    order by relname`.execute(sql);
  return rows;
}

test("a queue's age is how long its oldest row has been due, queried once in five seconds", async () => {
  const { db } = app.service.deps;
  const ageOf = () => [sumOf('doorstep_queue_due', { queue: 'order_events' }), sumOf('doorstep_queue_age_seconds')];
  assert.deepEqual(ageOf(), [0, 0]);
  const stuck = await db.selectFrom('orderEvents').select(['orderId', 'sequence', 'at']).executeTakeFirstOrThrow();
  await db
    .updateTable('orderEvents')
    .set({ dispatched: false })
    .where('orderId', '=', stuck.orderId)
    .where('sequence', '=', stuck.sequence)
    .execute();
  metrics = await scrape(app);
  assert.deepEqual(ageOf(), [0, 0]);
  const later = letClockAloneGoOn(app, 6);
  await until('the age is read again', async () => {
    metrics = await scrape(app);
    return sumOf('doorstep_queue_due', { queue: 'order_events' }) === 1;
  });
  const seconds = stuck.at.until(later).total('seconds');
  assert.equal(sumOf('doorstep_queue_age_seconds', { queue: 'order_events' }), seconds);
});

type DescribedMetric = { name: string; type: string; labels: string[] };

const ROW = /^\| `(doorstep_\w+)` \| (counter|gauge|histogram) \|([^|]*)\| [^|]+ \|$/gm;

function describedMetrics(): DescribedMetric[] {
  const section = textOf('docs/monitoring.md').split(/^#+ Metrics$/m)[1] ?? '';
  return [...(section.split(/^#+ /m)[0]?.matchAll(ROW) ?? [])].map(([, name = '', type = '', labels = '']) => ({
    name,
    type,
    labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label).sort(),
  }));
}
