import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { carts, orderOf, taxName } from '../../../test/oracles/carts.ts';
import { oraclePrice } from '../../../test/oracles/price-oracle.ts';
import { runs } from '../../../test/runs.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import {
  type ChosenOption,
  MAX_ORDER_CENTS,
  type OrderLine,
  type OrderToPrice,
  PLAIN_RECEIPT,
  priceOrder,
} from './price-order.ts';

test('every amount of every order agrees with rational arithmetic', () => {
  fc.assert(
    fc.property(carts, (cart) => {
      const price = priceOrder(orderOf(cart));
      const oracle = oraclePrice(cart);
      const expected = {
        subtotalCents: oracle.subtotal,
        deliveryFeeCents: oracle.delivery,
        serviceFeeCents: oracle.service,
        smallOrderFeeCents: oracle.small,
        salesTaxCents: oracle.tax,
        totalWithoutTipsCents: oracle.totalWithoutTips,
        markupCents: oracle.markup,
        addedFeeCents: oracle.addedFee,
        addedSalesTaxCents: oracle.addedTax,
        miscFeesCents: oracle.misc,
        tipCents: oracle.tip,
        totalWithTipCents: oracle.totalWithTip,
        profitCents: oracle.profit,
      };
      const { lines, taxes, addedTaxes, taxShares, ...amounts } = price;
      const named = [...new Set(cart.namedTaxes?.map((_, at) => taxName(cart, at)) ?? ['Sales tax'])];
      for (const [charged, amounts] of [
        [taxes, oracle.taxes],
        [addedTaxes, oracle.addedTaxes],
      ] as const) {
        assert.deepEqual(
          charged?.map(({ name }) => name),
          named,
        );
        assert.deepEqual(
          charged?.map(({ cents }) => BigInt(cents)),
          amounts,
        );
      }
      assert.deepEqual(
        Object.fromEntries(Object.entries(amounts).map(([name, cents]) => [name, BigInt(Number(cents))])),
        expected,
      );
      assert.deepEqual(
        lines.map((line) => BigInt(line.unitCents)),
        oracle.units,
      );
      for (const [at, shares] of taxShares.entries()) {
        const whole = (taxes[at]?.cents ?? 0) + (addedTaxes[at]?.cents ?? 0);
        assert.equal(
          shares.reduce((sum, cents) => sum + cents, 0),
          whole,
        );
      }
      const marked = cart.pricesMarked ? oracle.markedUnits : oracle.units;
      assert.deepEqual(
        lines.map((line) => BigInt(line.markedUnitCents)),
        marked,
      );
    }),
    { numRuns: runs(20_000) },
  );
});

test('the lines of a receipt add up to the charged total to the cent', () => {
  fc.assert(
    fc.property(carts, (cart) => {
      const price = priceOrder(orderOf(cart));
      const receipt = [
        ...price.lines.map((line) => line.markedTotalCents),
        price.deliveryFeeCents,
        price.serviceFeeCents,
        price.smallOrderFeeCents,
        ...price.taxes.map(({ cents }) => cents),
        price.addedFeeCents,
        ...price.addedTaxes.map(({ cents }) => cents),
        price.miscFeesCents,
        price.tipCents,
      ];
      assert.equal(
        receipt.reduce((sum, cents) => sum + cents, 0),
        price.totalWithTipCents,
      );
      for (const line of price.lines) assert.equal(line.markedTotalCents, line.markedUnitCents * line.quantity);
    }),
    { numRuns: runs(5_000) },
  );
});

const NO_SERVICE_FEE = { flatCents: 0, percent: 0, minCents: 0, maxCents: null, taxable: false };
const FREE: OrderToPrice = {
  lines: [],
  mode: 'delivery',
  fees: {
    deliveryFee: { flatCents: 0, percent: 0, taxable: false, thresholds: [] },
    serviceFee: NO_SERVICE_FEE,
    pickupServiceFee: null,
    smallOrderFee: { minimumOrderCents: 0, flatCents: 0, percent: 0 },
    orderMinimumCents: 0,
    taxes: [],
  },
  slotDeliveryFee: null,
  tipCents: 0,
  receipt: PLAIN_RECEIPT,
};

