import assert from 'node:assert/strict';
import fc from 'fast-check';
import { afterRefunds } from '../../src/notify/messages/mail-content.ts';
import { receiptOfOrder } from '../../src/ordering/money/receipt.ts';
import { notOfStore } from '../../src/ordering/money/refund.ts';
import { awaitsSettlement, isChargedHere, movementOf } from '../../src/ordering/order/money-plan.ts';
import type { Order, StepName } from '../../src/ordering/order/order.ts';
import {
  addShares,
  NO_SHARES,
  PART_NAMES,
  partsOf,
  type Shares,
  sharesOfOrder,
} from '../../src/ordering/order/shares.ts';
import { openWeights } from '../../src/ordering/order/weighed-order.ts';
import type { LedgerEntry } from '../../src/ordering/statements/ledger-entry.ts';
import { sumCents } from '../../src/platform/lib/money.ts';
import { headlineOf } from '../../src/surfaces/tracking/headline.ts';
import { localeOf } from '../../src/texts/catalogs.ts';
import type { GatewayMood } from './gateway-model.ts';
import {
  adjust,
  askGateway,
  type LedgerRefund,
  type PureLife,
  refund,
  refundByStore,
  refundTip,
  takeStep,
  tip,
} from './pure-life.ts';

/** Random steps of orders of any kind, and what is true of their money after each. */

export const units = fc.record({ index: fc.nat(3), quantity: fc.integer({ min: 1, max: 4 }) });
const what = fc.oneof(
  fc.integer({ min: 1, max: 5000 }).map((cents) => ({ cents })),
  fc.record({ items: fc.array(units, { minLength: 1, maxLength: 2 }), reason: fc.constant('') }),
);
const stepOf = (...names: StepName[]) =>
  fc.record({ do: fc.constant('step' as const), event: fc.constantFrom(...names) });

export const STEPS = {
  step: stepOf('confirm', 'confirm', 'ready', 'assign_driver', 'pick_up', 'complete', 'cancel'),
  cancel: stepOf('cancel'),
  drive: stepOf('approach', 'courier_lost'),
  refund: fc.record({ do: fc.constant('refund' as const), what }),
  storeRefund: fc.record({ do: fc.constant('store_refund' as const), what }),
  adjust: fc.record({ do: fc.constant('adjust' as const), units }),
  /** Every open weight, at this part of its maximum. */
  weigh: fc.record({ do: fc.constant('weigh' as const), percent: fc.nat(100) }),
  tip: fc.record({ do: fc.constant('tip' as const), cents: fc.nat(5000) }),
  tipBack: fc.record({ do: fc.constant('tip_back' as const) }),
};
export type AnyStep = {
  [Name in keyof typeof STEPS]: (typeof STEPS)[Name] extends fc.Arbitrary<infer One> ? One : never;
}[keyof typeof STEPS];

/** Takes a step as far as it is allowed; the gateway then makes the refunds, if it answers. */
export function takeAny(
  life: PureLife,
  step: AnyStep,
  { hasDeliveryFee = false, mood = 'answers' }: { hasDeliveryFee?: boolean; mood?: GatewayMood } = {},
): void {
  const { items } = life.order.quote;
  if (step.do === 'step') takeStep(life, step.event);
  else if (step.do === 'refund') refund(life, step.what);
  else if (step.do === 'store_refund') refundByStore(life, step.what, hasDeliveryFee);
  else if (step.do === 'tip') tip(life, step.cents);
  else if (step.do === 'tip_back') refundTip(life);
  else if (step.do === 'weigh') {
    for (const index of openWeights(life.order)) {
      const milli = Math.ceil(((items[index]?.weight?.max ?? 0) * step.percent) / 100);
      if (milli === 0) adjust(life, index, 0);
      else adjust(life, index, 1, { milli, from: 'scale' });
    }
  } else if (step.units.quantity - 1 <= (items[step.units.index]?.quantity ?? -1)) {
    const { index, quantity } = step.units;
    if (quantity === 1 || items[index]?.weight === undefined) adjust(life, index, quantity - 1);
  }
  askGateway(life, mood);
}

const EN = localeOf('en', 'US');

