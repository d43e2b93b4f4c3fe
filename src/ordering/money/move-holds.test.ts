import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { movedHolds } from './move-holds.ts';

const ORDERED = { productNo: 5, quantity: 6 };
const OF_ANOTHER_ITEM = { productNo: 99, quantity: 3 };
const units = fc.record({ productNo: fc.integer({ min: 3, max: 7 }), quantity: fc.integer({ min: 0, max: 9 }) });

test('an order holds its delivered units: none is lost, and missing units stay off sale', () => {
  fc.assert(
    fc.property(units, units, fc.nat({ max: 4 }), fc.boolean(), (from, to, others, isCounted) => {
      // Other items of the order may have the same product.
      const before = isCounted ? [{ productNo: from.productNo, quantity: from.quantity + others }] : [];
      const moved = movedHolds([OF_ANOTHER_ITEM, ...before], { ordered: ORDERED, from, to });
      const { take, putBack, found, held } = moved;
      const heldOf = (productNo: number) => held.find((one) => one.productNo === productNo)?.quantity ?? 0;
      const isSame = from.productNo === to.productNo;
      const after = heldOf(to.productNo) + take.quantity + found.quantity - (isSame && isCounted ? others : 0);
      if (isCounted) assert.equal(after, to.quantity);
      const released = (before[0]?.quantity ?? 0) - heldOf(from.productNo);
      assert.equal(putBack.quantity, from.productNo === ORDERED.productNo ? 0 : released);
      assert.ok(take.quantity <= to.quantity && released <= from.quantity);
      const missingIn = ({ productNo, quantity }: typeof from) =>
        ORDERED.quantity - (productNo === ORDERED.productNo ? Math.min(quantity, ORDERED.quantity) : 0);
      assert.equal(found.quantity, Math.max(0, missingIn(from) - missingIn(to)), 'units that are missing no longer');
      assert.ok(found.quantity === 0 || found.productNo === ORDERED.productNo);
      if (isSame) assert.ok(take.quantity === 0 || released === 0, 'of one product the difference moves alone');
      assert.deepEqual(held[0], OF_ANOTHER_ITEM);
      assert.ok(held.every(({ quantity }) => quantity > 0));
    }),
    { numRuns: runs(5_000) },
  );
});
