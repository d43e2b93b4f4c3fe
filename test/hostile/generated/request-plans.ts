import fc from 'fast-check';
import { type ApiDocument, operationsOf } from '../../api-document.ts';
import { fieldsOf } from '../described-endpoints.ts';
import { oddHeaders } from './odd-headers.ts';
import { encodedOf, jsonOf, strayMembers, type ValueSchema } from './schema-values.ts';

export type Actor = 'sandbox' | 'live' | 'store_sandbox' | 'store_live' | 'console' | 'operator' | 'bent' | 'nobody';

/** A request with unresolved ids: `~order_id~` is replaced at sending. */
export type RequestPlan = {
  operation: string;
  actor: Actor;
  method: string;
  url: string;
  headers: readonly (readonly [string, string])[];
  body: string | undefined;
  /** Selects ids from the pools. */
  pick: number;
};

/** Parts of a request that succeeds in some state; missing ones are built from the schema. */
export type GoodParts = {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, unknown> | undefined;
};
export type PlannedOperation = {
  name: string;
  method: string;
  path: string;
  security: readonly object[] | undefined;
  parameters: readonly { name: string; in: string; required?: boolean; schema: ValueSchema }[];
  bodyType: string | undefined;
  bodySchema: ValueSchema;
  isStream: boolean;
};

const MARK = /"@@(\d)@@"/g;
const ACCOUNT_ACTORS: readonly Actor[] = ['sandbox', 'sandbox', 'sandbox', 'sandbox', 'live', 'live'];
const STORE_ACTORS: readonly Actor[] = ['store_sandbox', 'store_sandbox', 'store_live', 'console'];
const ALL_ACTORS: readonly Actor[] = [...new Set([...ACCOUNT_ACTORS, ...STORE_ACTORS]), 'operator', 'bent', 'nobody'];
const OTHER_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export function plannedOperations(document: ApiDocument): PlannedOperation[] {
  return operationsOf(document).map(({ name, path, operation }) => {
    const [bodyType, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
    return {
      name,
      method: name.slice(0, name.indexOf(' ')),
      path,
      security: operation.security,
      parameters: operation.parameters ?? [],
      bodyType,
      bodySchema: content?.schema ?? {},
      isStream: 'text/event-stream' in (operation.responses['200']?.content ?? {}),
    };
  });
}

/** Requests to an operation: a good request with a few parts replaced, or all parts built from their schemas. */
export function plansOf(operation: PlannedOperation, good: GoodParts): fc.Arbitrary<RequestPlan> {
  const parts = fc.record({
    actor: actorOf(operation),
    method: fc.oneof(
      { weight: 40, arbitrary: fc.constant(operation.method) },
      { weight: 1, arbitrary: fc.constantFrom(...OTHER_METHODS) },
    ),
    path: pathOf(operation, good),
    query: queryOf(operation, good),
    headers: oddHeaders(),
    body: operation.bodyType === undefined ? fc.constant(undefined) : bodyOf(operation, good),
    pick: fc.nat(),
  });
  return parts.map(({ path, query, headers, body, ...rest }) => ({
    ...rest,
    operation: operation.name,
    url: query === '' ? path : `${path}?${query}`,
    headers: body === undefined ? headers : [['content-type', operation.bodyType ?? ''] as const, ...headers],
    body,
  }));
}

/** Usually an actor of the audience, sometimes any. */
function actorOf({ security }: PlannedOperation): fc.Arbitrary<Actor> {
  const any = { weight: 1, arbitrary: fc.constantFrom(...ALL_ACTORS) };
  if (security?.length === 0) return fc.oneof({ weight: 12, arbitrary: fc.constant<Actor>('nobody') }, any);
  return fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...actorsOf(security)) }, any);
}

function actorsOf(security: PlannedOperation['security']): readonly Actor[] {
  if (security === undefined) return ACCOUNT_ACTORS;
  return security.some((way) => 'Id-Token' in way) ? STORE_ACTORS : ['operator'];
}

function pathOf({ path, parameters }: PlannedOperation, good: GoodParts): fc.Arbitrary<string> {
  const named = parameters.filter((parameter) => parameter.in === 'path');
  const values = fc.tuple(...named.map(({ name, schema }) => pathValueOf(name, schema, good.path?.[name])));
  const end = fc.oneof(
    { weight: 30, arbitrary: fc.constant('') },
    fc.constantFrom('/', '//', '/x', '%2F', ';a=b', '%00', '.json'),
  );
  return fc.tuple(values, end).map(([given, suffix]) => {
    const byName = new Map(named.map(({ name }, at) => [name, given[at] ?? '']));
    return path.replace(/\{(\w+)\}/g, (_all, name: string) => byName.get(name) ?? 'x') + suffix;
  });
}

function pathValueOf(name: string, schema: ValueSchema, good: string | undefined): fc.Arbitrary<string> {
  const made = encodedOf(schema, name).map((text) => (text === '' ? 'x' : text));
  return good === undefined ? made : fc.oneof({ weight: 3, arbitrary: fc.constant(good) }, made);
}

