import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { unitPriceOf } from './unit-price.ts';

type Fraction = readonly [numerator: bigint, denominator: bigint];

/** Grams or milliliters of one, as laws define them. */
const FACTS: Readonly<Record<string, Fraction>> = {
  lb: [45_359_237n, 100_000n],
  oz: [45_359_237n, 1_600_000n],
  g: [1n, 1n],
  kg: [1000n, 1n],
  // A gallon is 231 cubic inches of 2.54 cm.
  gal: [231n * 254n ** 3n, 1_000_000n],
  qt: [231n * 254n ** 3n, 4_000_000n],
  pt: [231n * 254n ** 3n, 8_000_000n],
  'fl oz': [231n * 254n ** 3n, 128_000_000n],
  ml: [1n, 1n],
  l: [1000n, 1n],
};
const VOLUMES = ['gal', 'qt', 'pt', 'fl oz', 'ml', 'l'];
const SHOWN = {
  US: { weight: ['1 lb', '1 oz'], volume: ['1 fl oz', '1 gal'] },
  CA: { weight: ['100 g', '1 kg'], volume: ['100 ml', '1 L'] },
};

test('a unit price follows the country’s unit, exact and rounded once, half up', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(FACTS)),
      fc.constantFrom('US' as const, 'CA' as const),
      fc.integer({ min: 1, max: 5_000_000 }),
      fc.integer({ min: 0, max: 10_000_000 }),
      (unit, country, thousandths, cents) => {
        const price = unitPriceOf({ unitSize: thousandths / 1000, unitOfMeasurement: unit }, cents, country);
        const [amount, part] = FACTS[unit] as Fraction;
        const { weight, volume } = SHOWN[country];
        const shown = VOLUMES.includes(unit) ? volume : weight;
        const roundedOf = (reference: string) => {
          const [per = '', ...name] = reference.toLowerCase().split(' ');
          const [of, ofPart] = FACTS[name.join(' ')] as Fraction;
          const numerator = BigInt(cents) * BigInt(per) * of * part * 1000n;
          const denominator = BigInt(thousandths) * amount * ofPart;
          return (2n * numerator + denominator) / (2n * denominator);
        };
        if (!price) return assert.ok(shown.some((reference) => roundedOf(reference) === 0n));
        const reference = `${price.per} ${price.unit}`;
        assert.ok(shown.includes(reference), reference);
        assert.equal(BigInt(price.cents), roundedOf(reference));
        assert.ok(price.cents >= 1);
      },
    ),
    { numRuns: runs(500) },
  );
});

test('each unit is compared by the custom of its country', () => {
  const of = (unitSize: number | null, unitOfMeasurement: string, cents: number, country: string) => {
    const price = unitPriceOf({ unitSize, unitOfMeasurement }, cents, country);
    return price && `${price.cents} for ${price.per} ${price.unit}`;
  };
  assert.equal(of(64, 'fl oz', 419, 'US'), '7 for 1 fl oz');
  assert.equal(of(2, ' LB ', 599, 'US'), '300 for 1 lb');
  assert.equal(of(500, 'g', 823, 'US'), '47 for 1 oz');
  assert.equal(of(2, 'l', 250, 'US'), '4 for 1 fl oz');
  assert.equal(of(0.5, 'gal', 300, 'US'), '600 for 1 gal');
  assert.equal(of(1, 'lb', 499, 'CA'), '1100 for 1 kg');
  assert.equal(of(350, 'g', 802, 'CA'), '229 for 100 g');
  assert.equal(of(355, 'ml', 199, 'CA'), '56 for 100 ml');
  assert.equal(of(4, 'L', 629, 'CA'), '157 for 1 L');
  const none: [number | null, string][] = [
    [null, 'oz'],
    [0, 'oz'],
    [12, 'ct'],
    [1, 'bunch'],
    [1, ''],
    [1, 'constructor'],
  ];
  for (const [size, unit] of none) assert.equal(of(size, unit, 100, 'US'), undefined, `${size} ${unit}`);
  assert.equal(of(1000, 'oz', 499, 'US'), undefined, 'under half a cent');
  assert.equal(of(1000, 'oz', 500, 'US'), '1 for 1 oz');
});
