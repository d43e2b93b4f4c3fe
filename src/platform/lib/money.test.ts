import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { percentOfDecimal } from '../../../test/oracles/price-oracle.ts';
import { runs } from '../../../test/runs.ts';
import { formatPrice, percentOf, shareOf, splitInProportion, sumCents } from './money.ts';

test('a percentage of an amount is exact and rounds half away from zero', () => {
  const known: [number, number, number][] = [
    [8.875, 1000, 89],
    [8.875, 400, 36], // 35.5
    [9.975, 2000, 200], // 199.5
    [-9.975, 2000, -200],
    [9.975, -2000, -200],
    [1.1, 50, 1], // 0.55
    [1.005, 100_000, 1005],
    [14.975, 20_000, 2995],
    [0.5, 100, 1],
    [0.5, 99, 0],
    [-0.5, 99, 0],
    [1e-7, 500_000_000, 1], // 0.5
    [1e-7, 499_999_999, 0],
    [5e-324, Number.MAX_SAFE_INTEGER, 0],
    [100, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    [1e21, 0, 0],
    [0, 12345, 0],
    [-0, 12345, 0],
  ];
  for (const [percent, cents, expected] of known) {
    assert.equal(percentOf(percent, cents), expected, `${percent} % of ${cents}`);
  }
});

const decimals = fc.record({
  digits: fc.oneof(fc.integer({ min: -20_000, max: 20_000 }), fc.integer({ min: -1e15 + 1, max: 1e15 - 1 })),
  places: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 30 })),
});
const amounts = fc.oneof(
  fc.integer({ min: -20_000, max: 20_000 }),
  fc.integer({ min: -1e12, max: 1e12 }),
  fc.maxSafeInteger(),
);

test('every decimal percentage of every amount agrees with rational arithmetic', () => {
  fc.assert(
    fc.property(decimals, amounts, ({ digits, places }, cents) => {
      const decimal = `${digits}e-${places}`;
      const expected = percentOfDecimal(decimal, BigInt(cents));
      const take = () => percentOf(Number(decimal), cents);
      if (expected > BigInt(Number.MAX_SAFE_INTEGER) || expected < BigInt(Number.MIN_SAFE_INTEGER)) {
        assert.throws(take, RangeError);
      } else {
        assert.equal(take(), Number(expected));
      }
    }),
    { numRuns: runs(20_000) },
  );
});

test('every number at all is taken as the decimal that it prints as', () => {
  const anyNumber = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 });
  fc.assert(
    fc.property(anyNumber, fc.integer({ min: -1e6, max: 1e6 }), (percent, cents) => {
      assert.equal(percentOf(percent, cents), Number(percentOfDecimal(String(percent), BigInt(cents))));
    }),
    { numRuns: runs(10_000) },
  );
});

test('no amount is minus zero', () => {
  for (const [percent, cents] of [
    [0, -100],
    [-0, 100],
    [-0.1, 100],
    [1e-9, -100],
    [-1e-9, 3],
    [10, -0],
  ] as const) {
    assert.ok(Object.is(percentOf(percent, cents), 0), `${percent} % of ${cents}`);
  }
});

test('a price reads as dollars and two digits of cents', () => {
  const known: [number, string][] = [
    [1234, '$12.34'],
    [0, '$0.00'],
    [-0, '$0.00'],
    [5, '$0.05'],
    [-100, '-$1.00'],
    [-5, '-$0.05'],
    [123_456_789, '$1234567.89'],
    [Number.MAX_SAFE_INTEGER, '$90071992547409.91'],
  ];
  for (const [cents, text] of known) assert.equal(formatPrice(cents), text);
});

test('a share of an amount is exact and rounds half away from zero', () => {
  for (const [cents, part, whole, expected] of [
    [5, 1, 2, 3],
    [-5, 1, 2, -3],
    [100, 1, 3, 33],
    [100, 2, 3, 67],
    [100, 3, 3, 100],
    [Number.MAX_SAFE_INTEGER, 1, 1, Number.MAX_SAFE_INTEGER],
  ] as const) {
    assert.equal(shareOf(cents, part, whole), expected, `${part} of ${whole} of ${cents}`);
  }
  const amounts = fc.integer({ min: -1_000_000, max: 1_000_000 });
  fc.assert(
    fc.property(amounts, fc.nat({ max: 999 }), fc.integer({ min: 1, max: 999 }), (cents, part, whole) => {
      const twice = 2n * BigInt(cents) * BigInt(part) - 2n * BigInt(shareOf(cents, part, whole)) * BigInt(whole);
      assert.ok(twice <= BigInt(whole) && twice >= -BigInt(whole));
    }),
  );
  assert.throws(() => shareOf(1, 1, 0), RangeError);
  assert.throws(() => shareOf(0.5, 1, 1), RangeError);
});

test('amounts that cannot be exact are refused, and the refusal says which', () => {
  assert.throws(() => shareOf(100, 1, 0), { name: 'RangeError', message: 'cannot take 1 of 0 parts of 100 cents' });
  assert.throws(() => shareOf(100, 1, -2), /cannot take 1 of -2 parts of 100 cents/);
  assert.throws(() => shareOf(0.5, 1, 2), /cannot take 1 of 2 parts of 0.5 cents/);
  assert.throws(() => shareOf(100, 0.5, 2), /cannot take 0.5 of 2 parts of 100 cents/);
  assert.throws(() => shareOf(100, 1, 2 ** 53), /cannot take 1 of 9007199254740992 parts of 100 cents/);
  assert.throws(() => percentOf(Number.NaN, 100), { name: 'RangeError', message: 'cannot take NaN % of 100 cents' });
  assert.throws(() => percentOf(10, 0.5), /cannot take 10 % of 0.5 cents/);
  assert.throws(() => percentOf(200, Number.MAX_SAFE_INTEGER), {
    name: 'RangeError',
    message: '200 % of 9007199254740991 cents is beyond what a number holds exactly',
  });
});

test('a split adds up, follows the largest remainders, and is the same in numbers of any size', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -100_000, max: 10_000_000 }),
      fc.array(fc.integer({ min: -500, max: 100_000 }), { minLength: 1, maxLength: 9 }),
      (cents, weights) => {
        const parts = splitInProportion(cents, weights);
        assert.equal(sumCents(parts), cents);
        assert.deepEqual(parts, splitInProportion(cents, weights.map(BigInt)));
      },
    ),
    { numRuns: runs(20_000) },
  );
});
