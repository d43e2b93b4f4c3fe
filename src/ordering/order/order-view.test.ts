import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PricedCustomization } from '../../supply/pricing/price-order.ts';
import type { Order } from './order.ts';
import {
  arrivalOf,
  chosenOptions,
  isSettled,
  isUnderWay,
  offeredAtOf,
  orderTotalCents,
  placedAtOf,
  possibleSteps,
  refundOnCancelCents,
  unitCountOf,
} from './order-view.ts';

const AT = (time: string) => Temporal.Instant.from(`2026-06-10T${time}:00Z`);

function givenOrder(changes: Partial<Order> = {}): Order {
  const order = {
    status: 'awaiting_confirmation',
    request: { mode: 'delivery' },
    quote: {
      totalWithTipCents: 2000,
      etaEpochS: AT('17:40').epochMilliseconds / 1000,
      items: [{ quantity: 2 }, { quantity: 3 }],
    },
    adjustments: [{ index: 1, quantity: 1, substitute: null }],
    addedTipCents: 150,
    waivedTipCents: 0,
    isReady: false,
    driver: {},
    driverStage: 'none',
    moneyPlan: 'charged',
    chargeState: 'charged',
    chargedCents: 2150,
    refundedCents: 100,
    refundingCents: 50,
    createdAt: AT('17:00'),
    placedAt: AT('17:05'),
    offerAt: AT('17:10'),
    eta: null,
    ...changes,
  };
  return order as unknown as Order;
}

test('the total includes tip raises, and the unit count excludes missing items', () => {
  const order = givenOrder();
  assert.deepEqual([orderTotalCents(order), unitCountOf(order)], [2150, 3]);
});

test('the time of arrival is the last estimate, and the quoted one before there is any', () => {
  assert.equal(String(arrivalOf(givenOrder())), String(AT('17:40')));
  assert.equal(String(arrivalOf(givenOrder({ eta: AT('18:00') }))), String(AT('18:00')));
});

test('an order sorts by the time it reached its store, or was placed, or was created', () => {
  const times = (changes: Partial<Order>) => {
    const order = givenOrder(changes);
    return [String(placedAtOf(order)), String(offeredAtOf(order))];
  };
  assert.deepEqual(times({}), [String(AT('17:05')), String(AT('17:10'))]);
  assert.deepEqual(times({ offerAt: null }), [String(AT('17:05')), String(AT('17:05'))]);
  assert.deepEqual(times({ offerAt: null, placedAt: null }), [String(AT('17:00')), String(AT('17:00'))]);
});

test('an unplaced or ended order takes no step', () => {
  assert.deepEqual(possibleSteps(givenOrder()), ['confirm', 'cancel']);
  for (const status of ['unplaced', 'completed', 'canceled'] as const) {
    const order = givenOrder({ status });
    assert.deepEqual([possibleSteps(order), isUnderWay(order)], [[], false], status);
  }
});

test('an order is settled once it is completed, or canceled with its money back', () => {
  const settled = (status: Order['status'], chargeState: Order['chargeState']) =>
    isSettled(givenOrder({ status, chargeState }));
  assert.deepEqual([settled('completed', 'charged'), settled('in_progress', 'charged')], [true, false]);
  assert.deepEqual([settled('canceled', 'refund_pending'), settled('canceled', 'refunded')], [false, true]);
});

test('a cancelation refunds everything charged and not yet refunded', () => {
  assert.equal(refundOnCancelCents(givenOrder()), 2050);
});

test('the chosen options are in the sequence of the menu, nested ones after their own', () => {
  const option = (id: string, customizations: PricedCustomization[] = []) =>
    ({ id, name: id.toUpperCase(), quantity: 1, customizations }) as unknown as PricedCustomization['options'][number];
  const of = (name: string, ...options: PricedCustomization['options'][number][]) => ({ id: name, name, options });
  const chosen = chosenOptions([
    of('Size', option('large', [of('Crust', option('thin'))])),
    of('Extra', option('olives')),
  ]);
  assert.deepEqual(
    chosen.map(({ customization, name, depth }) => [customization, name, depth]),
    [
      ['Size', 'LARGE', 0],
      ['Crust', 'THIN', 1],
      ['Extra', 'OLIVES', 0],
    ],
  );
});
