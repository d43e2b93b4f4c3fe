import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { givenGeocoder, googleAnswer } from '../../../test/fakes/given-geocoder.ts';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenChannel } from '../../../test/given/merchant.ts';
import { orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { ADDRESS, wordsOf } from '../../../test/given/street-addresses.ts';
import { type Client, givenOwnApp, type Reply } from '../../../test/harness.ts';
import { runs } from '../../../test/runs.ts';
import type { Fault } from '../../platform/http/refusal.ts';
import { writeAddress } from '../stores/street-address.ts';
import { StoreGeocoder } from './store-geocoder.cache.ts';

const KEY = 'AIzaSy-a-key-that-nobody-may-see';
const DOOR = { latitude: 40.744, longitude: -73.988 };
const STREET = '10 W 21st St, New York, NY 10010';
const PARTS = { street: 'W 21st St', city: 'New York', state: 'NY', zipcode: '10010' };
const HERE = googleAnswer({ ...DOOR, ...PARTS, number: '10' });

/** A service with Google's geocoder, and one without a geocoder; both have the pizzeria. */
let live: Client;
let storeId = '';
let soda = '';
const google = await givenGeocoder();
const env = {
  GEOCODER: 'google',
  GOOGLE_PLACES_API_KEY: KEY,
  DAILY_BUDGETS: '{"directory_lookups": 8, "sandbox_directory_lookups": 8}',
};
const app = await givenOwnApp({ env, partyUrls: { google: { baseUrl: google.baseUrl } } });
const plain = await givenOwnApp();
for (const one of [app, plain]) {
  [storeId = ''] = await givenStores(one, [pizzeria()]);
  await givenChannel(one, storeId);
}
soda = (await productTokens(plain, storeId)).Soda ?? '';
beforeEach(async () => {
  google.answer(HERE);
  google.requests.length = 0;
  live = await app.givenClient('live');
});
after(async () => {
  await app.close();
  await plain.close();
  await google.close();
});

const geocode = (client: Client, address: string) => client.get('/utils/geocode', { address });
const codes = (replies: readonly Reply[]) => replies.map(({ status, body }) => [status, body.code]);

test('cities beyond the maximum of the stores’ own geocoder are reported', async () => {
  const { db, clock } = plain.service.deps;
  const reported: unknown[] = [];
  const reportLeftOut = (...report: unknown[]) => void reported.push(report);
  const found = async (maxAreas: number) =>
    (await new StoreGeocoder({ db, clock, reportLeftOut, maxAreas }).geocode('New York, NY')).length;
  assert.deepEqual([await found(1), reported], [1, []]);
  assert.equal(await found(0), 0);
  assert.deepEqual(reported, [['address', "areas beyond the geocoder's maximum", { maxAreas: 0 }]]);
});

/** The request for a quoted delivery without a coordinate. */
function quoteBody(client: Client, token: string, changes: object = {}) {
  const {
    user_latitude: _,
    user_longitude: __,
    ...body
  } = orderBody(token, null, {
    place_order: false,
    charge_user: false,
    items: [{ product_id: token, quantity: 4 }],
    ...changes,
  }) as Record<string, unknown>;
  return client.post('/order/order/v2', body);
}
const NO_STREET = { user_street_num: '', user_street_name: '', user_city: '', user_state: '', user_zipcode: '' };

async function ask(client: Client, tool: string, given: object): Promise<Reply['body']> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: given } };
  const reply = await client.post('/mcp', message, { 'mcp-protocol-version': '2025-11-25' });
  return reply.body.result.structuredContent;
}

test('an address is answered with its matches', async () => {
  const reply = await geocode(live, STREET);
  assert.equal(reply.status, 200, reply.text);
  const { street, ...place } = PARTS;
  const components = { street_num: '10', street_name: street, apt_num: '', ...place };
  assert.deepEqual(reply.body, { results: [{ ...DOOR, address: `${STREET}, USA`, components, precision: 'rooftop' }] });
});