const taxedAt = (percent: number) => ({ ...FREE.fees, taxes: [{ name: 'Sales tax', percent }] });

const line = (priceCents: number, quantity = 1, options: ChosenOption[] = []): OrderLine => ({
  priceCents,
  quantity,
  markedPriceCents: null,
  taxClass: 'prepared_food',
  customizations: options.length === 0 ? [] : [{ id: 'c', name: 'C', options }],
});

const option = (id: string, priceCents: number, quantity: number, rest: Partial<ChosenOption> = {}): ChosenOption => ({
  id,
  name: id,
  priceCents,
  quantity,
  defaultQty: 0,
  conditionalPrice: {},
  markedPriceCents: null,
  customizations: [],
  ...rest,
});

test('a worked order: fees, threshold, clamp, tax of the taxable fees, mark-up, added fee, tip', () => {
  const large = option('l', 600, 1, { customizations: [{ id: 'cut', name: 'Cut', options: [option('sq', 25, 2)] }] });
  const olives = option('olives', 150, 2, { conditionalPrice: { l: 250, m: 900, olives: 999 }, markedPriceCents: 300 });
  const price = priceOrder({
    ...FREE,
    lines: [{ ...line(1400, 2, [large, olives]), markedPriceCents: 1500 }],
    fees: {
      ...FREE.fees,
      deliveryFee: {
        flatCents: 299,
        percent: 0,
        taxable: true,
        thresholds: [
          { minimumSubtotalCents: 5100, flatCents: 99, percent: 1 },
          { minimumSubtotalCents: 5101, flatCents: 0, percent: 0 },
        ],
      },
      serviceFee: { flatCents: 0, percent: 10, minCents: 100, maxCents: 400, taxable: true },
      smallOrderFee: { minimumOrderCents: 5101, flatCents: 50, percent: 0.5 },
      taxes: [{ name: 'Sales tax', percent: 8.875 }],
    },
    tipCents: 500,
    receipt: {
      pricesMarked: true,
      addedFee: { flatCents: 100, percent: 2.5, taxable: true },
      miscFees: [{ name: 'Bag', amountCents: 25 }],
    },
  });
  const { lines, taxes, addedTaxes, taxShares, ...amounts } = price;
  assert.deepEqual(taxes, [{ name: 'Sales tax', percent: 8.875, cents: 501 }]);
  assert.deepEqual(addedTaxes, [{ name: 'Sales tax', percent: 8.875, cents: 56 }]);
  // 557 cents on 5,500 of lines, 150 and 400 of fees and 228 of the added fee.
  assert.deepEqual(taxShares, [[488, 13, 36, 20]]);
  assert.deepEqual(amounts, {
    subtotalCents: 5100, // 2 × (1400 + 600 + 2 × 25 + 2 × 250)
    deliveryFeeCents: 150, // 99 + 1 %
    serviceFeeCents: 400, // 510, at most 400
    smallOrderFeeCents: 76, // 50 + 25.5
    salesTaxCents: 501, // 8.875 % of 5650 = 501.4375
    totalWithoutTipsCents: 6227,
    markupCents: 400, // 2 × (100 + 2 × 50)
    addedFeeCents: 228, // 100 + 127.5
    addedSalesTaxCents: 56, // 8.875 % of 628 = 55.735
    miscFeesCents: 25,
    tipCents: 500,
    totalWithTipCents: 7436,
    profitCents: 628,
  });
  assert.deepEqual([lines[0]?.unitCents, lines[0]?.markedUnitCents], [2550, 2750]);
  const priced = lines[0]?.customizations[0]?.options.map(({ id, priceCents, markedPriceCents }) => ({
    id,
    priceCents,
    markedPriceCents,
  }));
  assert.deepEqual(priced, [
    { id: 'l', priceCents: 600, markedPriceCents: 600 },
    { id: 'olives', priceCents: 250, markedPriceCents: 300 },
  ]);
});

