import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { WebhookHeaders } from '../../src/fulfillment/deliveries/couriers/courier-gateway.ts';
import { readDoorDashWebhook, readDoordashDelivery } from './delivery.ts';

const AUTHORIZATION = 'Basic ZG9vcnN0ZXA6d2ViaG9vay1zZWNyZXQ=';
const NOW = Temporal.Instant.from('2026-06-10T17:00:00Z');
const DELIVERY = {
  external_delivery_id: 'ord_1-1',
  delivery_status: 'confirmed',
  dasher_name: 'Dana D.',
  dasher_phone_number: '+15555550111',
  dasher_location: { lat: 40.71, lng: -74.01 },
  dropoff_time_estimated: '2026-06-10T17:40:00Z',
  fee: 975,
  currency: 'USD',
  tracking_url: 'https://track.example/1',
  updated_at: '2026-06-10T17:10:00.25Z',
};
const { delivery_status: _, ...EVENT } = {
  ...DELIVERY,
  event_name: 'DASHER_CONFIRMED',
  created_at: '2026-06-10T17:11:00Z',
};
const receive = (event: unknown, headers: WebhookHeaders = { authorization: AUTHORIZATION }) =>
  readDoorDashWebhook(AUTHORIZATION, headers, Buffer.from(JSON.stringify(event) ?? ''));

test('a delivery is read with its Dasher, its arrival, its fee in cents and its moment', () => {
  const report = readDoordashDelivery(DELIVERY, NOW);
  assert.deepEqual(report?.driver, {
    name: 'Dana D.',
    phone: 15555550111,
    position: { latitude: 40.71, longitude: -74.01 },
  });
  const { deliveryId, key, state, eta, feeCents, currency, trackingUrl, at } = report ?? assert.fail();
  assert.deepEqual(
    [deliveryId, key, state, feeCents, currency, trackingUrl],
    ['ord_1-1', 'ord_1-1', 'assigned', 975, 'usd', 'https://track.example/1'],
  );
  assert.deepEqual([String(eta), String(at)], ['2026-06-10T17:40:00Z', '2026-06-10T17:10:00.25Z']);
  assert.equal(readDoordashDelivery({ ...DELIVERY, updated_at: 'yesterday' }, NOW)?.at, NOW);
});

test('every status and every event of DoorDash has one state of ours', () => {
  const readState = (status: string) => readDoordashDelivery({ ...DELIVERY, delivery_status: status }, NOW)?.state;
  const eventStateOf = (event_name: string) => {
    const reading = receive({ ...EVENT, event_name });
    return reading.kind === 'report' ? reading.report.state : reading.kind;
  };
  const states = [
    ['created', 'pending'],
    ['confirmed', 'assigned', 'DASHER_CONFIRMED'],
    ['enroute_to_pickup', 'assigned', 'DASHER_ENROUTE_TO_PICKUP'],
    ['arrived_at_pickup', 'at_store', 'DASHER_CONFIRMED_PICKUP_ARRIVAL'],
    ['picked_up', 'picked_up', 'DASHER_PICKED_UP'],
    ['enroute_to_dropoff', 'picked_up', 'dasher_enroute_to_dropoff'],
    ['arrived_at_dropoff', 'picked_up', 'DASHER_CONFIRMED_DROPOFF_ARRIVAL'],
    ['enroute_to_return', 'picked_up', 'DELIVERY_RETURN_INITIALIZED'],
    ['arrived_at_return', 'picked_up', 'DASHER_CONFIRMED_RETURN_ARRIVAL'],
    ['delivered', 'delivered', 'DASHER_DROPPED_OFF'],
    ['cancelled', 'canceled', 'DELIVERY_CANCELLED'],
    ['returned', 'returned', 'DELIVERY_RETURNED'],
  ] as const;
  for (const [status, state, event] of states) {
    assert.equal(readState(status), state, status);
    if (event) assert.equal(eventStateOf(event), state, event);
  }
});

test('invalid phone numbers, places, links and amounts are left out', () => {
  const odd = {
    ...DELIVERY,
    dasher_name: 7,
    dasher_phone_number: 'call me',
    dasher_location: { lat: 91, lng: 0 },
    tracking_url: 'javascript:alert(1)',
    dropoff_verification_image_url: 'http://plain.example/',
    fee: 9.75,
    currency: 'dollars',
  };
  const { driver, trackingUrl, proofUrl, feeCents, currency } = readDoordashDelivery(odd, NOW) ?? assert.fail();
  assert.deepEqual([driver, trackingUrl, proofUrl, feeCents, currency], [{}, null, null, null, null]);
});

test('an authorization that is missing, doubled, truncated, too long or in another case is rejected', () => {
  const { length } = AUTHORIZATION;
  const forgeries = [undefined, '', 'Basic', AUTHORIZATION.slice(0, length - 1), `${AUTHORIZATION} `];
  for (const authorization of [...forgeries, AUTHORIZATION.toLowerCase(), [AUTHORIZATION]]) {
    assert.equal(receive(EVENT, { authorization }).kind, 'forged');
  }
  assert.equal(receive(EVENT, {}).kind, 'forged');
  assert.equal(receive(EVENT).kind, 'report');
});

test('a genuine call about another matter is no report', () => {
  const others = [
    { ...EVENT, event_name: 'DELIVERY_BATCHED' },
    { ...EVENT, event_name: 'constructor' },
    {},
    [],
    'text',
  ];
  for (const other of others) assert.equal(receive(other).kind, 'other', JSON.stringify(other));
});

test('a report without a time or a delivery is unreadable', () => {
  for (const event of [
    { ...EVENT, created_at: 'yesterday', updated_at: 0 },
    { ...EVENT, external_delivery_id: 7 },
  ]) {
    assert.equal(receive(event).kind, 'unreadable', JSON.stringify(event));
  }
});

test('no authorized bytes make the reader fail', () => {
  fc.assert(
    fc.property(fc.anything(), fc.json(), (value, text) => {
      receive(value);
      receive({ ...EVENT, dasher_location: value, fee: value, tracking_url: text });
      readDoorDashWebhook(AUTHORIZATION, { authorization: AUTHORIZATION }, Buffer.from(text));
    }),
  );
});
