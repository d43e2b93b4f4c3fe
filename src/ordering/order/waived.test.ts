import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { discountedOrders } from '../../../test/given/discounted-orders.ts';
import { weighedCarts, weighedOrderOf } from '../../../test/given/weighed-orders.ts';
import { runs } from '../../../test/runs.ts';
import { sumCents } from '../../platform/lib/money.ts';
import { discountCentsOf } from '../../supply/pricing/promotions.ts';
import type { FrozenQuote, Order } from './order.ts';
import { repriceOrder } from './reprice-order.ts';
import { partsOf, sharesOfOrder, sumOf, waivedTip } from './shares.ts';
import { waiveBelow, waivedCentsOf, withWaivedTips } from './waived.ts';
import { holdCents } from './weighed-order.ts';
import { quoteByWeight } from './weighed-quote.ts';

/** Orders by the piece with missing units, and orders with items by weight as a scale shows them. */
const orders = fc.oneof(
  fc.tuple(discountedOrders, fc.array(fc.nat({ max: 6 }), { maxLength: 4 })).map(([{ order }, left]): Order => {
    const { items } = order.quote;
    const adjustments = left.slice(0, items.length).flatMap((units, index) => {
      const quantity = Math.min(units, items[index]?.quantity ?? 0);
      return quantity === items[index]?.quantity ? [] : [{ index, quantity, substitute: null }];
    });
    return { ...order, adjustments };
  }),
  weighedCarts.map((one) => weighedOrderOf(one).order),
);
const charged = orders.filter(({ quote }) => quote.totalWithTipCents > 0);

/** A customer's price by every amount of a quote. */
function addedUp(quote: FrozenQuote): number {
  const { addedFee, markupCents, miscFees, tipCents, discountCents = 0 } = quote;
  const ofStore = [quote.subtotalCents, quote.deliveryFeeCents, quote.serviceFeeCents, quote.smallOrderFeeCents];
  const ofAccount = [
    markupCents,
    addedFee.totalCents,
    addedFee.salesTaxCents,
    ...miscFees.map((fee) => fee.amountCents),
  ];
  return sumCents([...ofStore, quote.salesTaxCents, ...ofAccount, tipCents]) - discountCents;
}

const assertPaidByOperator = (shares: ReturnType<typeof sharesOfOrder>, plain: typeof shares, cents: number) =>
  assert.deepEqual(partsOf(shares), {
    ...partsOf(plain),
    operatorDiscountCents: partsOf(plain).operatorDiscountCents - cents,
  });

test('a waived order costs the customer nothing, and the operator pays every owner’s share', () => {
  const property = fc.property(charged, (order) => {
    const quote = waiveBelow(order.quote, order.quote.totalWithTipCents + 1);
    const waived = { ...order, quote };
    const plainCents = repriceOrder(order).totalWithTipCents;
    assert.deepEqual([quote.totalWithTipCents, holdCents(quote), repriceOrder(waived).totalWithTipCents], [0, 0, 0]);
    assert.equal(waivedCentsOf(quote), order.quote.totalWithTipCents);
    assertPaidByOperator(sharesOfOrder(waived), sharesOfOrder(order), plainCents);
    for (const one of [quote, quoteByWeight(waived)]) assert.equal(addedUp(one), 0);
  });
  fc.assert(property, { numRuns: runs(20_000, 1000) });
});

test('items by weight that come to less than the minimum are waived when they are weighed', () => {
  const carts = weighedCarts.map((one) => weighedOrderOf(one).order);
  const property = fc.property(carts, fc.integer({ min: 1, max: 3000 }), (order, minimumCents) => {
    fc.pre(order.quote.totalWithTipCents >= minimumCents);
    const kept = { ...order, quote: waiveBelow(order.quote, minimumCents) };
    assert.equal(kept.quote.totalWithTipCents, order.quote.totalWithTipCents);
    const plainCents = repriceOrder(order).totalWithTipCents;
    const waivedCents = plainCents < minimumCents ? plainCents : 0;
    assert.equal(repriceOrder(kept).totalWithTipCents, plainCents - waivedCents);
    assertPaidByOperator(sharesOfOrder(kept), sharesOfOrder(order), waivedCents);
    const weighed = quoteByWeight(kept);
    assert.equal(addedUp(weighed), plainCents - waivedCents);
    assert.equal(waivedCentsOf(weighed), waivedCents);
  });
  fc.assert(property, { numRuns: runs(20_000, 1000) });
});

test('waived tips are shown as a tip and a discount of the same amount, and add nothing to the total', () => {
  const property = fc.property(orders, fc.integer({ min: 1, max: 49 }), (order, waivedTipCents) => {
    const quote = withWaivedTips({ ...order, waivedTipCents });
    assert.equal(quote.tipCents, order.quote.tipCents + waivedTipCents);
    assert.equal(quote.totalWithTipCents, order.quote.totalWithTipCents);
    assert.equal(addedUp(quote), addedUp(order.quote));
    const ofDiscounts = sumCents((quote.discounts ?? []).map(discountCentsOf));
    assert.equal(ofDiscounts, sumCents((order.quote.discounts ?? []).map(discountCentsOf)) + waivedTipCents);
    assert.equal(sumOf(waivedTip(waivedTipCents)), 0);
  });
  fc.assert(property, { numRuns: runs(5000) });
});
