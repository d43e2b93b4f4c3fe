import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { givenKitchen } from '../../../test/given/kitchen.ts';
import { type App, sharedApp } from '../../../test/harness.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { confirmedDetails, quotedPreparationMinutes, quotedReadyEpochS } from './kitchen-times.ts';
import type { Order } from './order.ts';
import { findAnyOrder } from './orders.db.ts';

const PREPARATION_S = 20 * 60;
const WINDOW_S = 30 * 60;

let app: App;
let delivery: Order;
let pickup: Order;
before(async () => {
  app = await sharedApp();
  const { place } = await givenKitchen(app);
  const placeAndConfirm = async (changes: object) => {
    const orderId = await place([{ name: 'Cola', quantity: 3 }], changes);
    return (await findAnyOrder(app.service.deps.db, orderId)) ?? assert.fail('no order');
  };
  [delivery, pickup] = [await placeAndConfirm({}), await placeAndConfirm({ pickup: true })];
});

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
