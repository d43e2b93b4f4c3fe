import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { carts, orderOf } from '../../../test/oracles/carts.ts';
import { type OracleCart, oraclePrice } from '../../../test/oracles/price-oracle.ts';
import { runs } from '../../../test/runs.ts';
import { type TaxClass, taxCodeOf } from '../../supply/stores/tax-class.ts';
import { priceCart } from './sort-carts.ts';
import { type Split, type SplitLimits, type SplitSearch, type SplitSeller, splitSteps } from './split-cart.ts';
import { floorOf, minFeeUnits, UNITS_PER_CENT } from './split-pair.ts';

/** A store in the oracle's shape; null marks a line that it lacks. */
type Shop = { cart: OracleCart; orderMinimum: number; lines: (number | null)[]; classes: TaxClass[] };

/** Of products that have none. */
const STORE_CLASS = 'general';

const MAX_SPLITS = 3;
const ENOUGH_STEPS = 1_000_000;

/** Scales the subtotals at which fees drop to the range of these carts. */
function withinReach(cart: OracleCart): OracleCart {
  const near = <Rule extends { minimum: bigint }>(rule: Rule): Rule => ({ ...rule, minimum: rule.minimum % 7000n });
  const { delivery, small } = cart;
  const thresholds = delivery.thresholds.map(near);
  return { ...cart, slot: null, small: near(small), delivery: { ...delivery, thresholds } };
}

const shopsOf = (lineCount: number, maxShops: number): fc.Arbitrary<Shop[]> =>
  fc.array(
    fc.record({
      cart: carts.map(withinReach),
      orderMinimum: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 4000 })),
      lines: fc.array(fc.option(fc.integer({ min: 0, max: 3000 }), { freq: 5 }), {
        minLength: lineCount,
        maxLength: lineCount,
      }),
      classes: fc.array(fc.constantFrom<TaxClass>(STORE_CLASS, STORE_CLASS, 'grocery', 'candy', 'exempt'), {
        minLength: lineCount,
        maxLength: lineCount,
      }),
    }),
    { minLength: 1, maxLength: maxShops },
  );
const cases = fc
  .record({ lineCount: fc.integer({ min: 1, max: 6 }), under: fc.option(fc.integer({ min: 0, max: 12_000 })) })
  .chain(({ lineCount, under }) => fc.record({ shops: shopsOf(lineCount, 6), under: fc.constant(under) }))
  .chain(({ shops, under }) =>
    // Branches of a chain have equal fees, which yields many ties.
    fc.record({
      under: fc.constant(under),
      shops: fc.array(fc.constantFrom(...shops), { minLength: 2, maxLength: 7 }),
    }),
  );

