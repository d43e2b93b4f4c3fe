import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { arbitraryShares } from '../../../test/given/shares.ts';
import { runs } from '../../../test/runs.ts';
import { partsOf, sumOf } from '../order/shares.ts';
import { keptCommission, ownersOf } from './split-order.ts';
import type { OrderTerms } from './terms.ts';

const terms: fc.Arbitrary<OrderTerms> = fc.record({
  commissionPercent: fc.double({ min: 0, max: 100, noNaN: true }),
  perOrderCents: fc.nat({ max: 1000 }),
  deliveryFee: fc.constantFrom('store', 'operator'),
  tax: fc.constantFrom('operator', 'store'),
});

test('the owners of parts share exactly their cents, whatever the terms and the commission', () => {
  const property = fc.property(arbitraryShares, fc.nat({ max: 1_000_000 }), terms, (given, commissionCents, agreed) => {
    const { storeCents, driverCents, taxCents, operatorCents, accountCents } = ownersOf(
      partsOf(given),
      commissionCents,
      agreed,
    );
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
