import assert from 'node:assert/strict';
import { test } from 'node:test';
import { milesBetween } from 'doorstep/search-engine/geography';
import fc from 'fast-check';
import { DINNER, givenMessageContext } from '../../../test/given/message-context.ts';
import { runs } from '../../../test/runs.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { travelMinutes } from '../../supply/stores/time-estimate.ts';
import { advanceOrder, allowsStep, assignDriver, isSameDriver, type OrderStep } from './advance-order.ts';
import { ADVANCE_EVENTS, type AdvanceEvent, type Order } from './order.ts';
import type { EventSource } from './order-events.ts';

const NOW = Temporal.Instant.from('2026-06-10T17:00:00Z');

function placedOrder(mode: 'delivery' | 'pickup'): Order {
  const order = {
    status: 'awaiting_confirmation',
    request: { mode, customer: { latitude: 40.75, longitude: -73.99 } },
    quote: { items: [], store: { latitude: 40.74, longitude: -73.99 }, tipCents: 234 },
    isReady: false,
    driver: {},
    driverStage: 'none',
    driverLink: 0,
    moneyPlan: 'charged',
    chargeState: 'charged',
    chargedCents: 1234,
    addedTipCents: 0,
    waivedTipCents: 0,
    refundedTipCents: 0,
    refundedCents: 0,
    refundingCents: 0,
    eta: NOW,
  };
  return order as unknown as Order;
}

/** The steps of docs/orders.md#statuses-and-steps, expressed as required and excluded earlier steps. */
function isAllowed(mode: 'delivery' | 'pickup', taken: readonly AdvanceEvent[], next: AdvanceEvent): boolean {
  const has = (event: AdvanceEvent) => taken.includes(event);
  if (has('cancel') || has('complete')) return false;
  if (next === 'confirm') return !has('confirm');
  if (next === 'cancel') return !has('pick_up');
  if (!has('confirm')) return false;
  const rules: Record<string, boolean> = {
    ready: !has('ready') && !has('pick_up'),
    assign_driver: mode === 'delivery' && !has('assign_driver'),
    pick_up: mode === 'delivery' && has('assign_driver') && !has('pick_up'),
    approach: has('pick_up') && !has('approach'),
    complete: mode === 'pickup' || has('pick_up'),
  };
  return rules[next] ?? false;
}

test('every sequence of steps is taken exactly as far as the rules allow', () => {
  const events = fc.array(fc.constantFrom(...ADVANCE_EVENTS), { maxLength: 14 });
  fc.assert(
    fc.property(fc.constantFrom('delivery' as const, 'pickup' as const), events, (mode, sequence) => {
      let order = placedOrder(mode);
      const taken: AdvanceEvent[] = [];
      for (const event of sequence) {
        assert.equal(allowsStep(order, event), isAllowed(mode, taken, event));
        if (!isAllowed(mode, taken, event)) {
          assert.throws(
            () => advanceOrder(order, event, NOW),
            (error) => error instanceof Refusal && error.code === 'transition_not_allowed',
          );
          continue;
        }
        order = advanceOrder(order, event, NOW).order;
        taken.push(event);
      }
    }),
    { numRuns: runs(3000) },
  );
});

test('the arrival follows late food, the driver leaving, and the driver’s position', () => {
  const trip = travelMinutes(
    milesBetween({ latitude: 40.74, longitude: -73.99 }, { latitude: 40.75, longitude: -73.99 }),
  );
  const after = (minutes: number) => NOW.add({ minutes });
  const etaOf = ({ order }: OrderStep) => String(order.eta);
  const confirmed = advanceOrder(placedOrder('delivery'), 'confirm', NOW, { eta: after(30), readyBy: after(20) }).order;
  assert.equal(String(confirmed.readyBy), String(after(20)));
  assert.equal(etaOf(advanceOrder(confirmed, 'ready', after(10))), String(after(30)), 'early food changes nothing');
  assert.equal(etaOf(advanceOrder(confirmed, 'ready', after(40))), String(after(40 + trip)));
  const assigned = advanceOrder(confirmed, 'assign_driver', after(25)).order;
  assert.equal(String(assigned.eta), String(after(30)));
  const left = advanceOrder(assigned, 'pick_up', after(50));
  assert.equal(etaOf(left), String(after(50 + trip)));
  const near = { latitude: 40.7495, longitude: -73.99 };
  assert.equal(etaOf(advanceOrder(left.order, 'approach', after(55), { driver: near })), String(after(56)));
});

