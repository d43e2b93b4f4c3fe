import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DINNER, givenMessageContext } from '../../../test/given/message-context.ts';
import { oracleUnitRefunds } from '../../../test/oracles/refund-oracle.ts';
import { runs } from '../../../test/runs.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { PLAIN_RECEIPT } from '../../supply/pricing/price-order.ts';
import type { TaxClass } from '../../supply/stores/tax-class.ts';
import { amountOf, fitRounding, priceItemRefund, type RefundLine, refundableItems } from './item-refund.ts';
import type { RefundedItem, RefundItemRequest } from './refund.ts';

const RUNS = { numRuns: runs(2000) };
const line: fc.Arbitrary<RefundLine> = fc.record({
  quantity: fc.integer({ min: 1, max: 99 }),
  markedUnitCents: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 100_000 })),
  taxes: fc.array(fc.nat({ max: 5_000 }), { minLength: 2, maxLength: 2 }),
});
const sum = (cents: readonly number[]) => cents.reduce((total, one) => total + one, 0);

/** Makes refunds one at a time, each of some units of a line, until nothing is left. */
function refundAll(lines: readonly RefundLine[], choices: readonly number[]): RefundedItem[] {
  const given: RefundedItem[] = [];
  const left = lines.map(({ quantity }) => quantity);
  let step = 0;
  while (left.some((units) => units > 0)) {
    const open = left.flatMap((units, index) => (units > 0 ? [index] : []));
    const choice = choices[step % Math.max(choices.length, 1)] ?? 0;
    step += 1;
    const index = open[choice % open.length] ?? 0;
    const quantity = 1 + (choice % (left[index] ?? 1));
    left[index] = (left[index] ?? 0) - quantity;
    given.push(...priceItemRefund({ lines, earlier: [...given] }, [{ index, quantity }]));
  }
  return given;
}

const lives = fc.tuple(
  fc.array(line, { minLength: 1, maxLength: 4 }),
  fc.array(fc.nat(500), { minLength: 1, maxLength: 30 }),
);

test('units that are given back in any order come to the line and its shares of taxes, to the cent', () => {
  fc.assert(
    fc.property(lives, ([lines, choices]) => {
      const given = refundAll(lines, choices);
      for (const [index, { quantity, markedUnitCents, taxes }] of lines.entries()) {
        const own = given.filter((item) => item.index === index);
        assert.equal(sum(own.map(({ quantity: units }) => units)), quantity);
        assert.equal(sum(own.map(({ cents }) => cents)), markedUnitCents * quantity);
        assert.equal(sum(own.map(({ taxCents }) => taxCents)), sum(taxes));
        for (const { taxCents } of own) assert.ok(taxCents >= 0);
      }
    }),
    RUNS,
  );
});

test('each refund of units equals exact fractions', () => {
  fc.assert(
    fc.property(lives, ([lines, choices]) => {
      const given = refundAll(lines, choices);
      for (const [index, { quantity, markedUnitCents, taxes }] of lines.entries()) {
        const own = given.filter((item) => item.index === index);
        const expected = oracleUnitRefunds(
          { unit: BigInt(markedUnitCents), quantity: BigInt(quantity), taxes: taxes.map(BigInt) },
          own.map(({ quantity: units }) => BigInt(units)),
        );
        assert.deepEqual(
          own.map((item) => [BigInt(item.quantity), BigInt(item.cents), item.taxes.map(BigInt)]),
          expected.map(({ units, price, taxes: shares }) => [units, price, shares]),
        );
      }
    }),
    RUNS,
  );
});

test('more units than are left, and an item that the order does not have, are refused', () => {
  const lines = [{ quantity: 3, markedUnitCents: 1000, taxes: [266] }];
  const earlier = [{ index: 0, quantity: 2, cents: 2000, taxCents: 178, taxes: [178] }];
  const refused = (requests: RefundItemRequest[]) =>
    assert.throws(
      () => priceItemRefund({ lines, earlier }, requests),
      (error) => error instanceof Refusal && error.code === 'refund_not_allowed',
    );
  refused([{ index: 0, quantity: 2 }]);
  refused([{ index: 1, quantity: 1 }]);
  refused([
    { index: 0, quantity: 1 },
    { index: 0, quantity: 1 },
  ]);
  const [last] = priceItemRefund({ lines, earlier }, [{ index: 0, quantity: 1 }]);
  assert.deepEqual(last, { index: 0, quantity: 1, cents: 1000, taxCents: 266 - 178, taxes: [266 - 178] });
});

test('a refusal names the item, and how many of its units are left', () => {
  const lines = [{ quantity: 3, markedUnitCents: 100, taxes: [0] }];
  const earlier = [{ index: 0, quantity: 1, cents: 100, taxCents: 0, taxes: [0] }];
  const items = { lines, earlier };
  assert.throws(() => priceItemRefund(items, [{ index: 1, quantity: 1 }]), /^Refusal: This order has no item 1\.$/);
  const few = "Only 2 of item 0's 3 units can still be refunded.";
  assert.throws(() => priceItemRefund(items, [{ index: 0, quantity: 3 }]), { message: few });
  const gone = { ...items, earlier: [{ index: 0, quantity: 4, cents: 400, taxCents: 0, taxes: [0] }] };
  const none = "Only 0 of item 0's 3 units can still be refunded.";
  assert.throws(() => priceItemRefund(gone, [{ index: 0, quantity: 1 }]), { message: none });
});

