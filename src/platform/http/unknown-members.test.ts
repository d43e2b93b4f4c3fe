import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenApp } from '../../../test/harness.ts';
import type { Fault } from './refusal.ts';

type Operation = { security?: object[] };

const app = await givenApp();

const warningOf = async (query: string) => {
  const url = `/search/store/v3?latitude=40.7&longitude=-74${query}`;
  const { statusCode, headers } = await app.service.http.inject({ url, headers: { 'id-token': app.key } });
  return [statusCode, headers['doorstep-warning']];
};

test('an unknown parameter close to a known one is named in Doorstep-Warning with the known one', async () => {
  const miles = 'max_miles is ignored; did you mean maximum_miles?';
  assert.deepEqual(await warningOf('&max_miles=5'), [200, miles]);
  assert.deepEqual(await warningOf('&max_miles=5&Open=true&utm_source=x'), [
    200,
    `${miles} Open is ignored; did you mean open? utm_source is ignored.`,
  ]);
  assert.deepEqual(await warningOf('&max_miles=5&sort=none'), [400, miles]);
});

test('a place that is given by the end of a name is named too', async () => {
  const url = '/places/search?search=diner&latitude=40.7';
  const { statusCode, headers } = await app.service.http.inject({ url, headers: { 'id-token': app.key } });
  const warning = 'latitude is ignored; did you mean location_bias_latitude?';
  assert.deepEqual([statusCode, headers['doorstep-warning']], [200, warning]);
});

test('every unknown parameter is named, whatever its name; known ones and none are not', async () => {
  for (const [query, warning] of [
    ['', undefined],
    ['&maximum_miles=5', undefined],
    ['&utm_source=x', 'utm_source is ignored.'],
    ['&maximum_miles=5&max_miles=5', 'max_miles is ignored.'],
    ['&a%0d%0ab=1', 'a%0D%0Ab is ignored.'],
    ['&__proto__=1', '__proto__ is ignored.'],
    [`&${'ñ'.repeat(500)}=1`, `${'%C3%B1'.repeat(10)} is ignored.`],
    [Array.from({ length: 12 }, (_, n) => `&x${n}=1`).join(''), /x9 is ignored\. 2 more are ignored\.$/],
  ] as const) {
    const [status, shown] = await warningOf(query);
    assert.equal(status, 200, query);
    if (warning instanceof RegExp) assert.match(String(shown), warning);
    else assert.equal(shown, warning, query);
  }
});

const ORDER = {
  items: [{ product_id: 'x', quantty: 1, selected_options: [{ option_id: 'l', taste: 'red' }] }],
  user_name: 'Test Customer',
  metadata: { anything: { goes: true } },
  gift: true,
};

test('unknown members of a body are named by their path, a record of any names excepted', async () => {
  const payload = JSON.stringify(ORDER);
  const headers = { 'id-token': app.key, 'content-type': 'application/json' };
  const { headers: answered } = await app.service.http.inject({
    method: 'POST',
    url: '/order/order/v2',
    headers,
    payload,
  });
  assert.equal(
    answered['doorstep-warning'],
    'items[0].quantty is ignored; did you mean quantity? items[0].selected_options[0].taste is ignored. gift is ignored.',
  );
});

test('Doorstep-Strict names unknown fields together with every other error, and suggests the field meant', async (t) => {
  const strict = async (options: object, value = 'true') => {
    const headers = { 'id-token': app.key, 'content-type': 'application/json', 'doorstep-strict': value };
    const reply = await app.service.http.inject({ headers, ...options });
    return { reply, faults: (reply.json().errors ?? []).map(({ name, message }: Fault) => `${name} ${message}`) };
  };
  const unknown = (name: string, hint = 'check its spelling') => `${name} is not a field of this request; ${hint}`;
  const search = '/search/store/v3?latitude=40.7&longitude=-74';
  await t.test('in queries', async () => {
    const { reply, faults } = await strict({ url: '/search/store/v3?max_miles=1&utm_source=x&sort=nope' });
    assert.deepEqual([reply.statusCode, reply.json().code], [400, 'invalid_request']);
    const known = await app.service.http.inject({
      url: '/search/store/v3?sort=nope',
      headers: { 'id-token': app.key },
    });
    const others = known.json().errors.map(({ name, message }: Fault) => `${name} ${message}`);
    assert.equal(others.length, 3);
    assert.deepEqual(faults, [unknown('max_miles', 'you may mean maximum_miles'), unknown('utm_source'), ...others]);
  });
  await t.test('in bodies', async () => {
    const { faults } = await strict({ method: 'POST', url: '/order/order/v2', payload: JSON.stringify(ORDER) });
    assert.deepEqual(faults, [
      unknown('items[0].quantty', 'you may mean quantity'),
      unknown('items[0].selected_options[0].taste'),
      unknown('gift'),
      'pickup is required',
    ]);
  });
  await t.test('a request without unknown members is answered', async () => {
    const { reply } = await strict({ url: `${search}&maximum_miles=5` });
    assert.deepEqual([reply.statusCode, reply.headers['doorstep-warning']], [200, undefined]);
  });
  await t.test('a value of the header other than true and false is ignored and named', async () => {
    const warned = 'Doorstep-Strict is ignored; did you mean true?';
    for (const [value, warning] of [
      ['1', warned],
      ['yes', warned],
      ['False', undefined],
      ['', undefined],
    ] as const) {
      const { reply } = await strict({ url: search }, value);
      assert.deepEqual([reply.statusCode, reply.headers['doorstep-warning']], [200, warning], value);
    }
    const { reply } = await strict({ url: `${search}&max_miles=5` }, '1');
    const miles = 'max_miles is ignored; did you mean maximum_miles?';
    assert.equal(reply.headers['doorstep-warning'], `${warned} ${miles}`);
  });
});

test('every account endpoint rejects unknown parameters with Doorstep-Strict, also POSTs and endpoints without any', async () => {
  const { paths } = app.service.http.swagger() as unknown as { paths: Record<string, Record<string, Operation>> };
  const kept: string[] = [];
  let refused = 0;
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { security }] of Object.entries(operations)) {
      if (security?.length === 0) continue;
      const url = `${path.replaceAll(/\{\w+\}/g, 'x')}?no_such=1`;
      const headers = { 'id-token': app.key, 'doorstep-strict': 'true', 'content-type': 'application/json' };
      const payload = method === 'get' ? {} : { payload: '{}' };
      const reply = await app.service.http.inject({ method: method as 'get', url, headers, ...payload });
      const faults: Fault[] = reply.json().errors ?? [];
      // Sandbox keys and keys of accounts do not reach every endpoint.
      if (reply.statusCode === 401 || reply.statusCode === 403) continue;
      if (faults.some(({ in: place, name }) => place === 'query' && name === 'no_such')) refused += 1;
      else kept.push(`${method} ${path}: ${reply.statusCode}`);
    }
  }
  assert.deepEqual(kept, []);
  assert.ok(refused > 30, String(refused));
});

test('an unknown parameter of a POST is named in Doorstep-Warning', async () => {
  const { statusCode, headers } = await app.service.http.inject({
    method: 'POST',
    url: '/order/order/v2?place_order=true',
    headers: { 'id-token': app.key, 'content-type': 'application/json' },
    payload: '{}',
  });
  assert.deepEqual([statusCode, headers['doorstep-warning']], [400, 'place_order is ignored.']);
});