test('a driver keeps the newest known position when a step brings an older one or none', () => {
  const nowS = NOW.epochMilliseconds / 1000;
  const known = { name: 'Ana', latitude: 40.745, longitude: -73.99, updatedEpochS: nowS - 30 };
  const order: Order = { ...placedOrder('delivery'), status: 'in_progress', driverStage: 'picked_up', driver: known };
  const driverAfter = (driver: Order['driver']) => advanceOrder(order, 'approach', NOW, { driver }).order.driver;
  const [older, newer] = [60, 10].map((s) => ({ latitude: 40.746, longitude: -73.98, updatedEpochS: nowS - s }));
  assert.deepEqual(driverAfter({ ...older, rating: 5 }), { ...known, rating: 5 });
  assert.deepEqual(driverAfter({ rating: 5 }), { ...known, rating: 5 });
  assert.deepEqual(driverAfter({ ...newer }), { ...known, ...newer });
});

test('a completion records the collected money: the amount due unless the step says another', () => {
  const { quote } = givenMessageContext(DINNER).order;
  const due = quote.totalWithTipCents;
  for (const [mode, collectedBy, otherBy] of [
    ['delivery', 'driver', 'store'],
    ['pickup', 'store', 'driver'],
  ] as const) {
    const placed = placedOrder(mode);
    const state = { status: 'in_progress', driverStage: 'nearby', moneyPlan: 'paid_to_store' };
    const order = { ...placed, ...state, adjustments: [], chargeState: 'to_collect', quote } as unknown as Order;
    const whole = advanceOrder(order, 'complete', NOW);
    assert.deepEqual(whole.event.data, { collected_cents: due, collected_by: collectedBy });
    assert.deepEqual([whole.order.collectedCents, whole.order.collectedBy], [due, collectedBy]);
    const other = advanceOrder(order, 'complete', NOW, { collectedCents: 0, collectedBy: otherBy });
    assert.deepEqual(other.event.data, { collected_cents: 0, collected_by: otherBy });
    const { order: paid } = advanceOrder({ ...order, moneyPlan: 'collected' }, 'complete', NOW, { collectedCents: 1 });
    assert.deepEqual([paid.chargedCents, paid.collectedCents], [due, 1]);
  }
});

test('a courier can give up only after pick-up, which cancels the order and refunds all but the tip', () => {
  const take = (events: AdvanceEvent[]) =>
    events.reduce((order, event) => advanceOrder(order, event, NOW).order, placedOrder('delivery'));
  const events: AdvanceEvent[] = ['confirm', 'assign_driver', 'pick_up', 'approach', 'complete'];
  for (let count = 0; count <= events.length; count += 1) {
    const order = take(events.slice(0, count));
    if (count !== 3 && count !== 4) {
      assert.throws(() => advanceOrder(order, 'courier_lost', NOW), { code: 'transition_not_allowed' });
      continue;
    }
    assert.throws(() => advanceOrder(order, 'cancel', NOW), { code: 'transition_not_allowed' });
    const { order: lost, event } = advanceOrder(order, 'courier_lost', NOW);
    assert.deepEqual(
      [lost.status, lost.chargeState, lost.cancelReason, event],
      [
        ...['canceled', 'refund_pending', 'courier_gave_up'],
        { type: 'order.canceled', data: { reason: 'courier_gave_up', refund_cents: 1000 } },
      ],
    );
  }
  assert.throws(() => advanceOrder(take(['confirm']), 'courier_lost', NOW), { code: 'transition_not_allowed' });
});

