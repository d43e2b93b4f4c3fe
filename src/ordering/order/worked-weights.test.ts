import assert from 'node:assert/strict';
import { test } from 'node:test';
import { weighedOrderOf } from '../../../test/given/weighed-orders.ts';
import { skipWeights as skip, WORKED_WEIGHTS, type WorkedWeights } from '../../../test/given/worked-weights.ts';
import type { OracleWeighedCart } from '../../../test/oracles/weighed-order.ts';
import { decimalOfMilli, readMilli } from '../../supply/pricing/weight.ts';
import { amountOf, priceRefund } from '../money/item-refund.ts';
import type { FrozenItem, Refund } from '../money/refund.ts';
import { fulfilledItems } from './fulfilled-items.ts';
import { repriceOrder } from './reprice-order.ts';
import { holdCents } from './weighed-order.ts';

/** The worked examples of goods by weight, by the rules alone. */

const big = (amount = 0) => BigInt(amount);

function cartOf({ input: { lines, fees, taxes, tip, promotion } }: WorkedWeights): OracleWeighedCart {
  const { delivery, service } = fees;
  const [threshold] = delivery.thresholds ?? [];
  return {
    goods: lines.map(({ price, taxClass, ordered, tolerance, per = 1, quantity = 1 }) => ({
      price: big(price),
      marked: null,
      taxClass,
      option: { cents: 0n, taxClass },
      quantity: big(quantity),
      weight: ordered ? { per: big(per * 1000), ordered: big(ordered), tolerance: big(tolerance) } : null,
    })),
    menu: null,
    offers: promotion
      ? [
          {
            kind: promotion.kind,
            percent: String(promotion.percent),
            max: null,
            amount: big(promotion.amount),
            lines: lines.map((_, at) => at),
            lowersTax: promotion.payer === 'store',
          },
        ]
      : [],
    delivery: {
      flat: big(delivery.flat),
      taxable: delivery.taxable ?? false,
      from: big(threshold?.minimum ?? 1_000_000),
      low: big(threshold?.flat),
    },
    service: {
      percent: String(service.percent ?? 0),
      min: big(service.min),
      max: big(service.max),
      taxable: service.taxable ?? false,
    },
    small: { flat: 0n, below: 0n },
    added: { flat: 0n, percent: '0', taxable: false },
    taxes: taxes.map(({ percent, classes }) => ({ percent: String(percent), classes })),
    tip: big(tip),
  };
}

test('the worked examples are estimated, held, taken and given back as they say', { skip }, async (t) => {
  for (const example of WORKED_WEIGHTS) {
    await t.test(example.name, () => {
      const { input, final, fixed, expected } = example;
      const handed = final.map((amount, at) => {
        const label = fixed?.[at];
        const weight = input.lines[at]?.ordered ? readMilli(amount) : Number(amount);
        return { amount: big(weight), ...(label != null && { label: big(label) }) };
      });
      const isStore = input.promotion?.payer === 'store';
      const { estimate, order } = weighedOrderOf({ cart: cartOf(example), handed, isTexas: false, hasStore: isStore });
      const { quote } = estimate;
      const price = repriceOrder(order);
      const held = holdCents(quote);
      assert.deepEqual(
        quote.items.map(({ weight, quantity }) => (weight ? decimalOfMilli(weight.max) : quantity)),
        expected.max.map(Number),
      );
      const shown = {
        estimate: quote.totalWithTipCents,
        authorized: held,
        captured: price.totalWithTipCents,
        discount: price.discountCents,
        tax: price.salesTaxCents,
        released: held - price.totalWithTipCents,
        goods: fulfilledItems(order).map(({ unitCents, quantity }) => unitCents * quantity),
        fees: { delivery: price.deliveryFeeCents, service: price.serviceFeeCents, small: price.smallOrderFeeCents },
      };
      const { max: _, labels: _labels, refunds = [], ...wanted } = expected;
      assert.deepEqual(shown, wanted);

      const given: Refund[] = [];
      for (const [nth, refund] of refunds.entries()) {
        const charged = { ...order, chargedCents: price.totalWithTipCents };
        const items: FrozenItem[] = priceRefund(charged, given, [{ index: 0, milli: nth === 0 ? 500 : undefined }], '');
        assert.deepEqual(
          [amountOf(items), items[0]?.taxCents, items[0]?.cents],
          [refund.refund, refund.tax, refund.goods],
        );
        given.push({ kind: 'requested', state: 'done', items } as unknown as Refund);
      }
    });
  }
});