test('a typed unit is kept where the geocoder returns none, and its own is returned where it does', async () => {
  await fc.assert(
    fc.asyncProperty(ADDRESS, fc.constantFrom('', '7F'), async (typed, unit) => {
      const street = googleAnswer({ ...DOOR, ...PARTS, number: '10' });
      const subpremise = { long_name: unit, short_name: unit, types: ['subpremise'] };
      if (unit !== '') street.results[0]?.address_components.push(subpremise);
      google.answer(street);
      const { body } = await geocode(await app.givenClient('live'), writeAddress(typed));
      const kept = wordsOf(body.results[0].components.apt_num);
      assert.deepEqual(kept, wordsOf(unit || typed.aptNum), writeAddress(typed));
    }),
    { numRuns: runs(100) },
  );
});

test('an address is geocoded once per account in any case and spacing; each account has its own', async () => {
  await Promise.all([geocode(live, STREET), geocode(live, STREET)]);
  await geocode(live, `  ${STREET.toUpperCase().replace(' ', '   ')} `);
  assert.equal(google.requests.length, 1);
  await geocode(await app.givenClient('live'), STREET);
  assert.equal(google.requests.length, 2);
  await app.advance({ hours: 6 * 24 });
  await geocode(live, STREET);
  assert.equal(google.requests.length, 2);
  await app.advance({ hours: 2 * 24 });
  await geocode(live, STREET);
  assert.equal(google.requests.length, 3);
});

const at = (client: Client, latitude: number, longitude: number) =>
  client.get('/utils/geocode', { latitude, longitude });

test('a coordinate is answered with its address, looked up once to the meter for an account', async () => {
  const reply = await at(live, DOOR.latitude + 0.000_001, DOOR.longitude);
  assert.equal(reply.status, 200, reply.text);
  assert.deepEqual(reply.body, (await geocode(live, STREET)).body);
  assert.equal(google.requests[0]?.query.latlng, `${DOOR.latitude},${DOOR.longitude}`);
  assert.equal((await at(live, DOOR.latitude, DOOR.longitude)).status, 200);
  assert.equal(google.requests.length, 2);
  await at(await app.givenClient('live'), DOOR.latitude, DOOR.longitude);
  assert.equal(google.requests.length, 3);
});

test('coordinates outside of the US and Canada, halves and fractions of none cause no call', async () => {
  for (const [latitude, longitude] of [
    [52.5, 13.4],
    [0, 0],
    [-90, 180],
  ] as const) {
    const reply = await at(live, latitude, longitude);
    assert.deepEqual(codes([reply]), [[422, 'address_not_found']]);
    assert.deepEqual(reply.body.errors, [{ in: 'query', name: 'latitude', message: 'was not found' }]);
  }
  for (const [query, name] of [
    [{ latitude: 91, longitude: 0 }, 'latitude'],
    [{ latitude: 40, longitude: 'NaN' }, 'longitude'],
    [{ latitude: 40 }, 'longitude'],
    [{ longitude: -73 }, 'latitude'],
    [{}, 'address'],
  ] as const) {
    const reply = await live.get('/utils/geocode', query);
    assert.deepEqual([reply.status, reply.body.errors?.map((fault: Fault) => fault.name)], [400, [name]], reply.text);
  }
  assert.equal(google.requests.length, 0);
});

test('coordinates spend the look-up budget; a failing geocoder returns 503', async () => {
  google.trouble({ status: 500 });
  assert.deepEqual(codes([await at(live, 40, -73)]), [[503, 'upstream_unavailable']]);
  for (let n = 1; n < 8; n += 1) assert.equal((await at(live, 40 + n, -74)).status, 200);
  assert.deepEqual(codes([await at(live, 39, -74)]), [[429, 'rate_limited']]);
});

test('without a geocoder a sandbox finds the postal code of stores nearby, a live key is refused', async () => {
  const [found] = (await at(plain, DOOR.latitude, DOOR.longitude)).body.results;
  assert.deepEqual([found.precision, found.components.zipcode], ['postal_code', '10011']);
  assert.deepEqual(codes([await at(plain, 30, -100)]), [[422, 'address_not_found']]);
  const client = await plain.givenClient('live');
  assert.deepEqual(codes([await at(client, DOOR.latitude, DOOR.longitude)]), [[422, 'geocoder_not_configured']]);
});

