import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SAME_SITE } from '../given/merchant.ts';
import { assertProblem } from './assert-refused.ts';
import {
  describedEndpoints,
  type Endpoint,
  goodRequestOf,
  keyFor,
  type Schema,
  sendWire,
  type WireRequest,
  wireRequest,
  withValue,
} from './described-endpoints.ts';
import { givenShop, type Shop } from './given-shop.ts';

/**
 * Every endpoint of every surface, with one fault in each of its described fields or with an unknown ID: route tests
 * leave these to it, and test what no description says.
 */

const FOUND_FIRST = 'the promotion is found first; promotions.route.test.ts refuses unknown fields of one that exists';
/** Faults that another check precedes, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'POST /store/promotions hours': 'a sandbox key creates none; promotion-shape.test.ts reads the hours',
  'POST /store/promotions/{promotion_id} misspelled in the body': FOUND_FIRST,
  'POST /account/promotions/{promotion_id} misspelled in the body': FOUND_FIRST,
  'POST /operator/promotions/{promotion_id} misspelled in the body': FOUND_FIRST,
};
/** Paths where an unknown ID is no error, with the reason. */
const NEEDS_NONE: Readonly<Record<string, string>> = {
  'POST /store/sessions/{session_id}/revoke': 'a session that has ended: nothing to revoke',
  '/account/customers/{user_id}': 'a new customer of the account, who is made by this request',
  '/operator/imports/{run_no}': 'a number from 1',
  '/operator/accounts/{account_id}/webhook-deliveries': 'an account without deliveries',
};

let shop: Shop;
let endpoints: Endpoint[];
before(async () => {
  shop = await givenShop();
  endpoints = describedEndpoints(shop, ['account', 'store', 'operator']);
});
after(() => shop.close());

type Path = readonly (string | number)[];

const nameOf = ([first, ...rest]: Path) =>
  rest.reduce<string>((name, step) => (step === 0 ? `${name}[0]` : `${name}.${step}`), String(first));

/** Asserts that the request is refused with the names of these fields, or of what is in them. */
async function assertNamed(endpoint: Endpoint, request: WireRequest, names: readonly string[]): Promise<void> {
  const what = `${endpoint.name} with a fault in ${names}: ${`${request.query} ${request.body}`.slice(0, 500)}`;
  const answer = await sendWire(shop, keyFor(shop, endpoint), endpoint.method, request);
  const { code, errors = [] } = assertProblem(answer, what);
  assert.equal(code, 'invalid_request', `${what}: ${answer.text}`);
  const named = (errors as { name: string }[]).map(({ name }) => name);
  const isNamed = (name: string) =>
    named.some((one) => one === name || one.startsWith(`${name}.`) || one.startsWith(`${name}[`));
  assert.ok(names.every(isNamed), `${what}: ${answer.text}`);
}

/** Values that a described field does not take. */
function wrongValues({
  type,
  enum: values,
  minimum,
  maximum,
  minLength = 0,
  maxLength,
  minItems = 0,
}: Schema): unknown[] {
  const wrong: unknown[] = [];
  if (type === 'string') {
    if (minLength > 0) wrong.push('');
    if (maxLength !== undefined && maxLength < 5000) wrong.push('x'.repeat(maxLength + 1));
  }
  if (type === 'integer') wrong.push((minimum ?? 0) + 0.5);
  if (minItems > 0) wrong.push([]);
  if (minimum !== undefined) wrong.push(minimum - 1);
  if (maximum !== undefined) wrong.push(maximum + 1);
  if (values || type === 'integer' || type === 'number' || type === 'boolean') wrong.push('east');
  return wrong;
}

function fieldsIn(schema: Schema | undefined, at: Path = []): [Path, Schema][] {
  const members = Object.entries(schema?.properties ?? {}).map(([name, one]) => [[...at, name], one] as const);
  const inner = schema?.items ? [...members, [[...at, 0], schema.items] as const] : members;
  return inner.flatMap(([path, one]): [Path, Schema][] => [[path, one], ...fieldsIn(one, path)]);
}

test('the error for a request without its required fields names all of them', async () => {
  for (const endpoint of endpoints) {
    const good = goodRequestOf(shop, endpoint);
    const needed = endpoint.query.filter(({ required }) => required).map(({ name }) => name);
    if (needed.length > 0) await assertNamed(endpoint, wireRequest(endpoint, { ...good, query: {} }), needed);
    const { required = [] } = endpoint.body ?? {};
    if (required.length > 0) await assertNamed(endpoint, wireRequest(endpoint, { ...good, body: {} }), required);
  }
});

test('a parameter of another type, out of its range, too long or not of its list is named', async () => {
  for (const endpoint of endpoints) {
    const good = goodRequestOf(shop, endpoint);
    for (const { name, schema } of endpoint.query) {
      // An empty parameter is as good as none, which bad-input tests.
      for (const value of wrongValues(schema).filter((one) => one !== '')) {
        const query = { ...good.query, [name]: String(value) };
        await assertNamed(endpoint, wireRequest(endpoint, { ...good, query }), [name]);
      }
    }
  }
});

test('a field of another type, out of its range, too long or not of its list is named, nested ones too', async () => {
  for (const endpoint of endpoints) {
    const good = goodRequestOf(shop, endpoint);
    for (const [path, schema] of fieldsIn(endpoint.body)) {
      const name = nameOf(path);
      if (`${endpoint.name} ${name}` in EXCEPTIONS) continue;
      for (const value of [...wrongValues(schema), schema.type === 'array' ? {} : [[]]]) {
        const body = withValue(good.body, path, value) as Record<string, unknown>;
        await assertNamed(endpoint, wireRequest(endpoint, { ...good, body }), [name]);
      }
    }
  }
});

test('where a request is strict, an unknown field of the query or the body is named', async () => {
  const headers = { 'doorstep-strict': 'true' };
  for (const endpoint of endpoints) {
    const good = goodRequestOf(shop, endpoint);
    const inQuery = wireRequest(endpoint, { ...good, query: { ...good.query, misspelled: '1' } });
    await assertNamed(endpoint, { ...inQuery, headers }, ['misspelled']);
    if (!endpoint.body || `${endpoint.name} misspelled in the body` in EXCEPTIONS) continue;
    const inBody = wireRequest(endpoint, { ...good, body: { ...good.body, misspelled: 1 } });
    await assertNamed(endpoint, { ...inBody, headers }, ['misspelled']);
  }
});

test('an unknown ID in a path returns 404 and changes nothing', async () => {
  const earlier = await shop.countRows();
  const ownersKey = { key: '', headers: { ...SAME_SITE, cookie: shop.ownerCookie } };
  for (const endpoint of endpoints) {
    const names = endpoint.pathNames.filter((name) => name !== 'index');
    if (names.length === 0 || endpoint.name in NEEDS_NONE || endpoint.path in NEEDS_NONE) continue;
    const good = goodRequestOf(shop, endpoint);
    const path = { ...good.path, ...Object.fromEntries(names.map((name) => [name, '0'.repeat(24)])) };
    const credentials = endpoint.path.startsWith('/store/') ? ownersKey : keyFor(shop, endpoint);
    const answer = await sendWire(shop, credentials, endpoint.method, wireRequest(endpoint, { ...good, path }));
    assert.equal(assertProblem(answer, endpoint.name).status, 404, `${endpoint.name}: ${answer.text}`);
  }
  assert.deepEqual(await shop.countRows(), earlier);
});
