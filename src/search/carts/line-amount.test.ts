import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { packSize } from '../../supply/catalog/unit-price.ts';
import { type LineAmount, orderOf, readAmount, type Sold } from './line-amount.ts';

type Fraction = readonly [numerator: bigint, denominator: bigint];

/** Grams or milliliters of one, as laws define them; a gallon is 231 cubic inches of 2.54 cm. */
const WEIGHTS: Readonly<Record<string, Fraction>> = {
  lb: [45_359_237n, 100_000n],
  oz: [45_359_237n, 1_600_000n],
  g: [1n, 1n],
  kg: [1000n, 1n],
};
const VOLUMES: Readonly<Record<string, Fraction>> = {
  gal: [231n * 254n ** 3n, 1_000_000n],
  l: [1000n, 1n],
  ml: [1n, 1n],
};
const ALL = { ...WEIGHTS, ...VOLUMES };
const unitsOf = (units: Readonly<Record<string, Fraction>>) => fc.constantFrom(...Object.keys(units));
/** Text of thousandths, of up to seven digits. */
const decimal = (thousandths: number) => String(thousandths / 1000);
const ceil = (numerator: bigint, denominator: bigint) => (numerator + denominator - 1n) / denominator;
const goods = (cents: number, milli: bigint, per: number) =>
  Number((2n * BigInt(cents) * milli + BigInt(per)) / (2n * BigInt(per)));
const cents = fc.nat(10_000);

test('an amount becomes the fewest packages, and skips products measured in another unit', () => {
  fc.assert(
    fc.property(
      unitsOf(ALL),
      unitsOf(ALL),
      fc.integer({ min: 1, max: 99_999 }),
      fc.integer({ min: 1, max: 99_999 }),
      cents,
      (unit, of, wanted, size, priceCents) => {
        const sold: Sold = {
          priceCents,
          extraCents: 7,
          size: packSize({ unitSize: size / 1000, unitOfMeasurement: of }),
          weight: null,
        };
        const [grams, part] = ALL[unit] as Fraction;
        const [ofGrams, ofPart] = ALL[of] as Fraction;
        const quantity = Number(ceil(BigInt(wanted) * grams * ofPart, BigInt(size) * ofGrams * part));
        const isKind = unit in WEIGHTS === of in WEIGHTS;
        const expected = isKind && quantity <= 99 ? { quantity, lineCents: quantity * (priceCents + 7) } : null;
        assert.deepEqual(orderOf(readAmount(`${decimal(wanted)} ${unit}`) as LineAmount, sold), expected);
        assert.equal(orderOf(readAmount(`${decimal(wanted)} ${unit}`) as LineAmount, { ...sold, size: 0 }), null);
        assert.deepEqual(orderOf({ count: 3 }, sold), { quantity: 3, lineCents: 3 * (priceCents + 7) });
      },
    ),
    { numRuns: runs(2000) },
  );
});

test('goods by weight are ordered up to the next step within their bounds, or by pieces', () => {
  const steps = fc.record({
    step: fc.constantFrom(1, 250, 500, 1000, 50_000),
    from: fc.integer({ min: 1, max: 4 }),
    more: fc.nat(40),
  });
  fc.assert(
    fc.property(
      unitsOf(WEIGHTS),
      unitsOf(WEIGHTS),
      fc.integer({ min: 1, max: 99_999 }),
      steps,
      fc.constantFrom(1000, 100_000),
      fc.option(fc.integer({ min: 1, max: 2000 })),
      cents,
      (unit, of, wanted, { step, from, more }, per, piece, priceCents) => {
        const [min, max] = [from * step, (from + more) * step];
        const sold: Sold = {
          priceCents,
          extraCents: 7,
          size: packSize({ unitSize: per / 1000, unitOfMeasurement: of }),
          weight: { per, step, min, max, piece },
        };
        const expectedOf = (exact: bigint) => {
          const milli = exact * BigInt(step) > BigInt(min) ? exact * BigInt(step) : BigInt(min);
          return milli > BigInt(max)
            ? null
            : { quantity: 1, lineCents: goods(priceCents, milli, per) + 7, milli: Number(milli) };
        };
        const [grams, part] = WEIGHTS[unit] as Fraction;
        const [ofGrams, ofPart] = WEIGHTS[of] as Fraction;
        const text = readAmount(`${decimal(wanted)} ${unit}`) as LineAmount;
        assert.deepEqual(
          orderOf(text, sold),
          expectedOf(ceil(BigInt(wanted) * grams * ofPart, BigInt(step) * ofGrams * part)),
        );
        const milli = 2 * (piece ?? 0);
        const pieces = { quantity: 1, lineCents: goods(priceCents, BigInt(milli), per) + 7, milli, pieces: 2 };
        const byPiece = milli > max ? null : pieces;
        assert.deepEqual(orderOf({ count: 2 }, sold), piece ? byPiece : expectedOf(ceil(2000n, BigInt(step))));
        assert.equal(orderOf(readAmount('1 l') as LineAmount, sold), null);
      },
    ),
    { numRuns: runs(2000) },
  );
});

test('an amount is a number with a unit, in the ways people write them', () => {
  const same = (...texts: string[]) =>
    assert.equal(new Set(texts.map((text) => JSON.stringify(readAmount(text)))).size, 1, texts.join());
  same('1.5 lb', '1.5lb', ' 1.5 LBS ', '1.50 pounds', '1.5 lb.');
  same('700 g', '700 grams');
  same('12 fl oz', '12 fluid ounces', '12 FL. OZ.');
  same('2 L', '2 liters');
  for (const wrong of [
    '',
    '2',
    'lb',
    '1.2345 lb',
    '-1 lb',
    '0 lb',
    '1,5 lb',
    '6 ct',
    '1 bunch',
    '1 lb 2 oz',
    '1e3 g',
    '1 constructor',
  ])
    assert.equal(readAmount(wrong), undefined, wrong);
  for (const wrong of [0, 100, 1.5, Number.NaN, null, true, {}, [1]]) assert.equal(readAmount(wrong), undefined);
});
