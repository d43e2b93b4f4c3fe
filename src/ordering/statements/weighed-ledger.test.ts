import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { weighedCarts, weighedOrderOf } from '../../../test/given/weighed-orders.ts';
import { runs } from '../../../test/runs.ts';
import { placedState } from '../order/money-plan.ts';
import type { Order } from '../order/order.ts';
import type { OrderEvent } from '../order/order-events.ts';
import { repriceOrder } from '../order/reprice-order.ts';
import { NO_SHARES, sumOf } from '../order/shares.ts';
import { holdCents } from '../order/weighed-order.ts';
import { followEvent, type LedgerEntry, openLedger } from './ledger-entry.ts';
import { DEFAULT_TERMS } from './terms.ts';

/** The ledger of orders by weight: a sale of the captured or maximum amount, and its later reduction. */

type Life = { hold: 'held' | 'charged'; isLost: boolean; isCanceled: boolean };
const lives = fc.record({
  hold: fc.constantFrom('held', 'charged'),
  isLost: fc.boolean(),
  isCanceled: fc.constantFrom(false, false, true),
});

/** The entries of an order's life, as its events cause them. */
function entriesOf({ estimate, order }: { estimate: Order; order: Order }, { hold, isLost, isCanceled }: Life) {
  const authorizedCents = holdCents(order.quote);
  const moneyPlan = hold === 'charged' ? 'maximum_charged' : 'held';
  const placed: Order = { ...estimate, authorizedCents, chargeState: placedState(moneyPlan), moneyPlan };
  const total = repriceOrder(order).totalWithTipCents;
  const ofHold = hold === 'charged' ? authorizedCents : 0;
  const refunded = (kind: 'weighed' | 'canceled', cents: number): OrderEvent => ({
    type: 'order.refunded',
    data: { refund_id: 'rf_1', refund_cents: cents, kind, reason: '', items: [], shares: NO_SHARES },
  });
  const captured = hold === 'held' && isLost ? null : total;
  const events: OrderEvent[] = isCanceled
    ? [
        { type: 'order.canceled', data: { reason: 'closed', refund_cents: ofHold } },
        ...(ofHold > 0 ? [refunded('canceled', ofHold)] : []),
      ]
    : [
        { type: 'order.captured', data: { captured_cents: captured, authorized_cents: authorizedCents } },
        ...(ofHold > total ? [refunded('weighed', ofHold - total)] : []),
      ];
  const after: Order = isCanceled ? { ...placed, status: 'canceled' } : { ...placed, adjustments: order.adjustments };
  let state = openLedger(placed, { terms: DEFAULT_TERMS, hasCourier: false });
  const entries: LedgerEntry[] = [];
  for (const event of [{ type: 'order.placed', data: {} } as const, ...events]) {
    const followed = followEvent(state, { ...event, order: event.type === 'order.placed' ? placed : after });
    state = followed.state;
    if (followed.entry) entries.push(followed.entry);
  }
  return { entries, taken: isCanceled ? 0 : (captured ?? 0), total };
}

const ownersOf = ({ storeCents, driverCents, operatorCents, taxesCents, accountCents, ...entry }: LedgerEntry) =>
  storeCents + driverCents + operatorCents + taxesCents + accountCents + (entry.accountDiscountCents ?? 0);

test('entries of an order by weight equal its capture, and its owners get every cent', () => {
  fc.assert(
    fc.property(weighedCarts, lives, (cart, life) => {
      const orders = weighedOrderOf(cart);
      const { entries, taken, total } = entriesOf(orders, life);
      assert.equal(
        entries.reduce((sum, entry) => sum + ownersOf(entry), 0),
        taken,
      );
      const kinds = entries.map(({ kind }) => kind);
      if (life.hold === 'held') assert.deepEqual(kinds, life.isCanceled ? [] : ['sale']);
      else assert.deepEqual(kinds.slice(0, 2), ['sale', life.isCanceled ? 'refund' : 'adjustment']);
      const sold = entries.reduce((sum, entry) => sum + sumOf(entry), 0);
      assert.equal(sold, life.isCanceled ? 0 : total);
    }),
    { numRuns: runs(5_000) },
  );
});
