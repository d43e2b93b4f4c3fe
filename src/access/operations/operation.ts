import type { Static, TObject, TSchema } from 'typebox';
import type { Sql } from '../../platform/db/connect.ts';
import type { RequestExample } from '../../platform/http/http.ts';
import type { RefusalCode } from '../../platform/http/refusal.ts';
import type { KeyCaller, KeyScope } from '../accounts/account.ts';
import type { OperatorAction } from '../sessions/actions.db.ts';
import type { Merchant } from '../sessions/merchant.ts';
import type { OperatorRole } from '../sessions/operator.ts';
import type { ConsoleSession } from '../sessions/sessions.db.ts';

/**
 * An operation is one thing that callers can do, defined once: `operation({ … }).run(…)`. Its routes in the account API
 * and the Store API, its procedure for operators and its command follow from the record. What differs between surfaces
 * is a value in `on`. Two calls, because the record's types must be known before those of `run`.
 */

/** Replaces values of the record on one surface. */
type Differences = {
  summary?: string;
  description?: string;
  /** A sentence after the description, such as who may call it. */
  adds?: string;
  example?: RequestExample;
  /** In addition to the record's. */
  refuses?: readonly RefusalCode[];
  answer?: TSchema;
};

type Surfaces = {
  account?: Differences & { scope: KeyScope };
  store?: Differences & { ownerOnly?: true | 'session'; admit?(merchant: Merchant): void };
  operator?: Differences & {
    role: OperatorRole;
    /** The entry of the history, and the field of the path or response with its target. */
    records?: readonly [OperatorAction, target: string];
    command?: string;
    /** The columns of the command and the page. */
    table?: Readonly<Record<string, string>>;
    /** Whether the command changes many things with `--file`, one a line. */
    many?: boolean;
  };
};

export type None = TObject<Record<never, never>>;
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';

type OperationRecord<Endpoint, Params, Query, Body, More, Answer> = {
  /** Without its surface: `changePromotion` is `changeStorePromotion` in the Store API. */
  name: string;
  /** Without its surface: `GET /promotions`. A GET only reads. A change of an operator has a reason, and is recorded. */
  endpoint: Endpoint;
  summary: string;
  description: string;
  example: RequestExample;
  refuses?: readonly RefusalCode[];
  params?: Params;
  query?: Query;
  body?: Body;
  /** Fields that only an operator sends: of the query of a GET, otherwise of the body. */
  operatorFields?: More;
  answer: Answer;
  /** Whether it takes an `Idempotency-Key` on all surfaces, and which bodies contain a response that is kept nowhere. */
  keys?: { isSecret(body: unknown): boolean };
  /** Whether unknown fields are always refused. */
  strict?: true;
  on: Surfaces;
};

/** Who calls. */
export type By =
  | { surface: 'account'; caller: KeyCaller }
  | { surface: 'store'; merchant: Merchant; session: ConsoleSession | undefined }
  | { surface: 'operator' };

export function merchantOf(by: By): Merchant {
  if (by.surface !== 'store') throw new Error(`The ${by.surface} surface has no store.`);
  return by.merchant;
}

/** Makes a change in one transaction, which keeps the response for a retry and records what an operator does. */
export type Save = <T extends object>(change: (tx: Sql, at: Temporal.Instant) => Promise<T>) => Promise<T>;

type Call<Params, Query, Body, More> = { by: By; save: Save; params: Params; query: Query; body: Body; more: More };

export type Operation<
  Deps = never,
  Endpoint = string,
  Params = TObject,
  Query = TObject,
  Body = TObject,
  More = TObject,
  Answer extends TSchema = TSchema,
> = OperationRecord<Endpoint, Params, Query, Body, More, Answer> & {
  run(deps: Deps, call: Call<unknown, unknown, unknown, unknown>): Promise<Static<Answer>>;
};

export const operation = <
  const Endpoint extends `${Method} /${string}` | `${Method} `,
  Answer extends TSchema,
  Params extends TObject = None,
  Query extends TObject = None,
  Body extends TObject = None,
  More extends TObject = None,
>(
  record: OperationRecord<Endpoint, Params, Query, Body, More, Answer>,
) => ({
  run: <Deps>(
    work: (
      deps: Deps,
      call: Call<Static<Params>, Static<Query>, Static<Body>, Partial<Static<More>>>,
    ) => Promise<Static<Answer>>,
  ): Operation<Deps, Endpoint, Params, Query, Body, More, Answer> => ({
    ...record,
    // The record's schemas have admitted what a surface passes on.
    run: (deps, call) => work(deps, call as Parameters<typeof work>[1]),
  }),
});

/** The description and schemas of an operation on one surface. */
export function describeOn(one: Operation, surface: keyof Surfaces) {
  const { name, endpoint, on } = one;
  const { adds = '', refuses = [], ...own }: Differences = on[surface] ?? {};
  const [method = '', path = ''] = endpoint.split(' ');
  const Surface = `${surface.charAt(0).toUpperCase()}${surface.slice(1)}`;
  const isPlain = surface === 'operator' || Object.keys(on).length === 1;
  return {
    method,
    url: `/${surface}${path}`,
    operationId: isPlain ? name : name.replace(/(?=[A-Z])/, Surface),
    summary: own.summary ?? one.summary,
    description: `${own.description ?? one.description} ${adds}`.trim(),
    example: own.example ?? one.example,
    answer: own.answer ?? one.answer,
    refuses: [...(one.refuses ?? []), ...refuses],
  };
}
