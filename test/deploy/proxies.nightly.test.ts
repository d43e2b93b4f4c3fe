// covers: deploy/proxies/*, src/app/wiring/database-probe.ts
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isInstalled } from '../given/command.ts';
import { givenProxied, type TcpProxy } from '../given/tcp-proxy.ts';
import { runs } from '../runs.ts';
import { until } from '../until.ts';
import { type BehindProxy, givenBehindProxy, PROXIES, restartUnderOrders } from './restart-under-orders.ts';

const ORDERS = runs(2000);
/** Longer than a proxy's checks and Caddy's tries take together. */
const OUTAGE_MS = 15_000;

for (const proxy of PROXIES) {
  test(`a rolling restart of two nodes behind ${proxy} fails no order beside two busy loops`, async (t) => {
    if (!isInstalled(proxy)) return t.skip(`${proxy} is not installed`);
    const { placed, failures, restarts, slowestMs, perSecond } = await restartUnderOrders(proxy, ORDERS);
    t.diagnostic(`${placed} orders at ${perSecond} a second, ${restarts} restarts, the slowest order ${slowestMs} ms`);
    assert.deepEqual([placed, failures], [ORDERS, []]);
    assert.ok(restarts >= 2);
  });

  test(`behind ${proxy}, with the database away searches and documents go on and orders are not_ready; without a node too`, async (t) => {
    if (!isInstalled(proxy)) return t.skip(`${proxy} is not installed`);
    let database: TcpProxy | undefined;
    const behind = await givenBehindProxy(proxy, async (direct) => {
      const proxied = await givenProxied(direct);
      database = proxied.proxy;
      return proxied.connectionString;
    });
    t.after(async () => {
      await behind.close();
      await database?.close();
    });
    let orders = 0;
    const place = () => {
      orders += 1;
      return behind.place(orders);
    };
    // Each node has seen the key.
    for (let nth = 0; nth < 6; nth += 1) assert.deepEqual([await search(behind), (await place()).status], [200, 200]);
    database?.cut();
    const endMs = performance.now() + OUTAGE_MS;
    let slowestMs = 0;
    while (performance.now() < endMs) {
      const at = performance.now();
      assertNotReady(await place());
      assert.equal(await search(behind), 200);
      assert.equal((await fetch(`${behind.url}/docs/`)).status, 200);
      slowestMs = Math.max(slowestMs, performance.now() - at);
      await pause(100);
    }
    t.diagnostic(`${orders} orders; the slowest round of three requests ${Math.round(slowestMs)} ms`);
    database?.resume();
    await until('orders are placed again', async () => (await place()).status === 200);
    for (const node of behind.nodes) node.child.kill('SIGKILL');
    await Promise.all(behind.nodes.map((node) => node.finished));
    assertNotReady(await place());
  });

  test(`${proxy} sends orders to every node while none passes its checks, also when one of them is down`, async (t) => {
    if (!isInstalled(proxy)) return t.skip(`${proxy} is not installed`);
    const behind = await givenBehindProxy(proxy, undefined, { checks: 'failing' });
    t.after(() => behind.close());
    for (let nth = 0; nth < 4; nth += 1) assert.equal((await behind.place(nth)).status, 200);
    behind.nodes[0]?.child.kill('SIGKILL');
    await behind.nodes[0]?.finished;
    let nth = 4;
    // Caddy notices within a second.
    await until('the other node gets all orders', async () => (await behind.place(nth++)).status === 200);
    for (const end = nth + 4; nth < end; nth += 1) assert.equal((await behind.place(nth)).status, 200);
    behind.nodes[1]?.child.kill('SIGKILL');
    await behind.nodes[1]?.finished;
    assertNotReady(await behind.place(nth));
  });

  test(`${proxy} sends nothing to a node that is frozen, and to it again once it runs`, async (t) => {
    if (!isInstalled(proxy)) return t.skip(`${proxy} is not installed`);
    const behind = await givenBehindProxy(proxy);
    t.after(() => behind.close());
    const isAnswered = () =>
      fetch(`${behind.url}/healthz`, { signal: AbortSignal.timeout(500) }).then(
        ({ status }) => status === 200,
        () => false,
      );
    behind.nodes[0]?.child.kill('SIGSTOP');
    const atMs = performance.now();
    const areAnswered = async () => (await Promise.all(Array.from({ length: 8 }, isAnswered))).every(Boolean);
    await until('only the other node is chosen', areAnswered);
    t.diagnostic(`noticed after ${Math.round(performance.now() - atMs)} ms`);
    behind.nodes[0]?.child.kill('SIGCONT');
    behind.nodes[1]?.child.kill('SIGSTOP');
    await until('the first is chosen again, and the second no longer', areAnswered);
  });
}

test('HAProxy answers at its stats socket: both nodes are up in both backends with checks', async (t) => {
  if (!isInstalled('haproxy')) return t.skip('haproxy is not installed');
  const behind = await givenBehindProxy('haproxy');
  t.after(() => behind.close());
  const socket = connect(join(behind.folder, 'admin.sock'));
  socket.write('show stat\n');
  const lines = Buffer.concat(await socket.toArray())
    .toString()
    .split('\n');
  const columns = lines[0]?.split(',') ?? [];
  const servers = lines.filter((line) => /,api-\d,/.test(line)).map((line) => line.split(','));
  assert.deepEqual(
    servers.map(([backend, name, ...rest]) => `${backend} ${name} ${rest[columns.indexOf('status') - 2]}`),
    [
      ...['nodes api-1 UP', 'nodes api-2 UP', 'without-database api-1 UP', 'without-database api-2 UP'],
      ...['every-node api-1 no check', 'every-node api-2 no check'],
    ],
  );
});

async function search({ url, key }: BehindProxy): Promise<number> {
  const reply = await fetch(`${url}/search/store/v3?latitude=40.74&longitude=-73.99`, { headers: { 'id-token': key } });
  await reply.arrayBuffer();
  return reply.status;
}

function assertNotReady({ status, headers, text }: { status: number; headers: Headers; text: string }): void {
  assert.equal(status, 503, text);
  assert.match(String(headers.get('content-type')), /^application\/problem\+json/);
  assert.equal(JSON.parse(text).code, 'not_ready');
  assert.equal(headers.get('cache-control'), 'private, no-store');
  assert.match(String(headers.get('retry-after')), /^\d+$/);
}