test('each step writes its event and the documented status, times and stage', () => {
  const DELIVERY_WAYS = { ready: 'none', assign_driver: 'assigned', pick_up: 'picked_up', approach: 'nearby' } as const;
  const confirmed = advanceOrder(placedOrder('delivery'), 'confirm', NOW);
  assert.deepEqual([confirmed.order.status, confirmed.event.type], ['in_progress', 'order.confirmed']);
  const types = { assign_driver: 'driver_assigned', pick_up: 'picked_up', approach: 'driver_nearby' } as const;
  let order = confirmed.order;
  for (const event of ['ready', 'assign_driver', 'pick_up', 'approach'] as const) {
    const step = advanceOrder(order, event, NOW);
    const type = `order.${event === 'ready' ? 'ready' : types[event]}`;
    assert.deepEqual(
      [step.event.type, step.order.driverStage, step.order.isReady, step.order.status],
      [type, DELIVERY_WAYS[event], true, 'in_progress'],
    );
    order = step.order;
  }
  const completed = advanceOrder(order, 'complete', NOW, { metersFromDoor: 12 });
  assert.deepEqual(
    [completed.order.status, completed.order.completedAt, completed.event],
    ['completed', NOW, { type: 'order.completed', data: { meters_from_door: 12 } }],
  );
  assert.deepEqual(advanceOrder(order, 'complete', NOW).event, { type: 'order.completed', data: {} });
});

test('an error names the order’s state and the impossible step', () => {
  const saysOf = (events: readonly AdvanceEvent[], step: AdvanceEvent, mode: 'delivery' | 'pickup' = 'delivery') => {
    const order = events.reduce((taken, event) => advanceOrder(taken, event, NOW).order, placedOrder(mode));
    try {
      advanceOrder(order, step, NOW);
    } catch (error) {
      return error instanceof Refusal ? error.message : error;
    }
    return 'allowed';
  };
  assert.equal(saysOf([], 'ready'), "The order is awaiting confirmation, so ready isn't possible.");
  assert.equal(saysOf(['cancel'], 'confirm'), "The order is canceled, so confirm isn't possible.");
  assert.equal(saysOf(['confirm'], 'pick_up'), "The order is in progress, so pick_up isn't possible.");
  assert.equal(saysOf(['confirm', 'ready'], 'ready'), "The order is in progress, ready, so ready isn't possible.");
  const assigned = ['confirm', 'assign_driver'] as const;
  assert.equal(
    saysOf(assigned, 'assign_driver'),
    "The order is in progress with a driver assigned, so assign_driver isn't possible.",
  );
  assert.equal(
    saysOf([...assigned, 'ready', 'pick_up'], 'cancel'),
    "The order is in progress, ready and picked up, so cancel isn't possible.",
  );
  assert.equal(
    saysOf([...assigned, 'pick_up', 'approach'], 'approach'),
    "The order is in progress and nearly there, so approach isn't possible.",
  );
});

test('a cancellation adds to pending refunds, and its default reason is the store', () => {
  const partly = { ...placedOrder('pickup'), refundedCents: 200, refundingCents: 34 };
  const step = advanceOrder(partly, 'cancel', NOW);
  assert.deepEqual(
    [step.order.cancelReason, step.order.canceledAt, step.refundCents, step.order.refundingCents],
    ['canceled_by_store', NOW, 1000, 1034],
  );
});

test('a cancellation refunds the whole charge and records its reason, who canceled and the source', () => {
  const step = advanceOrder(placedOrder('pickup'), 'cancel', NOW, { reason: 'out_of_stock' });
  assert.deepEqual(
    [step.order.status, step.order.chargeState, step.order.cancelReason, step.event],
    [
      'canceled',
      'refund_pending',
      'out_of_stock',
      { type: 'order.canceled', data: { reason: 'out_of_stock', refund_cents: 1234 } },
    ],
  );
  const source = { staff: 'Ana' } as unknown as EventSource;
  const details = { reason: 'out_of_stock', by: 'store', source } as const;
  const { order, event } = advanceOrder(placedOrder('pickup'), 'cancel', NOW, details);
  assert.deepEqual([order, event.type], [step.order, 'order.canceled']);
  assert.deepEqual(event.data, { by: 'store', reason: 'out_of_stock', refund_cents: 1234, source });
});

const DRIVERS = ['Ana', 'Ben', 'Cleo'].map((name, index) => ({
  name,
  vehicleType: 'bicycle',
  phone: 12125550100 + index,
}));
const named = fc.constantFrom(...DRIVERS);

