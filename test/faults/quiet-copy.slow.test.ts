import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { readSettings } from '../../src/app/wiring/read-settings.ts';
import { type Service, startService } from '../../src/app/wiring/service.ts';
import { workersOf } from '../../src/app/wiring/workers.ts';
import { setStoreCourier } from '../../src/fulfillment/deliveries/couriers/courier-deliveries.db.ts';
import { takeStep } from '../../src/ordering/money/take-step.flow.ts';
import { writeBackup } from '../../src/platform/db/backup/write-backup.ts';
import { systemClock } from '../../src/platform/lib/clock.ts';
import { createLog } from '../../src/platform/lib/log.ts';
import { startStripeDouble } from '../fakes/stripe-double.ts';
import { startTcpPrinter } from '../fakes/tcp-printer.ts';
import { startUberDouble } from '../fakes/uber-direct-double.ts';
import { pizzeria } from '../feed-lines.ts';
import { runCommand, runJson } from '../given/command.ts';
import { givenChannel, givenOperator } from '../given/merchant.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../given/orders.ts';
import { givenReceiver } from '../given/receiver.ts';
import { givenSmtp } from '../given/smtp.ts';
import { givenStores } from '../given/stores.ts';
import { clientOf, givenOwnApp } from '../harness.ts';
import { createTestDatabase, SCHEMA } from '../test-database.ts';
import { until } from '../until.ts';

/** Everything outside that a service acts on. */
async function givenWorld(t: TestContext) {
  const [smtp, receiver, printer] = [await givenSmtp(), await givenReceiver(), await startTcpPrinter()];
  const [stripe, uber] = [await startStripeDouble(undefined), await startUberDouble(undefined)];
  const texts: string[] = [];
  t.after(async () => {
    for (const { close } of [smtp, receiver, printer, stripe, uber]) await close();
  });
  return {
    printer,
    receiver,
    env: {
      SMTP_URL: smtp.url,
      STRIPE_SECRET_KEY: 'sk_live_secret',
      UBER_DIRECT_CLIENT_ID: 'client',
      UBER_DIRECT_CLIENT_SECRET: uber.clientSecret,
      UBER_DIRECT_WEBHOOK_SECRET: uber.webhookSecret,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_PER_MINUTE: '0',
      PORT: '0',
    },
    urls: {
      partyUrls: {
        stripe: { baseUrl: stripe.baseUrl },
        uber_direct: { baseUrl: uber.baseUrl, tokenUrl: uber.tokenUrl },
      },
    },
    smsSender: { sendText: async ({ to }: { to: string }) => void texts.push(to) },
    /** How often each party was reached since the world began, or was reset. */
    reached: () => ({
      mail: smtp.received.length,
      SMS: texts.length,
      'webhook of the account': receiver.calls.filter(({ path }) => path === '/account').length,
      'webhook of the store': receiver.calls.filter(({ path }) => path === '/store').length,
      printer: printer.connections(),
      courier: uber.requests.length,
      refund: stripe.requests.filter(({ method, path }) => method === 'POST' && path.includes('refund')).length,
    }),
  };
}
type World = Awaited<ReturnType<typeof givenWorld>>;

const NOTHING = {
  mail: 0,
  SMS: 0,
  'webhook of the account': 0,
  'webhook of the store': 0,
  printer: 0,
  courier: 0,
  refund: 0,
};

async function startNode(world: World, connectionString: string, env: Record<string, string> = {}) {
  const lines: string[] = [];
  const service = await startService({
    config: { ...readSettings({ ...world.env, ...env }), searchSnapshotDir: null },
    connectionString,
    log: createLog('warn', { write: (line: string) => void lines.push(line) }),
    clock: systemClock,
    ...world.urls,
  });
  service.deps.messaging.smsSender = world.smsSender;
  return { service, lines };
}

const everythingArrived = (world: World) =>
  until(
    () => `everything has arrived: ${JSON.stringify(world.reached())}`,
    () => Object.values(world.reached()).every((times) => times > 0),
  );

