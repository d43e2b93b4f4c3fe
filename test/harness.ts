import assert from 'node:assert/strict';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { createAccount, issueKey } from '../src/access/accounts/issue-key.flow.ts';
import { OWN, type Plugins } from '../src/app/wiring/load-plugins.ts';
import { snapshotFolder } from '../src/app/wiring/open-stores.ts';
import { SINGLE_PROCESS } from '../src/app/wiring/peers.ts';
import { readSettings, type ServiceConfig } from '../src/app/wiring/read-settings.ts';
import { type Service, startService } from '../src/app/wiring/service.ts';
import type { Role, ServiceOptions } from '../src/app/wiring/service-options.ts';
import { dispatchAllEvents } from '../src/ordering/order/dispatch-events.flow.ts';
import type { Config } from '../src/platform/config/config.ts';
import type { Db } from '../src/platform/db/connect.ts';
import { createLog } from '../src/platform/lib/log.ts';
import { randomId } from '../src/platform/lib/random-id.ts';
import { ShelfKeeper } from '../src/search/products/keep-shelves.flow.ts';
import { IndexWriter } from '../src/search/stores/index-writer.flow.ts';
import { pruneFeed } from '../src/supply/imports/import-files.flow.ts';
import { checkAnswers } from './check-answers.ts';
import { atFileEnd, share } from './runner/run-files.ts';
import { note } from './runner/times.ts';
import { createTestDatabase, SCHEMA, testServer } from './test-database.ts';

export type Reply = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads expected fields of a response and fails without them
  body: any;
  text: string;
};
type Query = Record<string, string | number | boolean>;

/** The body of a response that must be 200. */
export async function done(reply: Promise<Reply>): Promise<Reply['body']> {
  const { status, body, text } = await reply;
  assert.equal(status, 200, text);
  return body;
}

export type Client = {
  accountId: string;
  key: string;
  get(path: string, query?: Query, headers?: Record<string, string>): Promise<Reply>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
};

export type App = Client & {
  service: Service;
  config: ServiceConfig;
  connectionString: string;
  /** The source of stores that a test imports: of each test file on a shared service its own. */
  source: string;
  /** The schema of the tables. */
  schema: string;
  givenClient(mode?: 'sandbox' | 'live'): Promise<Client>;
  now(): Temporal.Instant;
  /** Advances the clock of the service and its jobs, and waits until every due job has finished. */
  advance(duration: Temporal.DurationLike): Promise<void>;
  /** Waits until search has applied everything committed. */
  catchUp(): Promise<void>;
  /** Another service on the same database, which simulates a second process. */
  givenNode(role?: Role): Promise<Service>;
  close(): Promise<void>;
};

export type AppOptions = {
  env?: Record<string, string>;
  start?: string;
  /** A database that the caller creates and drops; by default the app creates its own. */
  connectionString?: string;
  /** Replaces the resolver for webhook endpoints. */
  publicHttp?: ServiceOptions['publicHttp'];
  partyUrls?: NonNullable<ServiceOptions['partyUrls']>;
  /** Our own plug-ins by default. */
  plugins?: Plugins;
  onLogLine?: (line: string) => void;
  /** Whether the search index is written in a thread of its own, as in a running service. */
  searchThread?: boolean;
};

export const SOURCE = 'test';
const MAX_ROUNDS = 200;
const START = '2026-06-10T17:00:00Z';

/** A service on a database of its own, and the clock that drives it. */
type Opened = Pick<App, 'service' | 'config' | 'connectionString' | 'givenNode' | 'close'> & {
  clock: { now: Temporal.Instant; elapsesAheadMs: number };
  closeNodes(): Promise<void>;
};

