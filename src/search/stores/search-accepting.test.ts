import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NEAR_DOOR } from '../../../test/feed-lines.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import { SearchIndex, storeIdsOf } from '../../../test/given/search-index.ts';
import { anyExceptions, anyWeek } from '../../../test/oracles/arbitrary-hours.ts';
import { queryOf, storeOf } from '../../../test/oracles/store-search.ts';
import { runs } from '../../../test/runs.ts';
import { instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { quoteFor } from '../../supply/pricing/quote.ts';
import type { HoursException } from '../../supply/stores/hours.ts';
import { type DeliveryParty, plainParty, plainZone, type Store } from '../../supply/stores/store.ts';
import type { StoreQuery } from './store-query.ts';

const DATES = ['2026-03-08', '2026-06-15', '2026-11-01'] as const;
const ZONES = ['America/New_York', 'America/St_Johns', 'Pacific/Honolulu'] as const;
const NOON_S = (date: string) => Temporal.Instant.from(`${date}T17:00:00Z`).epochMilliseconds / 1000;

const mostly = fc.integer({ min: 0, max: 5 }).map((n) => n > 0);
const anyKind = fc.oneof({ weight: 3, arbitrary: anyWeek(15) }, fc.constant(null));
const anyParty: fc.Arbitrary<DeliveryParty> = fc
  .tuple(fc.constantFrom('first' as const, 'courier' as const), mostly, fc.constantFrom(1, 4, 20), fc.boolean())
  .map(([party, accepting, miles, isElsewhere]) => {
    const zone = isElsewhere ? plainZone({ area: squareNorth(miles) }) : plainZone({ radiusMiles: miles });
    return { ...plainParty(party), accepting, zones: [zone] };
  });

/** An area that leaves the store itself out. */
function squareNorth(miles: number) {
  const [south, north, west, east] = [40.74, 40.74 + miles / 60, -74.1, -73.9];
  return [[[west, south] as const, [east, south] as const, [east, north] as const, [west, south] as const]].map(
    (ring) => [ring],
  );
}

const anyStore = (date: string) =>
  fc
    .record({
      hours: fc.record({ operational: anyKind, delivery: anyKind, pickup: anyKind, dine_in: anyKind }),
      exceptions: anyExceptions(date, 15),
      forPickup: fc.boolean(),
      timeZone: fc.constantFrom(...ZONES),
      pauseMinutes: fc.option(fc.integer({ min: -3000, max: 6000 }), { freq: 2 }),
      isOn: fc.record({ onlineOrdering: mostly, hasCatalog: mostly, hasChannel: mostly, listed: mostly }),
      pickup: fc.record({ enabled: mostly, accepting: mostly }),
      delivery: fc.record({ enabled: mostly, accepting: mostly }),
      parties: fc.array(anyParty, { minLength: 1, maxLength: 2 }),
    })
    .map(({ exceptions, forPickup, pauseMinutes, isOn, pickup, delivery, parties, ...facts }): Partial<Store> => {
      const plain = storeOf('');
      const hoursExceptions = exceptions.map((one): HoursException => {
        return forPickup && one.channel === 'delivery' ? { ...one, channel: 'pickup' } : one;
      });
      const pausedUntil = pauseMinutes === null ? null : instantOfEpochSeconds(NOON_S(date) + pauseMinutes * 60);
      return {
        ...facts,
        ...isOn,
        hoursExceptions,
        pausedUntil,
        pickup: { ...plain.pickup, ...pickup },
        delivery: { ...plain.delivery, ...delivery, parties },
      };
    });

/** By the quotes of the requested modes, without slots. A range that is not requested holds the store itself. */
function takesOrder(store: Store, query: StoreQuery, nowS: number): boolean {
  const door = query.deliversHere ? query : store;
  const near = plainZone({ radiusMiles: 1 });
  const parties = store.delivery.parties.map((party) => ({ ...party, zones: [near] }));
  const reaching = { ...store, delivery: { ...store.delivery, parties } };
  const now = instantOfEpochSeconds(nowS);
  const keyMode = query.sandbox === null ? 'live' : 'sandbox';
  const common = { keyMode, preference: 'first_available', now, slots: [] } as const;
  const takes = (mode: 'pickup' | 'delivery') => {
    const reached = mode === 'delivery' && !query.deliversHere ? reaching : store;
    const quote = quoteFor({ ...common, store: reached, mode, door });
    return !('error' in quote) && quote.asapAvailable;
  };
  if (query.pickup !== null) return takes(query.pickup ? 'pickup' : 'delivery');
  return takes('delivery') || (!query.deliversHere && takes('pickup'));
}

const anyQuery = fc
  .record({
    pickup: fc.constantFrom(true, false, null),
    deliversHere: fc.boolean(),
    sandbox: fc.constantFrom(null, 'acc_1'),
    latitude: fc.constantFrom(40.7383, 40.75, 40.9),
  })
  // A pickup from a store that delivers is another question, which the oracle of every filter asks.
  .map((query) => ({ ...query, deliversHere: query.deliversHere && query.pickup !== true }));

test('accepting=true finds exactly the stores whose quotes take an order, at every moment, and says so of each', (t) => {
  let [found, reached] = [0, 0];
  const cases = fc
    .constantFrom(...DATES)
    .chain((date) =>
      fc.tuple(
        fc.constant(date),
        fc.array(anyStore(date), { minLength: 50, maxLength: 50, size: 'max' }),
        fc.array(fc.tuple(fc.integer({ min: -6000, max: 6000 }), anyQuery), { minLength: 100, maxLength: 100 }),
      ),
    );
  const property = fc.property(cases, ([date, shapes, moments]) => {
    const index = new SearchIndex();
    // Every second store had another state before.
    for (const n of shapes.keys()) if (n % 2 === 0) index.upsert(storeOf(`s${n}`, { hasCatalog: true }));
    const stores = shapes.map((changes, n) => storeOf(`s${n}`, changes));
    for (const store of stores) index.upsert(store);
    for (const [minute, changes] of moments) {
      const nowS = NOON_S(date) + minute * 60;
      const query = queryOf(changes);
      const all = stores.filter(({ listed }) => listed);
      const due = all.filter((store) => takesOrder(store, query, nowS));
      const offered = (store: Store) => query.pickup === null || store[query.pickup ? 'pickup' : 'delivery'].enabled;
      const page = index.search({ ...query, accepting: true }, nowS);
      assert.deepEqual(storeIdsOf(page).toSorted(), due.map(({ storeId }) => storeId).toSorted());
      const every = index.search({ ...query, deliversHere: false }, nowS);
      const form = { query, projections: ['accepts_orders'] };
      const answered: { _id: string; accepts_orders: boolean }[] = JSON.parse(
        index.writePage(every, nowS, form).toString(),
      ).stores;
      const right = all.filter(offered).map((store): [string, boolean] => [store.storeId, due.includes(store)]);
      assert.deepEqual(new Map(answered.map(({ _id, accepts_orders }) => [_id, accepts_orders])), new Map(right));
      found += due.length;
      reached += all.length;
    }
  });
  fc.assert(property, { numRuns: runs(60, 6) });
  t.diagnostic(`${found} of ${reached} stores took an order`);
});

test('stores, products and carts of a paused store are left out within two seconds, and come back', async (t) => {
  const shop = await givenPizzeria();
  t.after(shop.close);
  const owner = await givenStoreKey(shop, shop.storeId);
  const { user_latitude: latitude, user_longitude: longitude } = NEAR_DOOR;
  const found = async () => {
    const accepting = true;
    const stores = await shop.get('/search/store/v3', { latitude, longitude, accepting, delivers_here: true });
    const products = await shop.get('/search/product/v4', { ...NEAR_DOOR, query: 'soda', accepting });
    const carts = await shop.get('/search/cart', { ...NEAR_DOOR, query: '{"soda":1}', accepting });
    return [
      stores.body.stores.map((store: { accepts_orders: unknown }) => store.accepts_orders),
      products.body.products.length,
      carts.body.carts.length,
    ];
  };
  assert.deepEqual(await found(), [[true], 1, 1]);
  for (const [path, right] of [
    ['/store/pause', [[], 0, 0]],
    ['/store/resume', [[true], 1, 1]],
  ] as const) {
    assert.equal((await owner.post(path, path === '/store/pause' ? { minutes: 30 } : undefined)).status, 200);
    await shop.catchUp();
    assert.deepEqual(await found(), right, path);
  }
});