test('an unknown address is looked up again after an hour, a failed look-up at once', async () => {
  google.answer({ status: 'ZERO_RESULTS', results: [] });
  const replies = [await geocode(live, 'Nowhere'), await geocode(live, 'nowhere')];
  assert.deepEqual(codes(replies), [
    [422, 'address_not_found'],
    [422, 'address_not_found'],
  ]);
  assert.equal(google.requests.length, 1);
  await app.advance({ minutes: 61 });
  google.answer(HERE);
  assert.equal((await geocode(live, 'Nowhere')).status, 200);
  google.trouble({ status: 500 });
  const failed = await geocode(live, '1 Fifth Ave');
  assert.deepEqual(codes([failed]), [[503, 'upstream_unavailable']]);
  assert.ok(!failed.text.includes(KEY));
  assert.equal((await geocode(live, '1 Fifth Ave')).status, 200);
});

test('look-ups spend the budget of look-ups, cached ones nothing; sandbox keys have their own', async () => {
  const sandbox = await app.givenClient('sandbox');
  for (const client of [live, sandbox]) {
    for (let n = 0; n < 9; n += 1) {
      const reply = await geocode(client, `${n} Fifth Ave`);
      assert.equal(reply.status, n < 8 ? 200 : 429, reply.text);
    }
    assert.equal((await geocode(client, '3 Fifth Ave')).status, 200);
    assert.match((await geocode(client, '99 Fifth Ave')).body.detail, /look-ups of places and addresses/);
    assert.equal((await client.get('/search/store/v3', { address: '99 Fifth Ave' })).body.code, 'rate_limited');
  }
  assert.equal(google.requests.length, 16);
});

test('every search takes an address instead of its coordinate', async () => {
  const searches: [string, object, string][] = [
    ['/search/store/v3', {}, 'stores'],
    ['/search/product/v4', { query: 'soda' }, 'products'],
    ['/search/cart', { query: '{"soda":4}' }, 'carts'],
  ];
  for (const [path, query, list] of searches) {
    const user = path === '/search/store/v3' ? '' : 'user_';
    const near = { [`${user}latitude`]: DOOR.latitude, [`${user}longitude`]: DOOR.longitude };
    const [byAddress, byCoordinate] = await Promise.all([
      live.get(path, { ...query, address: STREET }),
      live.get(path, { ...query, ...near }),
    ]);
    assert.equal(byAddress.status, 200, byAddress.text);
    assert.equal(byAddress.body[list].length, 1);
    assert.deepEqual(withoutTokens(byAddress.body), withoutTokens(byCoordinate.body), path);
    const neither = await live.get(path, { ...query });
    assert.deepEqual(
      neither.body.errors.map(({ name, message }: { name: string; message: string }) => `${name} ${message}`),
      [`${user}latitude is required`, `${user}longitude is required`],
    );
    const half = await live.get(path, { ...query, address: STREET, [`${user}latitude`]: 40 });
    assert.deepEqual(codes([half]), [[400, 'invalid_request']]);
  }
  assert.equal(google.requests.length, 1);
  // If both are given, the coordinate wins and nothing is looked up.
  assert.equal((await live.get('/search/store/v3', { ...DOOR, address: 'Elsewhere' })).status, 200);
  assert.equal(google.requests.length, 1);
});

/** Each response contains freshly sealed tokens. */
const withoutTokens = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (name, value) => (/_id$/.test(name) && name !== '_id' ? undefined : value)));

const padded = (text: string) =>
  fc.tuple(fc.constantFrom('', ' '), fc.constantFrom('', '  ')).map(([before, after]) => `${before}${text}${after}`);
const GIVEN = fc.record(
  {
    user_street_num: padded('10'),
    user_street_name: padded('W 21st St'),
    user_city: padded('New York'),
    user_state: padded('New York'),
    user_zipcode: padded('10010'),
    user_country: padded('USA'),
    address: padded('5 Elsewhere Ave, New York, NY 10001'),
  },
  { requiredKeys: [] },
);