async function openApp({
  env = {},
  start = START,
  connectionString,
  publicHttp = {},
  onLogLine = () => {},
  searchThread = false,
  plugins = OWN,
  ...more
}: AppOptions): Promise<Opened> {
  const database =
    connectionString === undefined ? await createTestDatabase() : { connectionString, drop: async () => {} };
  const settings = readSettings(
    { LOG_LEVEL: 'silent', RATE_LIMIT_PER_MINUTE: '0', SANDBOX_PACE: 'manual', PORT: '0', ...env },
    plugins,
  );
  const config = { ...settings, ...(env.DATA_DIR ? {} : { searchSnapshotDir: null }) };
  const clock = { now: Temporal.Instant.from(start), elapsesAheadMs: 0 };
  note('services');
  const startNode = async (role: Role = 'all') => {
    const log = createLog(config.logLevel, { write: onLogLine });
    let writer: IndexWriter | undefined;
    const onSearchPort = (attach: (port: MessagePort) => void) => {
      writer = writeIndexHere(config, database.connectionString, log, attach);
    };
    const node = await startService({
      config,
      connectionString: database.connectionString,
      log,
      role,
      peers: searchThread ? SINGLE_PROCESS : { ...SINGLE_PROCESS, onSearchPort },
      schema: SCHEMA,
      clock: { now: () => clock.now, elapsedMs: () => clock.now.epochMilliseconds + clock.elapsesAheadMs },
      inventoryPollMs: 0,
      isDriven: true,
      publicHttp,
      ...more,
    }).catch(async (error) => {
      await writer?.close();
      throw error;
    });
    checkAnswers(node.http);
    return {
      ...node,
      async close() {
        await node.close();
        await writer?.close();
      },
    };
  };
  const service = await startNode();
  const nodes: Service[] = [];
  await service.deps.storeFeed.catchUp();
  const closeNodes = async () => void (await Promise.all(nodes.splice(0).map((node) => node.close())));
  let listening: Promise<string> | undefined;
  let isClosed = false;
  return {
    // A promise of its own for each caller: awaiting a kept one at the top of a file would lose the file's suite.
    service: { ...service, listen: async () => (listening ??= service.listen()) },
    config,
    clock,
    connectionString: database.connectionString,
    async givenNode(role) {
      const node = await startNode(role);
      nodes.push(node);
      return node;
    },
    closeNodes,
    async close() {
      if (isClosed) return;
      isClosed = true;
      await closeNodes();
      await service.close();
      await database.drop();
    },
  };
}

/** A test's view of a service: its clock, its source of stores, and a new account. */
async function appOf(opened: Opened, source: string, close: () => Promise<void>): Promise<App> {
  const { service, clock } = opened;
  const givenClient = async (mode: 'sandbox' | 'live' = 'sandbox') => {
    const { accountId } = await createAccount(service.deps.db, 'Test account', clock.now);
    const { key } = await issueKey(service.deps.db, accountId, mode, clock.now);
    return clientOf(service, accountId, key);
  };
  return {
    ...(await givenClient()),
    ...opened,
    source,
    schema: SCHEMA,
    givenClient,
    now: () => clock.now,
    async advance(duration) {
      clock.now = clock.now.add(duration);
      await runDueWork(service.deps);
    },
    catchUp: () => service.deps.storeFeed.catchUp(),
    close,
  };
}

/**
 * The whole application in this process, on a PostgreSQL database of its own, with a clock that a test moves. It is
 * closed at the end of the file at the latest.
 */
export async function givenOwnApp(options: AppOptions = {}): Promise<App> {
  const opened = await openApp(options);
  atFileEnd(opened.close);
  return appOf(opened, SOURCE, opened.close);
}

/** Maximum services of a process that wait for their next test. */
const MAX_IDLE = 2;
/** Longer than a service caches anything. */
const CACHES_EXPIRE_MS = 3_600_000;
/** With their settings; the last was used last. */
const idle: { settings: string; opened: Opened }[] = [];
let leases = 0;

/**
 * The whole application in this process, on PostgreSQL, with a clock that a test moves. Services are reused: a caller
 * has one to itself until it closes it or its file ends. It finds no rows of other callers and no stores in search, and
 * its source of stores is its own. `givenOwnApp` is for tests that replace parts of the service other than gateways and
 * messaging, change what it keeps in memory for all accounts, or close it.
 */
export async function givenApp({ env = {}, start = START }: Pick<AppOptions, 'env' | 'start'> = {}): Promise<App> {
  // Not awaited: awaiting a kept promise at the top of a file would lose the file's suite.
  void share('services', async () => {}, closeIdle);
  const settings = JSON.stringify(env);
  const fitting = idle.findLastIndex((one) => one.settings === settings);
  const [known] = fitting < 0 ? [] : idle.splice(fitting, 1);
  const opened = known?.opened ?? (await openApp({ env }));
  const now = Temporal.Instant.from(start);
  // Elapsed time never goes back, so that what the service cached for the caller before expires.
  opened.clock.elapsesAheadMs += opened.clock.now.epochMilliseconds - now.epochMilliseconds + CACHES_EXPIRE_MS;
  opened.clock.now = now;
  leases += 1;
  const source = `${SOURCE}-${leases}`;
  const kept = await keep(opened.service.deps);
  let isLeased = true;
  const release = async () => {
    if (!isLeased) return;
    isLeased = false;
    await renew(opened, kept).catch(async (error) => {
      await opened.close();
      throw error;
    });
    idle.push({ settings, opened });
    if (idle.length > MAX_IDLE) await idle.shift()?.opened.close();
  };
  atFileEnd(release);
  return appOf(opened, source, release);
}

async function closeIdle(): Promise<void> {
  for (const { opened } of idle.splice(0)) await opened.close();
}

