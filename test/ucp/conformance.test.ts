import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { freePort } from '../given/command.ts';
import { givenStores, STORE_LINE } from '../given/stores.ts';
import { type App, givenApp } from '../harness.ts';
import { runs } from '../runs.ts';
import { holdTimeOuts } from '../time-outs.ts';
import { until } from '../until.ts';
import { HAS_CONTRACTS, shapeOf } from './contract.ts';
import { LOCATION_CASES, type Target } from './location-cases.ts';
import { givenPlatform, newKey, type Platform, profileOf, requestTo, send, signed } from './platform.ts';

let app: App;
let platform: Platform;
let target: Target;

/** A party that comes near, and one that would come far and takes no orders. */
const FAR_DELIVERY = {
  enabled: true,
  parties: [
    { party: 'first', accepting: true, radius_miles: 1 },
    { party: 'third', accepting: false, radius_miles: 20 },
  ],
};

/** A weekday evening that runs past midnight, a closed date, and a date with other hours. */
const NIGHT = {
  hours: { operational: 'Mo-Fr 18:00-02:00' },
  hours_exceptions: [
    { from: '2026-06-18', hours: 'Closed' },
    { from: '2026-06-20', hours: '10:00-12:00' },
  ],
};

before(async () => {
  app = await givenApp({ env: { UCP: 'released', WEBHOOK_ALLOW_PRIVATE: 'true', PORT: await freePort() } });
  const url = await app.service.listen();
  platform = await givenPlatform();
  const products = [
    { id: 'pie', name: 'Pie', price: 1000 },
    { id: 'tea', name: 'Tea', price: 300, hours: 'Mo-Su 03:00-04:00' },
    { id: 'none', name: 'None left', price: 500, qty_available: 0 },
  ];
  const more = Array.from({ length: 11 }, (_, nth) => ({
    external_id: `more-${nth}`,
    name: `Oven ${nth}`,
    latitude: 41 + nth / 100,
  }));
  const off = { enabled: false, accepting: true, prep_minutes: [10, 20] };
  const all = await givenStores(
    app,
    [
      { external_id: 'always', name: 'Oven', categories: [{ id: 'c', name: 'C', products }] },
      { external_id: 'far', name: 'Far Oven', latitude: 40.8, pickup: off, delivery: FAR_DELIVERY },
      { external_id: 'unknown', name: 'Dark Oven', latitude: 40.9, hours: {} },
      { external_id: 'night', name: 'Night Oven', latitude: 40.95, ...NIGHT },
      ...more,
    ].map((line) => ({ ...STORE_LINE, ...line })),
  );
  const [always = '', far = '', unknownHours = '', night = ''] = all;
  const inventory = await app.get('/details/inventory', { store_id: always, pickup: true });
  const idOf = (name: string): string =>
    new RegExp(`"name":"${name}"[^{}]*"product_id":"([^"]+)"`).exec(inventory.text)?.[1] ?? '';
  target = {
    url,
    fixture: {
      nowS: () => Math.floor(app.now().epochMilliseconds / 1000),
      center: { latitude: 40.73, longitude: -73.99 },
      // Vincenty's formulae in another program gave 949.504135918 and 7776.797865807.
      always: { id: always, meters: 949.5041359183223 },
      far: { id: far, meters: 7776.797865806352 },
      unknownHours: { id: unknownHours },
      schedule: {
        id: night,
        open: [
          '2026-06-10T18:00:00-04:00',
          '2026-06-11T05:59:59Z',
          '2026-06-18T01:30:00-04:00',
          '2026-06-20T11:00:00-04:00',
        ],
        closed: [
          '2026-06-10T17:59:59-04:00',
          '2026-06-11T06:00:00Z',
          '2026-06-18T19:00:00-04:00',
          '2026-06-20T12:00:00-04:00',
          '2026-06-14T19:00:00-04:00',
        ],
      },
      items: { sold: [idOf('Pie'), idOf('Tea')], soldOut: idOf('None left') },
      query: 'oven',
      all,
    },
  };
});

after(async () => {
  await platform.close();
  await app.close();
});

for (const one of LOCATION_CASES) test(one.name, () => one.run(target, platform));

