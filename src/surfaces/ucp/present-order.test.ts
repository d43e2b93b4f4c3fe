import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { weighedCarts, weighedOrderOf } from '../../../test/given/weighed-orders.ts';
import { oracleWeighed } from '../../../test/oracles/weighed-order.ts';
import { runs } from '../../../test/runs.ts';
import { adjustItem } from '../../ordering/money/adjust-item.ts';
import { advanceOrder } from '../../ordering/order/advance-order.ts';
import type { Order } from '../../ordering/order/order.ts';
import type { EventRow } from '../../ordering/order/order-events.db.ts';
import { holdCents } from '../../ordering/order/weighed-order.ts';
import { sumCents } from '../../platform/lib/money.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { presentOrder } from './present-order.ts';

const NOW = Temporal.Instant.from('2026-06-10T16:00:00Z');
type Logged = EventRow extends infer Row ? (Row extends EventRow ? Omit<Row, 'at' | 'sequence'> : never) : never;
type Amounts = { type: string; amount: number }[];

/** The platform's sum: the total as placed, and all adjustments. */
function sumShown(order: Order, logged: readonly Logged[]): number {
  const events = logged.map((event, sequence) => ({ ...event, at: NOW, sequence }) as EventRow);
  const site = { siteUrl: 'https://order.example.com' };
  const view = { order, events, checkout: undefined, site, customerCancel: false, locale: localeOf('en', 'US') };
  const { totals, adjustments } = presentOrder(view) as {
    totals: Amounts;
    adjustments: { totals?: Amounts }[];
  };
  const ofTotal = (amounts: Amounts = []) =>
    sumCents(amounts.filter(({ type }) => type === 'total').map(({ amount }) => amount));
  return ofTotal(totals) + sumCents(adjustments.map((one) => ofTotal(one.totals)));
}

test('the placed total and all adjustments equal the charge for items by weight, and zero once canceled', () => {
  const sequence = fc.array(fc.nat(), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(weighedCarts, sequence, fc.boolean(), (one, first, isHeld) => {
      const { estimate, order: handed } = weighedOrderOf(one);
      const authorizedCents = holdCents(estimate.quote);
      const held = isHeld
        ? { moneyPlan: 'held' as const, chargeState: 'authorized' as const, chargedCents: 0 }
        : { moneyPlan: 'maximum_charged' as const, chargeState: 'charged' as const, chargedCents: authorizedCents };
      const quote = { ...estimate.quote, minutes: { minimum: 20, maximum: 40 } };
      let order: Order = { ...estimate, quote, ...held, authorizedCents, capturedCents: null, refundedCents: 0 };
      order = { ...order, refundingCents: 0, addedTipCents: 0, refundedTipCents: 0 };
      const logged: Logged[] = [];
      const { adjustments } = handed;
      // Some items are weighed or missing for a while, before the store says how all are handed off.
      const missing = first.map((nth) => ({ index: nth % adjustments.length, quantity: 0, substitute: null }));
      for (const adjustment of [...missing, ...adjustments]) {
        const step = adjustItem(order, adjustment, 'key');
        order = step.order;
        logged.push({ type: 'order.item_changed', data: { ...step.changed, refund_cents: 0, is_last: false } });
      }
      const taken = Number(oracleWeighed(one.cart, one.handed).captured);
      assert.equal(sumShown(order, logged), taken);
      const step = advanceOrder(order, 'cancel', NOW);
      assert.equal(sumShown(step.order, [...logged, step.event as Logged]), 0, 'canceled');
      const [captured_cents, authorized_cents] = [taken, authorizedCents];
      // On its way it keeps the tip, which may be charged later.
      const gone: Order = { ...order, status: 'in_progress', driverStage: 'picked_up', chargeState: 'capturing' };
      const lost = advanceOrder(gone, 'courier_lost', NOW);
      const tip = Math.min(order.quote.tipCents, taken);
      assert.equal(lost.order.status, 'canceled');
      assert.equal(sumShown(lost.order, [...logged, lost.event as Logged]), tip, 'lost before the capture');
      const after: Logged[] = [
        ...logged,
        lost.event as Logged,
        { type: 'order.captured', data: { captured_cents, authorized_cents } },
      ];
      const given = { refund_id: 'ref_0', kind: 'canceled', refund_cents: taken - tip, reason: '' } as const;
      after.push({ type: 'order.refunded', data: given } as Logged);
      const paid = { capturedCents: taken, chargedCents: taken, refundedCents: taken - tip };
      assert.equal(sumShown({ ...lost.order, ...paid }, after), tip, 'lost, captured and refunded');
      logged.push({ type: 'order.captured', data: { captured_cents, authorized_cents } });
      const back = (kind: 'weighed' | 'requested', refund_cents: number) =>
        logged.push({ type: 'order.refunded', data: { refund_id: 'ref_1', kind, refund_cents, reason: '' } } as Logged);
      if (!isHeld) back('weighed', authorizedCents - taken);
      const more = Math.min(taken, 100);
      back('requested', more);
      const settled: Order = { ...order, chargeState: 'charged', capturedCents: taken, chargedCents: taken };
      assert.equal(sumShown({ ...settled, status: 'completed' }, logged), taken - more);
    }),
    { numRuns: runs(2000, 200) },
  );
});