/** Undoes what a test replaced, unlists its stores and empties the tables, but for the rows of a new service. */
async function renew({ service, clock, closeNodes }: Opened, kept: Kept): Promise<void> {
  await closeNodes();
  const { db, storeFeed } = service.deps;
  for (const [part, before] of kept.parts) Object.assign(part, before);
  const { rows: sources } = await sql<{ source: string }>`select distinct source from stores where listed`.execute(db);
  for (const { source } of sources) await pruneFeed({ db, clock: { now: () => clock.now } }, source, new Set());
  await storeFeed.catchUp();
  // A store that a test deleted would stay in search, and in the way of the next test.
  assert.equal(service.deps.search.count().stores, 0, 'stores left in the search of a service that is reused');
  const written = (await filledTables(db)).filter((name) => !kept.tables.includes(name));
  const names = ['jobs', ...written].map((name) => sql.table(name));
  await sql`truncate ${sql.join(names)} cascade`.execute(db);
  await sql`insert into jobs (kind, repeats, payload, due_at)
    select kind, true, '{}', due_at from jsonb_to_recordset(${kept.jobs}::jsonb) as job (kind text, due_at timestamptz)`.execute(
    db,
  );
}

type Kept = { tables: readonly string[]; jobs: string; parts: readonly (readonly [object, object])[] };

async function keep({ db, messaging, gateways, publicHttp }: Service['deps']): Promise<Kept> {
  const { rows } = await sql<{
    jobs: string;
  }>`select coalesce(jsonb_agg(jobs), '[]')::text as jobs from jobs where repeats`.execute(db);
  return {
    tables: await filledTables(db),
    jobs: rows[0]?.jobs ?? '[]',
    parts: [messaging, gateways, publicHttp].map((part) => [part, { ...part }] as const),
  };
}

async function filledTables(db: Db): Promise<string[]> {
  const { rows: all } = await sql<{
    name: string;
  }>`select tablename as name from pg_tables where schemaname = ${SCHEMA}`.execute(db);
  const filled = all.map(({ name }) => sql`select ${name} as name where exists (select from ${sql.table(name)})`);
  const { rows } = await sql<{ name: string }>`${sql.join(filled, sql` union all `)}`.execute(db);
  return rows.map(({ name }) => name);
}

/** Writes the search index of a service in this thread: starting a thread takes as long as starting the service. */
function writeIndexHere(
  config: Config,
  connectionString: string,
  log: Logger,
  attach: (port: MessagePort) => void,
): IndexWriter {
  const data = { connectionString, schema: SCHEMA, snapshotFolder: snapshotFolder(config, SCHEMA) };
  const { snapshotFolder: folder } = data;
  const kept = folder === null ? null : { folder: `${folder}-shelves`, maxBytes: config.productIndexBytes };
  const openShelves = (db: Db) => new ShelfKeeper({ db, kept, log });
  const writer = new IndexWriter({ data, node: randomId('idx_', 12), log, openShelves, onLoaded: () => {} });
  const { port1, port2 } = new MessageChannel();
  writer.addReader(port2);
  attach(port1);
  return writer;
}

export function clientOf(service: Pick<Service, 'http'>, accountId: string, key: string): Client {
  const call = async (
    method: 'GET' | 'POST' | 'PATCH' | 'PUT',
    url: string,
    more: object,
    headers: Record<string, string>,
  ): Promise<Reply> => {
    const reply = await service.http.inject({
      method,
      url,
      ...more,
      headers: { ...(key === '' ? {} : { 'id-token': key }), ...headers },
    });
    const json = /json/.test(String(reply.headers['content-type']));
    return {
      status: reply.statusCode,
      headers: reply.headers as Reply['headers'],
      body: json ? reply.json() : undefined,
      text: reply.body,
    };
  };
  const texts = (query: Query) =>
    Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return {
    accountId,
    key,
    get: (path, query = {}, headers = {}) => call('GET', path, { query: texts(query) }, headers),
    post: (path, body, headers = {}) => call('POST', path, { payload: body as object }, headers),
    patch: (path, body, headers = {}) => call('PATCH', path, { payload: body as object }, headers),
    put: (path, body, headers = {}) => call('PUT', path, { payload: body as object }, headers),
  };
}

export async function openTestDatabase() {
  return { connectionString: testServer(), close: async () => {} };
}

/** Dispatches events and works queues and jobs until nothing is due; throws after many rounds. */
async function runDueWork(deps: Service['deps']): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    let worked = await dispatchAllEvents(deps);
    for (const queue of deps.queues) {
      await queue.idle();
      for (let leased = await queue.runOnce(); leased > 0; leased = await queue.runOnce()) {
        worked += leased;
        await queue.idle();
      }
    }
    if (worked === 0) return;
  }
  throw new Error('The work did not settle.');
}
