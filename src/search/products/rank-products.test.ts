import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { packSize } from '../../supply/catalog/unit-price.ts';
import type { NearStore } from '../stores/store-query.ts';
import { guessOf, type ProductMatch } from './match-products.ts';
import { nextPageNumber, rankOfPage } from './product-page.ts';
import { PRODUCT_SORTS, ProductPool, type ProductSort } from './rank-products.ts';

/** `amount`: grams or milliliters, as a fraction; null without a size. */
type Fraction = readonly [numerator: bigint, denominator: bigint];
type Found = ProductMatch & { sellerNo: number; amount?: Fraction | null };

/** Grams or milliliters of one, as laws define them; a gallon is 231 cubic inches of 2.54 cm. */
const UNITS: Readonly<Record<string, Fraction>> = {
  lb: [45_359_237n, 100_000n],
  oz: [45_359_237n, 1_600_000n],
  g: [1n, 1n],
  kg: [1000n, 1n],
  'fl oz': [231n * 254n ** 3n, 128_000_000n],
  l: [1000n, 1n],
};

/** Compares cents per gram; entries without a size come last. */
function compareUnitPrices(one: Found, other: Found): number {
  if (!one.amount || !other.amount) return Number(!one.amount) - Number(!other.amount);
  const [numerator, denominator] = one.amount;
  const [otherNumerator, otherDenominator] = other.amount;
  const apart =
    BigInt(one.priceCents) * denominator * otherNumerator - BigInt(other.priceCents) * otherDenominator * numerator;
  return apart < 0n ? -1 : Number(apart > 0n);
}

/** Runs all steps without pausing and returns the result. */
function runToEnd<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The sort keys of a match in order of precedence. */
function keysOf(sellers: readonly NearStore[], sort: ProductSort) {
  return ({ sellerNo, productNo, priceCents, quality }: Found): number[] => {
    const { miles, key } = sellers[sellerNo] as NearStore;
    const rest = [sellerNo, productNo];
    const away = [10, 30, 100, 100].filter((limit) => miles > limit).length;
    const relevance = [guessOf(quality), (quality % 4) + away, miles];
    if (sort === 'relevance') return [...relevance, priceCents, ...rest];
    if (sort === 'distance') return [miles, quality, priceCents, ...rest];
    if (sort === 'unit_price') return [...relevance, ...rest];
    return [sort === 'cheapest' ? priceCents : key, ...relevance, ...rest];
  };
}

function sorted(found: readonly Found[], sellers: readonly NearStore[], sort: ProductSort): Found[] {
  const least = Math.min(...found.map(({ quality }) => guessOf(quality)));
  const guessedWords = (guess: number) => Math.floor(guess / 3);
  const counts = (guess: number) =>
    sort !== 'relevance'
      ? guess === least
      : guess < 12
        ? guessedWords(guess) !== 2 || guessedWords(least) > 0
        : guess === least;
  const keys = keysOf(sellers, sort);
  return found
    .filter(({ quality }) => counts(guessOf(quality)))
    .sort((a, b) => {
      const byUnit = sort === 'unit_price' ? compareUnitPrices(a, b) : 0;
      if (byUnit !== 0) return byUnit;
      const [one, other] = [keys(a), keys(b)];
      const at = one.findIndex((key, nth) => key !== other[nth]);
      return at < 0 ? 0 : (one[at] as number) < (other[at] as number) ? -1 : 1;
    });
}

