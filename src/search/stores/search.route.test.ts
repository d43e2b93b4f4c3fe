import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PLACE, SEARCHED_STORES } from '../../../test/given/searched-stores.ts';
import { givenStore } from '../../../test/given/stores.ts';
import { givenOwnApp } from '../../../test/harness.ts';
import { STORE_FIELDS } from '../../supply/stores/store-element.ts';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

type Wire = Record<string, unknown> & { _id: string; name: string; miles: number };

/** Wednesday, 13:00 in New York. */
const app = await givenOwnApp({ start: '2026-06-10T17:00:00Z' });
for (const store of SEARCHED_STORES) await givenStore(app.service.deps.db, store);
await app.catchUp();
after(() => app.close());

const search = async (query = {}): Promise<Wire[]> => {
  const reply = await app.get('/search/store/v3', { ...PLACE, ...query });
  assert.equal(reply.status, 200, reply.text);
  return reply.body.stores;
};
const names = async (query = {}) => (await search(query)).map(({ name }) => name);
const LUIGI = "Luigi's Pizza Café";
const MARKET = 'Corner Market';
const PALACE = 'Pizza Palace';
const ALL = [LUIGI, MARKET, PALACE];
/** Fields absent for an open store whose phone has no extension, without `accepting`. */
const NOT_HERE: ReadonlySet<string> = new Set(['closed_reason', 'accepts_orders', 'phone_extension', 'offers']);

test('a store has exactly the fields of a Store element, of their types', async () => {
  const [rich, market] = await search();
  assert.ok(rich && market);
  assert.deepEqual(Object.keys(rich).sort(), STORE_FIELDS.filter((field) => !NOT_HERE.has(field)).sort());
  const { _id, local_hours, ...rest } = rich;
  assert.match(_id, /^[0-9a-f]{24}$/);
  assert.deepEqual(rest, {
    name: "Luigi's Pizza Café",
    phone_number: 12125550123,
    address: {
      street_addr: '120 5th Ave',
      city: 'New York',
      state: 'NY',
      zipcode: '10011',
      country: 'US',
      street_addr_2: '',
      ...PLACE,
    },
    type: 'restaurant',
    description: 'Since 1974',
    cuisines: ['Pizza', 'Italian'],
    food_photos: ['https://cdn.example/f.jpg'],
    logo_photos: ['https://cdn.example/l.png'],
    store_photos: [],
    dollar_signs: 2,
    pickup_enabled: true,
    delivery_enabled: true,
    is_open: true,
    opens_at: null,
    closes_at: Date.parse('2026-06-10T18:00:00Z') / 1000,
    offers_first_party_delivery: true,
    offers_third_party_delivery: false,
    miles: 0,
    weighted_rating_value: 4.6,
    aggregated_rating_count: 812,
    supports_upc_codes: true,
  });
  const { is_open, opens_at, closes_at, closed_reason } = market;
  const opensAt = Date.parse('2026-06-10T22:00:00Z') / 1000;
  assert.deepEqual([is_open, opens_at, closes_at, closed_reason], [false, opensAt, null, 'hours']);
  const hours = local_hours as Record<string, Record<string, string>>;
  assert.deepEqual(Object.keys(hours).sort(), ['delivery', 'dine_in', 'operational', 'pickup']);
  for (const channel of Object.values(hours)) assert.deepEqual(Object.keys(channel), DAYS);
  assert.deepEqual(Object.values(hours.operational ?? {}).slice(0, 3), [
    '11:00AM - 10:00PM',
    'Closed',
    '11:00AM - 02:00PM, 05:00PM - 02:00AM',
  ]);
  assert.equal(hours.delivery?.Sunday, 'Open 24 hours');
});

test('unknown facts of a store are absent or null; its services don’t depend on accepting orders now', async () => {
  const market = (await search())[1];
  assert.ok(market);
  const { phone_number, aggregated_rating_count, weighted_rating_value, cuisines, ...rest } = market;
  assert.deepEqual([phone_number, aggregated_rating_count, weighted_rating_value], [undefined, undefined, 3.5]);
  assert.deepEqual(cuisines, ['Dairy']);
  assert.deepEqual([rest.delivery_enabled, rest.pickup_enabled, rest.supports_upc_codes], [true, false, false]);
  assert.deepEqual([rest.offers_first_party_delivery, rest.offers_third_party_delivery], [false, true]);
  assert.equal((await search())[2]?.dollar_signs, null);
});