/** The line to be geocoded, and the field that errors name. */
function expectedLine(given: Partial<Record<`user_${string}` | 'address', string>>) {
  const { address, ...street } = Object.fromEntries(Object.entries(given).map(([name, text]) => [name, text?.trim()]));
  const { user_street_num: number, user_street_name: name, user_city: city, user_zipcode: zipcode } = street;
  if (!name || !(city || zipcode)) return { name: 'address', line: address };
  const joined = (parts: (string | undefined)[], separator: string) => parts.filter(Boolean).join(separator);
  const region = joined([street.user_state && 'NY', zipcode], ' ');
  return {
    name: 'user_street_name',
    line: joined([joined([number, name], ' '), city, region, street.user_country], ', '),
  };
}

test('orders, inventories and products look up one door, by its street, then by its address; pickups look up none', async () => {
  const token = (await productTokens(live, storeId)).Soda ?? '';
  await fc.assert(
    fc.asyncProperty(GIVEN, fc.boolean(), fc.boolean(), async (given, pickup, isExact) => {
      google.answer(isExact ? HERE : googleAnswer({ ...DOOR, types: ['postal_code'], locationType: 'APPROXIMATE' }));
      const { name, line } = expectedLine(given);
      const quote = { include_quote: true, pickup, ...given };
      const readers = {
        order: (one: Client) => quoteBody(one, token, { ...NO_STREET, user_country: undefined, pickup, ...given }),
        inventory: (one: Client) => one.get('/details/inventory', { store_id: storeId, ...quote }),
        product: (one: Client) => one.get('/details/product', { product_id: token, ...quote }),
      };
      const outcomeOf = (reader: string) => {
        if (pickup) return [200, '', []];
        if (!line) return [400, 'user_latitude is required; user_longitude is required', []];
        // A quote for an address on one line may be of its postal code.
        const isRefused = !isExact && (name !== 'address' || reader === 'order');
        return isRefused ? [422, `${name} was not found`, [line]] : [200, '', [line]];
      };
      for (const [reader, send] of Object.entries(readers)) {
        google.requests.length = 0;
        const { status, body } = await send(await app.givenClient('live'));
        const faults = (body.errors ?? []).map((fault: Fault) => `${fault.name} ${fault.message}`).join('; ');
        const outcome = [status, faults, google.requests.map(({ query }) => query.address)];
        assert.deepEqual(outcome, outcomeOf(reader), `${reader} ${JSON.stringify(given)}`);
      }
    }),
    { numRuns: runs(100) },
  );
});

test('an order keeps the coordinate of its door, and is placed with it; half a coordinate is refused', async () => {
  const token = (await productTokens(live, storeId)).Soda ?? '';
  const quoted = await quoteBody(live, token, { address: 'Elsewhere' });
  const { user_latitude: latitude, user_longitude: longitude } = (
    await live.get('/account/orders', { order_id: quoted.body.order_id })
  ).body.orders[0];
  assert.deepEqual([latitude, longitude], [DOOR.latitude, DOOR.longitude]);
  const placed = await quoteBody(live, token, { place_order: true });
  assert.equal(placed.body.order_placed, true, placed.text);
  const half = { pickup: false, include_quote: true, user_street_name: 'W 21st St', user_city: 'A', user_latitude: 40 };
  const refused = await live.get('/details/inventory', { store_id: storeId, ...half });
  assert.match(refused.body.detail, /^user_longitude is required/);
  google.answer(googleAnswer({ ...DOOR, types: ['postal_code'], locationType: 'APPROXIMATE' }));
  const near = await live.get('/search/store/v3', { address: 'Elsewhere, New York' });
  assert.equal(near.status, 200, 'a search may be of a postal code');
});

