import { present } from 'doorstep/collections';
import type { FastifyRequest } from 'fastify';
import { type Static, type TObject, type TSchema, type TUnsafe, Type } from 'typebox';
import { REPLAY_HOURS } from '../../access/idempotency/idempotency.ts';
import type { RecordChange } from '../../access/sessions/actions.db.ts';
import type { OperatorRole } from '../../access/sessions/operator.ts';
import type { ConsoleSession } from '../../access/sessions/sessions.db.ts';
import type { Http, RequestExample } from '../../platform/http/http.ts';
import type { RefusalCode } from '../../platform/http/refusal.ts';
import { compileRequestPart } from '../../platform/http/request-schema.ts';
import { csvAnswer, sendCsvText } from '../../platform/http/send-csv.ts';
import { type CsvTable, csvText, type InTurn } from '../../platform/lib/csv.ts';
import { limitLargePages, type ReadLargePage } from '../../platform/load/pace-answers.hook.ts';
import type { Table } from './tables.ts';

/**
 * A procedure is one thing that an operator does, defined once. Its endpoint, its description, the types of the
 * operator's pages (inferred from it) and the command that runs it follow from the definition. `run` records a change
 * in the history with `record`.
 */
export type Definition<
  Endpoint extends string,
  Params extends TObject,
  Query extends TObject,
  Body extends TObject,
  Answer extends TSchema,
  Needs,
> = {
  /** The `operationId` of the API description; by default the name of the exported constant. */
  name?: string;
  endpoint: Endpoint;
  /** The lowest role that may run it. */
  role: OperatorRole;
  refuses?: readonly RefusalCode[];
  summary: string;
  description: string;
  example?: RequestExample;
  params?: Params;
  query?: Query;
  body?: Body;
  answer: Answer;
  /** Bytes. */
  bodyLimit?: number;
  /** Whether its endpoint takes an `Idempotency-Key`, and which bodies contain a response that is kept nowhere. */
  keys?: { isSecret(body: unknown): boolean };
  /** Whether unknown fields are always refused. */
  strict?: true;
  /** Names the large pages that `run` reads by `inTurn`. */
  largePages?: string;
  /** The command, such as `stores show <store_id>`: fields in brackets are arguments, all others are options. */
  command?: string | readonly string[];
  /** The columns of the response's lists, or of each list by its name; without it, all fields. */
  table?: Table | Readonly<Record<string, Table>>;
  /** A sentence after the response of the command: what to do next. */
  next?: string;
  /** Whether the command changes many things with `--file`, one a line. */
  many?: boolean;
  /** The field of the response without which the command ends with status 1. */
  failsUnless?: string;
  run(needs: Needs, call: Call<Params, Query, Body>): Promise<Static<Answer>>;
};

/** Who runs a procedure: an operator with a session or a key, or the user of the command line. */
export type Caller = Pick<ConsoleSession, 'sessionId' | 'operatorId' | 'name' | 'role'>;

export type Call<Params extends TObject, Query extends TObject, Body extends TObject> = {
  session: Caller;
  record: RecordChange;
  /** Reads a large page, one at a time per caller (`largePages`). */
  inTurn: InTurn;
  /** Of the request's `Idempotency-Key`; none for callers without a request. */
  claim?: FastifyRequest['claim'];
  params: Static<Params>;
  query: Static<Query>;
  body: Static<Body>;
};

/** The response of a procedure whose endpoint is a download. */
export class CsvFile {
  readonly name: string;
  /** The text of the file, a batch at a time. */
  readonly text: AsyncIterable<string>;
  constructor(name: string, text: AsyncIterable<string>) {
    this.name = name;
    this.text = text;
  }
}

export const csvFileAnswer = (description: string): TUnsafe<CsvFile> => Type.Unsafe<CsvFile>(csvAnswer(description));

export const csvFile = (name: string, table: CsvTable) => new CsvFile(name, csvText(table));

export type NoFields = TObject<Record<never, never>>;
type EndpointText = `${'GET' | 'POST'} /operator/${string}`;

export function procedure<
  const Endpoint extends EndpointText,
  Answer extends TSchema,
  Needs,
  Params extends TObject = NoFields,
  Query extends TObject = NoFields,
  Body extends TObject = NoFields,
>(definition: Definition<Endpoint, Params, Query, Body, Answer, Needs>) {
  return definition;
}

export const PARTS = ['params', 'query', 'body'] as const;
export type PartName = (typeof PARTS)[number];
type Parts = { [Part in PartName]?: object | undefined };
export type PartSchemas = { [Part in PartName]?: TSchema };

/** Parses the input of a procedure as its endpoint does, for callers without a request. Throws `invalid_request`. */
export function parseInput(schemas: PartSchemas, input: Parts) {
  const parse = (part: keyof Parts, place: 'path' | 'query' | 'body') => {
    const schema = schemas[part];
    if (schema === undefined) return {};
    const parsed = compileRequestPart(schema, place)(JSON.parse(JSON.stringify(input[part] ?? {})));
    if ('error' in parsed) throw parsed.error;
    return parsed.value;
  };
  return { params: parse('params', 'path'), query: parse('query', 'query'), body: parse('body', 'body') };
}

/** Any procedure; what `run` needs is in `Needs`. */
export type Procedure<Needs> = Definition<string, TObject, TObject, TObject, TSchema, Needs>;

/** Pages of one caller that may wait for another. */
const MAX_WAITING_PAGES = 20;

/** Registers the endpoints of procedures; `recorderOf` records what they change. */
export function procedureRoutes<Needs>(
  http: Http,
  needs: Needs,
  recorderOf: (caller: Caller) => RecordChange,
  procedures: readonly Procedure<Needs>[],
): void {
  const limiters = new Map<string, ReadLargePage>();
  for (const one of procedures) {
    const [method = '', url = ''] = one.endpoint.split(' ');
    const { name: operationId, role, refuses = [], summary, description, example, params, query, body } = one;
    const request = { ...(params && { params }), ...(query && { querystring: query }), ...(body && { body }) };
    const described = present({ operationId, summary, description, example });
    if (one.largePages !== undefined && !limiters.has(one.largePages)) {
      limiters.set(one.largePages, limitLargePages(one.largePages, MAX_WAITING_PAGES));
    }
    http.route({
      method,
      url,
      schema: { ...described, ...request, response: { 200: one.answer } },
      config: {
        audience: 'operator',
        role,
        refuses,
        ...present({ strict: one.strict }),
        ...(one.keys && { replayHours: REPLAY_HOURS, isSecret: one.keys.isSecret }),
      },
      ...(one.bodyLimit !== undefined && { bodyLimit: one.bodyLimit }),
      async handler(request, reply) {
        const { session, holder, claim, params, query, body } = request as typeof request &
          Call<TObject, TObject, TObject>;
        const limit = one.largePages === undefined ? undefined : limiters.get(one.largePages);
        const inTurn: InTurn = (read) => (limit ? limit(request, holder, read) : read());
        const record = recorderOf(session);
        const answer = await one.run(needs, { session, record, inTurn, claim, params, query, body });
        return answer instanceof CsvFile ? sendCsvText(reply, answer.name, answer.text) : answer;
      },
    });
  }
}
