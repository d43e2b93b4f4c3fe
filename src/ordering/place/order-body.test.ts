import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOrderBody } from './order-body.ts';

function bodyFaults(body: unknown): string[] {
  const parsed = readOrderBody(body);
  return 'error' in parsed ? (parsed.error.extras.errors ?? []).map(({ name }) => name) : [];
}

const CUSTOMER = ['user_name', 'user_email', 'user_phone', 'user_id', 'payment_method_id'];
const ADDRESS = ['user_street_num', 'user_street_name', 'user_city', 'user_state', 'user_zipcode'];

test('errors and missing fields of an order are listed together, each once', () => {
  assert.deepEqual(bodyFaults({ place_order: true, pickup: false, items: [], user_email: 'ann', user_name: ' ' }), [
    ...['items', 'user_email', 'user_latitude', 'user_longitude', 'user_name', 'user_phone', 'user_id'],
    ...['payment_method_id', ...ADDRESS],
  ]);
});

test('required fields follow the request: pickup needs no address, a free order no payment method', () => {
  assert.deepEqual(bodyFaults({ place_order: true, pickup: true, items: [] }), ['items', ...CUSTOMER]);
  const free = CUSTOMER.filter((name) => name !== 'payment_method_id');
  assert.deepEqual(bodyFaults({ place_order: true, pickup: true, charge_user: false }), ['items', ...free]);
  assert.deepEqual(bodyFaults({ pickup: false, items: [] }), ['items', 'user_latitude', 'user_longitude']);
  assert.deepEqual(bodyFaults({}), ['items', 'pickup']);
});

test('a body that is not an object is one fault', () => {
  for (const body of [[], 'x', 5]) assert.deepEqual(bodyFaults(body), ['body']);
});

test('a time zone is the name of a zone of the IANA database, in any letter case; an empty one counts as absent', () => {
  const zoneFaults = (zone: unknown) =>
    bodyFaults({ pickup: true, items: [{ product_id: 'p' }], user_time_zone: zone });
  for (const zone of ['America/New_York', 'us/pacific', 'EST5EDT', 'UTC', 'Etc/GMT+5', '', null, undefined]) {
    assert.deepEqual(zoneFaults(zone), [], String(zone));
  }
  for (const zone of ['anything', 'PST', 'SystemV/PST8', '-05:00', 'Z', ' UTC', '2026-01-01T00:00Z[UTC]', 5, {}]) {
    assert.deepEqual(zoneFaults(zone), ['user_time_zone'], String(zone));
  }
});

test('a language is a BCP 47 tag of any language; anything else is a fault', () => {
  const faults = (tag: unknown) => bodyFaults({ pickup: true, items: [{ product_id: 'p' }], user_language: tag });
  for (const tag of ['fr', 'fr-CA', 'ES-mx', 'de', 'zh-Hans-CN', 'sr-Latn', '', null, undefined]) {
    assert.deepEqual(faults(tag), [], String(tag));
  }
  for (const tag of [
    'french language',
    'fr_CA',
    '-',
    'fr--CA',
    '<b>',
    'fr\n',
    `fr-${'abc-'.repeat(9)}x`,
    5,
    {},
    ['fr'],
  ]) {
    assert.deepEqual(faults(tag), ['user_language'], String(tag));
  }
});
