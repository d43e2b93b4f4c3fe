import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { pizzeria } from '../feed-lines.ts';
import { givenDatabase, type RunningCommand, startProgram } from '../given/command.ts';
import { CARD, orderBody } from '../given/orders.ts';

/**
 * Serves load with a git ref's version while this version starts on the same database, migrates and serves it; then
 * the old nodes stop. Prints JSON per phase; exits 1 on a client fault. `node test/soak/upgrade.ts REF [SECONDS] [ROWS]`.
 */
const [ref = 'HEAD', seconds = '10', rows = '50000'] = process.argv.slice(2);
const ROOT = join(import.meta.dirname, '../..');
const CLIENTS = 4;
const DOOR = { latitude: '40.744', longitude: '-73.988' };

type Sample = { at: number; ms: number; status: number; path: string };
type Phase = { name: string; from: number };
type Node = { url: string; running: RunningCommand };

function checkOut(folder: string): string {
  const root = join(folder, 'old');
  execFileSync('git', ['worktree', 'add', '--detach', root, ref], { cwd: ROOT, stdio: 'ignore' });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return root;
}

const doorstep = (root: string, args: readonly string[], env: Record<string, string>) =>
  startProgram(
    process.execPath,
    [join(root, 'bin/doorstep'), ...args, '--json'],
    { LOG_LEVEL: 'warn', ...env },
    { timeout: 0 },
  );

async function command(root: string, args: readonly string[], env: Record<string, string>) {
  const { status, stdout, stderr } = await doorstep(root, args, env).finished;
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

async function startNode(root: string, env: Record<string, string>): Promise<Node> {
  const running = doorstep(root, ['serve'], { ...env, PORT: '0', RATE_LIMIT_PER_MINUTE: '0' });
  const [line] = await running.printed(/^\{.*\}$/m);
  return { url: JSON.parse(line).url, running };
}

async function stopNode({ running }: Node): Promise<void> {
  running.child.kill('SIGTERM');
  await running.finished;
}

/** A store, key and card created by the old version, and copies of an order that enlarge the tables. */
async function givenShop(root: string, node: Node, env: Record<string, string>, folder: string) {
  const feed = join(folder, 'feed.ndjson');
  writeFileSync(feed, `${JSON.stringify(pizzeria())}\n`);
  await command(root, ['import', feed], env);
  const { account_id: account } = await command(root, ['accounts', 'create', 'Soak'], env);
  const { key } = await command(root, ['keys', 'create', '--account', account], env);
  const { stores } = await command(root, ['stores', 'list'], env);
  const headers = { 'id-token': key, 'content-type': 'application/json' };
  const post = async (path: string, body: object) =>
    (await fetch(`${node.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  const owner = { user_email: 'u1@example.com', user_id: 'u1' };
  const { payment_method_id: card } = (await post('/payment/create', { payment_method: CARD, ...owner })) as Ids;
  const inventory = `/details/inventory?${new URLSearchParams({ store_id: stores[0].store_id, pickup: 'false' })}`;
  const menu = (await (await fetch(`${node.url}${inventory}`, { headers })).json()) as Menu;
  const product = menu.categories[0]?.menu_item_list.find(({ name }) => name === 'Margherita')?.product_id;
  const order = orderBody(product, card ?? null, { autofill_selected_options: true });
  await post('/order/order/v2', order);
  const client = new pg.Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  await client
    .query(`insert into doorstep.orders
    select copy.* from doorstep.orders o, generate_series(1, ${Number(rows)}) as n,
      jsonb_populate_record(o, jsonb_build_object('order_id', 'copy-' || n, 'order_number', null)) as copy`)
    .finally(() => client.end());
  const search = `/search/store/v3?${new URLSearchParams(DOOR)}`;
  return { headers, order, paths: [search, inventory, '/account/orders?limit=5'] };
}

type Ids = { payment_method_id?: string };
type Menu = { categories: { menu_item_list: { name: string; product_id: string }[] }[] };
type Shop = Awaited<ReturnType<typeof givenShop>>;

/** Buys and reads until `isEnding`, alternating between nodes. */
async function runClient(
  shop: Shop,
  nodes: readonly Node[],
  samples: Sample[],
  isEnding: () => boolean,
): Promise<void> {
  for (let turn = 0; !isEnding(); turn += 1) {
    const order = { method: 'POST', body: JSON.stringify(shop.order) };
    for (const [path, init] of [
      ['/order/order/v2', order] as const,
      ...shop.paths.map((each) => [each, {}] as const),
    ]) {
      const url = nodes[turn % nodes.length]?.url;
      const at = performance.now();
      const reply = await fetch(`${url}${path}`, { ...init, headers: shop.headers }).catch(() => undefined);
      await reply?.arrayBuffer().catch(() => {});
      samples.push({ at, ms: performance.now() - at, status: reply?.status ?? 0, path: path.split('?')[0] ?? '' });
      await pause(5);
    }
  }
}

function report(phases: readonly Phase[], samples: readonly Sample[]): number {
  let faults = 0;
  for (const [at, { name, from }] of phases.entries()) {
    const until = phases[at + 1]?.from ?? Number.POSITIVE_INFINITY;
    const own = samples.filter((sample) => sample.at >= from && sample.at < until);
    const bad = own.filter(({ status }) => status !== 200);
    const ms = own.map((sample) => Math.round(sample.ms)).sort((a, b) => a - b);
    const quantile = (q: number) => ms[Math.min(ms.length - 1, Math.floor(q * ms.length))] ?? 0;
    const seen = { p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99), max: ms.at(-1) ?? 0 };
    const faulty = Object.entries(Object.groupBy(bad, ({ path, status }) => `${path} ${status}`));
    const answers = Object.fromEntries(faulty.map(([what, found = []]) => [what, found.length]));
    process.stdout.write(`${JSON.stringify({ phase: name, requests: own.length, notOk: answers, ms: seen })}\n`);
    faults += bad.length;
  }
  return faults;
}

const folder = mkdtempSync(join(tmpdir(), 'doorstep-soak-'));
const { env, drop } = await givenDatabase();
const root = checkOut(folder);
try {
  const older = await startNode(root, env);
  const shop = await givenShop(root, older, env, folder);
  const nodes = [older];
  const samples: Sample[] = [];
  const phases: Phase[] = [];
  const begin = (name: string) => void phases.push({ name, from: performance.now() });
  let isEnding = false;
  const clients = Array.from({ length: CLIENTS }, () => runClient(shop, nodes, samples, () => isEnding));
  begin('old alone');
  await pause(Number(seconds) * 1000);
  begin('new starts and migrates');
  const newer = await startNode(ROOT, env);
  nodes.push(newer);
  begin('both');
  await pause(Number(seconds) * 1000);
  nodes.splice(nodes.indexOf(older), 1);
  begin('old leaves');
  await pause(200);
  await stopNode(older);
  begin('new alone');
  await pause(Number(seconds) * 1000);
  isEnding = true;
  await Promise.all(clients);
  await stopNode(newer);
  const of = (version: string) => readdirSync(join(version, 'migrations'));
  const applied = of(ROOT).filter((name) => !of(root).includes(name));
  process.stdout.write(`${JSON.stringify({ ref, orders: Number(rows), applied })}\n`);
  process.exitCode = report(phases, samples) > 0 ? 1 : 0;
} finally {
  await drop();
  execFileSync('git', ['worktree', 'remove', '--force', root], { cwd: ROOT });
  rmSync(folder, { recursive: true, force: true });
}