function queryOf({ parameters }: PlannedOperation, good: GoodParts): fc.Arbitrary<string> {
  const named = parameters.filter((parameter) => parameter.in === 'query');
  const pairs = named.map(({ name, schema, required = false }) => {
    const value = encodedOf(schema, name);
    const goodValue = good.query?.[name];
    const likely =
      goodValue === undefined
        ? value
        : fc.oneof({ weight: 4, arbitrary: fc.constant(encodeURIComponent(goodValue)) }, value);
    const pair = likely.map((text) => `${name}=${text}`);
    const isExpected = required || goodValue !== undefined;
    return isExpected ? fc.option(pair, { freq: 40, nil: '' }) : rarely(pair, named.length);
  });
  const stray = fc.oneof(
    { weight: 20, arbitrary: fc.constant('') },
    fc.constantFrom('__proto__=1', 'x=1', '=', '%ZZ=1', 'page[]=1'),
  );
  const twice = fc.oneof({ weight: 20, arbitrary: fc.constant(false) }, fc.constant(true));
  return fc.tuple(fc.tuple(...pairs), stray, twice).map(([given, more, isTwice]) => {
    const first = given.find((pair) => pair !== '');
    return [...given, more, isTwice ? (first ?? '') : ''].filter((pair) => pair !== '').join('&');
  });
}

/** Includes about three optional parameters, however many the operation has. */
function rarely(pair: fc.Arbitrary<string>, count: number): fc.Arbitrary<string> {
  const absent = { weight: Math.max(1, Math.round(count / 3)), arbitrary: fc.constant('') };
  return fc.oneof(absent, { weight: 1, arbitrary: pair });
}

function bodyOf(operation: PlannedOperation, good: GoodParts): fc.Arbitrary<string> {
  if (operation.bodyType === 'application/x-www-form-urlencoded') return formOf(operation.bodySchema);
  if (operation.bodyType !== 'application/json') return photoOf();
  const whole = jsonOf({ type: 'object', ...operation.bodySchema });
  const base =
    good.body === undefined
      ? whole
      : fc.oneof({ weight: 8, arbitrary: changedOf(operation.bodySchema, good.body) }, whole);
  return fc.tuple(base, damage()).map(([text, harm]) => harm(text));
}

function changedOf(schema: ValueSchema, good: Record<string, unknown>): fc.Arbitrary<string> {
  const fields = fieldsOf(schema as Parameters<typeof fieldsOf>[0]);
  if (fields.length === 0) return strayMembers().map((members) => `{${members.join(',')}}`);
  const change = fc.constantFrom(...fields).chain((field) =>
    fc
      .option(jsonOf(schemaAt(schema, field), String(field.findLast((part) => typeof part === 'string'))), {
        freq: 8,
        nil: undefined,
      })
      .map((text) => ({ field, text })),
  );
  const changes = fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.array(change, { minLength: 1, maxLength: 3 }) },
  );
  return fc.tuple(changes, strayMembers()).map(([made, stray]) => {
    const body = made.reduce<unknown>(
      (left, { field, text }, at) => withMark(left, field, text === undefined ? undefined : `@@${at}@@`),
      good,
    );
    const json = JSON.stringify(body).replace(MARK, (_all, at: string) => made[Number(at)]?.text ?? 'null');
    return stray.length === 0 ? json : `${json.slice(0, -1)}${json === '{}' ? '' : ','}${stray.join(',')}}`;
  });
}

function schemaAt(schema: ValueSchema, field: readonly (string | number)[]): ValueSchema {
  return field.reduce<ValueSchema>(
    (at, part) => (typeof part === 'number' ? at.items : at.properties?.[part]) ?? {},
    schema,
  );
}

/** Replaces the value at a path; undefined removes it. */
function withMark(value: unknown, [first, ...rest]: readonly (string | number)[], mark: string | undefined): unknown {
  if (first === undefined) return mark;
  if (typeof first === 'number') {
    const list: unknown[] = Array.isArray(value) ? value : [{}];
    return list.map((one, at) => (at === 0 ? withMark(one, rest, mark) : one));
  }
  const members = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  return { ...members, [first]: withMark(new Map<string, unknown>(Object.entries(members)).get(first), rest, mark) };
}

function formOf({ properties = {} }: ValueSchema): fc.Arbitrary<string> {
  const pairs = Object.entries(properties).map(([name, schema]) =>
    fc.option(
      encodedOf(schema, name).map((text) => `${name}=${text}`),
      { freq: 12, nil: '' },
    ),
  );
  return fc.tuple(...pairs).map((given) => given.filter((pair) => pair !== '').join('&'));
}

/** A JPEG signature followed by noise, or any bytes; one character is one byte. */
function photoOf(): fc.Arbitrary<string> {
  const bytes = fc.string({
    unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
    maxLength: 300,
  });
  return fc.oneof(
    fc.constant('~photo~'),
    bytes,
    bytes.map((text) => `\u00ff\u00d8\u00ff${text}\u00ff\u00d9`),
  );
}

/** Damage to a body in transit: usually none. */
function damage(): fc.Arbitrary<(text: string) => string> {
  const harms: ((text: string) => string)[] = [
    (text) => text.slice(0, text.length / 2),
    (text) => `${text}}`,
    (text) => `\uFEFF${text}`,
    (text) => `[${text}]`,
    (text) => text.replaceAll('"', "'"),
    (text) => text + ' '.repeat(70_000),
    () => '',
  ];
  return fc.oneof({ weight: 40, arbitrary: fc.constant((text: string) => text) }, fc.constantFrom(...harms));
}
