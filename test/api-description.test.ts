import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import manifest from '../package.json' with { type: 'json' };
import answers from '../src/surfaces/docs/example-answers.json' with { type: 'json' };
import { type ApiDocument, assertDescribed, operationsOf, routesOf } from './api-document.ts';
import { type App, givenApp } from './harness.ts';
import { API_FILE, apiLines, RECORDED_BASE_URL } from './recorded/surfaces.ts';

let app: App;
let document: ApiDocument;
before(async () => {
  app = await givenApp({ env: { BASE_URL: RECORDED_BASE_URL } });
  document = (await app.get('/openapi.json')).body;
});
after(() => app.close());

test('/openapi.json equals its recorded file byte for byte: npm run generate', () => {
  const recorded = readFileSync(API_FILE, 'utf8').split('\n');
  const served = apiLines(document).split('\n');
  const moved = [...new Set(recorded).symmetricDifference(new Set(served))];
  assert.deepEqual([...new Set(moved.map((line) => line.slice(0, line.indexOf(' {'))))], []);
  assert.ok(isDeepStrictEqual(served, recorded), 'the order of the description has changed');
});

test('the description has the version of the package', () => {
  assert.equal(document.info.version, manifest.version);
});

test('every route is described except plug-ins’', () => {
  const served = routesOf(app.service.http.printRoutes({ commonPrefix: false })).filter(
    (name) => !/ \/plugins\//.test(name),
  );
  assert.deepEqual(
    operationsOf(document)
      .map(({ name }) => name)
      .sort(),
    served.sort(),
  );
});

test('the document is sound: references resolve, names are unique, everything is described', () => {
  assert.match(document.openapi, /^3\.1\./);
  assert.deepEqual(document.servers, [{ url: RECORDED_BASE_URL }]);
  const text = JSON.stringify(document);
  assert.doesNotMatch(text, /x-component|"\$id"|"nullable"/);
  for (const [, name = ''] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]*)"/g)) {
    assert.ok(document.components.schemas[name], name);
  }
  const tags = document.tags.map(({ name }) => name);
  const calls = Object.values(document.webhooks).map(({ post }) => post);
  const ids = [...operationsOf(document).map(({ operation }) => operation), ...calls].map((one) => one.operationId);
  assert.deepEqual([...new Set(ids)], ids);
  for (const { name, path, operation } of operationsOf(document)) {
    assert.ok(operation.operationId && operation.summary, name);
    assert.ok(operation.tags?.length === 1 && tags.includes(operation.tags[0] ?? ''), name);
    const inPath = operation.parameters?.filter((parameter) => parameter.in === 'path').map((one) => one.name) ?? [];
    assert.deepEqual(
      inPath,
      [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter),
      name,
    );
    for (const parameter of operation.parameters ?? []) assert.ok(parameter.description, `${name} ${parameter.name}`);
    for (const [status, answer] of Object.entries(operation.responses)) {
      assert.ok(answer.description && answer.description !== 'Default Response', `${name} ${status}`);
    }
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) assert.ok(schema.description, name);
});

/** Errors common to all endpoints of a kind, to those with a body, and to those that accept an Idempotency-Key. */
const REFUSES_OF = { public: [400, 500], account: [400, 401, 429, 500, 503], console: [400, 401, 403, 429, 500, 503] };
const BODY_REFUSES = [413, 415];
const KEY_REFUSES = [409, 422];

/** The audience of an endpoint: everyone, accounts with a key, or stores and operators. */
function kindOf({ security }: { security?: readonly object[] }): keyof typeof REFUSES_OF {
  if (security === undefined) return 'account';
  return security.length === 0 ? 'public' : 'console';
}

test('the head of the description says what any path answers: unknown paths, other methods, HEAD, unknown parameters', () => {
  const { description } = document.info;
  for (const said of [
    /A path that is not described here returns 404 `route_not_found`, .* every path at an account's custom domain/,
    /A method that a path does not support returns 405 `method_not_allowed`, and `Allow` lists/,
    /HEAD returns the response to GET without its body/,
    /The `Doorstep-Warning` response header lists them, .*`Doorstep-Strict: true` they return an error/,
    /or as `Authorization: Bearer`. If both are sent, `Id-Token` is used/,
  ]) {
    assert.match(description, said);
  }
});

/** Endpoints with OAuth's errors. */
const OAUTH = ['POST /oauth/token', 'POST /oauth/revoke', 'POST /oauth/register'];

/** Endpoints without a key that refuse a code, a link, or what an issuer of OpenID Connect says. */
const SIGN_INS = ['POST /console/sign-in', 'POST /console/operator/link/{token}', ...OAUTH.slice(0, 2)].concat([
  'GET /console/operator/openid',
  'GET /console/operator/openid/callback',
]);

/** Endpoints of stores and operators whose responses are replayed. */
const REPLAYED = ['POST /store/promotions', 'POST /operator/promotions'];

