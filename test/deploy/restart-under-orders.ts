import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createAccount, issueKey } from '../../src/access/accounts/issue-key.flow.ts';
import { openDb, openPool } from '../../src/platform/db/connect.ts';
import { pizzeria } from '../feed-lines.ts';
import {
  freePort,
  givenDatabase,
  type RunningCommand,
  runCommand,
  startCommand,
  startProgram,
} from '../given/command.ts';
import { CARD, orderBody } from '../given/orders.ts';
import { textOf } from '../source-files.ts';
import { SCHEMA } from '../test-database.ts';
import { until } from '../until.ts';

const ORDERS_PER_SECOND = 20;
/** On a machine that is too busy for the pace, orders are sent later: overload is not what this is about. */
const MAX_UNDER_WAY = 20;
/** Time for which a node answers before the next one stops (docs/deployment.md#draining): it is cold at first. */
const SETTLE_MS = 5000;
/** The nodes that the files in deploy/proxies/ name, as systemd starts them. */
const SHIPPED = ['127.0.0.1:8081', '127.0.0.1:8082'];

export type Proxy = 'caddy' | 'haproxy';
export const PROXIES: readonly Proxy[] = ['caddy', 'haproxy'];

export type RollingRestart = {
  placed: number;
  failures: string[];
  restarts: number;
  slowestMs: number;
  perSecond: number;
};

/** Two API nodes on one database behind the shipped file of a proxy, with a store and a customer. */
export type BehindProxy = {
  /** The proxy's. */
  url: string;
  folder: string;
  key: string;
  nodes: RunningCommand[];
  ports: readonly string[];
  place: Place;
  /** Starts a node again, after its end. */
  startNode(nth: number): Promise<void>;
  close(): Promise<void>;
};