test('another driver replaces all details of the first until pick-up and gets the next link; the same driver changes nothing', () => {
  const position = { latitude: 40, longitude: -74, course: 7, rating: 4.9, photoUrl: 'x', acceptedEpochS: 5 };
  fc.assert(
    fc.property(fc.array(named, { minLength: 1, maxLength: 8 }), (drivers) => {
      let order = advanceOrder(placedOrder('delivery'), 'confirm', NOW).order;
      let assignments = 0;
      for (const driver of drivers) {
        const isAssigned = order.driver.name === driver.name;
        const step = assignDriver(order, driver, NOW);
        assert.equal(step === undefined, isAssigned);
        if (!step) continue;
        assignments += 1;
        const updatedEpochS = NOW.epochMilliseconds / 1000;
        assert.deepEqual(
          [step.event.type, step.order.driver, step.order.driverStage, step.order.driverLink],
          ['order.driver_assigned', { ...driver, updatedEpochS }, 'assigned', assignments],
        );
        order = { ...step.order, driver: { ...step.order.driver, ...position } };
      }
    }),
  );
});

test('no other driver is assigned after pick-up, for pickup orders or after the end', () => {
  const [ana, ben] = DRIVERS as [(typeof DRIVERS)[0], (typeof DRIVERS)[0]];
  const take = (order: Order, ...events: AdvanceEvent[]) =>
    events.reduce((taken, event) => advanceOrder(taken, event, NOW).order, order);
  const assigned = assignDriver(take(placedOrder('delivery'), 'confirm'), ana, NOW)?.order as Order;
  const completed = take(assigned, 'pick_up', 'approach', 'complete');
  for (const order of [
    placedOrder('delivery'),
    take(placedOrder('pickup'), 'confirm'),
    take(assigned, 'cancel'),
    take(assigned, 'pick_up'),
    take(assigned, 'pick_up', 'approach'),
    completed,
  ]) {
    assert.throws(() => assignDriver(order, ben, NOW), { code: 'transition_not_allowed' });
  }
  assert.throws(() => assignDriver(take(assigned, 'cancel'), ana, NOW), { code: 'transition_not_allowed' });
  assert.equal(assignDriver(take(assigned, 'pick_up'), ana, NOW), undefined);
  assert.equal(assignDriver(completed, ana, NOW), undefined);
  const byCourier = { ...assigned, driver: { ...assigned.driver, courierKey: 'uber' } };
  assert.deepEqual(assignDriver(byCourier, ana, NOW)?.order.driver, assigned.driver);
});

test('drivers are the same if their name, phone and vehicle are', () => {
  fc.assert(
    fc.property(named, named, (one, other) => {
      assert.equal(isSameDriver({ ...one, latitude: 1, rating: 5 }, other), one === other);
    }),
  );
  const [ana] = DRIVERS as [(typeof DRIVERS)[0]];
  assert.equal(isSameDriver(ana, { ...ana, vehicleType: 'car' }), false);
  assert.equal(isSameDriver(ana, { ...ana, phone: 1 }), false);
  assert.equal(isSameDriver(ana, { ...ana, name: 'Dora' }), false);
});

test('unweighed items stop stores and drivers by name, but no courier company', () => {
  const weight = { unit: 'lb', per: 1000, ordered: 1000, max: 1100 } as const;
  const placed = placedOrder('delivery');
  const quote = {
    ...placed.quote,
    items: [
      { name: 'Chicken', weight },
      { name: 'Beef', weight },
    ],
  } as unknown as Order['quote'];
  const order: Order = { ...placed, quote, adjustments: [], status: 'in_progress', driverStage: 'assigned' };
  const refused = {
    code: 'weights_missing',
    message: 'These items still need to be weighed: "Chicken" (item 0), "Beef" (item 1).',
  };
  for (const step of ['ready', 'pick_up', 'complete'] as const) {
    const before: Order = { ...order, driverStage: step === 'complete' ? 'picked_up' : 'assigned' };
    assert.throws(() => advanceOrder(before, step, NOW), refused);
    const adjustments = [0, 1].map((index) => ({ index, quantity: 0, substitute: null }));
    assert.ok(advanceOrder({ ...before, adjustments }, step, NOW));
  }
  assert.equal(advanceOrder(order, 'pick_up', NOW, { isReported: true }).order.driverStage, 'picked_up');
});
