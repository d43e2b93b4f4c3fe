import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '../../platform/http/refusal.ts';
import { MAX_ORDER_CENTS, withinOrderLimit } from './price-order.ts';

test('amounts up to a billion dollars in either direction are themselves', () => {
  for (const cents of [0, -0, 1, -1, MAX_ORDER_CENTS, -MAX_ORDER_CENTS]) assert.equal(withinOrderLimit(cents), cents);
});

test('an amount over the limit in either direction, or no number, is refused with the limit and where the amount comes from', () => {
  const message = 'An amount in this order exceeds $1000000000.00, the maximum for an order.';
  for (const cents of [MAX_ORDER_CENTS + 1, -MAX_ORDER_CENTS - 1, Number.POSITIVE_INFINITY, Number.NaN]) {
    assert.throws(
      () => withinOrderLimit(cents),
      (error: unknown) => {
        assert.ok(error instanceof Refusal);
        assert.deepEqual([error.code, error.message], ['invalid_request', message]);
        assert.deepEqual(error.extras.errors, [{ in: 'body', name: 'items', message }]);
        return true;
      },
    );
  }
});
