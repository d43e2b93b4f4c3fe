import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { givenKitchen } from '../../../test/given/kitchen.ts';
import { givenApp } from '../../../test/harness.ts';
import { runs } from '../../../test/runs.ts';
import { epochSeconds, instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { travelSeconds } from './arrival.ts';
import { confirmedDetails, delayedStep, quotedPreparationMinutes, quotedReadyEpochS } from './kitchen-times.ts';
import type { Order } from './order.ts';
import { findAnyOrder } from './orders.db.ts';

const PREPARATION_S = 20 * 60;
const WINDOW_S = 30 * 60;

const app = await givenApp();
const { place } = await givenKitchen(app);
const placeAndConfirm = async (changes: object) => {
  const orderId = await place([{ name: 'Cola', quantity: 3 }], changes);
  return (await findAnyOrder(app.service.deps.db, orderId)) ?? assert.fail('no order');
};
const [delivery, pickup] = [await placeAndConfirm({}), await placeAndConfirm({ pickup: true })];

const scheduled = (order: Order, startEpochS: number): Order => {
  const endEpochS = startEpochS + WINDOW_S;
  return { ...order, quote: { ...order.quote, etaEpochS: endEpochS, scheduled: { id: 's', startEpochS, endEpochS } } };
};

test('the food has to be ready after the quoted preparation, for pickup and, less the way, for delivery', () => {
  for (const order of [delivery, pickup])
    assert.equal(quotedReadyEpochS(order), epochSeconds(app.now()) + PREPARATION_S);
});

test('a confirmation with the preparation time as quoted is within the quoted minutes', () => {
  for (const order of [delivery, pickup]) {
    const { minimum, maximum } = order.quote.minutes;
    const { eta } = confirmedDetails(order, quotedPreparationMinutes(order), app.now());
    const minutes = (epochSeconds(eta ?? app.now()) - epochSeconds(app.now())) / 60;
    assert.ok(minutes >= minimum && minutes <= maximum, `${minutes} of ${minimum} to ${maximum}`);
    const soon = scheduled(
      { ...order, quote: { ...order.quote, asapMinutes: maximum } },
      epochSeconds(app.now()) + 86_400,
    );
    assert.equal(quotedPreparationMinutes(soon), PREPARATION_S / 60, 'not the time until the slot');
  }
});

test('for a slot it has to be ready when the slot begins, or earlier where the way is longer than the slot', () => {
  const startEpochS = epochSeconds(app.now()) + 86_400;
  for (const order of [delivery, pickup]) assert.equal(quotedReadyEpochS(scheduled(order, startEpochS)), startEpochS);
  const { customer } = delivery.request;
  const far: Order = { ...delivery, request: { ...delivery.request, customer: { ...customer, latitude: 41.2 } } };
  assert.ok(quotedReadyEpochS(scheduled(far, startEpochS)) < startEpochS);
});

test('a delay counts from the time that was said, or from now once that has passed, and never brings an order forward', () => {
  const startS = epochSeconds(app.now());
  fc.assert(
    fc.property(
      fc.record({
        isPickup: fc.boolean(),
        preparation: fc.integer({ min: 1, max: 200 }),
        slotMinute: fc.option(fc.integer({ min: 60, max: 300 })),
        delays: fc.array(
          fc.record({ after: fc.integer({ min: 0, max: 100 }), minutes: fc.integer({ min: 5, max: 60 }) }),
        ),
      }),
      ({ isPickup, preparation, slotMinute, delays }) => {
        const placed = isPickup ? pickup : delivery;
        const offered = slotMinute === null ? placed : scheduled(placed, startS + slotMinute * 60);
        const { readyBy = null, eta = null } = confirmedDetails(offered, preparation, app.now());
        let order: Order = { ...offered, status: 'in_progress', readyBy, eta };
        const way = isPickup ? 0 : travelSeconds(order);
        let [readyS, arrivalS, nowS] = [
          epochSeconds(order.readyBy ?? app.now()),
          epochSeconds(order.eta ?? app.now()),
          startS,
        ];
        for (const { after, minutes } of delays) {
          nowS += after * 60;
          const step = delayedStep(order, { minutes }, instantOfEpochSeconds(nowS));
          readyS = (readyS < nowS ? nowS : readyS) + minutes * 60;
          const before = arrivalS;
          arrivalS = Math.max(arrivalS, readyS + way);
          order = step.order;
          assert.deepEqual(step.event, { type: 'order.delayed', data: { from: before, to: arrivalS } });
          assert.deepEqual(
            [epochSeconds(order.readyBy ?? app.now()), epochSeconds(order.eta ?? app.now())],
            [readyS, arrivalS],
          );
        }
      },
    ),
    { numRuns: runs(500) },
  );
});
