import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { createAccount, issueKey } from '../src/access/accounts/issue-key.flow.ts';
import { type Db, openDb, openPool } from '../src/platform/db/connect.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { openDatabase } from '../src/platform/db/open-database.ts';
import { systemClock } from '../src/platform/lib/clock.ts';
import { WITH_COMPILE_CACHE } from '../src/platform/lib/compile-cache.ts';
import { createLog } from '../src/platform/lib/log.ts';
import { randomId } from '../src/platform/lib/random-id.ts';
import { importFiles } from '../src/supply/imports/import-files.flow.ts';

/** Real feeds beside the clone, where a machine has them. */
export const FEEDS = join(import.meta.dirname, '../../shared/data/feed');

/** `first` is a message to the child. */
type ChildOptions = { env?: Record<string, string>; execArgv?: string[]; first?: object };

export type BenchService = {
  key: string;
  /** Of the schema that the service works on. */
  db: Db;
} & ServiceFacts & {
    /** Processor time that the service has used so far. */
    cpuMs(): Promise<number>;
    /** Memory that the service has now, all of its process. */
    rssBytesNow(): Promise<number>;
    close(): Promise<void>;
  };

type ServiceFacts = {
  url: string;
  stores: number;
  /** Milliseconds from the start of the wiring until it listens with all stores loaded, and of the loading alone. */
  startMs: number;
  loadMs: number;
  rssBytes: number;
};

/**
 * `heldMs`: the longest time that the event loop was held since the message before. `products` of `menus` are in memory.
 */
type Used = NodeJS.CpuUsage & { rss: number; heldMs?: number; products?: number; menus?: number };

