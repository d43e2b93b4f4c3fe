import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adjustmentOf, givenTicketOrder } from '../../../test/given/ticket.ts';
import type { Order } from '../order/order.ts';
import { adjustedCents } from '../order/reprice-order.ts';
import { NO_SHARES } from '../order/shares.ts';
import { priceRefund } from './item-refund.ts';
import { owedRefund as owed } from './owed-refund.ts';
import type { Refund } from './refund.ts';

/** A charged order of two units, with this many fulfilled. */
function handingOver(quantity: number, changes: Partial<Order> = {}): Order {
  const order = givenTicketOrder({}, { chargeId: 'ch_1', refundingCents: 0 });
  return { ...order, adjustments: [adjustmentOf(order, quantity)], ...changes };
}

const owedRefund = (...booked: Parameters<typeof owed>) => owed(...booked)?.cents ?? 0;

const refund = (changes: Partial<Refund>) => ({
  kind: 'requested' as const,
  state: 'done' as const,
  items: [],
  cents: 0,
  shares: { ...NO_SHARES, salesCents: changes.cents ?? 0 },
  ...changes,
});
const units = (quantity: number, cents: number, taxCents: number) => {
  const shares = { ...NO_SHARES, salesCents: cents, taxesCents: taxCents };
  return refund({
    items: [{ index: 0, quantity, cents, taxCents, taxes: [taxCents], missing: quantity, shares }],
    cents: cents + taxCents,
  });
};

test('an adjusted order refunds the difference, less earlier adjustments', () => {
  const order = handingOver(1);
  const less = adjustedCents(order);
  assert.ok(less > 0);
  assert.equal(owedRefund(order, []), less);
  assert.equal(owedRefund(order, [refund({ kind: 'item_changed', cents: 100 })]), less - 100);
  assert.equal(owedRefund(order, [refund({ kind: 'item_changed', cents: less })]), 0);
  assert.equal(owedRefund(order, [refund({ kind: 'item_changed', cents: 100, state: 'failed' })]), less);
});

test('units that went back for another reason count again when the store reports them missing', () => {
  const [two, one] = [handingOver(2), handingOver(1)];
  for (const reason of ['', 'cold', 'Missing']) {
    const items = priceRefund(two, [], [{ index: 0, quantity: 2 }], reason);
    assert.equal(owedRefund(one, [refund({ items })]), adjustedCents(one), reason);
  }
});

test('units refunded by the account as missing aren’t refunded again when the store reports them; others are', () => {
  const [one, none] = [handingOver(1), handingOver(0)];
  assert.equal(owedRefund(one, [units(1, 2000, 200)]), adjustedCents(one) - 2200, 'the same unit');
  assert.equal(owedRefund(one, [units(2, 4000, 401)]), adjustedCents(one) - 4401 + 2255, 'one of them is handed over');
  assert.equal(owedRefund(none, [units(1, 2000, 201), units(1, 2000, 200)]), adjustedCents(none) - 4401);
  assert.equal(owedRefund(one, [units(2, 999_999, 0)]), 0);
});

test('units refunded before a cheaper substitute came don’t get the substitute’s difference again', () => {
  const order = givenTicketOrder({}, { chargeId: 'ch_1', refundingCents: 0 });
  const { terms } = order.quote;
  assert.ok(terms);
  const unitPrice = 1500;
  const substituted = (quantity: number, percent: number): Order => {
    const adjustment = adjustmentOf(order, quantity, true);
    assert.ok(adjustment.substitute);
    const substitute = { ...adjustment.substitute, unitCents: unitPrice, markedUnitCents: unitPrice };
    const fees = { ...terms.fees, taxes: [{ name: 'Sales tax', percent }] };
    const quote = { ...order.quote, terms: { ...terms, fees } };
    return { ...order, quote, adjustments: [{ ...adjustment, substitute }] };
  };
  const [two, untaxed, one, none] = [substituted(2, 10), substituted(2, 0), substituted(1, 10), substituted(0, 10)];
  // One unit of the substitute costs 15.00 plus 1.50 tax; the refunded unit cost 20.00 plus 2.00.
  assert.equal(owedRefund(two, [units(1, 2000, 200)]), adjustedCents(two) - (2200 - 1650));
  assert.equal(owedRefund(two, [units(2, 4000, 400)]), adjustedCents(two) - (4400 - 3300));
  assert.equal(owedRefund(untaxed, [units(1, 2000, 0)]), adjustedCents(untaxed) - 500);
  // One of the two refunded units was not fulfilled, and the other cost more than its substitute.
  assert.equal(owedRefund(one, [units(2, 4000, 400)]), Math.max(0, adjustedCents(one) - 2200 - (2200 - 1650)));
  assert.equal(owedRefund(none, [units(1, 2000, 200)]), adjustedCents(none) - 2200);
  const ofAnotherKind = { ...units(1, 2000, 200), kind: 'canceled' as const, cents: 0 };
  assert.equal(owedRefund(two, [ofAnotherKind]), adjustedCents(two), 'the account asked for these alone');
});

test('a refund never exceeds the amount left, and needs a charge', () => {
  const order = handingOver(1);
  const { tipCents } = order.quote;
  assert.equal(owedRefund({ ...order, refundedCents: order.chargedCents - tipCents - 5 }, []), 5);
  assert.equal(owedRefund({ ...order, refundingCents: order.chargedCents }, []), 0);
  assert.equal(owedRefund({ ...order, moneyPlan: 'external' }, []), 0);
});
