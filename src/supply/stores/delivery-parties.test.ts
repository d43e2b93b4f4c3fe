import assert from 'node:assert/strict';
import { test } from 'node:test';
import { presentParties } from './delivery-parties.ts';
import { plainParty, plainZone } from './store.ts';

test('people read who delivers and where; a store without delivery has no parties to show', () => {
  const offer = { enabled: true, accepting: true, prepMinutes: [10, 20] as const };
  const area = { area: [] };
  const parties = [
    plainParty('first', 1),
    { ...plainParty('courier'), accepting: false, zones: [plainZone(area)] },
    { ...plainParty('third'), zones: [plainZone({ radiusMiles: 2.5 }), plainZone(area)] },
  ];
  assert.deepEqual(presentParties({ ...offer, parties }), [
    { party: 'first', accepting: true, reach: 'within 1 mile', zones: 1, radius_miles: 1 },
    { party: 'courier', accepting: false, reach: 'in an area', zones: 1, radius_miles: null },
    { party: 'third', accepting: true, reach: 'in 2 zones', zones: 2, radius_miles: null },
  ]);
  assert.deepEqual(presentParties({ ...offer, enabled: false, parties }), []);
});
