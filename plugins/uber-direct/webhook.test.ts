import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { signed } from '../../test/fakes/uber-books.ts';
import { readUberWebhook } from './webhook.ts';

const SECRET = 'webhook-secret';
const OPTIONS = { webhookSecret: SECRET, customerId: 'cus_1' };
const COURIER = {
  name: 'Cori R.',
  phone_number: '+15555550111,48023618',
  vehicle_type: 'bicycle',
  img_href: 'https://images.example/cori.jpeg',
  location: { lat: 40.71, lng: -74.01 },
};
const EVENT = {
  kind: 'event.delivery_status',
  id: 'evt_1',
  created: '2026-06-10T17:10:00.250Z',
  customer_id: 'cus_1',
  delivery_id: 'del_1',
  status: 'pickup',
  data: {
    id: 'del_1',
    status: 'pickup',
    external_id: 'ord_1-1',
    courier: COURIER,
    dropoff_eta: '2026-06-10T17:40:00Z',
  },
};
const read = (event: object, options = OPTIONS) => {
  const { headers, body } = signed(SECRET, event);
  return readUberWebhook(options, headers, body);
};
const readReport = (event: object) => {
  const reading = read(event);
  assert.ok(reading.kind === 'report', JSON.stringify(reading));
  return reading.report;
};

test('a status is read with its courier, its arrival and its moment', () => {
  const { driver, eta, at, ...rest } = readReport(EVENT);
  assert.deepEqual(driver, {
    name: 'Cori R.',
    phone: 15555550111,
    vehicleType: 'bicycle',
    photoUrl: 'https://images.example/cori.jpeg',
    position: { latitude: 40.71, longitude: -74.01 },
  });
  assert.deepEqual([String(eta), String(at)], ['2026-06-10T17:40:00Z', '2026-06-10T17:10:00.25Z']);
  assert.deepEqual([rest.deliveryId, rest.key, rest.state, rest.eventId], ['del_1', 'ord_1-1', 'assigned', 'evt_1']);
});

test("every state of Uber's has one state of ours", () => {
  const states = ['pending', 'pickup', 'pickup_complete', 'dropoff', 'delivered', 'canceled', 'returned'];
  assert.deepEqual(
    states.map((status) => readReport({ ...EVENT, data: { ...EVENT.data, status } }).state),
    ['pending', 'assigned', 'picked_up', 'picked_up', 'delivered', 'canceled', 'returned'],
  );
  assert.equal(readReport({ ...EVENT, data: { ...EVENT.data, courier_imminent: true } }).state, 'at_store');
});

test('a position sent with the delivery is the newest', () => {
  const event = { ...EVENT, kind: 'event.courier_update', location: { lat: 40.5, lng: -73.5 } };
  assert.deepEqual(readReport(event).driver.position, { latitude: 40.5, longitude: -73.5 });
});

test('the door’s picture is the proof, links use https, and invalid phones and places are left out', () => {
  const verification = { picture: { image_url: 'https://images.example/door.jpeg' } };
  const proof = readReport({ ...EVENT, data: { ...EVENT.data, status: 'delivered', dropoff: { verification } } });
  assert.equal(proof.proofUrl, 'https://images.example/door.jpeg');
  const courier = { name: 7, phone_number: 'call me', img_href: 'javascript:alert(1)', latitude: 91, longitude: 0 };
  const odd = readReport({ ...EVENT, data: { ...EVENT.data, courier, tracking_url: 'http://plain.example/' } });
  assert.deepEqual([odd.driver, odd.trackingUrl], [{}, null]);
});

test('a changed body, and a changed, missing, doubled or foreign signature, are rejected as forged', () => {
  const { headers, body } = signed(SECRET, EVENT);
  const given = String(headers['x-uber-signature']);
  const forgeries = [
    undefined,
    '',
    'x',
    given.slice(1),
    `${given}00`,
    given.replace(/.$/, given.endsWith('0') ? '1' : '0'),
  ];
  for (const signature of forgeries) {
    assert.equal(readUberWebhook(OPTIONS, { 'x-uber-signature': signature }, body).kind, 'forged');
  }
  assert.equal(readUberWebhook(OPTIONS, { 'x-uber-signature': [given, given] }, body).kind, 'forged');
  assert.equal(readUberWebhook(OPTIONS, headers, Buffer.concat([body, Buffer.from(' ')])).kind, 'forged');
  assert.equal(readUberWebhook({ ...OPTIONS, webhookSecret: 'other' }, headers, body).kind, 'forged');
  assert.equal(readUberWebhook(OPTIONS, { 'x-postmates-signature': given.toUpperCase() }, body).kind, 'report');
});

test('a genuine call about another matter or another organization is no report', () => {
  for (const other of [{ ...EVENT, kind: 'event.refund_request' }, { ...EVENT, customer_id: 'cus_2' }, {}, []]) {
    assert.equal(read(other).kind, 'other', JSON.stringify(other));
  }
});

test('a report without a time, a delivery or a known state is unreadable', () => {
  for (const unreadable of [
    { ...EVENT, created: 'yesterday' },
    { ...EVENT, status: 'levitating', data: {} },
    { ...EVENT, data: { status: 'constructor', id: 'del_1' } },
  ]) {
    assert.equal(read(unreadable).kind, 'unreadable', JSON.stringify(unreadable));
  }
});

test('no signed bytes and no headers make the reader fail', () => {
  fc.assert(
    fc.property(fc.anything(), fc.json(), (value, text) => {
      for (const event of [value, text]) {
        const body = Buffer.from(JSON.stringify(event) ?? 'null');
        const { headers } = signed(SECRET, {});
        readUberWebhook(OPTIONS, headers, body);
      }
      read({ ...EVENT, data: typeof value === 'object' && value !== null ? value : { value } });
    }),
  );
});
