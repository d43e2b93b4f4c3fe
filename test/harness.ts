import assert from 'node:assert/strict';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
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
import { checkAnswers } from './check-answers.ts';
import { share } from './runner/run-files.ts';
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

/** The body of an answer that must be 200. */
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

/** The whole application in this process, on a PostgreSQL database of its own, with a clock that a test moves. */
export async function givenApp({
  env = {},
  start = START,
  connectionString,
  publicHttp = {},
  onLogLine = () => {},
  searchThread = false,
  plugins = OWN,
  ...more
}: AppOptions = {}): Promise<App> {
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
  return {
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
}

let sharers = 0;

/**
 * The service that the test files of this process share, and an account of the caller's own on it: for tests that leave
 * its settings, its clock and what all accounts see alone. A group of files has a service apart.
 */
export async function sharedApp(group = ''): Promise<App> {
  const app = await share(`service ${group}`, openShared, (opened) => opened.close());
  sharers += 1;
  const source = `${SOURCE}-${sharers}`;
  const advance = async () => assert.fail('the clock of a shared service stands still: use givenApp');
  return { ...app, ...(await app.givenClient()), source, advance, close: async () => {} };
}

async function openShared(): Promise<App> {
  const app = await givenApp();
  let listening: Promise<string> | undefined;
  // A promise of its own for each file: awaiting a kept one at its top would lose the file's suite.
  const listen = async () => (listening ??= app.service.listen());
  return { ...app, service: { ...app.service, listen } };
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