test('answers are valid by the schemas of the protocol', { skip: !HAS_CONTRACTS && 'no ../shared/data' }, async () => {
  const profile = platform.publish('/valid', profileOf());
  const { all, center } = target.fixture;
  for (const [operation, body] of [
    ['search', { distance: { center, max: 1e6 }, pagination: { limit: 100 } }],
    ['lookup', { ids: all }],
  ] as const) {
    const { body: found } = await send(requestTo(`${target.url}/ucp/locations/${operation}`, body, profile));
    assert.equal(found.locations.length, all.length);
    const schema = shapeOf(`common/location_${operation}.json#/$defs/${operation}_response`, 'response');
    assert.deepEqual(Compile(Type.Unsafe(schema)).Errors(found), []);
  }
});

const WORDS = ['distance', 'serves', 'filters', 'hours', 'open_at', 'items', 'amenities', 'pagination', 'cursor'];
const JUNK = 'limit ids center max point latitude longitude context language __proto__ x'.split(' ');
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      fc.string(),
      fc.double({ noNaN: true }),
      fc.boolean(),
      fc.constant(null),
      fc.constant('2026-06-10T00:00:00Z'),
    ),
    fc.dictionary(fc.constantFrom(...WORDS, ...JUNK), tie('tree'), { maxKeys: 4 }),
    fc.array(tie('tree'), { maxLength: 3 }),
  ),
}));

test('whatever a request says, it is answered or refused, and never fails', async () => {
  const profile = platform.publish('/any', profileOf());
  const body = fc.dictionary(fc.constantFrom(...WORDS, ...JUNK, 'query'), tree, { maxKeys: 5 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('search', 'lookup'), body, async (operation, requestBody) => {
      const { status, body } = await send(requestTo(`${target.url}/ucp/locations/${operation}`, requestBody, profile));
      assert.ok(
        status === 200 || (status === 400 && body.code === 'invalid_request'),
        `${status} ${JSON.stringify(requestBody)}`,
      );
    }),
    { numRuns: runs(100) },
  );
});

test('whatever its headers of signature and platform say, a request is answered or refused, and never fails', async () => {
  const profile = platform.publish('/any-signed', profileOf([newKey('key')]));
  const good = signed(requestTo(`${target.url}/ucp/locations/search`, {}, profile), newKey('key'));
  const names = ['signature', 'signature-input', 'content-digest', 'ucp-agent', 'signature-agent', 'content-type'];
  const parts = [
    'sig1',
    '=',
    '(',
    ')',
    '"',
    ':',
    ';',
    ',',
    '@method',
    'keyid',
    'key',
    'AAAA',
    '1',
    '?1',
    ' ',
    'profile',
  ];
  const text = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((some) => some.join('').trim());
  const more = fc.dictionary(fc.constantFrom(...names), text, { minKeys: 1, maxKeys: 3 });
  await fc.assert(
    fc.asyncProperty(more, async (headers) => {
      const { status } = await send({ ...good, headers: { ...good.headers, ...headers } });
      assert.ok([200, 400, 401, 415, 424].includes(status), `${status} ${JSON.stringify(headers)}`);
    }),
    { numRuns: runs(100) },
  );
});

test('requests that wait for a silent profile take no slot from pages that need no key', async (t) => {
  holdTimeOuts(t);
  const waiting: ServerResponse[] = [];
  const silent = platform.publish('/silent', (response) => void waiting.push(response));
  const requestBody = Array.from({ length: 40 }, (_, nth) =>
    send(requestTo(`${target.url}/ucp/locations/search`, {}, `${silent}?${nth % 2}`)),
  );
  await until('the profile is being read', () => waiting.length > 0);
  const page = await fetch(`${target.url}/.well-known/security.txt`);
  assert.equal(page.status, 200);
  platform.publish('/silent', '{}');
  for (const response of waiting) response.end('{}');
  const statuses = new Set((await Promise.all(requestBody)).map(({ status }) => status));
  assert.deepEqual(statuses, new Set([422]));
});

test('with UCP=off nothing of it is there', async () => {
  const off = await givenApp();
  for (const path of [
    '/.well-known/ucp',
    '/ucp/locations/search',
    '/ucp/locations/lookup',
    '/ucp/mcp',
    '/operator/ucp/rotate-key',
  ]) {
    const { status, body } = await (path === '/.well-known/ucp' ? off.get(path) : off.post(path, {}));
    assert.deepEqual([status, body.code], [404, 'route_not_found'], path);
  }
  assert.doesNotMatch((await off.get('/openapi.json')).text, /\/ucp\b/);
  await off.close();
});