test('an endpoint says what it refuses, with a key or without; a POST takes an Idempotency-Key, all take Doorstep-Strict', () => {
  for (const { name, operation } of operationsOf(document)) {
    const { responses, parameters = [] } = operation;
    const refusals = Object.entries(responses).filter(([status]) => Number(status) >= 400);
    // Refusals shown to people are pages; api-answers.test.ts lists them.
    for (const [status, { content = {} }] of refusals) {
      const documents = Object.keys(content).filter((type) => type !== 'text/html');
      const expected = [...OAUTH, 'POST /mcp'].includes(name)
        ? /^application\/(problem\+)?json$/
        : /^application\/problem\+json$/;
      for (const type of documents) assert.match(type, expected, `${name} ${status}`);
    }
    const statuses = refusals.map(([status]) => Number(status));
    const headers = parameters.filter((parameter) => parameter.in === 'header').map((parameter) => parameter.name);
    const kind = kindOf(operation);
    const takesKey = REPLAYED.includes(name) || (name.startsWith('POST') && kind === 'account');
    assert.equal(headers.includes('Idempotency-Key'), takesKey, name);
    assert.equal(headers.includes('Doorstep-Strict'), kind === 'account', name);
    const hasBody = !name.startsWith('GET');
    const needed = [...REFUSES_OF[kind], ...(hasBody ? BODY_REFUSES : []), ...(takesKey ? KEY_REFUSES : [])];
    for (const status of needed) assert.ok(statuses.includes(status), `${name} ${status}`);
    const isSignIn = SIGN_INS.includes(name);
    if (kind === 'public') assert.equal(statuses.includes(401), isSignIn, name);
  }
});

type Described = {
  description?: string;
  properties?: Record<string, Described>;
  required?: string[];
  items?: Described;
};
const SAYS_WHEN = /absent|omitted|\bonly\b|where|while|\bonce\b|\bwith |comes|until|unless|empty for/i;

/** Members that may be absent, of which neither they nor their element say when. */
function silentMembers(schema: Described, at: string): string[] {
  const { properties = {}, required = [], description = '', items } = schema;
  return [
    ...Object.entries(properties).flatMap(([name, member]) => {
      const says = SAYS_WHEN.test(member.description ?? '') || SAYS_WHEN.test(description);
      const own = required.includes(name) || says ? [] : [`${at}.${name}`];
      return [...own, ...silentMembers(member, `${at}.${name}`)];
    }),
    ...(items ? silentMembers(items, `${at}[]`) : []),
  ];
}

test('the description states when each optional response field is absent', async () => {
  const { components } = (await app.get('/openapi.json')).body;
  const schemas = Object.entries(components.schemas as Record<string, Described>);
  const silent = schemas.flatMap(([name, schema]) => silentMembers(schema, name));
  // What operators see is described by their pages.
  assert.deepEqual(
    silent.filter((at) => !/^(Operator|KeptImport)/.test(at)),
    [],
  );
});

test('every example of a response has its described shape', () => {
  const examples = operationsOf(document).flatMap(({ name, operation }) =>
    Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
      Object.entries(content).map(([type, { example }]) => ({ name, status: Number(status), type, example })),
    ),
  );
  for (const { name, status, type, example: body } of examples.filter(({ example }) => example !== undefined))
    assertDescribed(document, name, { status, headers: { 'content-type': type }, text: '-', body });
});

test('every integer has a format that holds all of its values', () => {
  const formats = new Map<string, Set<unknown>>();
  const collect = (value: unknown, name: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const schema = value as Record<string, unknown>;
    if ([schema.type].flat().includes('integer')) {
      const { format, maximum = 0 } = schema;
      assert.ok(format === 'int64' || (format === 'int32' && Number(maximum) < 2 ** 31), name);
      formats.set(name, (formats.get(name) ?? new Set()).add(format));
    }
    const described = Object.entries(schema).filter(([key]) => !/^(examples?|default|enum)$/.test(key));
    for (const [key, member] of described) {
      const isName = !/^(schema|items|anyOf|additionalProperties|[0-9]+)$/.test(key);
      collect(member, isName ? key : key === 'schema' ? String(schema.name ?? name) : name);
    }
  };
  collect({ paths: document.paths, webhooks: document.webhooks, components: document.components }, '');
  const onlyOf = (format: string, names: string[]) =>
    assert.deepEqual(
      names.filter((name) => [...(formats.get(name) ?? [])].join() !== format),
      [],
    );
  onlyOf('int64', ['user_phone', 'phone_number', 'store_phone', 'timestamp', 'created_at', 'total_with_tip', 'price']);
  onlyOf('int64', ['subtotal', 'driver_tip_cents', 'revenue', 'paused_until', 'card_number', 'free_bytes', 'run_no']);
  onlyOf('int32', ['quantity', 'dollar_signs', 'delivery_time_min', 'cvc', 'qty_available', 'Retry-After']);
  // No recorded moment or phone is one of 32 bits. A slot's ends and an estimate's minutes share their names.
  const large = new Set<string>();
  JSON.stringify(answers, (name, value) => {
    if (Number.isInteger(value) && value > 1e9) large.add(name);
    return value;
  });
  assert.ok(large.size > 5);
  assert.deepEqual(
    [...large].filter((name) => formats.get(name)?.has('int32')),
    ['minimum', 'maximum'],
  );
});

test('a path that ends with an ID names the endpoint that takes it as a parameter', async () => {
  for (const [path, meant] of [
    ['/account/orders/ord_1', 'GET /account/orders?order_id='],
    ['/details/store/abc/', 'GET /details/store?store_id='],
  ] as const) {
    const { status, body } = await app.get(path);
    assert.deepEqual([status, body.code], [404, 'route_not_found']);
    assert.ok(body.detail.includes(meant), body.detail);
  }
  assert.equal((await app.get('/nothing/here')).body.detail, 'There is no such endpoint.');
});
