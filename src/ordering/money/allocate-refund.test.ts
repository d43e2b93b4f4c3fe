import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { NO_SHARES } from '../order/shares.ts';
import { allocateRefund, endRefund } from './refund.ts';

const charges = fc.array(
  fc.record({ cents: fc.nat(5000), taken: fc.nat(5000) }).map(({ cents, taken }) => ({
    cents,
    takenCents: Math.min(cents, taken),
  })),
  { maxLength: 5 },
);

test('a refund uses the remaining part of each charge, first charge first, and never exceeds the total left', () => {
  fc.assert(
    fc.property(charges, fc.nat(12_000), (given, cents) => {
      const named = given.map((charge, index) => ({ ...charge, chargeId: `charge-${index}` }));
      const left = named.map((charge) => charge.cents - charge.takenCents);
      const whole = left.reduce((sum, one) => sum + one, 0);
      if (cents > whole) {
        const message = 'The refund exceeds the remaining charges.';
        assert.throws(() => allocateRefund(named, cents), { name: 'RangeError', message });
        return;
      }
      // Cent by cent, each from the first charge that still has a balance.
      const taken = named.map(() => 0);
      for (let cent = 0; cent < cents; cent += 1) {
        const from = taken.findIndex((has, index) => has < (left[index] ?? 0));
        taken[from] = (taken[from] ?? 0) + 1;
      }
      const expected = taken.flatMap((part, index) => (part > 0 ? [{ chargeId: `charge-${index}`, cents: part }] : []));
      assert.deepEqual(allocateRefund(named, cents), expected);
    }),
    { numRuns: runs(300) },
  );
});

test('the end of a refund moves its cents, and tells whether anything of the charge is left or on its way back', () => {
  const order = {
    chargedCents: 1000,
    refundedCents: 200,
    refundedTipCents: 0,
    refundedAccountCents: 0,
    refundingCents: 800,
  };
  const shares = { ...NO_SHARES, salesCents: 500, accountCents: -200, taxesCents: 10, accountTaxCents: -4 };
  const end = (money: Parameters<typeof endRefund>[0], cents: number, refundedCents: number) =>
    endRefund(money, { cents, tipCents: 0, shares: NO_SHARES }, refundedCents);
  const completed = { ...order, status: 'completed', chargeState: 'charged' } as const;
  const canceled = { ...order, status: 'canceled', chargeState: 'refund_pending' } as const;
  assert.deepEqual(end(completed, 300, 300), { ...completed, refundingCents: 500, refundedCents: 500 });
  assert.deepEqual(end(completed, 300, 0), { ...completed, refundingCents: 500 });
  const all = { refundingCents: 0, refundedCents: 1000, chargeState: 'refunded' } as const;
  assert.deepEqual(end(completed, 800, 800), { ...completed, ...all });
  assert.deepEqual(end(canceled, 800, 800), { ...canceled, ...all });
  const charged = { ...canceled, chargeState: 'charged' } as const;
  assert.equal(end(charged, 300, 300).chargeState, 'refund_pending');
  assert.equal(end(charged, 800, 700).chargeState, 'charged');
  assert.equal(end(completed, 300, 300).chargeState, 'charged');
  assert.equal(endRefund(completed, { cents: 310, tipCents: 0, shares }, 310).refundedAccountCents, -204);
  assert.equal(endRefund(completed, { cents: 310, tipCents: 0, shares }, 0).refundedAccountCents, 0);
});