test('cents of rounding are taken off the tax, up to one for each share, and nothing else is', () => {
  const units = [
    { index: 0, quantity: 1, cents: 100, taxCents: 1, taxes: [1] },
    { index: 1, quantity: 1, cents: 100, taxCents: 9, taxes: [6, 3] },
  ];
  const lines = units.map(({ taxes }) => ({ quantity: 1, markedUnitCents: 100, taxes }));
  const fit = (leftCents: number) => fitRounding(units, { lines, earlier: [] }, leftCents).map(({ taxes }) => taxes);
  assert.deepEqual(fit(210), [[1], [6, 3]]);
  assert.deepEqual(fit(300), [[1], [6, 3]]);
  assert.deepEqual(fit(209), [[0], [6, 3]]);
  assert.deepEqual(fit(207), [[0], [5, 2]]);
  assert.deepEqual(fit(206), [[1], [6, 3]]);
});

/** A placed order of these lines with nothing else taxable. */
const ordered = fc.record({
  lines: fc.array(
    fc.record({
      priceCents: fc.nat({ max: 3000 }),
      quantity: fc.integer({ min: 1, max: 9 }),
      taxClass: fc.constantFrom<TaxClass>('grocery', 'candy', 'exempt'),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  taxes: fc.array(
    fc.record({
      percent: fc.constantFrom(0, 8.875, 14.975, 5, 50),
      classes: fc.constantFrom<TaxClass[]>(['grocery'], ['candy'], ['grocery', 'candy']),
    }),
    { minLength: 1, maxLength: 8 },
  ),
});

test('all units together give back every cent that was charged for them', () => {
  fc.assert(
    fc.property(ordered, ({ lines, taxes }) => {
      const toPrice = {
        ...DINNER,
        mode: 'pickup' as const,
        lines: lines.map((line) => ({ ...line, markedPriceCents: null, customizations: [] })),
        fees: { ...DINNER.fees, taxes: taxes.map((tax, at) => ({ ...tax, name: `T${at}` })) },
        receipt: PLAIN_RECEIPT,
      };
      const { order } = givenMessageContext(toPrice);
      const items = refundableItems(order, []);
      const requests = lines.map(({ quantity }, index) => ({ index, quantity }));
      assert.equal(amountOf(priceItemRefund(items, requests)), order.chargedCents);
    }),
    RUNS,
  );
});

test('weights that are given back are their part of goods and each tax, rounded once, and the last the rest', () => {
  const weighed = fc.record({
    milli: fc.integer({ min: 1, max: 50_000 }),
    cents: fc.nat({ max: 20_000 }),
    taxes: fc.array(fc.nat({ max: 3_000 }), { minLength: 1, maxLength: 3 }),
    parts: fc.array(fc.integer({ min: 1, max: 20_000 }), { maxLength: 6 }),
  });
  const half = (over: bigint, under: bigint) => Number((2n * over + under) / (2n * under));
  fc.assert(
    fc.property(weighed, ({ milli, cents, taxes, parts }) => {
      const lines: RefundLine[] = [{ quantity: milli, unit: 'lb', markedUnitCents: cents, taxes }];
      const earlier: RefundedItem[] = [];
      let [open, openTaxes, left] = [cents, taxes, milli];
      for (const part of [...parts, undefined]) {
        if (part !== undefined && part >= left) continue;
        const [item] = priceItemRefund({ lines, earlier: [...earlier] }, [{ index: 0, milli: part }]);
        assert.ok(item);
        const of = (whole: number, rest: number) =>
          part === undefined ? rest : Math.min(rest, half(BigInt(whole) * BigInt(part), BigInt(milli)));
        assert.deepEqual([item.quantity, item.cents], [part ?? left, of(cents, open)]);
        assert.deepEqual(
          item.taxes,
          taxes.map((tax, at) => of(tax, openTaxes[at] ?? 0)),
        );
        left -= item.quantity;
        open -= item.cents;
        openTaxes = openTaxes.map((tax, at) => tax - (item.taxes[at] ?? 0));
        earlier.push(item);
      }
      assert.deepEqual([left, open, sum(openTaxes)], [0, 0, 0]);
      const again = () => priceItemRefund({ lines, earlier }, [{ index: 0 }]);
      assert.throws(again, (error) => error instanceof Refusal && error.code === 'refund_not_allowed');
    }),
    RUNS,
  );
});

test('a weight is for goods by weight, others take units', () => {
  const lines: RefundLine[] = [{ quantity: 2, markedUnitCents: 500, taxes: [] }];
  for (const wanted of [{ index: 0, milli: 500 }, { index: 0 }]) {
    const refund = () => priceItemRefund({ lines, earlier: [] }, [wanted]);
    assert.throws(refund, (error) => error instanceof Refusal && error.code === 'invalid_request');
  }
});
