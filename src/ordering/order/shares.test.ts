import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { arbitraryShares } from '../../../test/given/shares.ts';
import { runs } from '../../../test/runs.ts';
import { sumCents } from '../../platform/lib/money.ts';
import { addShares, NO_SHARES, PART_NAMES, partsOf, type Shares, sumOf, takeShares } from './shares.ts';

const sharesAndCents = arbitraryShares.chain((left) => fc.tuple(fc.constant(left), fc.nat({ max: sumOf(left) })));
const isWithin = (part: number, limit: number) =>
  limit >= 0 ? part >= 0 && part <= limit : part <= 0 && part >= limit;
const isNothing = ({ taxLines, ...parts }: Shares) =>
  [...Object.values(parts), ...taxLines.flatMap(({ cents, baseCents }) => [cents, baseCents])].every((c) => c === 0);

test('a refund by amount adds up to its cents, is within a cent of each exact share, and takes no more than is left', () => {
  const property = fc.property(sharesAndCents, ([left, amount]) => {
    const taken = takeShares(left, amount);
    assert.equal(sumOf(taken), amount);
    assert.equal(sumCents(taken.taxLines.map(({ cents }) => cents)), taken.taxesCents);
    assert.ok(isWithin(taken.accountTaxCents, left.accountTaxCents));
    const total = BigInt(sumOf(left));
    for (const name of PART_NAMES) {
      if (total === 0n) continue;
      const [part, whole] = [partsOf(taken)[name], partsOf(left)[name]];
      assert.ok(isWithin(part, whole), name);
      const difference = BigInt(part) * total - BigInt(amount) * BigInt(whole);
      assert.ok(difference < total && difference > -total, name);
    }
  });
  fc.assert(property, { numRuns: runs(200_000, 2_000) });
});

test('a refund gives back exactly what its lines gave, whatever is left of each part', () => {
  const property = fc.property(arbitraryShares, arbitraryShares, (left, wanted) => {
    assert.deepEqual(takeShares(left, sumOf(wanted), wanted), wanted);
    const isOther = sumOf(wanted) !== sumOf(left);
    if (isOther) assert.deepEqual(takeShares(left, sumOf(left), wanted), left, 'all that is left');
  });
  fc.assert(property, { numRuns: runs(5000) });
});

test('refunding the rest in any number of refunds leaves every part at zero', () => {
  const property = fc.property(arbitraryShares, fc.array(fc.nat({ max: 100 }), { maxLength: 6 }), (all, percents) => {
    let left = all;
    for (const percent of percents) {
      left = addShares(left, takeShares(left, Math.floor((sumOf(left) * percent) / 100)), -1);
    }
    left = addShares(left, takeShares(left, sumOf(left) + 7), -1);
    assert.ok(isNothing(left));
    assert.ok(isNothing(takeShares(left, 5)));
  });
  fc.assert(property, { numRuns: runs(5000) });
});

test('equal remainders are served in the sequence of the parts', () => {
  const equal = { ...NO_SHARES, salesCents: 1, deliveryFeesCents: 1, tipCents: 1 };
  assert.deepEqual(takeShares(equal, 2), { ...NO_SHARES, salesCents: 1, deliveryFeesCents: 1 });
});
