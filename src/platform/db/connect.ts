import { errorCode } from 'doorstep/files';
import {
  CamelCasePlugin,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type RawBuilder,
  sql,
  type Transaction,
} from 'kysely';
import pg from 'pg';
import { connectionOptions, setSession } from './connection-options.ts';
import { isConnectionBroken } from './is-database-unavailable.ts';
import type { Database } from './tables.ts';
import { traceStatement } from './trace-statement.ts';

/*
 * Connections to PostgreSQL: the pool with its session settings and time limits, and Kysely on it with camelCase
 * names.
 */

export type Pool = pg.Pool;
export type Db = Kysely<Database>;
/** The first argument of every `.db.ts` function: the pool or a transaction, chosen by the caller. */
export type Sql = Kysely<Database> | Transaction<Database>;

const INT8_OID = 20;
const NUMERIC_OID = 1700;
const TIMESTAMPTZ_OID = 1184;

/** int8 as number (ours stay below 2^53; digests are selected as text), timestamps as Temporal.Instant. */
const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary' && (oid === INT8_OID || oid === NUMERIC_OID)) return Number;
    if (format !== 'binary' && oid === TIMESTAMPTZ_OID) return (text: string) => Temporal.Instant.from(text);
    return pg.types.getTypeParser(oid, format as 'text');
  }) as pg.CustomTypesConfig['getTypeParser'],
};

export type PoolOptions = {
  connectionString: string;
  /** The schema to use; undefined keeps the server's search path. */
  schema?: string | undefined;
  /** Session settings, applied to every connection. */
  settings?: Readonly<Record<string, string>>;
  max?: number;
  applicationName?: string;
  /** The statement timeout in milliseconds; undefined for none. */
  statementMs?: number | undefined;
  /** Whether each statement gets a span. */
  isTraced?: boolean;
  onError?: (error: Error) => void;
};

/**
 * The service's statement timeout in milliseconds, enforced by the server. `SILENCE_MS` later the client closes a
 * connection whose server or network is silent.
 */
export const SERVICE_STATEMENT_MS = 15_000;
const SILENCE_MS = 1000;

/** Returns a pool that survives the loss of any connection; `onError` is called once per loss. */
export function openPool(options: PoolOptions): pg.Pool {
  const { statementMs } = options;
  const settings = {
    ...(options.schema ? { search_path: options.schema } : {}),
    ...(statementMs === undefined ? {} : { statement_timeout: String(statementMs) }),
    ...options.settings,
  };
  const pool = new pg.Pool({
    ...connectionOptions(options.connectionString),
    max: options.max ?? 10,
    types: typeParsers,
    application_name: options.applicationName ?? 'doorstep',
    connectionTimeoutMillis: 10_000,
    ...(statementMs === undefined ? {} : { query_timeout: statementMs + SILENCE_MS }),
    keepAlive: true,
    onConnect: (client) => setSession(client, settings),
  });
  superviseStatements(pool, options.isTraced ?? false);
  // The pool handles errors of idle connections only. Without this listener, a connection lost between two statements
  // of a transaction would end the process.
  pool.on('connect', (client) => {
    client.once('error', options.onError ?? (() => {}));
    client.on('error', () => {});
  });
  pool.on('error', () => {});
  return pool;
}

/** Opens a database with camelCase names in TypeScript and snake_case in SQL; keys inside JSON stay as they are. */
export function openDb(pool: PostgresPool): Db {
  const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })];
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }), plugins });
}

export function instantParam(instant: Temporal.Instant): RawBuilder<Temporal.Instant> {
  return sql<Temporal.Instant>`${instant.toString()}::timestamptz`;
}

/** Maximum prepared statements per connection. Others are sent unnamed, because the server keeps a plan for each. */
const MAX_PREPARED_STATEMENTS = 400;
/**
 * Matches Kysely's `selectAll` and `returningAll`. A migration that adds a column changes their result, and PostgreSQL
 * then refuses the prepared statement; a transaction cannot retry it.
 */
const SELECT_ALL = /(?:^select|\breturning) (?:"\w+"\.)?\*/;

/** PostgreSQL's code for a prepared statement whose result columns have changed. */
const STALE_PLAN = '0A000';

/** Names of prepared statements, equal on every connection of a pool. */
class StatementNames {
  private readonly names = new Map<string, string>();
  private generation = 0;

  /** Returns the name to prepare a statement under; undefined to send it unnamed. */
  nameOf(text: string): string | undefined {
    const known = this.names.get(text);
    if (known !== undefined || this.names.size >= MAX_PREPARED_STATEMENTS || SELECT_ALL.test(text)) return known;
    const name = `s${this.generation}_${this.names.size}`;
    this.names.set(text, name);
    return name;
  }

  /** Drops all names after a migration changed a table under a running node. */
  dropIfStale(error: unknown): void {
    if (errorCode(error) !== STALE_PLAN) return;
    this.generation += 1;
    this.names.clear();
  }
}

type Query = (first: unknown, ...rest: unknown[]) => unknown;
type Callback = (error: unknown, result: unknown) => void;

/**
 * Prepares each parameterized statement once per connection. Closes a connection whose server is silent or became a
 * standby: back in the pool it would fail every later user.
 */
function superviseStatements(pool: pg.Pool, isTraced: boolean): void {
  const names = new StatementNames();
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as Query;
    const end = (): void => void (client as unknown as pg.Client).end().catch(() => {});
    client.query = ((first: unknown, values?: unknown, callback?: Callback) => {
      const name =
        typeof first === 'string' && Array.isArray(values) && values.length > 0 ? names.nameOf(first) : undefined;
      const statement: Parameters<Query> = name === undefined ? [first, values] : [{ name, text: first, values }];
      if (callback) {
        return query(...statement, (error: unknown, result: unknown) => {
          names.dropIfStale(error);
          callback(error, result);
        });
      }
      const run = () => query(...statement);
      const answer = isTraced && typeof first === 'string' ? traceStatement(first, run) : run();
      if (answer instanceof Promise) {
        answer.catch((error) => {
          names.dropIfStale(error);
          if (isConnectionBroken(error)) end();
        });
      }
      return answer;
    }) as typeof client.query;
  });
}
