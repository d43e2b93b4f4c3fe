import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenApp } from '../../../test/harness.ts';

/** Where no other store is. */
const NEAR = { latitude: 44.47, longitude: -73.21 };
const DOOR = { user_latitude: NEAR.latitude, user_longitude: NEAR.longitude };

const app = await givenApp();
const ids = await givenStores(app, [pizzeria(NEAR), pizzeria({ ...NEAR, external_id: 'other', name: 'Other' })]);
after(() => app.close());

const read = (query: Record<string, string | number>) => app.get('/details/store', query);

test('stores are read by their IDs as store search shows them, each once, in the sequence asked for', async () => {
  const [first = '', second = ''] = ids;
  const { status, body } = await read({ store_id: `${second},${first},${second},,unknown` });
  assert.equal(status, 200);
  assert.deepEqual(
    body.stores.map((store: { _id: string }) => store._id),
    [second, first],
  );
  const { body: search } = await app.get('/search/store/v3', NEAR);
  const { body: near } = await read({ store_id: ids.join(), ...NEAR });
  for (const { delivers_here: delivers, accepts_orders: _, time_zone: zone, ...store } of near.stores) {
    assert.deepEqual([delivers, zone], [true, 'America/New_York']);
    assert.deepEqual(
      store,
      search.stores.find((one: { _id: string }) => one._id === store._id),
    );
  }
  const { body: far } = await read({ store_id: first, latitude: 60, longitude: -100 });
  assert.equal(far.stores[0].delivers_here, false);
});

test('accepts_orders says whether the store takes an order now, in the mode and at the place asked for', async () => {
  const takes = async (query: Record<string, string | number> = {}) =>
    (await read({ store_id: ids[0] ?? '', ...query })).body.stores[0].accepts_orders;
  const far = { latitude: 60, longitude: -100 };
  const queries = [{}, { pickup: 'true' }, { pickup: 'false', ...NEAR }, { pickup: 'false', ...far }, far];
  assert.deepEqual(await Promise.all(queries.map(takes)), [true, true, true, false, true]);
  await givenStores(app, [pizzeria({ ...NEAR, online_ordering: false })]);
  assert.deepEqual(await Promise.all(queries.map(takes)), [false, false, false, false, false]);
  await givenStores(app, [pizzeria(NEAR)]);
});

test('minutes and delivery fee follow the fulfillment type and place while the store takes orders', async () => {
  const estimateAt = async (query: Record<string, string | number>) => {
    const { time_estimate: estimate, delivery_fee: fee } = (await read({ store_id: ids[0] ?? '', ...query })).body
      .stores[0];
    return [estimate, fee];
  };
  const quote = async (pickup: boolean) => {
    const request = { store_id: ids[0] ?? '', pickup, include_quote: true, ...DOOR };
    const { minimum, maximum } = (await app.get('/details/inventory', request)).body.quote.time_estimate;
    return { minimum, maximum };
  };
  const fee = { delivery_fee_flat: 299, delivery_fee_percent: 0 };
  assert.deepEqual(await estimateAt({ pickup: 'false', ...NEAR }), [await quote(false), fee]);
  assert.deepEqual(await estimateAt({ pickup: 'true' }), [await quote(true), undefined]);
  for (const query of [{}, NEAR, { pickup: 'false' }, { pickup: 'false', latitude: 60, longitude: -100 }]) {
    assert.deepEqual(await estimateAt(query), [undefined, undefined], JSON.stringify(query));
  }
});

test('hours of single dates are shown from today to 30 days ahead, in sequence, and else there is no member', async () => {
  const exceptions = [
    { from: '2026-07-10', hours: 'Closed' },
    { from: '2026-07-11', hours: 'Closed' },
    { from: '2026-06-01', to: '2026-06-09', hours: 'Closed' },
    { from: '2026-06-08', to: '2026-06-11', hours: '10:00AM - 02:00PM' },
    { from: '2026-06-20', hours: '10:00AM - 02:00PM', channel: 'delivery' },
  ];
  const shown = async (line: object) => {
    await givenStores(app, [pizzeria({ ...NEAR, ...line })]);
    return (await read({ store_id: ids[0] ?? '' })).body.stores[0].hours_exceptions;
  };
  assert.equal(app.now().toString().slice(0, 10), '2026-06-10');
  assert.deepEqual(await shown({ hours_exceptions: exceptions }), [
    { from: '2026-06-10', to: '2026-06-11', hours: '10:00AM - 02:00PM' },
    { from: '2026-07-10', to: '2026-07-11', hours: 'Closed' },
  ]);
  assert.equal(await shown({ hours_exceptions: exceptions.slice(1, 3) }), undefined);
  assert.equal(await shown({}), undefined);
});

test('a coordinate by halves, more than 50 IDs and none are refused; unknown IDs are left out', async () => {
  const many = Array.from({ length: 51 }, (_, n) => `id${n}`).join();
  for (const query of [{ store_id: ids.join(), latitude: 1 }, { store_id: many }, {}]) {
    assert.deepEqual([(await read(query)).status], [400], JSON.stringify(query).slice(0, 60));
  }
  assert.deepEqual((await read({ store_id: 'nothing' })).body, { stores: [] });
});
