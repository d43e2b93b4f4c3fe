import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DINNER, givenMessageContext } from '../../../test/given/message-context.ts';
import { oracleUnitRefunds } from '../../../test/oracles/refund-oracle.ts';
import { runs } from '../../../test/runs.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { percentOf } from '../../platform/lib/money.ts';
import { PLAIN_RECEIPT } from '../../supply/pricing/price-order.ts';
import {
  amountOf,
  fitRounding,
  priceItemRefund,
  type RefundItemRequest,
  type RefundLine,
  refundableItems,
} from './item-refund.ts';
import type { RefundedItem } from './refund.ts';

const RUNS = { numRuns: runs(2000) };
const line: fc.Arbitrary<RefundLine> = fc.record({
  quantity: fc.integer({ min: 1, max: 99 }),
  markedUnitCents: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 100_000 })),
});
const rate = fc.oneof(
  fc.constantFrom('0', '8.875', '14.975', '5', '13', '50'),
  fc.integer({ max: 99_999, min: 0 }).map((n) => String(n / 1000)),
);
/** One tax rate, or the feed's named taxes. */
const rates = fc.array(rate, { minLength: 1, maxLength: 4 });
const sum = (cents: readonly number[]) => cents.reduce((total, one) => total + one, 0);

/** Makes refunds one at a time, each of some units of a line, until nothing is left. */
function refundAll(
  lines: readonly RefundLine[],
  percents: readonly number[],
  choices: readonly number[],
): RefundedItem[] {
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
    given.push(...priceItemRefund({ lines, taxPercents: percents, earlier: [...given] }, [{ index, quantity }]));
  }
  return given;
}

const lives = fc.tuple(
  fc.array(line, { minLength: 1, maxLength: 4 }),
  rates,
  fc.array(fc.nat(500), { minLength: 1, maxLength: 30 }),
);

test('units that are given back in any order come to the line and its taxes, each rounded once, to the cent', () => {
  fc.assert(
    fc.property(lives, ([lines, decimals, choices]) => {
      const percents = decimals.map(Number);
      const given = refundAll(lines, percents, choices);
      for (const [index, { quantity, markedUnitCents }] of lines.entries()) {
        const own = given.filter((item) => item.index === index);
        assert.equal(sum(own.map(({ quantity: units }) => units)), quantity);
        assert.equal(sum(own.map(({ cents }) => cents)), markedUnitCents * quantity);
        const taxes = percents.map((percent) => percentOf(percent, markedUnitCents * quantity));
        assert.equal(sum(own.map(({ taxCents }) => taxCents)), sum(taxes));
        for (const { taxCents } of own) assert.ok(taxCents >= 0);
      }
    }),
    RUNS,
  );
});

test('each refund of units is what fractions of whole numbers say', () => {
  fc.assert(
    fc.property(lives, ([lines, decimals, choices]) => {
      const percents = decimals.map(Number);
      const given = refundAll(lines, percents, choices);
      for (const [index, { quantity, markedUnitCents }] of lines.entries()) {
        const own = given.filter((item) => item.index === index);
        const expected = oracleUnitRefunds(
          { unit: BigInt(markedUnitCents), quantity: BigInt(quantity), taxPercents: decimals },
          own.map(({ quantity: units }) => BigInt(units)),
        );
        assert.deepEqual(
          own.map((item) => [BigInt(item.quantity), BigInt(item.cents), BigInt(item.taxCents)]),
          expected.map(({ units, price, tax }) => [units, price, tax]),
        );
      }
    }),
    RUNS,
  );
});

test('more units than are left, and an item that the order does not have, are refused', () => {
  const lines = [{ quantity: 3, markedUnitCents: 1000 }];
  const earlier = [{ index: 0, quantity: 2, cents: 2000, taxCents: 178 }];
  const refused = (asked: RefundItemRequest[]) =>
    assert.throws(
      () => priceItemRefund({ lines, taxPercents: [8.875], earlier }, asked),
      (error) => error instanceof Refusal && error.code === 'refund_not_allowed',
    );
  refused([{ index: 0, quantity: 2 }]);
  refused([{ index: 1, quantity: 1 }]);
  refused([
    { index: 0, quantity: 1 },
    { index: 0, quantity: 1 },
  ]);
  const [last] = priceItemRefund({ lines, taxPercents: [8.875], earlier }, [{ index: 0, quantity: 1 }]);
  assert.deepEqual(last, { index: 0, quantity: 1, cents: 1000, taxCents: 266 - 178 });
});

