import { REFUSALS } from '../../src/app/wiring/refusals.ts';
import { MONEY, MOVEMENTS } from '../../src/ordering/order/money-plan.ts';
import { MONEY_PLANS } from '../../src/ordering/order/order.ts';
import { ORDER_EVENTS } from '../../src/ordering/order/order-events.ts';
import { FAULT_RANKING } from '../../src/ordering/order/order-faults.ts';
import { CONDITION_KEYS, CONDITIONS } from '../../src/surfaces/operator/conditions.ts';
import { DUTIES, DUTY_PLACES, DUTY_TOPICS } from '../../src/surfaces/operator/duties.ts';
import { withDiscountTables, withTaxTables } from './tax-tables.ts';
import { withRows } from './write-rows.ts';

/** Documents and files of rules that `npm run doc-tables` generates from the service's records. */
export const TABLES: Readonly<Record<string, (document: string) => string>> = {
  'deploy/prometheus/alerts.yaml': withConditionRules,
  'docs/marketplace-compliance.md': withDutyTables,
  'docs/errors.md': (document) => withRows(document, ['status', 'code', 'meaning'], refusalRows()),
  'docs/orders.md': withRanking,
  'docs/payments.md': withPlanTables,
  'docs/tax-table.md': withTaxTables,
  'docs/taxes.md': withDiscountTables,
  'docs/webhooks.md': (document) => withRows(document, ['type', 'meaning'], eventRows()),
};

const refusalRows = () =>
  Object.entries(REFUSALS).map(([code, { status, meaning }]) => [String(status), `\`${code}\``, meaning]);

const eventRows = () => Object.entries(ORDER_EVENTS).map(([type, { meaning }]) => [`\`${type}\``, meaning]);

const RANKING = /(?<=If an order has several errors, the code is the first of these: ).*(?=\.$)/m;

function withRanking(document: string): string {
  if (!RANKING.test(document)) throw new Error('The sentence with the ranking is missing.');
  return document.replace(RANKING, () => FAULT_RANKING.map((code) => `\`${code}\``).join(', '));
}

const GROUP = '  - name: doorstep-conditions\n';

/** Writes the group of rules of the conditions of health, the last of the file. */
function withConditionRules(file: string): string {
  const start = file.indexOf(GROUP);
  if (start < 0) throw new Error('The group doorstep-conditions is missing.');
  return `${file.slice(0, start)}${GROUP}    rules:\n${CONDITION_KEYS.map(ruleOf).join('')}`;
}

function ruleOf(key: (typeof CONDITION_KEYS)[number]): string {
  const { severity, alertsAfter, summary } = CONDITIONS[key];
  const name = key.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const minutes = Math.max(1, Math.round(alertsAfter / 60));
  return `      - alert: Doorstep${name}
        expr: max(doorstep_condition{condition="${key}"}) > 0
        for: ${minutes}m
        labels: { severity: ${severity} }
        annotations:
          summary: "${summary}"
          runbook_url: https://doorstep.example.com/docs/alerts#alert-${name.toLowerCase()}
`;
}

/** docs/marketplace-compliance.md with its generated tables: topics and places. */
function withDutyTables(document: string): string {
  const topics = Object.entries(DUTY_TOPICS).map(([topic, { does, set, left }]) => [topic, does, set, left]);
  const columns = ['topic', 'Doorstep', 'your settings', 'your tasks'];
  const rows = DUTIES.map(([place, topic, due, since, title, section, url, unread]) => [
    DUTY_PLACES[place][2],
    topic,
    due,
    since,
    `[${title}](${url}), ${section}${unread === undefined ? '' : ' (not read)'}`,
  ]);
  return withRows(withRows(document, columns, topics), ['place', 'topic', 'duty', 'since', 'source'], rows);
}

const STEPS = {
  place: 'placing',
  change: 'missing item',
  leave: 'leaving the store',
  complete: 'handoff',
  cancel: 'cancellation',
  give_up: '`courier_gave_up`',
  refund: 'refund',
  tip: 'later tip',
} as const;

/** docs/payments.md with its generated tables: the plans, and what each step moves. */
function withPlanTables(document: string): string {
  const plans = Object.entries(MONEY_PLANS).map(([plan, meaning]) => [`\`${plan}\``, meaning]);
  const steps = Object.keys(STEPS) as (keyof typeof STEPS)[];
  const moves = Object.entries(MONEY).map(([plan, row]) => [
    `\`${plan}\``,
    ...steps.map((step) => MOVEMENTS[row[step]]),
  ]);
  return withRows(withRows(document, ['plan', 'used for'], plans), ['plan', ...Object.values(STEPS)], moves);
}