/** A child process that sends a message once it is ready; it ends with this process. */
export async function startChild<Facts>(
  file: string,
  args: readonly string[] = [],
  { env = {}, execArgv = [...process.execArgv], first }: ChildOptions = {},
) {
  const settings: NodeJS.ProcessEnv = { ...process.env, ...env };
  // A bench with the service's ordinary logs drops them: a page of log lines would hide its figures.
  const logs = settings.LOG_LEVEL === 'info' ? 'ignore' : 'inherit';
  const child: ChildProcess = fork(join(import.meta.dirname, file), args, {
    env: settings,
    execArgv,
    stdio: ['ignore', 'inherit', logs, 'ipc'],
  });
  if (first) child.send(first);
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} ended with ${code} before it was ready.`);
  });
  const [facts] = (await Promise.race([once(child, 'message'), failed])) as [Facts];
  failed.catch(() => {});
  const readUsed = async () => {
    child.send({});
    const [used] = (await once(child, 'message')) as [Used];
    return used;
  };
  return {
    ...facts,
    pid: child.pid ?? 0,
    async cpuMs() {
      const { user, system } = await readUsed();
      return (user + system) / 1000;
    },
    rssBytesNow: async () => (await readUsed()).rss,
    heldMs: async () => (await readUsed()).heldMs ?? 0,
    async productsInMemory() {
      const { products = 0, menus = 0 } = await readUsed();
      return { products, menus };
    },
    async close() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}

/** A schema of DATABASE_URL's server, or of an embedded one. */
export type BenchDatabase = {
  connectionString: string;
  schema: string;
  db: Db;
  /** Leaves the schema in a folder that was given, and drops it elsewhere. */
  close(): Promise<void>;
};

/** A migrated schema: in the given folder's database, which keeps it for the next run, else new and dropped afterwards. */
export async function givenDatabase(kept?: { folder: string; schema: string }): Promise<BenchDatabase> {
  const dataDir = kept?.folder ?? mkdtempSync(join(tmpdir(), 'doorstep-bench-'));
  const databaseUrl = kept ? undefined : process.env.DATABASE_URL;
  const database = await openDatabase({ databaseUrl, dataDir }, createLog('warn'));
  const { connectionString } = database;
  const schema = kept?.schema ?? randomId('bench_', 6).toLowerCase().replaceAll('-', '_');
  const pool = openPool({ connectionString, schema });
  await migrate(pool, schema);
  const db = openDb(pool);
  return {
    connectionString,
    schema,
    db,
    async close() {
      if (!kept) await pool.query(`drop schema ${schema} cascade; drop schema if exists ${schema}_jobs cascade`);
      await db.destroy();
      await database.close();
      if (!kept) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * The service in a child process on a bench's database, started as `bin/doorstep` starts one: with its packages joined, and
 * with the compiled sources of an earlier start. There is no rate limit unless `env` gives one. The service's clock
 * begins at `moment`, where there is one.
 */
export function startBenchService(
  { connectionString, schema }: BenchDatabase,
  env: Record<string, string> = {},
  moment?: Temporal.Instant,
) {
  const clock = moment === undefined ? [] : [moment.toString()];
  return startChild<ServiceFacts>('service-child.ts', [connectionString, schema, ...clock], {
    env: { RATE_LIMIT_PER_MINUTE: '0', ...WITH_COMPILE_CACHE, ...env },
  });
}

/**
 * The service in a child process on a schema of its own, of DATABASE_URL's server or of an embedded one, with stores
 * that `fill` brings in. `env` are settings of the service; there is no rate limit unless one is given. The service's
 * clock begins at `moment`, where there is one.
 */
export async function givenBench(
  fill: (db: Db) => Promise<void>,
  env: Record<string, string> = {},
  moment?: Temporal.Instant,
): Promise<BenchService> {
  const database = await givenDatabase();
  const { db } = database;
  await fill(db);
  await sql`analyze`.execute(db);
  const now = systemClock.now();
  const { accountId } = await createAccount(db, 'Bench', now);
  const { key } = await issueKey(db, accountId, 'sandbox', now);
  const child = await startBenchService(database, env, moment);
  return {
    ...child,
    key,
    db,
    async close() {
      await child.close();
      await database.close();
    },
  };
}

/** Imports feeds of `FEEDS` by name; false on a machine without them. */
export async function importRealFeeds(db: Db, names: readonly string[]): Promise<boolean> {
  const files = names.map((name) => join(FEEDS, `${name}.ndjson.gz`));
  if (!files.every((file) => existsSync(file))) return false;
  await importFiles({ db, clock: systemClock }, { files, stdin: Readable.from([]) });
  return true;
}

/** Imports `count` generated stores around US cities, with the names of a few chains; every run gives the same stores. */
export async function importGeneratedStores(db: Db, count: number): Promise<void> {
  const lines = Readable.from(generatedLines(count));
  await importFiles({ db, clock: systemClock }, { files: ['-'], source: 'generated', stdin: lines });
}

const CITIES = [
  [40.71, -74.0, 'New York', 'NY', '10007'],
  [34.05, -118.24, 'Los Angeles', 'CA', '90012'],
  [41.88, -87.63, 'Chicago', 'IL', '60602'],
  [29.76, -95.37, 'Houston', 'TX', '77002'],
  [39.74, -104.99, 'Denver', 'CO', '80202'],
  [33.75, -84.39, 'Atlanta', 'GA', '30303'],
] as const;
const FIRST_WORDS = ['Golden', 'Corner', 'Village', 'Brick', 'Harbor', 'Sunny', 'Royal', 'Little'];
const LAST_WORDS = ['Pizza', 'Noodles', 'Market', 'Burgers', 'Bakery', 'Grill', 'Coffee', 'Deli'];

function* generatedLines(count: number): Generator<string> {
  for (let n = 0; n < count; n += 1) {
    const [latitude, longitude, city, state, zipcode] = CITIES[n % CITIES.length] as (typeof CITIES)[number];
    const last = LAST_WORDS[Math.floor(n / 8) % LAST_WORDS.length];
    // Two irrational turns spread the stores over a square of about 200 miles, the same way each time.
    const [north, east] = [((n * 0.618034) % 1) - 0.5, ((n * 0.754878) % 1) - 0.5];
    yield `${JSON.stringify({
      external_id: `store-${n}`,
      name: `${FIRST_WORDS[n % FIRST_WORDS.length]} ${last} ${n % 97}`,
      type: last === 'Market' ? 'grocery' : 'restaurant',
      address: { street_addr: `${n} Main St`, city, state, zipcode, country: 'US' },
      latitude: latitude + 3 * north,
      longitude: longitude + 3 * east,
      hours: { operational: 'Mo-Su 09:00-21:00' },
      pickup: { enabled: true, prep_minutes: [10, 20] },
      delivery: { enabled: n % 3 > 0, party: 'first', radius_miles: 5 },
    })}\n`;
  }
}
