import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metersBetween } from 'doorstep/search-engine/geography';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { bearingBetween, isNear } from '../../fulfillment/deliveries/position.ts';
import { advanceOrder } from '../../ordering/order/advance-order.ts';
import type { Order } from '../../ordering/order/order.ts';
import { PROGRESS_START } from '../../ordering/order/order-columns.ts';
import { offerAtOf } from '../../supply/pricing/slots.ts';
import { approachPart, positionAlong, wayOf } from './simulated-courier.ts';
import { planOf, SCENARIOS, type Scenario } from './simulated-plan.ts';

const PLACED = Temporal.Instant.from('2026-06-10T17:00:00Z');
const PLACED_S = PLACED.epochMilliseconds / 1000;
const STORE = { latitude: 40.7383, longitude: -73.9927 };

type Given = {
  mode?: 'delivery' | 'pickup';
  scenario?: string | undefined;
  slot?: [number, number];
  offerInS?: number;
};

/** A placed order; its slot and offer in seconds from its placement. */
function givenPlaced({ mode = 'delivery', scenario, slot, offerInS = 0 }: Given): Order {
  const scheduled = slot && { id: 's', startEpochS: PLACED_S + slot[0], endEpochS: PLACED_S + slot[1] };
  const offer = { open: [], latestEpochS: PLACED_S + offerInS };
  const offerAt = offerAtOf({ offer }, PLACED);
  const metadata = scenario === undefined ? {} : { sandbox_scenario: scenario };
  return {
    ...PROGRESS_START,
    mode: 'sandbox',
    status: 'awaiting_confirmation',
    chargeState: 'charged',
    placedAt: PLACED,
    lastSequence: 1,
    request: { mode, metadata, customer: { latitude: 40.744, longitude: -73.988 } },
    quote: { store: STORE, scheduled: scheduled ?? null, items: [] },
    offerAt,
    confirmBy: offerAt.add({ minutes: 15 }),
    eta: PLACED.add({ minutes: 40 }),
  } as unknown as Order;
}

type Taken = { step: string; at: Temporal.Instant; between: readonly Temporal.Instant[] };

/** Runs an order's simulation as its timers do, each a little late. */
function play(placed: Order, paceS: number, lateMs = 0): { order: Order; taken: Taken[] } {
  let [order, since] = [placed, PLACED];
  const taken: Taken[] = [];
  for (;;) {
    const plan = planOf({ order, since, paceS });
    if (!plan || plan.step === 'refund') return { order, taken: plan ? [...taken, plan] : taken };
    assert.ok(taken.length < 10, 'an evening ends');
    assert.ok(Temporal.Instant.compare(plan.at, since) >= 0, 'time goes on');
    since = plan.at.add({ milliseconds: lateMs });
    const change = { index: 0, quantity: 0, substitute: null };
    const scaled = { milli: 980, from: 'scale' } as const;
    if (plan.step === 'adjust_item') order = { ...order, adjustments: [change] };
    else if (plan.step === 'weigh') order = { ...order, adjustments: [{ ...change, quantity: 1, scaled }] };
    else order = advanceOrder(order, plan.step, since).order;
    taken.push({ ...plan, at: since });
  }
}

const epochS = (at: Temporal.Instant | null | undefined) => (at?.epochMilliseconds ?? Number.NaN) / 1000;
const anyPace = fc.oneof(fc.constantFrom(0, 0.5, 30, 3600, 86_400), fc.double({ min: 0, max: 86_400, noNaN: true }));

test('a scheduled order is confirmed after its offer and in time, and completed inside its slot, at any pace', () => {
  const evening = fc.record({
    paceS: anyPace,
    mode: fc.constantFrom('delivery' as const, 'pickup' as const),
    startS: fc.integer({ min: 0, max: 400_000 }),
    lastsS: fc.integer({ min: 60, max: 7200 }),
    leadS: fc.integer({ min: 0, max: 20_000 }),
    lateMs: fc.integer({ min: 0, max: 3000 }),
    scenario: fc.constantFrom(undefined, 'driver_late', 'refund_after', 'item_missing', 'toString', 'anything'),
  });
  const property = fc.property(evening, ({ paceS, mode, startS, lastsS, leadS, lateMs, scenario }) => {
    const offerInS = Math.max(0, startS - leadS);
    const placed = givenPlaced({ mode, scenario, slot: [startS, startS + lastsS], offerInS });
    const { order, taken } = play(placed, paceS, lateMs);
    const [confirmed] = taken;
    assert.equal(confirmed?.step, 'confirm');
    assert.ok(epochS(confirmed?.at) >= PLACED_S + offerInS, 'after its offer');
    assert.ok(epochS(confirmed?.at) < epochS(placed.confirmBy), 'before its time is up');
    assert.equal(order.status, 'completed');
    const completed = epochS(order.completedAt) - PLACED_S;
    assert.ok(completed >= startS && completed < startS + lastsS, `${completed} in ${startS} to ${startS + lastsS}`);
  });
  fc.assert(property, { numRuns: runs(3000) });
});

