import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import {
  addParts,
  keptCommission,
  NO_PARTS,
  ownersOf,
  type Parts,
  splitByWeight,
  subtractParts,
  sumOf,
  takeBack,
} from './split-order.ts';
import type { OrderTerms } from './terms.ts';

const cents = fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 100_000_000 }));
/** Parts of an order; a cart may be marked down by less than it comes to. */
const parts: fc.Arbitrary<Parts> = fc
  .record({
    salesCents: cents,
    deliveryFeesCents: cents,
    serviceFeesCents: cents,
    taxesCents: cents,
    tipCents: cents,
    accountCents: cents,
    isMarkedDown: fc.boolean(),
  })
  .map(({ isMarkedDown, accountCents, ...rest }) => ({
    ...rest,
    accountCents: isMarkedDown ? 0 - Math.min(accountCents, rest.salesCents) : accountCents,
  }));
const partsAndCents = parts.chain((left) => fc.tuple(fc.constant(left), fc.nat({ max: sumOf(left) })));
const wantedParts = fc.option(parts);
const terms: fc.Arbitrary<OrderTerms> = fc.record({
  commissionPercent: fc.double({ min: 0, max: 100, noNaN: true }),
  perOrderCents: fc.nat({ max: 1000 }),
  deliveryFee: fc.constantFrom('store', 'operator'),
  tax: fc.constantFrom('operator', 'store'),
});

const names = Object.keys(NO_PARTS) as (keyof Parts)[];
const isWithin = (part: number, limit: number) =>
  limit >= 0 ? part >= 0 && part <= limit : part <= 0 && part >= limit;

test('a split adds up to its cents, is within a cent of each exact share, and never exceeds a weight', () => {
  const property = fc.property(partsAndCents, ([weights, amount]) => {
    const split = splitByWeight(amount, weights);
    assert.equal(sumOf(split), amount);
    const total = BigInt(sumOf(weights));
    for (const name of names) {
      if (total === 0n) continue;
      assert.ok(isWithin(split[name], weights[name]), name);
      const difference = BigInt(split[name]) * total - BigInt(amount) * BigInt(weights[name]);
      assert.ok(difference < total && difference > -total, name);
    }
  });
  fc.assert(property, { numRuns: runs(20_000) });
});

test('a refund takes back exactly its cents, and no more of any part than is left', () => {
  const property = fc.property(partsAndCents, wantedParts, ([left, amount], wanted) => {
    const taken = takeBack(left, wanted, amount);
    assert.equal(sumOf(taken), amount);
    for (const name of names) assert.ok(sumOf(left) === 0 || isWithin(taken[name], left[name]), name);
  });
  fc.assert(property, { numRuns: runs(20_000) });
});

test('a refund takes back what its lines gave where all of it is left', () => {
  const property = fc.property(parts, parts, (wanted, more) => {
    const sameSign = wanted.accountCents < 0 === more.accountCents < 0;
    fc.pre(sameSign && sumOf(wanted) > 0);
    assert.deepEqual(takeBack(addParts(wanted, more), wanted, sumOf(wanted)), wanted);
  });
  fc.assert(property, { numRuns: runs(5000) });
});

test('refunding what is left, in any number of refunds, leaves nothing of any part', () => {
  const property = fc.property(parts, fc.array(fc.nat({ max: 100 }), { maxLength: 6 }), (all, percents) => {
    let left = all;
    for (const percent of percents) {
      left = subtractParts(left, takeBack(left, null, Math.floor((sumOf(left) * percent) / 100)));
    }
    assert.deepEqual(subtractParts(left, takeBack(left, left, sumOf(left))), NO_PARTS);
  });
  fc.assert(property, { numRuns: runs(5000) });
});

test('equal remainders are served in the sequence of the parts', () => {
  const equal = { ...NO_PARTS, salesCents: 1, taxesCents: 1, tipCents: 1 };
  assert.deepEqual(splitByWeight(2, equal), { ...NO_PARTS, salesCents: 1, taxesCents: 1 });
});

test('the owners of parts share exactly their cents, whatever the terms and the commission', () => {
  const property = fc.property(parts, cents, terms, (given, commissionCents, agreed) => {
    const { storeCents, driverCents, taxCents, operatorCents, accountCents } = ownersOf(given, commissionCents, agreed);
    assert.equal(storeCents + driverCents + taxCents + operatorCents + accountCents, sumOf(given));
  });
  fc.assert(property, { numRuns: runs(5000) });
});

test('the commission goes back in proportion to the refunded subtotal, and wholly with the last cent of it', () => {
  assert.equal(keptCommission(15, 1010, 1010), 152);
  assert.equal(keptCommission(15, 1010, 707), 152 - 46);
  assert.equal(keptCommission(15, 1010, 0), 0);
  assert.equal(keptCommission(15, 0, 0), 0);
});
