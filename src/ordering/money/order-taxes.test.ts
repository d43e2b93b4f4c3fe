import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { givenMessageContext } from '../../../test/given/message-context.ts';
import { oracleAdjusted } from '../../../test/oracles/adjusted-price.ts';
import { cartLines, carts, orderOf } from '../../../test/oracles/carts.ts';
import { type OracleCart, oraclePrice } from '../../../test/oracles/price-oracle.ts';
import { oracleUnitRefund } from '../../../test/oracles/refund-oracle.ts';
import { runs } from '../../../test/runs.ts';
import { percentOf } from '../../platform/lib/money.ts';
import { priceOrder } from '../../supply/pricing/price-order.ts';
import { taxationOf } from '../order/reprice-order.ts';
import { amountOf, priceItemRefund, refundableItems } from './item-refund.ts';
import type { RefundedItem } from './refund.ts';

/** Orders as they are, from the price to the last refund, against rational arithmetic. */

/** Orders of up to 40 lines; most are short, because random ones take long to make. */
const fewUnits = cartLines.map((line) => ({ ...line, quantity: 1n + (line.quantity % 6n) }));
const lines = fc.oneof(
  { weight: 24, arbitrary: fc.array(fewUnits, { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.array(fewUnits, { minLength: 20, maxLength: 40 }) },
);
const orders = fc
  .record({ cart: carts, lines, choices: fc.array(fc.nat(500), { minLength: 1, maxLength: 20 }) })
  .map(({ cart, choices, ...own }) => ({ cart: { ...cart, ...own } satisfies OracleCart, choices }));

const sum = (amounts: readonly number[]) => amounts.reduce((total, cents) => total + cents, 0);

test('sums are exact, each tax is rounded once, and refunds in any order add up to the charge', () => {
  fc.assert(
    fc.property(orders, ({ cart, choices }) => {
      const toPrice = orderOf(cart);
      const oracle = oraclePrice(cart);
      const { order } = givenMessageContext(toPrice);
      const { quote } = order;
      assert.equal(BigInt(quote.totalWithTipCents), oracle.totalWithTip);
      assert.deepEqual(
        quote.taxes.map(({ cents }) => BigInt(cents)),
        oracle.taxes,
      );
      assert.deepEqual(
        quote.addedFee.taxes.map(({ cents }) => BigInt(cents)),
        oracle.addedTaxes,
      );

      const { taxes, shares } = taxationOf(order);
      for (const [at, { cents, addedCents }] of taxes.entries())
        assert.equal(sum(shares[at] ?? []), cents + addedCents);
      const items = refundableItems(order, []);
      const handed = cart.lines.map(({ quantity }) => ({ quantity, substitute: null }));
      const expected = oracleAdjusted(cart, handed).shares;
      assert.deepEqual(
        items.lines.map((line) => line.taxes.map(BigInt)),
        expected,
      );

      const given: RefundedItem[] = [];
      const left = cart.lines.map(({ quantity }) => Number(quantity));
      const before = cart.lines.map((_, index) => ({ units: 0n, taxes: (expected[index] ?? []).map(() => 0n) }));
      for (let step = 0; left.some((units) => units > 0); step += 1) {
        const open = left.flatMap((units, index) => (units > 0 ? [index] : []));
        const choice = choices[step % choices.length] ?? 0;
        const index = open[choice % open.length] ?? 0;
        const quantity = 1 + (choice % (left[index] ?? 1));
        left[index] = (left[index] ?? 0) - quantity;
        const [back] = priceItemRefund({ ...items, earlier: given }, [{ index, quantity }]);
        assert.ok(back);
        const line = { unit: 0n, quantity: cart.lines[index]?.quantity ?? 0n, taxes: expected[index] ?? [] };
        const known = before[index] ?? { units: 0n, taxes: [] };
        const oracleBack = oracleUnitRefund(line, known, BigInt(quantity));
        assert.deepEqual(back.taxes.map(BigInt), oracleBack?.taxes);
        before[index] = {
          units: known.units + BigInt(quantity),
          taxes: known.taxes.map((cents, at) => cents + (oracleBack?.taxes[at] ?? 0n)),
        };
        given.push(back);
      }
      const ofFees = sum(taxes.map((_, at) => sum((shares[at] ?? []).slice(-3))));
      const fees = quote.deliveryFeeCents + quote.serviceFeeCents + quote.smallOrderFeeCents;
      const other = quote.addedFee.totalCents + sum(quote.miscFees.map(({ amountCents }) => amountCents));
      assert.equal(amountOf(given) + fees + other + ofFees + quote.tipCents, quote.totalWithTipCents);
    }),
    { numRuns: runs(100_000, 400) },
  );
});

/** The taxes as they were before there were classes: each on the whole subtotal and the taxable fees. */
function taxesBeforeClasses(order: ReturnType<typeof orderOf>, price: ReturnType<typeof priceOrder>) {
  const { fees, mode, slotDeliveryFee, receipt } = order;
  const serviceFee = mode === 'delivery' ? fees.serviceFee : fees.pickupServiceFee;
  const delivery = (slotDeliveryFee ?? fees.deliveryFee).taxable ? price.deliveryFeeCents : 0;
  const base = price.subtotalCents + delivery + (serviceFee?.taxable ? price.serviceFeeCents : 0);
  const added = price.markupCents + (receipt.addedFee.taxable ? price.addedFeeCents : 0);
  return [base, added].map((cents) => sum(fees.taxes.map(({ percent }) => percentOf(percent, cents))));
}

test('with one class every order costs the same as before classes existed, to the cent', () => {
  fc.assert(
    fc.property(orders, ({ cart }) => {
      const alike = cart.lines.map((line) => ({
        ...line,
        taxClass: 'grocery',
        options: line.options.map((option) => ({ ...option, taxClass: null })),
      }));
      const order = orderOf({ ...cart, lines: alike, taxClasses: [] });
      const price = priceOrder(order);
      assert.deepEqual([price.salesTaxCents, price.addedSalesTaxCents], taxesBeforeClasses(order, price));
    }),
    { numRuns: runs(10_000) },
  );
});
