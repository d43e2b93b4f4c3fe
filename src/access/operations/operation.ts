import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { Sql } from '../../platform/db/connect.ts';
import type { RequestExample } from '../../platform/http/http.ts';
import type { RefusalCode } from '../../platform/http/refusal.ts';
import { compileRequestPart } from '../../platform/http/request-schema.ts';
import type { InTurn } from '../../platform/lib/csv.ts';
import type { KeyCaller, KeyScope } from '../accounts/account.ts';
import type { ActionRecord, OperatorAction } from '../sessions/actions.db.ts';
import type { Merchant } from '../sessions/merchant.ts';
import type { OperatorRole } from '../sessions/operator.ts';
import type { ConsoleSession } from '../sessions/sessions.db.ts';

/**
 * An operation is one thing that callers can do, defined once: `operation({ … }).run(…)`. Its routes, its command and
 * the types of the operator's pages follow from the record. What differs between surfaces is a value in `on`. Two calls,
 * because the record's types must be known before those of `run`.
 */

/** Replaces values of the record on one surface. */
type Differences = {
  /** The whole operation ID. */
  name?: string;
  summary?: string;
  description?: string;
  /** A sentence after the description, such as the scope that it requires. */
  adds?: string;
  example?: RequestExample;
  /** In addition to the record's. */
  refuses?: readonly RefusalCode[];
  answer?: TSchema;
  /** More of the route's configuration, such as the headers that it reads. */
  config?: FastifyContextConfig;
};

/** Columns by heading, as `surfaces/operator/tables.ts` explains them. */
type Columns = Readonly<Record<string, string>>;

export type Surfaces = {
  account?: Differences & { scope: KeyScope };
  store?: Differences & { ownerOnly?: true | 'session'; admit?(merchant: Merchant): void };
  operator?: Differences & {
    /** The lowest role that may run it. */
    role: OperatorRole;
    /** The action of the history's entry, and the field of the path or response that names its target. */
    records?: readonly [OperatorAction, target: string];
    /** The command, such as `stores show <store_id>`: fields in brackets are arguments, all others are options. */
    command?: string | readonly string[];
    /** The columns of the response's lists, or of each list by its name; without it, all fields. */
    table?: Columns | Readonly<Record<string, Columns>>;
    /** A sentence after the response of the command: what to do next. */
    next?: string;
    /** Whether the command changes many things with `--file`, one a line. */
    many?: boolean;
    /** The field of the response without which the command ends with status 1. */
    failsUnless?: string;
  };
};
export type Surface = keyof Surfaces;
type On<Some extends Surface> = { [One in Some]: NonNullable<Surfaces[One]> };

export type None = TObject<Record<never, never>>;
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';

type OperationRecord<Endpoint, Params, Query, Body, More, Answer, On> = {
  /** Without its surface: `changePromotion` is `changeStorePromotion` in the Store API. By default its constant's. */
  name?: string;
  /** Without its surface, unless only accounts have it: `GET /promotions`. A GET only reads. */
  endpoint: Endpoint;
  summary: string;
  description: string;
  example?: RequestExample;
  refuses?: readonly RefusalCode[];
  params?: Params;
  query?: Query;
  body?: Body;
  /** Fields that only an operator sends: of the query of a GET, otherwise of the body. */
  operatorFields?: More;
  answer: Answer;
  /** Bytes. */
  bodyLimit?: number;
  /** Whether it takes an `Idempotency-Key` on all surfaces, and which bodies contain a response that is kept nowhere. */
  keys?: { isSecret(body: unknown): boolean };
  /** Whether unknown fields are always refused. */
  strict?: true;
  /** Names the large pages that `run` reads by `inTurn`, with the number that may wait per caller: 20 by default. */
  largePages?: string | readonly [name: string, maxWaiting: number];
  on: On;
};

/** A field of an operator's change that costs money. */
export const REASON = Type.String({ maxLength: 200, pattern: '\\S', description: 'The reason, for the history.' });

/** An operator with a session or a key, or the user of the command line. */
export type OperatorSession = Pick<ConsoleSession, 'sessionId' | 'operatorId' | 'name' | 'role'>;

/** The caller, by the surface of the request. */
export type By =
  | { surface: 'account'; caller: KeyCaller }
  | { surface: 'store'; merchant: Merchant; session: ConsoleSession | undefined }
  | { surface: 'operator'; session: OperatorSession };

/**
 * Makes a change in one transaction, which keeps the response for a retry and records what an operator does: `records`,
 * or what `entry` returns. It must omit secrets; without it nothing is recorded.
 */
export type Save = <T>(
  change: (tx: Sql, at: Temporal.Instant) => Promise<T>,
  entry?: (result: T) => ActionRecord | false,
) => Promise<T>;

