import { REFUSALS } from '../../src/app/wiring/refusals.ts';
import { ORDER_EVENTS } from '../../src/ordering/order/order-events.ts';
import { FAULT_RANKING } from '../../src/ordering/order/order-faults.ts';
import { withConditionRules } from './condition-rules.ts';
import { withDutyTables } from './duty-tables.ts';
import { withPlanTables } from './plan-table.ts';
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
