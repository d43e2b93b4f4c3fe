import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type WeighedCart, weighedCarts, weighedOrderOf } from '../../../test/given/weighed-orders.ts';
import { oracleWeighed } from '../../../test/oracles/weighed-order.ts';
import { runs } from '../../../test/runs.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { receiptOfOrder } from '../money/receipt.ts';
import { presentAgreedQuote, presentOrderQuote } from './final-quote.ts';
import type { Order } from './order.ts';
import { presentSharedItems } from './present-order.ts';
import { repriceOrder } from './reprice-order.ts';
import { discountOn } from './shown-discounts.ts';
import { holdCents, openWeights } from './weighed-order.ts';
import { quoteByWeight, weighedQuoteOf } from './weighed-quote.ts';

const sum = (cents: readonly number[]) => cents.reduce((total, one) => total + one, 0);
const sumOfQuote = ({ quote, added_fees: added, ...shown }: ReturnType<typeof presentOrderQuote>) =>
  sum([
    ...[quote.subtotal, quote.delivery_fee_cents, quote.service_fee_cents, quote.small_order_fee_cents],
    ...[quote.sales_tax_cents, shown.markup_cents, added.total_fee_cents, added.sales_tax_cents, shown.tip],
    ...shown.misc_fees.map(({ fee_amount: cents }) => cents),
    -(shown.discount_cents ?? 0),
  ]);

function promised(one: WeighedCart): { estimate: Order; order: Order } {
  const { estimate, order } = weighedOrderOf(one);
  const quote = { ...order.quote, minutes: { minimum: 20, maximum: 40 } };
  return { estimate: { ...estimate, quote }, order: { ...order, quote } };
}

/** The weighed quote of an order adds up to the charge; its items to the subtotal, in the element and the receipt. */
function assertAddsUp(one: WeighedCart): void {
  const { estimate, order } = promised(one);
  const agreed = presentAgreedQuote(estimate);
  const quote = weighedQuoteOf(order) ?? assert.fail('every line is weighed');
  const shown = presentOrderQuote({ ...order, quote });
  const { totalWithTipCents } = repriceOrder(order);
  assert.deepEqual([shown.total_with_tip, sumOfQuote(shown)], [totalWithTipCents, totalWithTipCents]);
  assert.deepEqual([agreed.at_most_cents, sumOfQuote(agreed)], [holdCents(order.quote), agreed.total_with_tip]);
  assert.deepEqual(presentAgreedQuote(order), agreed);
  const items = presentSharedItems(order);
  const unitCents = quote.items.map((item) => item.totalCents);
  assert.deepEqual(
    items.map(({ final_price: cents }, at) => cents ?? unitCents[at]),
    unitCents,
  );
  assert.equal(sum(unitCents), shown.quote.subtotal);
  const ofPromotions = sum(
    (quote.discounts ?? []).flatMap((discount) => quote.items.map((_, at) => discountOn(discount, at))),
  );
  const apart = (shown.discount_cents ?? 0) - ofPromotions;
  const { final, captured } = oracleWeighed(one.cart, one.handed);
  const isNothing = one.handed.every(({ amount }) => amount === 0n);
  assert.equal(BigInt(apart), isNothing ? 0n : final.total - captured, 'what the bound of the total takes off');
  for (const language of ['en', 'fr', 'es'] as const) {
    const receipt = receiptOfOrder(order, [], localeOf(language, 'CA'));
    const charges = sum(receipt.charges.map(({ cents }) => cents));
    assert.equal(receipt.subtotalCents + charges, totalWithTipCents);
    assert.equal(sum(receipt.items.map((item) => item.totalCents)), receipt.subtotalCents);
  }
}

test('the lines of a weighed quote add up to the charge for every weight handed off', () => {
  fc.assert(fc.property(weighedCarts, assertAddsUp), { numRuns: runs(5000) });
});

test('while a line is open there is no weighed quote, and of other orders never one', () => {
  fc.assert(
    fc.property(weighedCarts, fc.nat(), (one, left) => {
      const { estimate, order } = weighedOrderOf(one);
      const open = order.adjustments.filter((_, at) => at !== left % order.adjustments.length);
      const partly: Order = { ...order, adjustments: open };
      assert.equal(weighedQuoteOf(partly) === null, openWeights(partly).length > 0);
      assert.equal(weighedQuoteOf(estimate), null);
      const receipt = receiptOfOrder(estimate, [], localeOf('en', 'US'));
      assert.deepEqual(
        receipt.items.map(({ weight }) => weight !== undefined),
        estimate.quote.items.map(({ weight }) => weight !== undefined),
      );
      const byPiece = { ...estimate.quote, items: estimate.quote.items.map(({ weight: _, ...item }) => item) };
      assert.equal(quoteByWeight({ ...estimate, quote: byPiece }), byPiece);
    }),
    { numRuns: runs(500) },
  );
});
