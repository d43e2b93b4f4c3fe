import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { weighedCarts, weighedOrderOf } from '../../../test/given/weighed-orders.ts';
import { runs } from '../../../test/runs.ts';
import { sumCents } from '../../platform/lib/money.ts';
import type { Order } from '../order/order.ts';
import { repriceOrder, taxationOf } from '../order/reprice-order.ts';
import { addShares, DISCOUNT_NAMES, NO_SHARES, type Shares, sharesOfOrder, sumOf } from '../order/shares.ts';
import { holdCents } from '../order/weighed-order.ts';
import { amountOf, priceRefund, refundableItems } from './item-refund.ts';
import { type FrozenItem, MISSING } from './refund.ts';

/** Orders by weight with offers of several payers, refunded in parts until each line is returned. */

const funding = fc.constantFrom(
  [{ payer: 'operator' as const, percent: 100 }],
  [
    { payer: 'store' as const, percent: 50 },
    { payer: 'operator' as const, percent: 50 },
  ],
  [
    { payer: 'store' as const, percent: 33 },
    { payer: 'account' as const, percent: 33 },
    { payer: 'operator' as const, percent: 34 },
  ],
);
/** Hundredths of a line's remainder; more than 100 is all of it. */
const parts = fc.array(fc.integer({ min: 1, max: 130 }), { minLength: 1, maxLength: 4 });

/** The order once its goods are captured. */
function captured(order: Order): Order {
  const chargedCents = repriceOrder(order).totalWithTipCents;
  const settled = { moneyPlan: 'held', chargeState: 'charged', capturedCents: chargedCents } as const;
  const [refundedCents, addedTipCents] = [0, 0];
  const authorizedCents = holdCents(order.quote);
  return { ...order, ...settled, status: 'completed', chargedCents, authorizedCents, refundedCents, addedTipCents };
}

/** Refunds every line in parts; returns each refund's lines. */
function giveAllBack(order: Order, wanted: readonly number[]): FrozenItem[] {
  const given: FrozenItem[] = [];
  const { lines } = refundableItems(order, []);
  for (const [index, { quantity: all, unit }] of lines.entries()) {
    let left = all;
    for (let nth = 0; left > 0; nth += 1) {
      const part = Math.max(1, Math.round((left * (wanted[nth % wanted.length] ?? 100)) / 100));
      const isRest = part >= left || nth === 8;
      const request = unit ? (isRest ? {} : { milli: part }) : { quantity: Math.min(left, isRest ? left : part) };
      const refundedCents = amountOf(given);
      const refunds = [{ kind: 'requested', state: 'done', items: given } as const];
      const [item] = priceRefund({ ...order, refundedCents }, refunds, [{ index, ...request }], '');
      if (!item) assert.fail('nothing is given back');
      given.push(item);
      left -= item.quantity;
    }
  }
  return given;
}

test('refunds of an order by weight add up over its lines, payers and taxes', () => {
  fc.assert(
    fc.property(weighedCarts, funding, parts, (cart, payers, wanted) => {
      const order = captured(weighedOrderOf(cart, payers).order);
      if (order.chargedCents === 0) return;
      const { items, itemShares, cuts } = taxationOf(order);
      const given = giveAllBack(order, wanted);
      for (const [index, item] of items.entries()) {
        const own = given.filter((one) => one.index === index);
        const gross = own.map(({ cents, discounts = [] }) => cents + sumCents(discounts));
        assert.equal(sumCents(gross), (item.markedUnitCents + item.listUnitCents - item.unitCents) * item.quantity);
        const byPayer = DISCOUNT_NAMES.map((_, at) => sumCents(own.map(({ discounts }) => discounts?.[at] ?? 0)));
        assert.deepEqual(byPayer, item.quantity === 0 ? [0, 0, 0] : [...(cuts.lines[index]?.byPayer ?? [0, 0, 0])]);
        const taxes = (itemShares[index] ?? []).map((_, at) => sumCents(own.map((one) => one.taxes[at] ?? 0)));
        if (item.quantity > 0) assert.deepEqual(taxes, itemShares[index]);
      }
      for (const one of given) {
        assert.ok(one.cents >= 0 && one.taxCents >= 0);
        assert.equal(sumOf(one.shares), one.cents + one.taxCents);
      }
      const sold = sharesOfOrder(order);
      const back = given.reduce((sum: Shares, { shares }) => addShares(sum, shares), NO_SHARES);
      assert.equal(back.salesCents, sold.salesCents);
      for (const name of DISCOUNT_NAMES) assert.equal(back[name] ?? 0, sold[name] ?? 0, name);
      assert.ok(amountOf(given) <= order.chargedCents - order.quote.tipCents);
    }),
    { numRuns: runs(20_000, 400) },
  );
});

test('a piece in place of goods by weight that the account calls missing is given back as if it called it bad', () => {
  const property = fc.property(weighedCarts, (one) => {
    const { estimate } = weighedOrderOf(one);
    const index = estimate.quote.items.findIndex(({ weight }) => weight);
    const other = { productId: 'o', productNo: 99, externalId: 'o', name: 'Other', image: null } as const;
    const facts = { isAlcoholic: false, customizations: [], taxClass: 'general' } as const;
    const substitute = { ...other, ...facts, unitCents: 100, markedUnitCents: 100 };
    const order = captured({ ...estimate, adjustments: [{ index, quantity: 1, substitute }] });
    const givenFor = (reason: string) => amountOf(priceRefund(order, [], [{ index, quantity: 1 }], reason));
    assert.equal(givenFor(MISSING), givenFor('quality'));
  });
  fc.assert(property, { numRuns: runs(300) });
});
