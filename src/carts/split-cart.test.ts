import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { carts, orderOf } from '../../test/oracles/carts.ts';
import { type OracleCart, oraclePrice } from '../../test/oracles/price-oracle.ts';
import { floorOf, leastFeeUnits, UNITS_PER_CENT } from './cart-floor.ts';
import { priceCart } from './price-cart.ts';
import { cheapestSplits, type Split, type SplitSeller } from './split-cart.ts';

/** A store in the oracle's shape; a line of null is one it lacks. */
type Shop = { cart: OracleCart; orderMinimum: number; lines: (number | null)[] };

const MOST_SPLITS = 3;
const ENOUGH_STEPS = 1_000_000;

/** Fees fall at subtotals that the carts of these tests come to. */
function withinReach(cart: OracleCart): OracleCart {
  const near = <Rule extends { minimum: bigint }>(rule: Rule): Rule => ({ ...rule, minimum: rule.minimum % 7000n });
  const { delivery, small } = cart;
  const thresholds = delivery.thresholds.map(near);
  return { ...cart, slot: null, small: near(small), delivery: { ...delivery, thresholds } };
}

const shopsOf = (lineCount: number, mostShops: number): fc.Arbitrary<Shop[]> =>
  fc.array(
    fc.record({
      cart: carts.map(withinReach),
      orderMinimum: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 4000 })),
      lines: fc.array(fc.option(fc.integer({ min: 0, max: 3000 }), { freq: 5 }), {
        minLength: lineCount,
        maxLength: lineCount,
      }),
    }),
    { minLength: 1, maxLength: mostShops },
  );
const cases = fc
  .record({ lineCount: fc.integer({ min: 1, max: 6 }), under: fc.option(fc.integer({ min: 0, max: 12_000 })) })
  .chain(({ lineCount, under }) => fc.record({ shops: shopsOf(lineCount, 6), under: fc.constant(under) }))
  .chain(({ shops, under }) =>
    // Branches of a chain charge the same: many ties.
    fc.record({
      under: fc.constant(under),
      shops: fc.array(fc.constantFrom(...shops), { minLength: 2, maxLength: 7 }),
    }),
  );

function sellerOf({ cart, orderMinimum, lines }: Shop): SplitSeller {
  const { mode, fees, salesTaxPercent, slotDeliveryFee } = orderOf(cart);
  return {
    terms: { mode, fees, salesTaxPercent, slotDeliveryFee, orderMinimumCents: orderMinimum },
    lineCents: lines.map((cents) => cents ?? Infinity),
  };
}

/** What the lines of the mask cost at a shop by the oracle; undefined where it cannot bring them. */
function partCost({ cart, orderMinimum, lines }: Shop, has: (line: number) => boolean): number | undefined {
  const cents = lines.filter((_, line) => has(line));
  if (cents.length === 0 || cents.includes(null)) return undefined;
  const subtotal = cents.reduce((sum: number, one) => sum + Number(one), 0);
  if (subtotal < orderMinimum) return undefined;
  const line = { price: BigInt(subtotal), quantity: 1n, marked: null, options: [] };
  return Number(oraclePrice({ ...cart, lines: [line] }).totalWithoutTips);
}

/** The cheapest way of every pair by trying all of them, cheapest pair first. */
function splitsByTrial(shops: readonly Shop[], under: number): number[] {
  const totals: number[] = [];
  for (const [index, first] of shops.entries()) {
    for (const second of shops.slice(index + 1)) {
      let least = Infinity;
      for (let mask = 0; mask < 2 ** first.lines.length; mask += 1) {
        const a = partCost(first, (line) => (mask >> line) % 2 === 1);
        const b = partCost(second, (line) => (mask >> line) % 2 === 0);
        if (a !== undefined && b !== undefined) least = Math.min(least, a + b);
      }
      if (least < under) totals.push(least);
    }
  }
  return totals.sort((a, b) => a - b).slice(0, MOST_SPLITS);
}

const limitsOf = (under: number | null, mostSteps = ENOUGH_STEPS) => ({
  underCents: under ?? Infinity,
  mostSplits: MOST_SPLITS,
  mostSteps,
});

function assertTrue(split: Split, shops: readonly Shop[]): void {
  const [first, second] = [shops[split.first] as Shop, shops[split.second] as Shop];
  const a = partCost(first, (line) => split.linesOfFirst[line] === true);
  const b = partCost(second, (line) => split.linesOfFirst[line] === false);
  assert.ok(a !== undefined && b !== undefined, 'each store brings its part and takes the order');
  assert.equal(split.totalCents, a + b);
}

test('the splits offered are the cheapest of all pairs of stores and all ways to share the lines out', () => {
  fc.assert(
    fc.property(cases, ({ shops, under }) => {
      const { splits, isExhaustive } = cheapestSplits(shops.map(sellerOf), limitsOf(under));
      assert.ok(isExhaustive);
      for (const split of splits) assertTrue(split, shops);
      assert.deepEqual(
        splits.map(({ totalCents }) => totalCents),
        splitsByTrial(shops, under ?? Infinity),
      );
      assert.equal(new Set(splits.map(({ first, second }) => `${first} ${second}`)).size, splits.length);
    }),
    { numRuns: 1500 },
  );
});

test('no cart costs less than its floor, whatever fees fall at which subtotal', () => {
  const bounds = fc.tuple(fc.integer({ min: 0, max: 9000 }), fc.integer({ min: 0, max: 9000 }));
  fc.assert(
    fc.property(shopsOf(1, 1), bounds, fc.double({ min: 0, max: 1, noNaN: true }), ([shop], [from, more], part) => {
      const { terms } = sellerOf(shop as Shop);
      const floor = floorOf(terms);
      const subtotal = Math.max(from, terms.orderMinimumCents) + Math.round(more * part);
      const highest = Math.max(from, terms.orderMinimumCents) + more;
      const total = priceCart(terms, subtotal)?.totalWithoutTipsCents ?? Infinity;
      const units = subtotal * floor.unitsPerCent + leastFeeUnits(floor, from, highest);
      assert.ok(units <= total * UNITS_PER_CENT, `${units} over ${total}`);
    }),
    { numRuns: 3000 },
  );
});

test('a search that meets its limit says that it is not exhaustive, and what it offers is true all the same', () => {
  fc.assert(
    fc.property(cases, fc.integer({ min: 0, max: 30 }), ({ shops }, steps) => {
      const { splits, isExhaustive } = cheapestSplits(shops.map(sellerOf), limitsOf(null, steps));
      for (const split of splits) assertTrue(split, shops);
      if (!isExhaustive) return;
      assert.deepEqual(
        splits.map(({ totalCents }) => totalCents),
        splitsByTrial(shops, Infinity),
      );
    }),
    { numRuns: 500 },
  );
});