test('named taxes are rounded once each, so that their sum may differ from the one rate by a cent', () => {
  const taxes = [
    { name: 'GST', percent: 5 },
    { name: 'QST', percent: 9.975 },
  ];
  const order: OrderToPrice = { ...FREE, lines: [line(1010)] };
  const { taxes: named, salesTaxCents, totalWithTipCents } = priceOrder({ ...order, fees: { ...FREE.fees, taxes } });
  // 50.5 and 100.7475 cents; together 151.2475.
  assert.deepEqual(named, [
    { name: 'GST', percent: 5, cents: 51 },
    { name: 'QST', percent: 9.975, cents: 101 },
  ]);
  assert.deepEqual([salesTaxCents, totalWithTipCents], [152, 1162]);
  const single = priceOrder({ ...order, fees: taxedAt(14.975) });
  assert.deepEqual(single.taxes, [{ name: 'Sales tax', percent: 14.975, cents: 151 }]);
});

test('where the least and the most of a service fee contradict, the most holds', () => {
  const serviceFee = { ...NO_SERVICE_FEE, flatCents: 200, minCents: 500, maxCents: 300 };
  assert.equal(priceOrder({ ...FREE, fees: { ...FREE.fees, serviceFee } }).serviceFeeCents, 300);
});

test('an option named like a member of every object has no conditional price of its own accord', () => {
  const odd = option('toString', 100, 1, { conditionalPrice: { constructor: 5 } });
  assert.equal(priceOrder({ ...FREE, lines: [line(0, 1, [odd, option('a', 10, 1)])] }).subtotalCents, 110);
});

const refused = (error: unknown) => error instanceof Refusal && error.code === 'invalid_request';

test('the largest order is exact, and one cent more is refused', () => {
  assert.equal(priceOrder({ ...FREE, lines: [line(MAX_ORDER_CENTS)] }).totalWithTipCents, MAX_ORDER_CENTS);
  assert.throws(() => priceOrder({ ...FREE, lines: [line(MAX_ORDER_CENTS)], tipCents: 1 }), refused);
});

test('an amount beyond the limit is refused wherever it arises', () => {
  const deep = [1e6, 1e6, 1e6, 1e6].reduceRight<ChosenOption[]>(
    (nested, quantity) => [
      option(`q${nested.length}`, 1, quantity, { customizations: [{ id: 'n', name: 'N', options: nested }] }),
    ],
    [],
  );
  const added = (percent: number, flatCents = 0) => ({
    ...PLAIN_RECEIPT,
    addedFee: { flatCents, percent, taxable: true },
  });
  const orders: Partial<OrderToPrice>[] = [
    { lines: [line(Number.MAX_SAFE_INTEGER)] },
    { lines: [line(2e9, 99)] },
    { lines: [line(6e10), line(6e10)] },
    { lines: [line(100, 1, deep)] },
    { lines: [{ ...line(100), markedPriceCents: 1e12 }], receipt: { ...PLAIN_RECEIPT, pricesMarked: true } },
    { lines: [line(1e9)], receipt: added(1e300) },
    { lines: [line(1e9)], receipt: added(1e6) },
    { lines: [line(100)], receipt: added(0, Number.MAX_SAFE_INTEGER) },
    { lines: [line(1e10)], fees: taxedAt(1_000) },
    { lines: [line(6e10)], fees: taxedAt(90) },
    { tipCents: Number.MAX_SAFE_INTEGER },
    { receipt: { ...PLAIN_RECEIPT, miscFees: [{ name: 'fee', amountCents: 1e15 }] } },
  ];
  for (const order of orders) {
    assert.throws(() => priceOrder({ ...FREE, ...order }), refused, JSON.stringify(order).slice(0, 120));
  }
});
