import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Area, milesBetween } from 'doorstep/search-engine/geography';
import { SearchIndex, storeIdsOf } from '../../../test/given/search-index.ts';
import { openAtOf, queryOf, storeOf } from '../../../test/oracles/store-search.ts';
import { type DeliveryParty, plainParty, plainZone, type Reach, type Store } from '../../supply/stores/store.ts';

const HOME = { latitude: 40.7383, longitude: -73.9927 };

function partyOf(...reaches: readonly Reach[]): DeliveryParty {
  return { ...plainParty('third'), zones: reaches.map(plainZone) };
}

function storeBy(storeId: string, parties: readonly DeliveryParty[], changes: Partial<Store> = {}): Store {
  const store = storeOf(storeId, changes);
  return { ...store, delivery: { ...store.delivery, parties, ...changes.delivery } };
}

function squareAround({ latitude, longitude }: typeof HOME, half: number): Area {
  const [west, south, east, north] = [longitude - half, latitude - half, longitude + half, latitude + half];
  const ring = [[west, south] as const, [east, south] as const, [east, north] as const, [west, north] as const];
  return [[[...ring, [west, south]]]];
}

function delivering(index: SearchIndex, door: { latitude: number; longitude: number }): string[] {
  const { stores } = index.search(queryOf({ ...door, deliversHere: true }), 0);
  return storeIdsOf({ stores }).sort();
}

test('any zone of any party counts, whether or not it accepts orders now, but not where delivery is switched off', () => {
  const index = new SearchIndex(openAtOf);
  const far = { latitude: 41.2, longitude: -73.9927 };
  const area = { area: squareAround(far, 0.01) };
  index.upsert(storeBy('second zone', [partyOf({ radiusMiles: 1 }, area)]));
  index.upsert(storeBy('second party', [partyOf({ radiusMiles: 1 }), { ...partyOf(area), accepting: false }]));
  index.upsert(storeBy('second polygon', [partyOf({ area: [...squareAround(HOME, 0.01), ...area.area] })]));
  index.upsert(storeBy('longer radius', [partyOf({ radiusMiles: 40 }, { radiusMiles: 2 })]));
  index.upsert(storeBy('near alone', [partyOf({ radiusMiles: 3 })]));
  const { delivery } = storeOf('off');
  index.upsert(storeOf('off', { delivery: { ...delivery, enabled: false, parties: [partyOf(area)] } }));
  index.upsert(storeOf('paused', { delivery: { ...delivery, accepting: false, parties: [partyOf(area)] } }));
  assert.deepEqual(delivering(index, far), [
    'longer radius',
    'paused',
    'second party',
    'second polygon',
    'second zone',
  ]);
  assert.deepEqual(delivering(index, HOME), [
    'longer radius',
    'near alone',
    'second party',
    'second polygon',
    'second zone',
  ]);
});

test('the last double of a radius counts as it does for a quote', () => {
  const index = new SearchIndex(openAtOf);
  const elsewhere = squareAround({ latitude: 45, longitude: -80 }, 0.1);
  const expected = ['clearly over', 'equal', 'over'].flatMap((storeId) => [storeId, `${storeId}, and an area`]);
  for (let n = 1; n <= 300; n += 1) {
    const door = { latitude: HOME.latitude + n / 700, longitude: HOME.longitude - n / 900 };
    const miles = milesBetween(HOME, door);
    for (const [storeId, factor] of [
      ['equal', 1],
      ['under', 1 - 2 ** -52],
      ['over', 1 + 2 ** -52],
      ['clearly under', 1 - 1e-7],
      ['clearly over', 1 + 1e-7],
    ] as const) {
      const radius = { radiusMiles: miles * factor };
      index.upsert(storeBy(storeId, [partyOf(radius)]));
      index.upsert(storeBy(`${storeId}, and an area`, [partyOf(radius, { area: elsewhere })]));
    }
    assert.deepEqual(delivering(index, door), expected);
  }
});

test('a radius of the whole earth and of nothing at all', () => {
  const index = new SearchIndex(openAtOf);
  index.upsert(storeBy('everywhere', [partyOf({ radiusMiles: 20_000 })]));
  index.upsert(storeBy('nowhere else', [partyOf({ radiusMiles: 0 })]));
  assert.deepEqual(delivering(index, HOME), ['everywhere', 'nowhere else']);
  assert.deepEqual(delivering(index, { latitude: -HOME.latitude, longitude: 180 + HOME.longitude }), ['everywhere']);
});

test('sort=fastest uses the zone around the door, of any party that takes orders', () => {
  const zone = (radiusMiles: number, minutes: number) => ({
    ...plainZone({ radiusMiles }),
    prepMinutes: [minutes, 40] as const,
  });
  const parties = (...all: readonly (readonly [radiusMiles: number, minutes: number][])[]): DeliveryParty[] =>
    all.map((zones) => ({ ...plainParty('third'), zones: zones.map(([radius, minutes]) => zone(radius, minutes)) }));
  const only = { pickup: { ...storeOf('x').pickup, enabled: false } };
  const index = new SearchIndex(openAtOf);
  index.upsert(
    storeBy(
      'zoned',
      parties([
        [1, 5],
        [9, 30],
      ]),
      { ...HOME, ...only },
    ),
  );
  index.upsert(storeBy('plain', parties([[9, 15]]), { ...HOME, ...only }));
  index.upsert(storeBy('two-parties', parties([[1, 2]], [[9, 20]]), { ...HOME, ...only }));
  const fastest = (latitude: number) => {
    const { stores } = index.search(queryOf({ ...HOME, latitude, sort: 'fastest', pickup: false }), 0);
    return storeIdsOf({ stores });
  };
  assert.deepEqual(fastest(HOME.latitude), ['two-parties', 'zoned', 'plain']);
  assert.deepEqual(fastest(HOME.latitude + 0.06), ['plain', 'two-parties', 'zoned']);
});