test('the answer is JSON in UTF-8, with the next page as an integer, on and past the last page', async () => {
  const first = await app.get('/search/store/v3', PLACE);
  assert.equal(first.headers['content-type'], 'application/json; charset=utf-8');
  assert.deepEqual(Object.keys(first.body), ['stores', 'next_page']);
  assert.equal(first.body.next_page, 1);
  const past = await app.get('/search/store/v3', { ...PLACE, page: 1 });
  assert.deepEqual(past.body, { stores: [], next_page: 2 });
});

test('a bare coordinate browses all stores, nearest first, with great-circle miles of two decimals', async () => {
  assert.deepEqual(
    (await search()).map(({ name, miles }) => [name, miles]),
    [
      [LUIGI, 0],
      [MARKET, 2],
      [PALACE, 10],
    ],
  );
});

test('each parameter narrows or orders the result', async (t) => {
  const cases: [string, Record<string, string | number | boolean>, string[]][] = [
    ['query matches names', { query: 'pizza' }, [LUIGI, PALACE]],
    ['query ignores case, accents and apostrophes', { query: 'LUIGIS cafe' }, [LUIGI]],
    ['query forgives a typo', { query: 'palase' }, [PALACE]],
    ['query without a letter or digit browses', { query: ' - ' }, ALL],
    ['autocomplete finishes the last word', { query: 'mark', autocomplete: true }, [MARKET]],
    ['without autocomplete a word is whole', { query: 'mark', autocomplete: false }, []],
    ['store_type', { store_type: 'grocery' }, [MARKET]],
    ['pickup=true', { pickup: true }, [LUIGI, PALACE]],
    ['pickup=false', { pickup: 'False' }, [LUIGI, MARKET]],
    ['open', { open: true }, [LUIGI, PALACE]],
    ['open=false keeps all', { open: false }, ALL],
    ['delivers_here, accepting or not', { delivers_here: true }, [LUIGI, MARKET]],
    ['delivers_here, four miles away', { delivers_here: true, latitude: PLACE.latitude + 0.0579 }, [MARKET]],
    ['delivers_here=false keeps all', { delivers_here: false }, ALL],
    ['accepting', { accepting: true }, [LUIGI]],
    ['accepting=false keeps all', { accepting: false }, ALL],
    ['maximum_miles', { maximum_miles: 2.01 }, [LUIGI, MARKET]],
    ['maximum_miles of 0', { maximum_miles: 0 }, [LUIGI]],
    ['cuisine', { cuisine: 'PIZZA' }, [LUIGI]],
    ['dollar_signs', { dollar_signs: 1 }, [MARKET]],
    ['the lowest dollar_signs of a feed', { dollar_signs: 0 }, []],
    ['the highest dollar_signs of a feed', { dollar_signs: 5 }, []],
    ['minimum_rating', { minimum_rating: 4 }, [LUIGI]],
    ['viewport', { min_lat: 40.75, max_lat: 41, min_lon: -74, max_lon: -73.9 }, [MARKET, PALACE]],
    ['sort=distance', { sort: 'distance' }, ALL],
    ['sort=rating', { sort: 'rating' }, ALL],
    ['sort=cheapest', { sort: 'cheapest' }, [MARKET, LUIGI, PALACE]],
    ['sort=fastest', { sort: 'fastest', pickup: true }, [PALACE, LUIGI]],
    ['the address of the user', { user_city: 'New York', user_zipcode: '10011', user_country: 'US' }, ALL],
    ['an empty value is absent', { store_type: '', pickup: '', search_focus: '', page: '', query: '' }, ALL],
    ['an unknown parameter is ignored', { hello: 'world' }, ALL],
  ];
  for (const [what, query, expected] of cases) {
    await t.test(what, async () => assert.deepEqual(await names(query), expected));
  }
});

