import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  afterFailure,
  afterReport,
  type CourierDelivery,
  isDeliveryEnded,
  nextCallOf,
  requestDelivery,
  scheduled,
} from './courier-delivery.ts';
import { COURIER_STATES, type CourierReport, type CourierState } from './courier-gateway.ts';

const NOW = Temporal.Instant.from('2026-06-10T17:00:00Z');
const REQUESTED = requestDelivery({ orderId: 'ord_1', attempt: 1, gateway: 'g' }, NOW.add({ minutes: 20 }), NOW);

const givenReport = (state: CourierState, minutes: number, name = 'Cori R.'): CourierReport => ({
  deliveryId: 'del_1',
  key: 'ord_1-1',
  state,
  driver: { name },
  eta: null,
  feeCents: null,
  currency: null,
  trackingUrl: null,
  proofUrl: null,
  at: NOW.add({ minutes }),
  eventId: `evt_${state}_${minutes}`,
});
const after = (delivery: CourierDelivery, ...reports: CourierReport[]) =>
  reports.reduce((one, report) => afterReport(one, report, NOW).delivery, delivery);

const LIFE = [
  givenReport('pending', 0),
  givenReport('assigned', 1),
  givenReport('at_store', 5),
  givenReport('picked_up', 9),
  givenReport('delivered', 20),
];

test('a lifetime’s reports end in the same state in any order and number', () => {
  const received = fc
    .array(fc.constantFrom(...LIFE), { maxLength: 12 })
    .chain((more) => fc.shuffledSubarray([...LIFE, ...more], { minLength: LIFE.length + more.length }));
  fc.assert(
    fc.property(received, (reports) => {
      const end = after(REQUESTED, ...reports);
      assert.deepEqual([end.state, end.deliveryId, end.nextCallAt], ['delivered', 'del_1', null]);
    }),
  );
});

test('an ended delivery ignores all later reports', () => {
  for (const end of ['delivered', 'canceled', 'returned'] as const) {
    const ended = after(REQUESTED, givenReport(end, 10));
    for (const state of COURIER_STATES) {
      assert.deepEqual(afterReport(ended, givenReport(state, 11), NOW), {
        delivery: ended,
        isNew: false,
        isNewer: false,
      });
    }
  }
});

test('the newest report names the courier, and an older report of the same state names none', () => {
  const first = after(REQUESTED, givenReport('assigned', 4, 'Sam T.'));
  const late = afterReport(first, givenReport('assigned', 3, 'Cori R.'), NOW);
  assert.deepEqual([late.isNew, late.delivery.driverName], [false, 'Sam T.']);
  assert.equal(after(first, givenReport('assigned', 5, 'Cori R.')).driverName, 'Cori R.');
});

test('a delivery is called about until it has ended, and never made once it is not wanted', () => {
  const unwanted = { ...REQUESTED, isWanted: false };
  const sent = { ...unwanted, sentAt: NOW };
  const made = after(REQUESTED, givenReport('assigned', 1));
  assert.deepEqual(
    [REQUESTED, unwanted, sent, made, { ...made, isWanted: false }, { ...made, isWanted: false, isTooLate: true }].map(
      nextCallOf,
    ),
    ['create', 'withdraw', 'recall', 'find', 'cancel', 'find'],
  );
  for (const state of ['delivered', 'canceled', 'returned', 'refused', 'failed', 'lost'] as const) {
    assert.equal(isDeliveryEnded({ state }), true);
    assert.equal(nextCallOf({ ...made, state }), undefined);
  }
});

test('a failed call is repeated later each time, by the wait that the gateway asks for, and within 45 minutes', () => {
  const fail = (delivery: CourierDelivery, minutes: number, more: object = {}) =>
    afterFailure(delivery, { message: 'no', isFinal: false, ...more }, NOW.add({ minutes }), 0);
  const waits = [];
  let delivery = { ...REQUESTED, sentAt: NOW };
  for (let calls = 0; calls < 8; calls += 1) {
    delivery = { ...fail(delivery, 0), sentAt: NOW };
    waits.push(delivery.nextCallAt?.since(NOW).total('seconds'));
  }
  assert.deepEqual(waits, [2, 5, 10, 30, 60, 120, 120, 120]);
  assert.equal(fail(REQUESTED, 0, { retryAfterSeconds: 77 }).nextCallAt?.since(NOW).total('seconds'), 77);
  assert.deepEqual([fail(REQUESTED, 44).state, fail(REQUESTED, 45).state], ['requested', 'failed']);
  assert.equal(fail(REQUESTED, 0, { isFinal: true }).state, 'failed');
});

test('a created delivery is polled for two days despite failing calls', () => {
  const made = after(REQUESTED, givenReport('assigned', 1));
  const failed = (hours: number) => afterFailure(made, { message: 'no', isFinal: true }, NOW.add({ hours }), 0);
  assert.deepEqual([failed(47).state, failed(47).nextCallAt !== null], ['assigned', true]);
  assert.deepEqual([failed(48).state, failed(48).nextCallAt], ['assigned', null]);
  assert.equal(scheduled(made, NOW.add({ hours: 48 })).nextCallAt, null);
});

test('a delivery for a later day is followed until a day after it is ready', () => {
  const made = { ...after(REQUESTED, givenReport('assigned', 1)), readyAt: NOW.add({ hours: 100 }) };
  assert.notEqual(scheduled(made, NOW.add({ hours: 123 })).nextCallAt, null);
  assert.equal(scheduled(made, NOW.add({ hours: 124 })).nextCallAt, null);
});
