import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatEta, orderZone } from './order-times.ts';

const SNEADS = { timeZone: 'America/Chicago', country: 'US' } as const;
const ACROSS = { latitude: 30.75, longitude: -84.83 };
const given = (mode: 'delivery' | 'pickup', timeZone = '', door: object = ACROSS) =>
  ({
    request: { mode, customer: { latitude: null, longitude: null, state: '', ...door, timeZone } },
    quote: { store: SNEADS },
  }) as const;

test('an order’s time zone comes from its delivery address, or from its store for pickup', () => {
  assert.equal(orderZone(given('delivery'))[0], 'America/New_York');
  assert.equal(orderZone(given('pickup'))[0], 'America/Chicago');
  assert.equal(orderZone(given('delivery', '', {}))[0], 'America/Chicago');
});

test('a door has a zone of its own state: Williston is on Central Time, Campbellton on Atlantic Time', () => {
  const zoneOf = (country: 'US' | 'CA', door: object) => {
    const { request } = given('delivery', '', door);
    return orderZone({ request, quote: { store: { timeZone: 'America/Denver', country } } })[0];
  };
  assert.equal(zoneOf('US', { latitude: 48.147, longitude: -103.618, state: 'ND' }), 'America/Chicago');
  assert.equal(zoneOf('CA', { latitude: 48.005, longitude: -66.673, state: 'NB' }), 'America/Moncton');
});

test('a time names its zone where the store or the device of the customer shows another, and nowhere else', () => {
  const at = Temporal.Instant.from('2026-07-06T22:45:40Z');
  const shown = (zone: Parameters<typeof formatEta>[1]) => formatEta(at, zone);
  assert.equal(shown(orderZone(given('delivery'))), '06:45 PM EDT');
  assert.equal(shown(orderZone(given('pickup'))), '05:45 PM');
  assert.equal(shown(orderZone(given('pickup', 'America/Menominee'))), '05:45 PM');
  assert.equal(shown(orderZone(given('pickup', 'Europe/Paris'))), '05:45 PM CDT');
  assert.equal(shown(orderZone(given('pickup', 'Mars/Olympus'))), '05:45 PM', 'unknown to this node');
});

test('the time of arrival has two digits and no seconds; midnight is 12 AM and noon 12 PM', () => {
  const eta = Temporal.Instant.from('2026-07-06T22:45:40Z');
  assert.equal(formatEta(eta, 'America/New_York'), '06:45 PM');
  assert.equal(formatEta(eta, 'America/St_Johns'), '08:15 PM');
  assert.equal(formatEta(Temporal.Instant.from('2026-01-06T05:00:00Z'), 'America/New_York'), '12:00 AM');
  assert.equal(formatEta(Temporal.Instant.from('2026-01-06T17:05:00Z'), 'America/New_York'), '12:05 PM');
});