const sizes = fc.option(
  fc.oneof(
    // Sizes that are equal, or nearly.
    fc.constantFrom(['lb', 1000], ['oz', 16_000], ['g', 453_592], ['g', 453_593], ['kg', 454], [
      'fl oz',
      16_000,
    ] as const),
    fc.tuple(fc.constantFrom(...Object.keys(UNITS)), fc.integer({ min: 1, max: 9_999_999 })),
  ),
);
const unsized = fc.record({
  productNo: fc.integer({ min: 1, max: 5 }),
  priceCents: fc.oneof(fc.constantFrom(0, 99, 100, 198, 2_000_000_000), fc.nat(10_000)),
  extraCents: fc.constant(0),
  taxCode: fc.constant(0),
  isCounted: fc.constant(false),
  quality: fc.integer({ min: 0, max: 55 }),
  role: fc.constant(0),
});
const match = fc.tuple(unsized, sizes).map(([one, size]): ProductMatch & Pick<Found, 'amount'> => {
  if (!size) return { ...one, size: 0, weightAt: 0, amount: null };
  const [unit, thousandths] = size as [string, number];
  const [numerator, denominator] = UNITS[unit] as Fraction;
  const packed = packSize({ unitSize: thousandths / 1000, unitOfMeasurement: unit });
  return { ...one, size: packed, weightAt: 0, amount: [numerator * BigInt(thousandths), denominator * 1000n] };
});
const sellersWithMatches = fc.record({
  miles: fc.constantFrom(0, 0.01, 3, 3, 10, 10.01, 30.01, 100, 100.01, 12_437.65),
  key: fc.constantFrom(-5, 0, 12, Infinity),
  matches: fc.uniqueArray(match, { selector: ({ productNo }) => productNo, maxLength: 5 }),
});

test('every sort follows its keys, in pieces as in one', () => {
  fc.assert(
    fc.property(
      fc.array(sellersWithMatches, { maxLength: 8 }),
      fc.constantFrom(...PRODUCT_SORTS),
      fc.integer({ min: 1, max: 4 }),
      (given, sort, pieceSize) => {
        const near = given.toSorted((a, b) => a.miles - b.miles);
        const sellers = near.map(({ miles, key }, at): NearStore => ({ storeId: `s${at}`, miles, key }));
        const pool = new ProductPool();
        const found: Found[] = [];
        for (const [sellerNo, { matches }] of near.entries()) {
          const inOrder = matches.toSorted((a, b) => a.productNo - b.productNo);
          for (const one of inOrder) pool.add(sellerNo, one);
          found.push(...inOrder.map((one) => ({ ...one, sellerNo })));
        }
        const expected = sorted(found, sellers, sort).map(({ sellerNo, productNo }) => ({
          seller: sellers[sellerNo],
          productNo,
        }));
        const pieces = [];
        for (let from = 0; from < expected.length + pieceSize; from += pieceSize) {
          pieces.push(...runToEnd(pool.rank(sellers, sort, from, pieceSize)));
        }
        assert.deepEqual(pieces, expected);
      },
    ),
    { numRuns: runs(500) },
  );
});

test('deep ranks equal the whole list’s', () => {
  const pool = new ProductPool();
  const sellers: NearStore[] = [0, 1, 2].map((at) => ({ storeId: `s${at}`, miles: at, key: 0 }));
  const found: Found[] = [];
  for (const sellerNo of sellers.keys()) {
    const matches = Array.from({ length: 1500 }, (_, at): ProductMatch => {
      const chosen = (at * 7919 + sellerNo * 13) % 1500;
      return {
        productNo: at + 1,
        priceCents: chosen % 50,
        extraCents: 0,
        taxCode: 0,
        size: 0,
        weightAt: 0,
        isCounted: false,
        quality: chosen % 3,
        role: 0,
      };
    });
    for (const one of matches) pool.add(sellerNo, one);
    found.push(...matches.map((one) => ({ ...one, sellerNo })));
  }
  for (const sort of PRODUCT_SORTS) {
    const expected = sorted(found, sellers, sort).map(({ sellerNo, productNo }) => ({
      seller: sellers[sellerNo],
      productNo,
    }));
    for (const from of [999, 1000, 1001, 1003, 3000, 4499]) {
      assert.deepEqual(
        runToEnd(pool.rank(sellers, sort, from, 60)),
        expected.slice(from, from + 60),
        `${sort} ${from}`,
      );
    }
    assert.deepEqual(runToEnd(pool.rank(sellers, sort, 4500, 60)), []);
  }
});

test('pages follow each other without gap or overlap, however many matches a page passes', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 900 }), { maxLength: 40 }), (extras) => {
      let page = 0;
      let rank = 0;
      for (const extra of extras) {
        assert.equal(rankOfPage(page, 50), rank);
        page = nextPageNumber(page, 50, 50 + extra);
        rank += 50 + extra;
        assert.ok(Number.isSafeInteger(page));
      }
    }),
  );
  assert.deepEqual([nextPageNumber(0, 50, 50), nextPageNumber(1, 50, 50), nextPageNumber(2, 50, 7)], [1, 2, 3]);
});