/** Waiting work of every kind, written by a service that never got to it. */
async function givenWaitingWork(t: TestContext, world: World) {
  const app = await givenOwnApp({ env: world.env, start: Temporal.Now.instant().toString(), ...world.urls });
  const { db, jobs } = app.service.deps;
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  await givenChannel(app, storeId, {
    operator: true,
    webhook: `${world.receiver.url}/store`,
    printer: world.printer.target,
    email: 'store@example.com',
  });
  await setStoreCourier(db, storeId, 'uber_direct', app.now());
  const client = await app.givenClient('live');
  const { cookie } = await givenOperator(app);
  await client.post('/account/tracking/add_webhook', { endpoint: `${world.receiver.url}/account` });
  const token = (await productTokens(client, storeId)).Margherita;
  const place = async (): Promise<string> => {
    const body = orderBody(token, await givenPaymentMethod(client), { autofill_selected_options: true });
    const reply = await client.post('/order/order/v2', body);
    assert.equal(reply.status, 200, reply.text);
    return reply.body.order_id;
  };
  const [orderId, canceled] = [await place(), await place()];
  await takeStep(app.service.deps, orderId, { event: 'confirm' });
  await takeStep(app.service.deps, canceled, { event: 'cancel' });
  const kinds = workersOf(app.service.deps).map(({ kind }) => kind.name);
  const ids = { orderId, storeId, accountId: client.accountId, mode: 'live', at: app.now().toString() };
  // Later than the clock of this service, which stands still.
  const startAfter = app.now().add({ seconds: 3 });
  for (const name of kinds) await jobs.enqueue(db, { name }, ids, { startAfter });
  assert.deepEqual(world.reached(), NOTHING);
  t.after(() => app.close());
  return { app, client, cookie, kinds, orderId };
}

/** Kinds of jobs that no one has begun. */
async function untouchedJobs(client: pg.Client, kinds: readonly string[]): Promise<string[]> {
  const { rows } = await client.query(`select kind from ${SCHEMA}.jobs where not repeats and attempts = 0`);
  return kinds.filter((kind) => rows.some((row) => row.kind === kind));
}

/** Answers of every described operation that is no read, by their code. */
async function codesOfChanges({ http }: Service): Promise<Record<string, string[]>> {
  const { paths } = http.swagger() as unknown as { paths: Record<string, Record<string, { operationId: string }>> };
  const found = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter((method) => !['get', 'head', 'parameters'].includes(method))
      .map((method) => ({ method: method.toUpperCase() as 'POST', url: path.replaceAll(/\{\w+\}/g, 'x') })),
  );
  const codes: Record<string, string[]> = {};
  for (const request of found) {
    const reply = await http.inject({ ...request, headers: { accept: 'application/json' } });
    const code = reply.statusCode === 503 ? reply.json().code : String(reply.statusCode);
    codes[code] = [...(codes[code] ?? []), request.url];
  }
  return codes;
}