/** The amount due of an order's customer, paid or not; undefined where the store is paid. */
function owedCents(order: Order, refunds: readonly LedgerRefund[]): number | undefined {
  if (!isChargedHere(order)) return undefined;
  const { moneyPlan, authorizedCents, capturedCents, addedTipCents, refundedCents, refundingCents } = order;
  if (moneyPlan === 'collected' && order.status !== 'completed') return 0;
  const back = refundedCents + refundingCents;
  if (awaitsSettlement(order) || (moneyPlan === 'held' && capturedCents === null)) {
    return addedTipCents + (moneyPlan === 'held' ? 0 : (authorizedCents ?? 0)) - back;
  }
  return afterRefunds(receiptOfOrder(order, refunds, EN));
}

/** Charges less refunds equal the gateway's books and the customer's amount due; each movement is made once. */
export function assertMoment({ order, ledger, books }: PureLife): void {
  const kept = sumCents([...books.charges.values()]) - sumCents([...books.refunds.values()].map(({ cents }) => cents));
  assert.equal(kept, order.chargedCents - order.refundedCents, 'what the gateway has');
  const owed = owedCents(order, ledger);
  if (owed !== undefined) assert.equal(kept, owed, 'what the customer owes');
  if (order.status === 'completed') {
    const due = ledger.filter(({ kind, state }) => kind !== 'weighed' && state !== 'failed');
    const back = sumCents(due.map(({ state, cents, refundedCents }) => (state === 'done' ? refundedCents : cents)));
    const { title } = headlineOf(order, EN, order.completedAt ?? assert.fail());
    assert.equal(/ with a (.*) refund$/.exec(title)?.[1], back > 0 ? EN.format.money(back) : undefined);
  }
  const keys = ledger.flatMap(({ parts }) => parts.map(({ key }) => key));
  assert.deepEqual(keys.toSorted(), [...books.refunds.keys()].toSorted(), 'a refund is made once');
}

/** After each event the owners of all entries share charges less refunds, and at the end no share has moved twice. */
export function assertOwners(life: PureLife, entries: readonly (LedgerEntry | undefined)[]): void {
  const weighed = life.ledger.filter(({ kind }) => kind === 'weighed');
  let owned = 0;
  life.log.forEach(({ event, order }, at) => {
    const entry = entries[at];
    if (entry) {
      const { storeCents, driverCents, taxesCents, operatorCents, accountCents, accountDiscountCents } = entry;
      owned += storeCents + driverCents + taxesCents + operatorCents + accountCents + accountDiscountCents;
      assert.equal(sumCents(entry.taxLines.map(({ cents }) => cents)), taxesCents);
    }
    // The excess of a maximum belongs to the customer from the capture on.
    const excess = event.type === 'order.captured' ? sumCents(weighed.map(({ cents }) => cents)) : 0;
    assert.equal(owned, order.chargedCents - order.refundedCents - excess, event.type);
    if (!entry || event.type !== 'order.refunded' || event.data.by !== 'store') return;
    assert.deepEqual([entry.tipCents, entry.serviceFeesCents, entry.driverCents], [0, 0, 0], 'nothing but its part');
    assert.ok(entry.accountCents >= 0, 'the account gets a markdown back, and gives nothing');
  });
  const { order, ledger } = life;
  if (!isChargedHere(order) || order.status === 'canceled' || awaitsSettlement(order)) return;
  if (order.moneyPlan === 'collected' && order.status !== 'completed') return;
  const isFinal = movementOf(order, 'change') === 'lower';
  const tips: Shares = { ...NO_SHARES, tipCents: order.addedTipCents };
  const sold = addShares(sharesOfOrder(isFinal ? order : { ...order, adjustments: [] }), tips);
  const made = ledger.filter(({ state }) => state === 'done');
  assert.equal(order.refundedAccountCents, sumCents(made.map(({ shares }) => notOfStore(shares))));
  const left = made.reduce((rest, { shares }) => addShares(rest, shares, -1), sold);
  for (const name of PART_NAMES)
    assert.equal(sumCents(entries.map((entry) => entry?.[name] ?? 0)), partsOf(left)[name], name);
}