test('without a geocoder, live keys are refused everywhere, and sandbox keys look up the stores', async () => {
  const client = await plain.givenClient('live');
  const token = (await productTokens(client, storeId)).Soda ?? '';
  const replies = [
    await geocode(client, STREET),
    await client.get('/search/store/v3', { address: '10011' }),
    await client.get('/search/product/v4', { address: '10011', query: 'soda' }),
    await client.get('/search/cart', { address: '10011', query: '{"soda":1}' }),
    await client.get('/details/inventory', { store_id: storeId, pickup: false, include_quote: true, address: '10011' }),
    await quoteBody(client, token),
  ];
  assert.deepEqual(
    codes(replies),
    replies.map(() => [422, 'geocoder_not_configured']),
  );
  assert.equal((await ask(client, 'search_stores', { address: '10011' })).code, 'geocoder_not_configured');

  const postal = {
    latitude: 40.7383,
    longitude: -73.9927,
    address: 'New York, NY 10011, USA',
    components: { street_num: '', street_name: '', apt_num: '', city: 'New York', state: 'NY', zipcode: '10011' },
    precision: 'postal_code',
  };
  assert.deepEqual((await geocode(plain, '10011')).body.results, [postal]);
  assert.equal((await geocode(plain, 'New York, NY')).body.results[0].precision, 'city');
  const own = await geocode(plain, '120 Fifth Avenue, New York, NY 10011');
  assert.equal(own.body.results[0].precision, 'postal_code');
  assert.equal((await geocode(plain, '120 5th Avenue, New York')).body.results[0].precision, 'rooftop');
  assert.deepEqual(codes([await geocode(plain, 'Springfield')]), [[422, 'address_not_found']]);
  const quoted = await quoteBody(plain, soda, { user_zipcode: '10011' });
  assert.equal(quoted.status, 200, quoted.text);
});

test('stores that are imported later are looked up within a minute', async () => {
  const boise = { street_addr: '1 Main St', city: 'Boise', state: 'ID', zipcode: '83702', country: 'US' };
  assert.equal((await geocode(plain, 'Boise, Idaho')).status, 422);
  const line = {
    external_id: 'boise',
    address: boise,
    latitude: 43.615,
    longitude: -116.2,
    time_zone: 'America/Boise',
  };
  await givenStores(plain, [pizzeria(line)]);
  await plain.advance({ seconds: 61 });
  assert.equal((await geocode(plain, 'Boise, Idaho')).body.results[0].precision, 'city');
});

test('without a geocoder, a door is found however it is written; a street that no store is in is its area', async () => {
  const address = { street_addr: '37-12 Prince St', city: 'Flushing', state: 'NY', zipcode: '11354', country: 'US' };
  await givenStores(plain, [pizzeria({ external_id: 'queens', address, latitude: 40.72, longitude: -73.79 })]);
  await plain.advance({ seconds: 61 });
  const precision = async (address: string) => (await geocode(plain, address)).body.results?.[0].precision;
  assert.equal(await precision('3712 Prince Street, Flushing, NY 11354-1234'), 'rooftop');
  assert.equal(await precision('37 Prince St, Flushing, NY'), 'city');
  assert.equal(await precision('37-12 Prince St, Buffalo, New York'), undefined);
});

test('texts that cannot be an address are refused by name, and cause no call', async () => {
  const token = (await productTokens(live, storeId)).Soda ?? '';
  const hostile: [string, RegExp][] = [
    ['x'.repeat(10_000), /^address must have at most 300 characters/],
    ['1 Main St\r\nX-Evil: 1', /^address must be one line without control characters/],
    ['\u0007\u001b[31m', /^address must be one line without control characters/],
    ['1 Main\u0000', /^address must /],
    ['?!.,;:', /^address must have a letter or a digit/],
    ['   ', /^address must have a letter or a digit/],
  ];
  for (const [address, message] of hostile) {
    const replies = [
      await geocode(live, address),
      await live.get('/search/store/v3', { address }),
      await live.get('/search/product/v4', { address, query: 'soda' }),
      await live.get('/search/cart', { address, query: '{"soda":1}' }),
      await live.get('/details/inventory', { store_id: storeId, pickup: false, include_quote: true, address }),
      await live.get('/details/product', { product_id: token, pickup: false, include_quote: true, address }),
      await quoteBody(live, token, { ...NO_STREET, address }),
    ];
    for (const { status, body } of replies) {
      assert.deepEqual([status, body.code], [400, 'invalid_request']);
      assert.match(body.detail, message);
    }
  }
  assert.match((await geocode(live, '')).body.detail, /^address is required/);
  const twice = await live.get('/utils/geocode?address=a&address=b');
  assert.match(twice.body.detail, /^address was given more than once/);
  const street = await quoteBody(live, token, {
    user_street_num: '',
    user_street_name: '??',
    user_city: '!',
    user_state: '',
    user_zipcode: '',
    user_country: '',
  });
  assert.match(street.body.detail, /^user_street_name must have a letter or a digit/);
  assert.equal(google.requests.length, 0);
});
