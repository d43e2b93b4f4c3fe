import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parse, stringify } from 'yaml';
import { REFUSALS } from '../../src/app/wiring/refusals.ts';
import { causesOf503 } from '../../src/platform/http/unavailable.ts';
import { isInstalled } from '../given/command.ts';
import { givenFolder } from '../given/folder.ts';
import { ROOT, textOf } from '../source-files.ts';

const FILE = 'deploy/prometheus/alerts.yaml';
type Rule = { alert: string; labels: Record<string, string>; annotations: Record<string, string> };
const RULES: Rule[] = parse(textOf(FILE)).groups.flatMap(({ rules }: { rules: Rule[] }) => rules);

/** A series in promtool's notation: one value a minute. */
type Series = { series: string; values: string };

/** Whether the alert fires at that minute with these labels; `undefined` expects that it does not. */
type Expected = { alert: string; minute: number; labels: Record<string, string> | undefined };

function runRules(t: TestContext, input_series: readonly Series[], expected: readonly Expected[]): void {
  const alert_rule_test = expected.map(({ alert, minute, labels }) => {
    const rule = RULES.find((each) => each.alert === alert) ?? assert.fail(alert);
    const summary = rule.annotations.summary?.replace(/\{\{ \$labels\.(\w+) \}\}/g, (_, name) => labels?.[name] ?? '');
    const fired = { exp_labels: { ...rule.labels, ...labels }, exp_annotations: { ...rule.annotations, summary } };
    return { eval_time: `${minute}m`, alertname: alert, exp_alerts: labels ? [fired] : [] };
  });
  const folder = givenFolder('doorstep-rules', t);
  const file = join(folder, 'rules.test.yaml');
  const tests = [{ interval: '1m', input_series, alert_rule_test }];
  writeFileSync(file, stringify({ rule_files: [join(ROOT, FILE)], evaluation_interval: '1m', tests }));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}${stderr}`);
}

const skip = isInstalled('promtool') ? false : 'promtool is not installed (Debian: prometheus)';

for (const cause of causesOf503(REFUSALS)) {
  test(`requests that get 503 for the cause ${cause} fire an alert that names it`, { skip }, (t) => {
    const series = (of: string, values: string) => ({ series: `doorstep_unavailable_total{cause="${of}"}`, values });
    const quiet = [series(cause, '0x10 0+10x10'), series('other', '0+1x20')];
    runRules(t, quiet, [
      { alert: 'DoorstepUnavailable', minute: 10, labels: undefined },
      { alert: 'DoorstepUnavailable', minute: 16, labels: { cause } },
    ]);
  });
}

test('a failing webhook fires while it is an open alert of the service, on however many nodes', { skip }, (t) => {
  const series = (kind: string, instance: string, values: string) => ({
    series: `doorstep_alerts_open{kind="${kind}",instance="${instance}"}`,
    values,
  });
  runRules(
    t,
    [
      series('webhook_failing', 'a', '0x5 2x10 0x10'),
      series('webhook_failing', 'b', '0x5 2x10 0x10'),
      series('budget_used_up', 'a', '5x30'),
    ],
    [
      { alert: 'DoorstepWebhooksFailing', minute: 5, labels: undefined },
      { alert: 'DoorstepWebhooksFailing', minute: 8, labels: {} },
      { alert: 'DoorstepWebhooksFailing', minute: 18, labels: undefined },
    ],
  );
});

test('a database that a node cannot read fires after a minute', { skip }, (t) => {
  runRules(
    t,
    [{ series: 'doorstep_database_up', values: '1x5 0x10' }],
    [
      { alert: 'DoorstepDatabaseDown', minute: 5, labels: undefined },
      { alert: 'DoorstepDatabaseDown', minute: 8, labels: {} },
    ],
  );
});