test('a restored copy sends, calls, charges and refunds nothing and answers reads, until it is released', async (t) => {
  const [world, copiedWorld] = [await givenWorld(t), await givenWorld(t)];
  const { app, client, cookie, kinds, orderId } = await givenWaitingWork(t, world);
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-quiet-'));
  const copy = await createTestDatabase('');
  const { connectionString } = copy;
  const sql = new pg.Client({ connectionString });
  const running = new Set<Service>();
  t.after(async () => {
    for (const service of running) await service.close();
    await sql.end();
    await copy.drop();
    rmSync(folder, { recursive: true });
  });
  await writeBackup({ connectionString: app.connectionString, schema: SCHEMA, directory: join(folder, 'b') });
  const env = { DATABASE_URL: connectionString };
  const restored = await runCommand(['restore', join(folder, 'b')], env);
  assert.match(restored.stdout, /The database is quiet: .* `doorstep database release`\.\n$/, restored.stderr);
  await sql.connect();
  const { receiver, printer } = copiedWorld;
  await sql.query(`update ${SCHEMA}.webhook_endpoints set url = $1`, [`${receiver.url}/account`]);
  await sql.query(
    `update ${SCHEMA}.store_channels set target = case channel when 'webhook' then $1 when 'printer' then $2 else target end`,
    [`${receiver.url}/store`, printer.target],
  );

  // The copy begins first, so it has had the time when the original sends everything.
  const { service: quiet, lines } = await startNode(copiedWorld, connectionString);
  running.add(quiet);
  const sentence =
    /^The database was restored from a backup at \d{4}-.*Z: nothing is sent, .* `doorstep database release`\.$/;
  await t.test('it says so at start, in health, in metrics and on the operator’s page', async () => {
    assert.ok(lines.some((line) => sentence.test(JSON.parse(line).msg)));
    const reply = await quiet.http.inject({ url: '/operator/health', headers: { cookie } });
    assert.match(reply.json().quiet, sentence);
    const page = await quiet.http.inject({ url: '/console/operator', headers: { cookie } });
    assert.match(page.body, /<p class="fault" role="alert">The database was restored from a backup/);
    await until('the metrics say so', async () =>
      /doorstep_condition\{condition="quiet"\} 1/.test((await quiet.http.inject('/metrics')).body),
    );
  });
  const { service: original } = await startNode(world, app.connectionString);
  running.add(original);
  await everythingArrived(world);
  await until('the original has begun every kind of job', async () => {
    const other = new pg.Client({ connectionString: app.connectionString });
    await other.connect();
    return untouchedJobs(other, kinds)
      .then((untouched) => untouched.length === 0)
      .finally(() => other.end());
  });
  await original.close();
  running.delete(original);

  await t.test('nothing has left, and no job has begun', async () => {
    assert.deepEqual(copiedWorld.reached(), NOTHING);
    assert.deepEqual(await untouchedJobs(sql, kinds), kinds);
    const { rows } = await sql.query(
      `select count(*)::int as waiting from ${SCHEMA}.order_events where not dispatched`,
    );
    assert.ok(rows[0].waiting > 0);
  });
  await t.test('reads are answered, and every change is refused', async () => {
    const reader = clientOf(quiet, client.accountId, client.key);
    const ready = await reader.get('/readyz');
    assert.deepEqual([ready.status, ready.body.status], [200, 'ready']);
    assert.match(ready.body.quiet, sentence);
    const { body } = await reader.get('/account/orders');
    assert.ok(body.orders.some(({ order_id }: { order_id: string }) => order_id === orderId));
    const codes = await codesOfChanges(quiet);
    assert.deepEqual(Object.keys(codes), ['not_ready']);
    assert.ok((codes.not_ready ?? []).length > 60);
  });
  await t.test('whatever would reach out, each operation of a party that acts is closed', async () => {
    const { gateways, messaging, couriers, publicHttp, printing } = quiet.deps;
    const refund = { chargeId: 'pi_1', amountCents: 1, key: 'k' };
    const acts: (() => Promise<unknown> | undefined)[] = [
      () => gateways.live?.refund(refund),
      () => gateways.live?.charge({ cardToken: 'x', amountCents: 1, currency: 'usd', key: 'k', orderId: 'o' }),
      () => messaging.mailer?.sendMail({} as never),
      () => couriers.get('uber_direct')?.create({} as never, null),
      () => publicHttp.post(`${receiver.url}/account`, { headers: {}, body: '' }),
      () => printing.printers.get('escpos')?.print({} as never, AbortSignal.timeout(1000)),
    ];
    for (const act of acts) await assert.rejects(async () => act(), { name: 'OutsideError', message: sentence });
    assert.deepEqual(copiedWorld.reached(), NOTHING);
  });
  await t.test('a command that refunds is refused', async () => {
    const refused = await runCommand(['orders', 'refund', orderId, '--amount', '100', '--reason', 'cold'], env);
    assert.deepEqual([refused.status, sentence.test(refused.stderr.trim())], [1, true], refused.stderr);
  });
  await quiet.close();
  running.delete(quiet);

  await t.test('once released, a node with OUTSIDE=off is quiet still', async () => {
    assert.deepEqual(await runJson(['database', 'release'], env), { status: 0, body: { released: true } });
    assert.deepEqual(await runJson(['database', 'release'], env), { status: 0, body: { released: false } });
    const { service } = await startNode(copiedWorld, connectionString, { OUTSIDE: 'off' });
    assert.match(service.deps.quietBecause ?? '', /^OUTSIDE is off: nothing is sent/);
    assert.equal((await clientOf(service, '', client.key).post('/order/order/v2', {})).status, 503);
    await service.close();
    assert.deepEqual([copiedWorld.reached(), await untouchedJobs(sql, kinds)], [NOTHING, kinds]);
  });
  await t.test('a released database sends all that waited', async () => {
    const { service } = await startNode(copiedWorld, connectionString);
    running.add(service);
    assert.equal(service.deps.quietBecause, undefined);
    await everythingArrived(copiedWorld);
  });
});