test('lines whose taxes are rounded apart give back all that was charged, and not a cent more', () => {
  // Two lines of 5 cents at 10 % have a cent of tax each; the order was charged only one cent in all.
  const lines = [1, 1].map((quantity) => ({ quantity, markedUnitCents: 5 }));
  const units = priceItemRefund({ lines, taxPercents: [10], earlier: [] }, [
    { index: 0, quantity: 1 },
    { index: 1, quantity: 1 },
  ]);
  const fitted = (leftCents: number) =>
    amountOf(fitRounding(units, { lines, taxPercents: [10], earlier: [] }, leftCents));
  assert.deepEqual([amountOf(units), fitted(12), fitted(11), fitted(10), fitted(9)], [12, 12, 11, 10, 12]);
});

test('a refusal names the item, and how many of its units are left', () => {
  const lines = [{ quantity: 3, markedUnitCents: 100 }];
  const earlier = [{ index: 0, quantity: 1, cents: 100, taxCents: 0 }];
  const items = { lines, taxPercents: [0], earlier };
  assert.throws(() => priceItemRefund(items, [{ index: 1, quantity: 1 }]), /^Refusal: The order has no item 1\.$/);
  const few = 'Item 0 has 2 of its 3 units left to give back.';
  assert.throws(() => priceItemRefund(items, [{ index: 0, quantity: 3 }]), { message: few });
  const gone = { ...items, earlier: [{ index: 0, quantity: 4, cents: 400, taxCents: 0 }] };
  const none = 'Item 0 has 0 of its 3 units left to give back.';
  assert.throws(() => priceItemRefund(gone, [{ index: 0, quantity: 1 }]), { message: none });
});

test('cents of rounding are taken off the tax, up to one for each line and named tax, and nothing else is', () => {
  const units = [
    { index: 0, quantity: 1, cents: 100, taxCents: 1 },
    { index: 1, quantity: 1, cents: 100, taxCents: 9 },
  ];
  const lines = units.map(() => ({ quantity: 1, markedUnitCents: 100 }));
  const fit = (leftCents: number, taxPercents = [5]) =>
    fitRounding(units, { lines, taxPercents, earlier: [] }, leftCents).map(({ taxCents }) => taxCents);
  assert.deepEqual(fit(210), [1, 9]);
  assert.deepEqual(fit(300), [1, 9]);
  assert.deepEqual(fit(209), [0, 9]);
  assert.deepEqual(fit(208), [0, 8]);
  assert.deepEqual(fit(207), [1, 9]);
  assert.deepEqual(
    [fit(206, [5, 9.975]), fit(205, [5, 9.975])],
    [
      [0, 6],
      [1, 9],
    ],
  );
});

/** A placed order of these lines with nothing else taxable. */
const ordered = fc.record({
  lines: fc.array(fc.record({ priceCents: fc.nat({ max: 3000 }), quantity: fc.integer({ min: 1, max: 9 }) }), {
    minLength: 1,
    maxLength: 5,
  }),
  percents: rates,
});

test('all units together give back every cent that was charged for them, less at most half a cent a line and tax', () => {
  fc.assert(
    fc.property(ordered, ({ lines, percents: decimals }) => {
      const percents = decimals.map(Number);
      const taxes = percents.map((percent, at) => ({ name: `T${at}`, percent }));
      const toPrice = {
        ...DINNER,
        mode: 'pickup' as const,
        lines: lines.map((line) => ({ ...line, markedPriceCents: null, customizations: [] })),
        fees: { ...DINNER.fees, taxes },
        receipt: PLAIN_RECEIPT,
      };
      const { order } = givenMessageContext(toPrice);
      const items = refundableItems(order, []);
      const asked = lines.map(({ quantity }, index) => ({ index, quantity }));
      const back = amountOf(fitRounding(priceItemRefund(items, asked), items, order.chargedCents));
      assert.ok(back <= order.chargedCents);
      const limit = Math.floor((lines.length + 1) / 2) * percents.length;
      assert.ok(order.chargedCents - back <= (lines.length === 1 ? 0 : limit), `${order.chargedCents} - ${back}`);
    }),
    RUNS,
  );
});
