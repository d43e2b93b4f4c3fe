import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { givenProxied } from '../../../test/given/tcp-proxy.ts';
import { givenOwnApp } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';

const LIMIT = 4;
const app = await givenOwnApp({ env: { RATE_LIMIT_PER_MINUTE: String(LIMIT) } });
after(() => app.close());

async function scrape(remoteAddress: string, headers: Record<string, string> = {}) {
  const { statusCode, body } = await app.service.http.inject({ url: '/metrics', remoteAddress, headers });
  return { status: statusCode, body };
}

test('numbers of /metrics that cannot be read are logged, and work again with the database', async (t) => {
  const lines: string[] = [];
  const other = await givenOwnApp({ env: { LOG_LEVEL: 'warn' }, onLogLine: (line) => lines.push(line) });
  t.after(() => other.close());
  const isUp = async () =>
    (await other.service.http.inject('/metrics')).body.match(/^doorstep_database_up.* (\d)$/m)?.[1];
  await sql`alter table budget_use rename to gone`.execute(other.service.deps.db);
  assert.equal(await isUp(), '0');
  const findLogged = () =>
    lines.map((line) => JSON.parse(line)).find(({ msg }) => msg.startsWith('the numbers of /metrics'));
  // A scrape answers before a slow reading ends.
  await until('the failed reading is logged', () => findLogged() !== undefined);
  const logged = findLogged();
  assert.equal(logged?.failures, 1);
  assert.match(JSON.stringify(logged), /budget_use/);
  await sql`alter table gone rename to budget_use`.execute(other.service.deps.db);
  await other.advance({ seconds: 6 });
  await until('the database is up again', async () => (await isUp()) === '1');
});

test('probes are logged at debug, also while the node is not ready', async (t) => {
  const lines: string[] = [];
  const other = await givenOwnApp({ env: { LOG_LEVEL: 'debug' }, onLogLine: (line) => lines.push(line) });
  t.after(() => other.close());
  await sql`alter table stores rename to gone`.execute(other.service.deps.db);
  const { http } = await other.givenNode('api');
  const statuses = [];
  for (const url of ['/healthz', '/readyz', '/no/such']) statuses.push((await http.inject(url)).statusCode);
  assert.deepEqual(statuses, [200, 503, 404]);
  const answered = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered');
  const { debug, info } = other.service.deps.log.levels.values;
  assert.deepEqual(
    answered.map(({ level, status }) => [level, status]),
    [
      [debug, 200],
      [debug, 503],
      [info, 404],
    ],
  );
});

test('metrics answer programs of this machine, and no other client, whatever lies between', async () => {
  for (const local of ['127.0.0.1', '127.8.0.1', '::1', '::ffff:127.0.0.1']) {
    const { status, body } = await scrape(local);
    assert.equal(status, 200, local);
    assert.match(body, /^doorstep_database_up/m);
  }
  for (const host of ['LOCALHOST', '127.0.0.1:8080', '[::1]:8080']) {
    assert.equal((await scrape('127.0.0.1', { host })).status, 200, host);
  }
  const forwarded: [string, Record<string, string>][] = [
    ['127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }],
    ['127.0.0.1', { forwarded: 'for=127.0.0.1' }],
    ['127.0.0.2', { 'x-real-ip': '127.0.0.1' }],
    ['127.0.0.3', { 'x-forwarded-proto': 'https' }],
    ['127.0.0.4', { via: '1.1 proxy' }],
    ['127.0.0.5', { host: 'api.example' }],
    ['127.0.0.6', { host: 'localhost.example:8080' }],
    ['9.9.9.9', { 'id-token': app.key }],
    ['10.1.2.3', {}],
    ['fd00::1', {}],
  ];
  for (const [address, headers] of forwarded) {
    const { status, body } = await scrape(address, headers);
    const { code, detail } = JSON.parse(body);
    assert.deepEqual([status, code], [404, 'route_not_found'], address);
    assert.match(detail, /METRICS_PORT/);
  }
});

test('anyone who is refused the metrics is counted, and programs of this machine are not', async () => {
  for (const stranger of ['9.9.9.1', '192.168.1.1']) {
    const statuses: number[] = [];
    for (let nth = 0; nth <= LIMIT; nth += 1) statuses.push((await scrape(stranger)).status);
    assert.deepEqual(statuses, [404, 404, 404, 404, 429]);
  }
  for (let nth = 0; nth <= 2 * LIMIT; nth += 1) assert.equal((await scrape('127.0.0.1')).status, 200);
});

test('requests of one moment share one rendering', async () => {
  let renderings = 0;
  app.service.deps.metrics.gauge('test_renderings', 'Counts the renderings.', () => {
    renderings += 1;
    return renderings;
  });
  const scrapes = await Promise.all(Array.from({ length: 40 }, () => scrape('127.0.0.1')));
  assert.deepEqual([...new Set(scrapes.map(({ status }) => status))], [200]);
  assert.ok(renderings <= 1, `${renderings} renderings`);
});

test('at /readyz/node a node without its database is ready, and a loading or stopping node isn’t', async (t) => {
  const { proxy, connectionString } = await givenProxied(app.connectionString);
  const other = await givenOwnApp({ connectionString });
  t.after(() => other.close().then(() => proxy.close()));
  const statusOf = async (path: string) => (await other.service.http.inject(path)).statusCode;
  assert.deepEqual([await statusOf('/readyz'), await statusOf('/readyz/node')], [200, 200]);
  proxy.cut();
  await until('the database is away', async () => (await statusOf('/readyz')) === 503);
  assert.equal(await statusOf('/readyz/node'), 200);
  proxy.resume();
  await until('the database is back', async () => (await statusOf('/readyz')) === 200);
  await sql`alter table stores rename to gone`.execute(app.service.deps.db);
  const loading = await other.givenNode('api');
  assert.equal((await loading.http.inject('/readyz/node')).statusCode, 503);
  await sql`alter table gone rename to stores`.execute(app.service.deps.db);
  other.service.drain();
  assert.equal(await statusOf('/readyz/node'), 503);
});

for (const step of ['drain', 'close'] as const) {
  test(`a node serves a request on an open connection after ${step}(), and closes it`, async (t) => {
    const node = await app.givenNode('api');
    t.after(() => node.close());
    const socket = connect(Number(new URL(await node.listen()).port), '127.0.0.1').setEncoding('utf8');
    const head = 'GET /healthz HTTP/1.1\r\nhost: node\r\n';
    socket.write(`${head}\r\n${head}`);
    assert.match(String(await once(socket, 'data')), /connection: keep-alive/i);
    const stopping = node[step]();
    socket.write('\r\n');
    assert.match((await socket.toArray()).join(''), /^HTTP\/1.1 200 OK\r\n[\s\S]*connection: close/i);
    await stopping;
  });
}