function cheapestSplits<Seller extends SplitSeller>(sellers: Seller[], limits: SplitLimits): SplitSearch<Seller> {
  const steps = splitSteps(sellers, limits);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

type ShopSeller = SplitSeller & { shop: Shop; number: number };

function givenSeller(shop: Shop, number: number): ShopSeller {
  const { cart, orderMinimum, lines, classes } = shop;
  const codes = classes.map((one, line) => (one === STORE_CLASS || lines[line] === null ? 0 : taxCodeOf(one)));
  const { mode, fees, salesTaxPercent, slotDeliveryFee } = orderOf(cart);
  return {
    shop,
    number,
    terms: { mode, fees, salesTaxPercent, slotDeliveryFee, orderMinimumCents: orderMinimum, taxClass: STORE_CLASS },
    taxCodes: codes.some((code) => code !== 0) ? codes : [],
    lineCents: lines.map((cents) => cents ?? Infinity),
  };
}

/** The price of the lines at a store, by the oracle; undefined if it lacks a line or refuses such an order. */
function partCost({ cart, orderMinimum, lines, classes }: Shop, has: (line: number) => boolean): number | undefined {
  const cents = lines.filter((_, line) => has(line));
  if (cents.length === 0 || cents.includes(null)) return undefined;
  const subtotal = cents.reduce((sum: number, one) => sum + Number(one), 0);
  if (subtotal < orderMinimum) return undefined;
  const parts = lines.flatMap((price, line) =>
    price === null || !has(line)
      ? []
      : [{ price: BigInt(price), quantity: 1n, marked: null, options: [], taxClass: classes[line] ?? STORE_CLASS }],
  );
  return Number(oraclePrice({ ...cart, lines: parts }).totalWithoutTips);
}

/** Brute force: the cheapest split of each pair with the numbers of its stores; of equal prices, the first. */
function splitsByTrial(shops: readonly Shop[], under: number): [cents: number, first: number, second: number][] {
  const found: [number, number, number][] = [];
  for (const [index, first] of shops.entries()) {
    for (const [after, second] of shops.slice(index + 1).entries()) {
      let least = Infinity;
      for (let mask = 0; mask < 2 ** first.lines.length; mask += 1) {
        const a = partCost(first, (line) => (mask >> line) % 2 === 1);
        const b = partCost(second, (line) => (mask >> line) % 2 === 0);
        if (a !== undefined && b !== undefined) least = Math.min(least, a + b);
      }
      if (least < under) found.push([least, index, index + 1 + after]);
    }
  }
  return found.sort((a, b) => a[0] - b[0]).slice(0, MAX_SPLITS);
}

function summarize(splits: readonly Split<ShopSeller>[]) {
  return splits.map(({ totalCents, first, second }) => [totalCents, first.number, second.number]);
}

const givenLimits = (under: number | null, maxSteps = ENOUGH_STEPS) => ({
  underCents: under ?? Infinity,
  maxSplits: MAX_SPLITS,
  maxSteps,
});

function assertTrue(split: Split<ShopSeller>): void {
  const a = partCost(split.first.shop, (line) => split.linesOfFirst[line] === true);
  const b = partCost(split.second.shop, (line) => split.linesOfFirst[line] === false);
  assert.ok(a !== undefined && b !== undefined, 'each store brings its part and takes the order');
  assert.equal(split.totalCents, a + b);
}

test('the splits are the cheapest of all pairs of stores and all ways to share the lines, of equal ones the first', () => {
  fc.assert(
    fc.property(cases, ({ shops, under }) => {
      const { splits, isExhaustive } = cheapestSplits(shops.map(givenSeller), givenLimits(under));
      assert.ok(isExhaustive);
      for (const split of splits) assertTrue(split);
      assert.deepEqual(summarize(splits), splitsByTrial(shops, under ?? Infinity));
    }),
    { numRuns: runs(1500) },
  );
});

test('among hundreds of pairs, whose lower bounds say little, the splits are the first of the cheapest too', () => {
  const price = fc.constantFrom(500, 1000, 1500);
  // Most stores refuse an order of one line, so nearly all pairs have a lower bound but no split.
  const minimum = (strict: number) =>
    fc.oneof({ weight: strict, arbitrary: fc.constant(1600) }, fc.constantFrom(0, 600, 1100));
  const many = fc
    .tuple(fc.constantFrom(1, 12), fc.array(carts.map(withinReach), { minLength: 2, maxLength: 2 }))
    .chain(([strict, ofChains]) =>
      fc.array(
        fc.record({
          cart: fc.constantFrom(...ofChains),
          orderMinimum: minimum(strict),
          lines: fc.tuple(price, price).map((both): (number | null)[] => both),
          classes: fc.constant<TaxClass[]>([STORE_CLASS, STORE_CLASS]),
        }),
        { minLength: 15, maxLength: 30 },
      ),
    );
  fc.assert(
    fc.property(many, (shops) => {
      const { splits, isExhaustive } = cheapestSplits(shops.map(givenSeller), givenLimits(null));
      assert.ok(isExhaustive);
      assert.deepEqual(summarize(splits), splitsByTrial(shops, Infinity));
    }),
    { numRuns: runs(60) },
  );
});

test("equally priced pairs keep the list's sequence, whatever the search sequence", () => {
  const seller = (name: string, lineCents: number[], orderMinimumCents: number, feePercent = 0) => {
    const free = { flatCents: 0, percent: 0 };
    const serviceFee = { ...free, percent: feePercent, minCents: 0, maxCents: null, taxable: false };
    const deliveryFee = { ...free, taxable: false, thresholds: [] };
    const fees = {
      deliveryFee,
      serviceFee,
      pickupServiceFee: null,
      smallOrderFee: { ...free, minimumOrderCents: 0 },
      orderMinimumCents,
    };
    return {
      name,
      lineCents,
      taxCodes: [],
      terms: {
        mode: 'delivery' as const,
        fees,
        salesTaxPercent: 0,
        slotDeliveryFee: null,
        orderMinimumCents,
        taxClass: STORE_CLASS,
      } as const,
    };
  };
  // These stores accept only whole carts, and their pairs' lower bounds lie between those of the two splits.
  const whole = Array.from({ length: 13 }, (_, at) => seller('whole', [80, 80, 80 + at], 200));
  const first = [seller('a', [80, 80, Infinity], 160), seller('b', [Infinity, Infinity, 100], 0)];
  // The fee grows with the subtotal, so the lower bound of a pair with this store is 30 below its price.
  const last = seller('c', [50, 50, Infinity], 0, 60);
  const { splits } = cheapestSplits([...first, ...whole, last], { ...givenLimits(null), maxSplits: 1 });
  assert.deepEqual(
    splits.map((split) => [split.totalCents, split.first.name, split.second.name]),
    [[260, 'a', 'b']],
  );
});

test('no cart costs less than its floor, whatever fees fall at any subtotal', () => {
  const bounds = fc.tuple(fc.integer({ min: 0, max: 9000 }), fc.integer({ min: 0, max: 9000 }));
  fc.assert(
    fc.property(shopsOf(2, 1), bounds, fc.double({ min: 0, max: 1, noNaN: true }), ([shop], [from, more], part) => {
      const { terms } = givenSeller(shop as Shop, 0);
      const codes = (shop as Shop).classes.map(taxCodeOf);
      const floor = floorOf(terms, codes);
      const subtotal = Math.max(from, terms.orderMinimumCents) + Math.round(more * part);
      const highest = Math.max(from, terms.orderMinimumCents) + more;
      const first = Math.round(subtotal * part);
      const lineCents = [first, subtotal - first];
      const total = priceCart(terms, subtotal, { lineCents, taxCodes: codes })?.totalWithoutTipsCents ?? Infinity;
      const units =
        lineCents.reduce((sum, cents, line) => sum + cents * floor.unitsPerCent(codes[line] ?? 0), 0) +
        minFeeUnits(floor, from, highest);
      assert.ok(units <= total * UNITS_PER_CENT, `${units} over ${total}`);
    }),
    { numRuns: runs(600) },
  );
});

test('a search that reaches its limit is not exhaustive, and its splits are true all the same', () => {
  fc.assert(
    fc.property(cases, fc.integer({ min: 0, max: 30 }), ({ shops }, steps) => {
      const { splits, isExhaustive } = cheapestSplits(shops.map(givenSeller), givenLimits(null, steps));
      for (const split of splits) assertTrue(split);
      if (!isExhaustive) return;
      assert.deepEqual(summarize(splits), splitsByTrial(shops, Infinity));
    }),
    { numRuns: runs(500) },
  );
});
