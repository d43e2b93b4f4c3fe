import { MONEY, MOVEMENTS } from '../../src/ordering/order/money-plan.ts';
import { MONEY_PLANS } from '../../src/ordering/order/order.ts';
import { withRows } from './write-rows.ts';

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
export function withPlanTables(document: string): string {
  const plans = Object.entries(MONEY_PLANS).map(([plan, meaning]) => [`\`${plan}\``, meaning]);
  const steps = Object.keys(STEPS) as (keyof typeof STEPS)[];
  const moves = Object.entries(MONEY).map(([plan, row]) => [
    `\`${plan}\``,
    ...steps.map((step) => MOVEMENTS[row[step]]),
  ]);
  return withRows(withRows(document, ['plan', 'used for'], plans), ['plan', ...Object.values(STEPS)], moves);
}
