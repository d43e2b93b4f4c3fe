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
import { workersOf } from '../src/app/wiring/workers.ts';
import { dispatchAllEvents } from '../src/ordering/order/dispatch-events.flow.ts';
import type { Config } from '../src/platform/config/config.ts';
import type { Db } from '../src/platform/db/connect.ts';
import { JobQueue } from '../src/platform/jobs/job-queue.ts';
import { createLog } from '../src/platform/lib/log.ts';
import { randomId } from '../src/platform/lib/random-id.ts';
import { ShelfKeeper } from '../src/search/products/keep-shelves.flow.ts';
import { IndexWriter } from '../src/search/stores/index-writer.flow.ts';
import { checkAnswers } from './check-answers.ts';
import { currentFile, share } from './runner/run-files.ts';
import { note } from './runner/times.ts';
import { createTestDatabase, SCHEMA, testServer } from './test-database.ts';

export type Reply = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects of an answer and fails where it is not there
  body: any;
  text: string;
};
type Query = Record<string, string | number | boolean>;

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
  /** The source of stores that a test imports: its own in each test file on a shared service. */
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

/** The whole application in this process, on a PostgreSQL database of its own, with a clock that a test moves. */
export async function givenApp(options: AppOptions = {}): Promise<App> {
  return (await openApp(options)).app;
}

/** The application, and a way to make it as if it had just been opened, at another time. */
async function openApp({
  env = {},
  start = START,
  connectionString,
  publicHttp = {},
  onLogLine = () => {},
  searchThread = false,
  plugins = OWN,
  ...more
}: AppOptions): Promise<{ app: App; empty(start: string): Promise<void> }> {
  const database =
    connectionString === undefined ? await createTestDatabase() : { connectionString, drop: async () => {} };
  const settings = readSettings(
    {
      LOG_LEVEL: 'silent',
      RATE_LIMIT_PER_MINUTE: '0',
      SANDBOX_PACE: 'manual',
      PORT: '0',
      ...env,
    },
    plugins,
  );
  const config = { ...settings, ...(env.DATA_DIR ? {} : { searchSnapshotDir: null }) };
  let now = Temporal.Instant.from(start);
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
      clock: { now: () => now },
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
  const givenClient = async (mode: 'sandbox' | 'live' = 'sandbox') => {
    const { accountId } = await createAccount(service.deps.db, 'Test account', now);
    const { key } = await issueKey(service.deps.db, accountId, mode, now);
    return clientOf(service, accountId, key);
  };
  const { messaging, gateways, publicHttp: http } = service.deps;
  const ports = [messaging, gateways, http].map((port) => ({ port, before: { ...port } }));
  const app: App = {
    ...(await givenClient()),
    service,
    config,
    connectionString: database.connectionString,
    source: SOURCE,
    schema: SCHEMA,
    givenClient,
    now: () => now,
    async advance(duration) {
      now = now.add(duration);
      await runDueWork(service.deps);
    },
    catchUp: () => service.deps.storeFeed.catchUp(),
    async givenNode(role) {
      const node = await startNode(role);
      nodes.push(node);
      return node;
    },
    async close() {
      await Promise.all(nodes.map((node) => node.close()));
      await service.close();
      await database.drop();
    },
  };
  return {
    app,
    async empty(from) {
      await Promise.all(nodes.splice(0).map((node) => node.close()));
      for (const { port, before } of ports) Object.assign(port, before);
      now = Temporal.Instant.from(from);
      await emptyTables(service.deps);
    },
  };
}

/** Leaves search without stores, tables without rows but the service's own, and repeated jobs due as at a start. */
async function emptyTables(deps: Service['deps']): Promise<void> {
  const { db } = deps;
  await sql`with clock as (update change_clock set seq = seq + 1 returning seq)
    update stores set listed = false, changed_seq = seq from clock`.execute(db);
  await deps.storeFeed.catchUp();
  await sql`do $$ declare name text; filled text; is_filled boolean; begin
    for name in select tablename from pg_tables where schemaname = current_schema()
      and tablename not in ('change_clock', 'settings', 'migrations', 'migration_stops')
    loop
      execute format('select exists (select from %I)', name) into is_filled;
      if is_filled then filled := concat_ws(', ', filled, quote_ident(name)); end if;
    end loop;
    if filled is not null then execute 'truncate ' || filled || ' cascade'; end if;
  end $$`.execute(db);
  await new JobQueue({ ...deps, workers: workersOf(deps) }).schedule();
  await deps.trackingSites.refresh();
}

type Shared = Awaited<ReturnType<typeof openApp>> & {
  listen(): Promise<string>;
  file: string;
  users: number;
  ready?: Promise<void>;
};
let sharers = 0;

/**
 * The service that the test files of this process share with these settings, emptied for each of them, and an account
 * of the caller's own on it. The caller may move its clock and replace its mailer, gateways and the like; what counts
 * in the process's memory, such as metrics, goes on.
 */
export async function sharedApp({ env = {}, start }: Pick<AppOptions, 'env' | 'start'> = {}): Promise<App> {
  const shared = await share(
    `service ${JSON.stringify(env)}`,
    () => openShared(env),
    ({ app }) => app.close(),
  );
  // A file need not close what it shares.
  if (shared.file !== currentFile) Object.assign(shared, { file: currentFile, users: 0 });
  shared.users += 1;
  if (shared.users === 1) shared.ready = shared.empty(start ?? START);
  else if (start) throw new Error('The file uses the clock of this service already: start another with givenApp.');
  await shared.ready;
  sharers += 1;
  const { app, listen } = shared;
  return {
    ...app,
    ...(await app.givenClient()),
    source: `${SOURCE}-${sharers}`,
    service: { ...app.service, listen },
    close: async () => {
      shared.users -= 1;
    },
  };
}

async function openShared(env: Record<string, string>): Promise<Shared> {
  const opened = await openApp({ env });
  let listening: Promise<string> | undefined;
  const listen = () => (listening ??= opened.app.service.listen());
  return { ...opened, listen, file: '', users: 0 };
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
