import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { FeedLine } from '../feed-lines.ts';
import { WITHOUT_ENV_FILE } from '../given/command.ts';
import { givenCommandHost } from '../given/command-host.ts';
import { clockOfThisProcess } from '../nightly/shift-clock.ts';
import { until } from '../until.ts';
import { CHECKOUT, endWithTests, killAll, servers } from './embedded-postgres-harness.ts';

const READY_DEADLINE_MS = 300_000;
const MOST_COMPLAINTS = 200;
const COMMAND = join(CHECKOUT, 'bin/doorstep');

export type Environment = Record<string, string>;

/** `doorstep serve` in its own process group, on a folder's embedded database. */
export type ServiceProcess = {
  url: string;
  readyMs: number;
  /** Recent log lines of level warn and above. */
  complaints: readonly string[];
  /** Total bytes of such lines. */
  complainedBytes(): number;
  /** SIGKILL to the whole process group, PostgreSQL and all its backends. */
  killAll(): Promise<void>;
  /** SIGKILL to the service's process group; PostgreSQL survives. */
  killService(): Promise<void>;
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<void>;
};

/** A user's shell environment, without settings of the test run. */
export function environmentOf(settings: Environment): Environment {
  const { PATH = '', HOME = '/tmp', LANG = 'C.UTF-8' } = process.env;
  return { PATH, HOME, LANG, DRAIN_SECONDS: '0', ...clockOfThisProcess(), ...settings };
}

export async function startServiceProcess(dataDir: string, settings: Environment = {}): Promise<ServiceProcess> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [COMMAND, 'serve', '--json'], {
    cwd: WITHOUT_ENV_FILE,
    env: environmentOf({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '0', ...settings }),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithTests(child);
  const complaints: string[] = [];
  let complainedBytes = 0;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complainedBytes += text.length;
    complaints.push(text);
    if (complaints.length > MOST_COMPLAINTS) complaints.shift();
  });
  const { url } = JSON.parse(await firstLine(child, complaints));
  const exit = once(child, 'exit');
  const end = async (signal: NodeJS.Signals, others: readonly number[]) => {
    process.kill(-(child.pid ?? assert.fail()), signal);
    killAll(others);
    await exit;
  };
  return {
    url,
    complaints,
    complainedBytes: () => complainedBytes,
    readyMs: Math.round(performance.now() - startedAt),
    async killAll() {
      await end('SIGKILL', servers(dataDir));
      // A backend may start while others die, and a dead process takes a moment to disappear.
      const areGone = () => {
        const left = servers(dataDir);
        killAll(left);
        return left.length === 0;
      };
      await until('PostgreSQL is gone', areGone);
    },
    killService: () => end('SIGKILL', []),
    stop: () => end('SIGTERM', []),
  };
}

/** The first line of a process; fails with its log if it exits or stays silent too long. */
async function firstLine(child: ChildProcess, complaints: readonly string[]): Promise<string> {
  const said = Promise.withResolvers<string>();
  if (child.stdout) createInterface({ input: child.stdout }).on('line', said.resolve);
  child.once('exit', (code, signal) => said.reject(new Error(`ended (${code ?? signal}): ${complaints.join('')}`)));
  const late = setTimeout(() => said.reject(new Error(`not ready: ${complaints.join('')}`)), READY_DEADLINE_MS);
  return said.promise.finally(() => clearTimeout(late));
}

/** Runs `doorstep ARGS… --json` on a folder and returns the document. */
export async function runCommand(dataDir: string, args: readonly string[], settings: Environment = {}) {
  const env = environmentOf({ DATA_DIR: dataDir, ...settings });
  const options = { cwd: WITHOUT_ENV_FILE, env, timeout: READY_DEADLINE_MS };
  const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, ...args, '--json'], options);
  return JSON.parse(stdout);
}

/** One key acts for many customers with unlimited orders, whose cards decline by design. */
const MANY = [
  ['--declines-user', '1000000'],
  ['--declines-card', '1000000'],
  ['--unpaid-orders', '1000000'],
  ['--unplaced-orders', '1000000'],
  ['--unplaced-bytes', '1000000000'],
  ['--emails', '1000000'],
];

/** Imports a store with `doorstep import`; creates an account and its sandbox key. */
export async function givenKeyAndStore(
  dataDir: string,
  line: FeedLine,
  settings: Environment = {},
): Promise<{ account: string; key: string; storeId: string }> {
  const feed = join(dataDir, '..', 'feed.ndjson');
  writeFileSync(feed, `${JSON.stringify(line)}\n`);
  const host = givenCommandHost();
  const run = async (...args: string[]) => {
    const { status, body } = await host.runJson(args, environmentOf({ DATA_DIR: dataDir, ...settings }));
    assert.equal(status, 0, JSON.stringify(body));
    return body;
  };
  try {
    const imported = await run('import', feed);
    assert.deepEqual([imported.created, imported.errors], [1, []]);
    const { stores } = await run('stores', 'list');
    const { account_id: account } = await run('accounts', 'create', 'Fault tests');
    await run('accounts', 'set', account, ...MANY.flat());
    const { key } = await run('keys', 'create', '--account', account);
    return { account, key, storeId: stores[0].store_id };
  } finally {
    await host.close();
  }
}

export type Answer = {
  status: number;
  replayed: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads expected fields of a response and fails without them
  body: any;
};

export type Caller = {
  get(path: string, query?: Record<string, string>): Promise<Answer>;
  post(path: string, body: object, idempotencyKey?: string): Promise<Answer>;
};

const ANSWER_DEADLINE_MS = 60_000;

/** A request from the client's side; status 0 means no response. */
export type Sample = { at: number; ms: number; path: string; status: number; retryAfter: string | null };

/** Calls a service over HTTP; rejects without a response. */
export function callerOf(url: () => string, key: string, seen: (sample: Sample) => void = () => {}): Caller {
  const call = async (path: string, init: RequestInit): Promise<Answer> => {
    const at = performance.now();
    const tell = (status: number, retryAfter: string | null) =>
      seen({ at, ms: performance.now() - at, path: path.split('?')[0] ?? '', status, retryAfter });
    const signal = AbortSignal.timeout(ANSWER_DEADLINE_MS);
    const reply = await fetch(`${url()}${path}`, { ...init, signal }).catch((error) => {
      tell(0, null);
      throw error;
    });
    const body = await reply.json();
    tell(reply.status, reply.headers.get('retry-after'));
    return { status: reply.status, replayed: reply.headers.get('idempotent-replayed') === 'true', body };
  };
  return {
    get: (path, query = {}) => call(`${path}?${new URLSearchParams(query)}`, { headers: { 'id-token': key } }),
    post: (path, body, idempotencyKey) =>
      call(path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: {
          'id-token': key,
          'content-type': 'application/json',
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
      }),
  };
}