/** `reach` returns the connection string of the nodes, which by default is the database's own. */
export async function givenBehindProxy(
  proxy: Proxy,
  reach = async (direct: string) => direct,
  { checks }: { checks?: 'failing' } = {},
): Promise<BehindProxy> {
  const { env: database, drop } = await givenDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-proxy-'));
  const ports = [await freePort(), await freePort()];
  const DATABASE_URL = await reach(database.DATABASE_URL ?? '');
  const env = (nth: number) => ({
    ...database,
    DATABASE_URL,
    DATA_DIR: join(folder, `node-${nth}`),
    PORT: ports[nth] ?? '',
    TRUST_PROXY: '127.0.0.1',
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
    DRAIN_SECONDS: '5',
  });
  const nodes: RunningCommand[] = [];
  let gate: RunningCommand | undefined;
  const close = async () => {
    for (const running of [gate, ...nodes]) running?.child.kill('SIGKILL');
    await Promise.all([gate, ...nodes].map((running) => running?.finished));
    await drop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    nodes[0] = await startNode(env(0));
    nodes[1] = await startNode(env(1));
    const proxyPort = await freePort();
    gate = startProxy({ proxy, folder, ports, port: proxyPort, everyNodePort: await freePort(), checks });
    const url = `http://127.0.0.1:${proxyPort}`;
    await until('the proxy finds a node', async () => (await statusOf(`${url}/healthz`)) === 200);
    const { place, key } = await givenCustomer(url, database, folder);
    for (const port of ports) await untilUsed(url, port);
    const startAgain = async (nth: number) => {
      nodes[nth] = await startNode(env(nth));
    };
    return { url, folder, key, nodes, ports, place, startNode: startAgain, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Places orders at a steady pace, beside two busy loops, through the shipped file of a proxy, while its two nodes are restarted in turn until
 * all orders are sent. Nothing is sent again: every answer but an order is a failure.
 */
export async function restartUnderOrders(proxy: Proxy, orders: number): Promise<RollingRestart> {
  const behind = await givenBehindProxy(proxy);
  const loops = [0, 1].map(() => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  const { nodes, place } = behind;
  try {
    const run: RollingRestart = { placed: 0, failures: [], restarts: 0, slowestMs: 0, perSecond: 0 };
    let isSending = true;
    const sending = sendOrders(place, orders, run).finally(() => {
      isSending = false;
    });
    for (let nth = 0; isSending || run.restarts < 2; nth = 1 - nth) {
      nodes[nth]?.child.kill('SIGTERM');
      assert.equal((await nodes[nth]?.finished)?.status, 0);
      await behind.startNode(nth);
      run.restarts += 1;
      await untilUsed(behind.url, behind.ports[nth] ?? '');
      await pause(SETTLE_MS);
    }
    await sending;
    return run;
  } finally {
    for (const loop of loops) loop.kill('SIGKILL');
    await behind.close();
  }
}

/** Waits until the proxy sends orders to the node of this port; those of this wait have no key and are refused. */
async function untilUsed(url: string, port: string): Promise<void> {
  await until(`the proxy uses the node at ${port}`, async () => {
    await fetch(`${url}/order/order/v2`, { method: 'POST' }).then((reply) => reply.arrayBuffer());
    const metrics = await fetch(`http://127.0.0.1:${port}/metrics`).then((reply) => reply.text());
    return metrics.includes('_count{route="/order/order/v2"');
  });
}

async function startNode(env: Record<string, string>): Promise<RunningCommand> {
  const node = startCommand(['serve', '--role', 'api'], env);
  await node.printed(/Doorstep is ready at/);
  const isReady = async () => (await statusOf(`http://127.0.0.1:${env.PORT}/readyz`)) === 200;
  await until('the node is ready', isReady);
  return node;
}

export const statusOf = (url: string) =>
  fetch(url).then(
    async (reply) => {
      await reply.arrayBuffer();
      return reply.status;
    },
    () => 0,
  );

type Started = {
  proxy: Proxy;
  folder: string;
  ports: readonly string[];
  port: string;
  everyNodePort: string;
  checks: 'failing' | undefined;
};

/** Runs the shipped file; only its listener and ports are of the test. `failing` checks request a path that doesn't exist. */
function startProxy({ proxy, folder, ports, port, everyNodePort, checks }: Started): RunningCommand {
  const withChecks = (text: string) =>
    checks ? text.replace(/(health_uri|meth GET uri) \/readyz\S*/g, '$1 /none') : text;
  const timeout = { timeout: 0 };
  if (proxy === 'caddy') {
    const file = join(folder, 'Caddyfile');
    writeFileSync(
      file,
      withChecks(textOf('deploy/proxies/Caddyfile'))
        .replace('{\n', '{\n\tadmin off\n')
        .replaceAll(':8083', `:${everyNodePort}`),
    );
    const UPSTREAMS = ports.map((each) => `127.0.0.1:${each}`).join(' ');
    const env = { HOME: folder, DOMAIN: `http://127.0.0.1:${port}`, UPSTREAMS };
    return startProgram('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], env, timeout);
  }
  const file = join(folder, 'haproxy.cfg');
  const shipped = withChecks(textOf('deploy/proxies/haproxy.cfg'));
  const listening = shipped
    .replace('    bind :80\n', `    bind 127.0.0.1:${port}\n`)
    .replace(/ {4}bind :443 .*\n/, '')
    .replace(/ {4}http-request redirect .*\n/, '');
  const moved = SHIPPED.reduce((text, at, nth) => text.replaceAll(at, `127.0.0.1:${ports[nth]}`), listening);
  assert.equal(moved.split('\n').length, shipped.split('\n').length - 2);
  writeFileSync(file, asThisUser(moved).replaceAll('/run/haproxy/admin.sock', join(folder, 'admin.sock')));
  return startProgram('haproxy', ['-db', '-f', file], {}, timeout);
}

/** Only root may take the file's user. */
function asThisUser(text: string): string {
  return process.getuid?.() === 0
    ? text
    : text.replace(/ {4}(user|group) haproxy\n/g, '').replace(' user haproxy group haproxy', '');
}

type Place = (nth: number) => Promise<{ status: number; headers: Headers; text: string }>;

/** A store and a customer with a card; `place` places an order of theirs with `key`. */
async function givenCustomer(
  url: string,
  database: Record<string, string>,
  folder: string,
): Promise<{ place: Place; key: string }> {
  const feed = join(folder, 'feed.ndjson');
  writeFileSync(feed, `${JSON.stringify(pizzeria())}\n`);
  const { status, stderr } = await runCommand(['import', feed], { ...database, DATA_DIR: join(folder, 'import') });
  assert.equal(status, 0, stderr);
  const pool = openPool({ connectionString: database.DATABASE_URL ?? '', schema: SCHEMA, max: 1 });
  const db = openDb(pool);
  const now = Temporal.Now.instant();
  const { accountId } = await createAccount(db, 'Rolling restart', now);
  const { key } = await issueKey(db, accountId, 'sandbox', now);
  const [store] = await db.selectFrom('stores').select('storeId').execute();
  await db.destroy();
  const headers = { 'id-token': key, 'content-type': 'application/json' };
  const post = (path: string, body: object, more = {}) =>
    fetch(`${url}${path}`, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) });
  const owner = { user_email: 'u1@example.com', user_id: 'u1' };
  const card = await post('/payment/create', { payment_method: CARD, ...owner });
  const { payment_method_id: paid } = (await card.json()) as { payment_method_id: string };
  const menu = `/details/inventory?${new URLSearchParams({ store_id: store?.storeId ?? '', pickup: 'false' })}`;
  type Menu = { categories: { menu_item_list: { name: string; product_id: string }[] }[] };
  const { categories } = (await (await fetch(`${url}${menu}`, { headers })).json()) as Menu;
  const items = categories.flatMap((category) => category.menu_item_list);
  const product = items.find(({ name }) => name === 'Margherita')?.product_id;
  const body = orderBody(product, paid, { autofill_selected_options: true });
  const place: Place = async (nth) => {
    const reply = await post('/order/order/v2', body, { 'idempotency-key': `order-${nth}` });
    return { status: reply.status, headers: reply.headers, text: await reply.text() };
  };
  return { place, key };
}

async function sendOrders(place: Place, orders: number, run: RollingRestart): Promise<void> {
  const startedAt = performance.now();
  const sent: Promise<void>[] = [];
  let underWay = 0;
  for (let nth = 0; nth < orders; nth += 1) {
    while (underWay >= MAX_UNDER_WAY) await pause(10);
    underWay += 1;
    await pause(Math.max(0, startedAt + (nth * 1000) / ORDERS_PER_SECOND - performance.now()));
    const at = performance.now();
    sent.push(
      place(nth)
        .then(
          ({ status, text }) => {
            run.slowestMs = Math.max(run.slowestMs, Math.round(performance.now() - at));
            if (status === 200 && JSON.parse(text).order_placed === true) run.placed += 1;
            else run.failures.push(`${status} ${text.slice(0, 200)}`);
          },
          (error: Error) => void run.failures.push(String(error.cause ?? error)),
        )
        .finally(() => {
          underWay -= 1;
        }),
    );
  }
  await Promise.all(sent);
  run.perSecond = Math.round((orders * 1000) / (performance.now() - startedAt));
}