test('an order as soon as possible takes a step each pace', () => {
  for (const paceS of [0, 0.5, 30]) {
    const { taken } = play(givenPlaced({}), paceS);
    const seconds = taken.map(({ step, at }) => [step, epochS(at) - PLACED_S]);
    const steps = ['confirm', 'ready', 'assign_driver', 'pick_up', 'approach', 'complete'];
    assert.deepEqual(
      seconds,
      steps.map((step, n) => [step, (n + 1) * paceS]),
    );
  }
});

test('each scenario has its steps, and any other text is as without', () => {
  const playedSteps = (scenario: string | undefined, mode: Given['mode'] = 'delivery') =>
    play(givenPlaced({ scenario, mode }), 30).taken.map(({ step }) => step);
  const delivery = ['confirm', 'ready', 'assign_driver', 'pick_up', 'approach', 'complete'];
  const expected: Record<Scenario, string[]> = {
    store_silent: [],
    store_cancels: ['cancel'],
    item_missing: ['confirm', 'adjust_item', ...delivery.slice(1)],
    driver_late: delivery,
    courier_lost: [...delivery.slice(0, 4), 'courier_lost'],
    refund_after: [...delivery, 'refund'],
    weighs_more: delivery,
    weighs_too_much: delivery,
    hold_expires: delivery,
  };
  for (const scenario of SCENARIOS) assert.deepEqual(playedSteps(scenario), expected[scenario], scenario);
  for (const other of [undefined, 'unknown', '', 'constructor']) assert.deepEqual(playedSteps(other), delivery);
  assert.deepEqual(playedSteps('courier_lost', 'pickup'), ['confirm', 'ready', 'complete']);
  const placed = givenPlaced({ mode: 'pickup' });
  const weight = { unit: 'lb', per: 1000, ordered: 1000, max: 1100 } as const;
  const quote = { ...placed.quote, items: [{ weight }] } as unknown as Order['quote'];
  const byWeight = play({ ...placed, quote }, 30).taken.map(({ step }) => step);
  assert.deepEqual(byWeight, ['confirm', 'weigh', 'ready', 'complete']);
});

test('a late driver waits two paces at the store, and a driver moves up to four times between steps, two seconds apart', () => {
  const late = play(givenPlaced({ scenario: 'driver_late' }), 30).taken.find(({ step }) => step === 'pick_up');
  assert.deepEqual(
    [late?.at, ...(late?.between ?? [])].map((at) => epochS(at) - PLACED_S),
    [180, 120, 150],
  );
  for (const [paceS, moves] of [
    [0.5, 0],
    [5, 2],
    [30, 4],
    [3600, 4],
  ] as const) {
    const { taken } = play(givenPlaced({}), paceS);
    assert.deepEqual(
      taken.map(({ between }) => between.length),
      [0, 0, 0, 0, moves, moves],
    );
  }
});

test('the way turns, its places advance to the door, and the course follows each leg', () => {
  const place = fc.record({
    latitude: fc.double({ min: -0.05, max: 0.05, noNaN: true }),
    longitude: fc.double({ min: -0.05, max: 0.05, noNaN: true }),
  });
  const property = fc.property(place, fc.constantFrom(25.8, 40.7, 61.2), (away, latitude) => {
    const store = { latitude, longitude: -100 };
    const door = { latitude: latitude + away.latitude, longitude: -100 + away.longitude };
    const order = givenPlaced({});
    const placed = {
      ...order,
      request: { ...order.request, customer: { ...order.request.customer, ...door } },
      quote: { ...order.quote, store: { ...order.quote.store, ...store } },
    };
    const way = wayOf(placed, []);
    const meters = metersBetween(store, door);
    const [first, last] = [positionAlong(way, 0), positionAlong(way, 1)];
    assert.ok(metersBetween(first, store) < 0.01 && metersBetween(last, door) < 0.01);
    assert.ok(isNear(positionAlong(way, approachPart(way)), door), 'nearly there is near');
    if (meters < 200) return;
    const places = Array.from({ length: 21 }, (_, n) => positionAlong(way, n / 20));
    const turns = places.filter(({ course }, n) => n > 0 && course !== places[n - 1]?.course);
    assert.equal(turns.length, 2, 'it turns twice');
    places.slice(1).forEach((to, n) => {
      const from = places[n] ?? to;
      if (from.course !== to.course) return;
      const course = bearingBetween(from, to) ?? to.course;
      assert.ok(Math.abs(((course - to.course + 540) % 360) - 180) <= 2, 'the course is that of the move');
    });
  });
  fc.assert(property, { numRuns: runs(500) });
});
