import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { parse } from 'yaml';
import { describeSlots } from '../../src/app/cli/workers/run-workers.ts';
import { KNOWN_REASONS } from '../../src/app/wiring/measure-service.ts';
import { REFUSALS } from '../../src/app/wiring/refusals.ts';
import { ORDER_EVENT_TYPES } from '../../src/ordering/order/order-events.ts';
import { textOf } from '../source-files.ts';
import { givenMeasuredShop, scrape } from './measured-shop.ts';
import { type Selector, selectorsOf } from './promql.ts';
import { type ScrapedMetric, scrapedMetrics } from './scraped-metrics.ts';

type Rule = {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
};
type Recorded = { record: string; expr: string };
type Panel = { title: string; type: string; targets?: { expr: string; legendFormat: string }[] };

const ALL_RULES: (Rule | Recorded)[] = parse(textOf('deploy/prometheus/alerts.yaml')).groups.flatMap(
  ({ rules }: { rules: (Rule | Recorded)[] }) => rules,
);
const RULES = ALL_RULES.filter((rule): rule is Rule => 'alert' in rule);
/** Recorded series, by name. */
const RECORDS = new Map(ALL_RULES.flatMap((rule) => ('record' in rule ? [[rule.record, rule.expr] as const] : [])));
const RUNBOOK = 'docs/alerts.md';
/** A service serves this document itself. */
const RUNBOOK_URL = 'https://doorstep.example.com/docs/alerts';
const PANELS: Panel[] = JSON.parse(textOf('deploy/grafana/doorstep.json')).panels;
const CHARTS = PANELS.filter(({ type }) => type !== 'row');

/** Label values that a short test run does not produce. */
const POSSIBLE: Readonly<Record<string, readonly string[]>> = {
  code: [...Object.keys(REFUSALS), 'internal_error'],
  type: ORDER_EVENT_TYPES.map((type) => type.replace('order.', '')),
  reason: [...KNOWN_REASONS, 'other'],
  key_mode: ['live', 'sandbox', '$key_mode'],
  mode: ['delivery', 'pickup'],
  outcome: ['done', 'failed'],
  status: ['500', '503'],
  route: ['/order/finalize', '/search/store/v3', '/search/product/v4', '/search/cart'],
};
/** Labels that Prometheus adds to each series, and the worker label of a multi-worker service. */
const EVERYWHERE = ['instance', 'worker'];

let series: Map<string, ScrapedMetric['series']>;
before(async () => {
  const app = await givenMeasuredShop();
  const metrics = await scrape(app).finally(() => app.close());
  const workers = scrapedMetrics(describeSlots([{ number: 1, starts: 1 }] as never, new Set([1])));
  series = new Map(
    [...metrics, ...workers].flatMap(([name, metric]) =>
      seriesNames(name, metric).map(
        (queried) => [queried, metric.series.filter((each) => each.name === queried)] as const,
      ),
    ),
  );
});

/** Series names of a metric; a histogram has three. */
function seriesNames(name: string, { type }: Pick<ScrapedMetric, 'type'>): string[] {
  return type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
}

/** What a selector queries and the service does not export. */
function faultsOf({ metric, matchers, grouped }: Selector): string[] {
  // Prometheus itself writes `up` for each target of a job.
  if (metric === 'up') return matchers.flatMap(({ label }) => (label === 'job' ? [] : [`up has no label ${label}`]));
  const recorded = RECORDS.get(metric);
  if (recorded !== undefined) return faultsIn(recorded);
  const found = series.get(metric);
  if (!found) return [`no metric ${metric}`];
  const labels = new Set([...found.flatMap((each) => Object.keys(each.labels)), ...EVERYWHERE]);
  const unknown = [...matchers.map(({ label }) => label), ...grouped].filter((label) => !labels.has(label));
  const never = matchers.flatMap(({ label, values }) => {
    const seen = new Set([...found.flatMap((each) => each.labels[label] ?? []), ...(POSSIBLE[label] ?? [])]);
    return values.filter((value) => !seen.has(value)).map((value) => `${metric} never has ${label} "${value}"`);
  });
  return [...unknown.map((label) => `${metric} has no label ${label}`), ...never];
}

const faultsIn = (expression: string): string[] => selectorsOf(expression).flatMap(faultsOf);

test('every metric, label and value that an alert asks for is in /metrics of a running service', () => {
  assert.ok(RULES.length > 10);
  for (const { alert, expr } of RULES) {
    assert.ok(selectorsOf(expr).length > 0, alert);
    assert.deepEqual(faultsIn(expr), [], alert);
  }
});

test('every metric, label and value that the dashboard asks for is in /metrics of a running service', () => {
  assert.ok(CHARTS.length > 10);
  for (const { title, targets = [] } of CHARTS) {
    assert.ok(targets.length > 0, title);
    for (const { expr, legendFormat } of targets) {
      assert.deepEqual(faultsIn(expr), [], title);
      const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
      const grouped = selectorsOf(expr).flatMap((selector) => selector.grouped);
      assert.deepEqual(
        shown.filter((label) => !grouped.includes(label)),
        [],
        `${title} shows a label by which it does not group`,
      );
    }
  }
});

test('an expression with a metric, a label or a value that the service lacks is found', () => {
  assert.deepEqual(faultsIn('sum(rate(doorstep_orders_lost_total[5m])) > 1'), ['no metric doorstep_orders_lost_total']);
  assert.deepEqual(faultsIn('sum by (color) (doorstep_queue_due)'), ['doorstep_queue_due has no label color']);
  assert.deepEqual(faultsIn('doorstep_queue_due{queue="none"}'), ['doorstep_queue_due never has queue "none"']);
  for (const broken of ['sum(doorstep_queue_due', 'sum(x))', 'guess(doorstep_queue_due)', 'x{a}', 'x ; y'])
    assert.throws(() => selectorsOf(broken), broken);
});

test('each alert has its line in docs/alerts.md: when, where to look, meaning, steps; and each line its alert', () => {
  const own = textOf(RUNBOOK);
  const described = [
    ...own.matchAll(/^\| <a id="alert-(\w+)"><\/a>`(Doorstep\w+)` \| [^|]+ \| [^|]+ \| [^|]+ \| [^|]+ \|$/gm),
  ];
  const anchorOf = (alert: string) => alert.replace('Doorstep', '').toLowerCase();
  assert.deepEqual(
    described.map(([, anchor, alert]) => [anchor, alert]),
    RULES.map(({ alert }) => [anchorOf(alert), alert]),
  );
  for (const { alert, annotations, labels, for: lasting } of RULES) {
    assert.equal(annotations.runbook_url, `${RUNBOOK_URL}#alert-${anchorOf(alert)}`);
    assert.match(labels.severity, /^(critical|warning|info)$/);
    assert.match(lasting, /^\d+[smh]$/);
  }
});

test("a label named in an alert's text is a label the alert groups by", () => {
  for (const { alert, expr, annotations } of RULES) {
    const named = [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label);
    const grouped = selectorsOf(expr).flatMap((selector) => selector.grouped);
    assert.deepEqual(
      named.filter((label) => !grouped.includes(label)),
      [],
      alert,
    );
  }
});
