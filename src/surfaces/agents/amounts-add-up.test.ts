import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { givenMessageContext } from '../../../test/given/message-context.ts';
import { adjustmentOf } from '../../../test/given/ticket.ts';
import { carts, orderOf } from '../../../test/oracles/carts.ts';
import { runs } from '../../../test/runs.ts';
import { webhookBody } from '../../notify/webhooks/webhook.ts';
import { presentFinalQuote } from '../../ordering/order/final-quote.ts';
import type { Order } from '../../ordering/order/order.ts';
import { presentOrder } from '../../ordering/order/present-order.ts';
import { showOrder } from './shown-order.ts';

const SITE = { siteUrl: 'https://track.example' };
const NOW = Temporal.Instant.from('2026-06-10T17:00:00Z');

const orders = fc
  .record({
    cart: carts,
    quantity: fc.nat({ max: 99 }),
    isReplaced: fc.boolean(),
    addedTipCents: fc.nat({ max: 3000 }),
    refundedCents: fc.nat({ max: 3000 }),
  })
  .map(({ cart, quantity, isReplaced, addedTipCents, refundedCents }): Order => {
    const { order } = givenMessageContext(orderOf(cart));
    const tip = order.request.mode === 'delivery' ? addedTipCents : 0;
    const quote = { ...order.quote, minutes: { minimum: 20, maximum: 30 } };
    const placed = {
      ...order,
      quote,
      status: 'in_progress' as const,
      createdAt: NOW,
      placedAt: NOW,
      addedTipCents: tip,
      refundedCents,
    };
    const [first] = quote.items;
    if (!first) return placed;
    return { ...placed, adjustments: [adjustmentOf(placed, quantity % (first.quantity + 1), isReplaced)] };
  });

type Quote = ReturnType<typeof presentOrder>['final_quote'];

/** The sum that docs/orders.md#final-quote promises. */
function sumOf({ quote, markup_cents: markup, added_fees: added, misc_fees: misc, tip }: Quote): number {
  const fees = quote.delivery_fee_cents + quote.service_fee_cents + quote.small_order_fee_cents;
  const others = misc.reduce((sum, { fee_amount: cents }) => sum + cents, 0);
  return (
    quote.subtotal +
    markup +
    fees +
    quote.sales_tax_cents +
    added.total_fee_cents +
    added.sales_tax_cents +
    others +
    tip
  );
}

test('an order’s amounts add up to its charge in the response, the Order element, webhooks and MCP', () => {
  const checkout = { tokens: { sealLink: () => '' }, site: SITE, now: NOW };
  fc.assert(
    fc.property(orders, (order) => {
      const shown = presentOrder(order, SITE);
      const hook = JSON.parse(webhookBody({ type: 'order.placed', at: NOW, sequence: 1, data: {}, order }, SITE));
      for (const quote of [presentFinalQuote(order), shown.final_quote, hook.data.order.final_quote]) {
        assert.equal(sumOf(quote), shown.total_with_tip);
        assert.equal(quote.total_with_tip, shown.total_with_tip);
      }
      assert.equal(
        shown.items.reduce((sum, item) => sum + item.total_price, 0),
        shown.final_quote.quote.subtotal,
      );
      for (const { unit_price: price, quantity, total_price: total } of shown.items)
        assert.equal(price * quantity, total);
      if (order.request.receipt.pricesMarked) {
        const marked = shown.items.reduce((sum, item) => sum + (item.marked_unit_price ?? 0) * item.quantity, 0);
        assert.equal(marked, shown.final_quote.quote.subtotal + shown.final_quote.markup_cents);
      }
      const agent: Record<string, unknown> = showOrder(order, checkout);
      const parts = ['subtotal', 'markup', 'delivery_fee', 'service_fee', 'small_order_fee', 'other_fees'];
      const cents = [...parts, 'added_tax', 'sales_tax', 'tip'].map((part) => Number(agent[`${part}_cents`] ?? 0));
      assert.equal(
        cents.reduce((sum, one) => sum + one, 0),
        shown.total_with_tip,
      );
    }),
    { numRuns: runs(1000) },
  );
});
