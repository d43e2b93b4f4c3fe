import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { createAccount, issueKey } from '../src/access/accounts/issue-key.flow.ts';
import { type Db, openDb, openPool } from '../src/platform/db/connect.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { openDatabase } from '../src/platform/db/open-database.ts';
import { systemClock } from '../src/platform/lib/clock.ts';
import { COMPILE_CACHE_ENV } from '../src/platform/lib/compile-cache.ts';
import { createLog } from '../src/platform/lib/log.ts';
import { randomId } from '../src/platform/lib/random-id.ts';
import { importFiles } from '../src/supply/imports/import-files.flow.ts';

/** Real feeds in a folder next to the clone, if present. */
export const FEEDS = join(import.meta.dirname, '../../shared/data/feed');

/** `first` is a message to the child. */
type ChildOptions = { env?: Record<string, string>; first?: object };

export type BenchService = {
  key: string;
  /** Database of the service's schema. */
  db: Db;
} & ServiceFacts & {
    /** Processor time that the service has used so far. */
    cpuMs(): Promise<number>;
    /** Current resident memory of the service's process. */
    rssBytesNow(): Promise<number>;
    close(): Promise<void>;
  };

type ServiceFacts = { url: string; rssBytes: number };

/** `heldMs`: the longest event-loop block since the previous message. */
type Used = NodeJS.CpuUsage & { rss: number; heldMs?: number };

/** A child process that sends a message once ready; exits with this process. */
export async function startChild<Facts>(
  file: string,
  args: readonly string[] = [],
  { env = {}, first }: ChildOptions = {},
) {
  const settings: NodeJS.ProcessEnv = { ...process.env, ...env };
  // Discards log lines at the ordinary level, which would bury the figures.
  const logs = settings.LOG_LEVEL === 'info' ? 'ignore' : 'inherit';
  const child: ChildProcess = fork(join(import.meta.dirname, file), args, {
    env: settings,
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
    async cpuMs() {
      const { user, system } = await readUsed();
      return (user + system) / 1000;
    },
    rssBytesNow: async () => (await readUsed()).rss,
    heldMs: async () => (await readUsed()).heldMs ?? 0,
    async close() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}

/** A migrated schema of DATABASE_URL's server, or of an embedded one, that `close` drops. */
export type BenchDatabase = { connectionString: string; schema: string; db: Db; close(): Promise<void> };

export async function givenDatabase(): Promise<BenchDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'doorstep-bench-'));
  const database = await openDatabase({ databaseUrl: process.env.DATABASE_URL, dataDir }, createLog('warn'));
  const { connectionString } = database;
  const schema = randomId('bench_', 6).toLowerCase().replaceAll('-', '_');
  const pool = openPool({ connectionString, schema });
  await migrate(pool, schema);
  const db = openDb(pool);
  return {
    connectionString,
    schema,
    db,
    async close() {
      await pool.query(`drop schema ${schema} cascade`);
      await db.destroy();
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Runs the service in a child process on a bench's database as `bin/doorstep` does, with bundled packages and the
 * compile cache. No rate limit unless `env` sets one; `moment` sets the clock.
 */
export function startBenchService(
  { connectionString, schema }: BenchDatabase,
  env: Record<string, string> = {},
  moment?: Temporal.Instant,
) {
  const clock = moment === undefined ? [] : [moment.toString()];
  return startChild<ServiceFacts>('service-child.ts', [connectionString, schema, ...clock], {
    env: { RATE_LIMIT_PER_MINUTE: '0', ...COMPILE_CACHE_ENV, ...env },
  });
}

/** A service builds the files of its pages this long after its start, which takes some seconds of processor. */
const BUILDS_PAGES_AFTER_MS = 6000;
const IDLE_TURN_MS = 300;
const IDLE_MS = 15;
const MAX_IDLE_TURNS = 200;

/** Waits until the service's own work after a start is done, because it would count as work for answers. */
export async function untilIdle({ cpuMs }: Pick<BenchService, 'cpuMs'>): Promise<void> {
  await delay(BUILDS_PAGES_AFTER_MS);
  for (let turn = 0; turn < MAX_IDLE_TURNS; turn += 1) {
    const beforeMs = await cpuMs();
    await delay(IDLE_TURN_MS);
    if ((await cpuMs()) - beforeMs < IDLE_MS) return;
  }
}

/**
 * Runs the service in a child process on its own schema, filled by `fill`. No rate limit unless `env` sets one;
 * `moment` sets the clock.
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

/** Imports feeds of `FEEDS` by name; false if they are missing on this machine. */
export async function importRealFeeds(db: Db, names: readonly string[]): Promise<boolean> {
  const files = names.map((name) => join(FEEDS, `${name}.ndjson.gz`));
  if (!files.every((file) => existsSync(file))) return false;
  await importFiles({ db, clock: systemClock }, { files, stdin: Readable.from([]) });
  return true;
}

/** Imports `count` generated stores around US cities with a few chain names; identical in every run. */
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
    // Two irrational rotations spread the stores over a square of about 200 miles, deterministically.
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

/** The next afternoon in the East, which is morning in the West: most stores are open. */
export function afternoon(): Temporal.Instant {
  const now = Temporal.Now.zonedDateTimeISO('America/New_York');
  return now.add({ days: 1 }).with({ hour: 14, minute: 0 }).toInstant();
}