test('projections return the requested fields and the permanent ones', async () => {
  const [store] = await search({ projections: 'miles, cuisines', maximum_miles: 0 });
  assert.deepEqual(Object.keys(store ?? {}).sort(), ['_id', 'address', 'cuisines', 'is_open', 'miles', 'name', 'type']);
});

test('every wrong parameter is named, in one answer', async () => {
  const wrong = {
    latitude: 91,
    longitude: 'east',
    open: 1,
    min_lat: 40,
    projections: 'name,secret',
  };
  const reply = await app.get('/search/store/v3', wrong);
  assert.deepEqual([reply.status, reply.body.code], [400, 'invalid_request']);
  const named = reply.body.errors.map((fault: { name: string }) => fault.name);
  assert.deepEqual(
    named.sort(),
    [...Object.keys(wrong).filter((name) => name !== 'min_lat'), 'max_lat', 'max_lon', 'min_lon'].sort(),
  );
  for (const fault of reply.body.errors) assert.equal(fault.in, 'query');
  assert.match(reply.body.detail, /projections names no field of a store: secret/);
});

test('400 for a viewport that is upside down', async () => {
  const viewport = { min_lat: 41, max_lat: 40, min_lon: -74, max_lon: -73 };
  const upsideDown = await app.get('/search/store/v3', { ...PLACE, ...viewport });
  assert.deepEqual([upsideDown.status, upsideDown.body.errors[0].name], [400, 'min_lat']);
});

test('search_focus=item finds stores by their products’ names', async (t) => {
  const cases: [string, Record<string, string | number | boolean>, string[]][] = [
    ['all words of one product', { query: 'milk whole' }, [MARKET]],
    ['without accents', { query: 'JALAPENO' }, [LUIGI]],
    ['whole words only', { query: 'mil' }, []],
    ['or the beginning of the last one', { query: 'mil', autocomplete: true }, [MARKET]],
    ['with the other filters', { query: 'milk', store_type: 'restaurant' }, []],
    ['of those that deliver', { query: 'milk', delivers_here: true }, [MARKET]],
    ['of none that delivers', { query: 'milk', delivers_here: true, latitude: 40 }, []],
    ['words of two products do not add up', { query: 'milk pie' }, []],
    ['no words browse', { query: '' }, ALL],
  ];
  for (const [what, query, expected] of cases) {
    await t.test(what, async () => assert.deepEqual(await names({ ...query, search_focus: 'item' }), expected));
  }
});

test('delivers_here finds a store exactly where its quote is in range, after a change of its area too', async () => {
  const { db } = app.service.deps;
  const [west, east, south] = [-80.1, -80, 40];
  const areaTo = (north: number): object => {
    const ring = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ];
    return { enabled: true, area: { type: 'Polygon', coordinates: [ring] } };
  };
  const doors = [south - 1e-9, south, 40.05, 40.1, 40.100_001, 40.2, 40.200_001];
  const line = { ...SEARCHED_STORES[0], external_id: 'areas', latitude: 40.15, longitude: -80.05 };
  const inRangeTo = async (north: number): Promise<boolean[]> => {
    const storeId = await givenStore(db, { ...line, delivery: areaTo(north) });
    await app.catchUp();
    const found: boolean[] = [];
    for (const latitude of doors) {
      const here = { latitude, longitude: -80.1 };
      const { body } = await app.get('/search/store/v3', { ...here, delivers_here: true });
      const door = { user_latitude: here.latitude, user_longitude: here.longitude };
      const query = { store_id: storeId, pickup: false, include_quote: true, ...door };
      const quoted = await app.get('/details/inventory', query);
      const isFound = body.stores.some((store: Wire) => store._id === storeId);
      assert.equal(isFound, quoted.body.quote_error?.code !== 'OUT_OF_RANGE', `${latitude}`);
      found.push(isFound);
    }
    return found;
  };
  assert.deepEqual(await inRangeTo(40.1), [false, true, true, true, false, false, false]);
  assert.deepEqual(await inRangeTo(40.2), [false, true, true, true, true, true, false]);
});
