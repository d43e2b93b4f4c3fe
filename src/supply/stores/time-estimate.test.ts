import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { plainParty, plainZone } from './store.ts';
import { estimateDelivery, estimatePickup, promisedEta, shortestPreparation, travelMinutes } from './time-estimate.ts';

test('pickup takes the preparation', () => {
  assert.deepEqual(estimatePickup([10, 20]), { minMinutes: 10, maxMinutes: 20 });
  assert.deepEqual(estimatePickup([20, 10]), { minMinutes: 10, maxMinutes: 20 });
});

test('delivery takes the preparation and the way, 3.9 minutes for each straight mile', () => {
  assert.deepEqual(estimateDelivery([10, 20], 0), { minMinutes: 11, maxMinutes: 21 });
  assert.deepEqual(estimateDelivery([10, 20], 2), { minMinutes: 18, maxMinutes: 28 });
  assert.equal(travelMinutes(10), 39);
});

test('the shortest preparation comes from the quickest zone of an available provider', () => {
  const slow = { ...plainParty(), prepMinutes: [30, 40] as const };
  const zone = { ...plainZone({ radiusMiles: 1 }), prepMinutes: [8, 60] as const };
  const offer = { enabled: true, accepting: true, prepMinutes: [20, 25] as const };
  const quick = { ...slow, zones: [...slow.zones, zone] };
  assert.deepEqual(shortestPreparation({ ...offer, parties: [slow] }), [30, 40]);
  assert.deepEqual(shortestPreparation({ ...offer, parties: [slow, plainParty('courier')] }), [20, 25]);
  assert.deepEqual(shortestPreparation({ ...offer, parties: [slow, quick] }), [8, 60]);
  assert.deepEqual(shortestPreparation({ ...offer, parties: [slow, { ...quick, accepting: false }] }), [30, 40]);
  assert.deepEqual(shortestPreparation({ ...offer, parties: [{ ...slow, accepting: false }] }), [20, 25]);
});

test('estimates are whole minutes, in order, and never shorter for a longer way', () => {
  const prep = fc.tuple(fc.double({ min: 0, max: 300, noNaN: true }), fc.double({ min: 0, max: 300, noNaN: true }));
  const miles = fc.double({ min: 0, max: 50, noNaN: true });
  const property = fc.property(prep, miles, miles, (minutes, a, b) => {
    const near = estimateDelivery(minutes, Math.min(a, b));
    const far = estimateDelivery(minutes, Math.max(a, b));
    assert.ok(Number.isInteger(near.minMinutes) && Number.isInteger(near.maxMinutes));
    assert.ok(near.minMinutes >= 1 && near.minMinutes <= near.maxMinutes);
    assert.ok(near.minMinutes <= far.minMinutes && near.maxMinutes <= far.maxMinutes);
  });
  fc.assert(property);
});

test('the time of arrival is the late end of the estimate', () => {
  const eta = promisedEta(Temporal.Instant.from('2026-07-06T22:15:40Z'), { minMinutes: 20, maxMinutes: 30 });
  assert.equal(String(eta), '2026-07-06T22:45:40Z');
});