export type Call<Params, Query, Body, More = unknown, Caller = By> = {
  by: Caller;
  save: Save;
  /** The claim of the request's `Idempotency-Key`, where the service keeps responses. */
  claim?: FastifyRequest['claim'];
  /** The request's `Idempotency-Key`, for an operation that handles it itself. */
  readKey?(): string | undefined;
  /** Reads a large page, one at a time per caller (`largePages`). */
  inTurn: InTurn;
  params: Params;
  query: Query;
  body: Body;
  more: More;
};

export type Operation<
  Deps = never,
  Endpoint = string,
  Params = TObject,
  Query = TObject,
  Body = TObject,
  More = TObject,
  Answer extends TSchema = TSchema,
  On = Surfaces,
> = OperationRecord<Endpoint, Params, Query, Body, More, Answer, On> & {
  run(deps: Deps, call: Call<unknown, unknown, unknown>): Promise<Static<Answer>>;
};

export const operation = <
  const Endpoint extends `${Method} /${string}` | `${Method} `,
  Answer extends TSchema,
  Some extends Surface,
  Params extends TObject = None,
  Query extends TObject = None,
  Body extends TObject = None,
  More extends TObject = None,
>(
  record: OperationRecord<Endpoint, Params, Query, Body, More, Answer, On<Some>>,
) => ({
  run: <Deps>(
    work: (
      deps: Deps,
      call: Call<Static<Params>, Static<Query>, Static<Body>, Partial<Static<More>>, Extract<By, { surface: Some }>>,
    ) => Promise<Static<Answer>>,
  ): Operation<Deps, Endpoint, Params, Query, Body, More, Answer, On<Some>> => ({
    ...record,
    // The record's schemas have validated the input, and only its surfaces call it.
    run: (deps, call) => work(deps, call as Parameters<typeof work>[1]),
  }),
});

/** What one surface serves of an operation. */
export function endpointOn<Deps>(of: Operation<Deps>, surface: Surface) {
  const { name = '', endpoint, on, operatorFields: more } = of;
  const body: TObject = of.body ?? Type.Object({});
  const { adds, refuses = [], ...own }: Differences & Partial<NonNullable<Surfaces['operator']>> = on[surface] ?? {};
  const [method = '', path = ''] = endpoint.split(' ');
  const [isRead, isOperator] = [method === 'GET', surface === 'operator'];
  const Surface = `${surface.charAt(0).toUpperCase()}${surface.slice(1)}`;
  const isPlain = isOperator || Object.keys(on).length === 1;
  const url = surface === 'account' && isPlain ? path : `/${surface}${path}`;
  const { summary, example, answer, params, query, largePages, bodyLimit, strict, keys } = of;
  const shared = { summary, example, answer, params, largePages, bodyLimit, strict, keys, of, method, url };
  return {
    ...shared,
    name: isPlain ? name : name.replace(/(?=[A-Z])/, Surface),
    ...own,
    endpoint: `${method} ${url}`,
    query: isOperator && isRead && more ? joined(more, query) : query,
    body: isRead ? undefined : isOperator && more ? joined(body, more) : body,
    description: [own.description ?? of.description, adds, isOperator && !isRead && 'The change is recorded.']
      .filter(Boolean)
      .join(' '),
    refuses: [...(of.refuses ?? []), ...refuses],
  };
}
export type Endpoint = ReturnType<typeof endpointOn>;

/** The fields of both, with the options of the first, such as `additionalProperties`. */
function joined({ type: _, required: _required, properties, ...options }: TObject, other?: TObject): TObject {
  return Type.Object({ ...properties, ...other?.properties }, options);
}

type Joined<One extends TObject, Other extends TObject> = TObject<One['properties'] & Other['properties']>;

/** The types of an operation's endpoint for operators. */
export type OperatorEndpoint<One> =
  One extends Operation<
    never,
    `${infer Method} ${infer Path}`,
    infer Params extends TObject,
    infer Query extends TObject,
    infer Body extends TObject,
    infer More extends TObject,
    infer Answer,
    { operator: object }
  >
    ? {
        endpoint: `${Method} /operator${Path}`;
        params: Params;
        query: Method extends 'GET' ? Joined<More, Query> : None;
        body: Method extends 'GET' ? None : Joined<Body, More>;
        answer: Answer;
      }
    : never;

export const PARTS = ['params', 'query', 'body'] as const;
export type PartName = (typeof PARTS)[number];
export type PartSchemas = { [Part in PartName]?: TSchema | undefined };

/** Parses input as an endpoint does, for callers without a request. Throws `invalid_request`. */
export function parseInput(schemas: PartSchemas, input: { [Part in PartName]?: object | undefined }) {
  const parse = (part: PartName, place: 'path' | 'query' | 'body') => {
    const schema = schemas[part];
    if (schema === undefined) return {};
    const parsed = compileRequestPart(schema, place)(JSON.parse(JSON.stringify(input[part] ?? {})));
    if ('error' in parsed) throw parsed.error;
    return parsed.value;
  };
  return { params: parse('params', 'path'), query: parse('query', 'query'), body: parse('body', 'body') };
}
