import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { pizzeria } from '../feed-lines.ts';
import { freePort } from '../given/command.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../given/orders.ts';
import { givenStores } from '../given/stores.ts';
import { givenOwnApp } from '../harness.ts';

/**
 * Loses a PostgreSQL with its disk and restores it to a chosen second with pgBackRest, by the settings of
 * docs/recovery.md. Needs Debian's `postgresql` and `pgbackrest`, and root. `npm run soak -- recovery --orders 40`.
 */
const MAJOR = '15';
const BIN = `/usr/lib/postgresql/${MAJOR}/bin`;
const STANZA = 'doorstep';
const orders = Number(/--orders[= ](\d+)/.exec(process.argv.join(' '))?.[1] ?? 40);

const missing = ['/usr/bin/pgbackrest', `${BIN}/postgres`].filter((program) => !existsSync(program));
if (missing.length > 0) {
  process.stdout.write(`skipped: ${missing.join(' and ')} is not installed.\n`);
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), 'doorstep-recovery-'));
const [data, repository, log, sockets] = ['data', 'repository', 'log', 'sockets'].map((name) => join(folder, name)) as [
  ...[string, string, string, string],
];
const port = await freePort();
const settings = join(folder, 'pgbackrest.conf');

/** Runs a program as the user `postgres`. */
function run(program: string, ...args: string[]): string {
  return execFileSync('runuser', ['-u', 'postgres', '--', program, ...args], { encoding: 'utf8', cwd: folder });
}
const backrest = (...args: string[]) => run('pgbackrest', `--config=${settings}`, `--stanza=${STANZA}`, ...args);
const control = (...args: string[]) => run(`${BIN}/pg_ctl`, '--pgdata', data, '--silent', '--wait', ...args);
const say = (line: string) => process.stdout.write(`${line}\n`);
const url = `postgres://postgres@127.0.0.1:${port}/postgres`;

async function ask<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

async function isRecovering(): Promise<boolean> {
  const rows = await ask<{ recovering: boolean }>('select pg_is_in_recovery() as recovering').catch(() => []);
  return rows[0]?.recovering ?? true;
}

try {
  for (const path of [folder, repository, log, sockets]) mkdirSync(path, { recursive: true });
  execFileSync('chown', ['-R', 'postgres:postgres', folder]);
  chmodSync(folder, 0o755);
  run(`${BIN}/initdb`, '--pgdata', data, '--auth=trust', '--encoding=UTF8', '--locale=C', '--data-checksums');
  writeFileSync(
    settings,
    `[global]\nrepo1-path=${repository}\nrepo1-retention-full=2\nlog-path=${log}\nlog-level-console=warn\nstart-fast=y\narchive-async=n\n` +
      `[${STANZA}]\npg1-path=${data}\npg1-port=${port}\npg1-socket-path=${sockets}\n`,
  );
  writeFileSync(
    join(data, 'postgresql.auto.conf'),
    `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${sockets}'\narchive_mode = on\n` +
      `archive_command = 'pgbackrest --config=${settings} --stanza=${STANZA} archive-push %p'\narchive_timeout = 60\n`,
  );
  control('--log', join(log, 'postgres.log'), 'start');
  backrest('stanza-create');

  const app = await givenOwnApp({ connectionString: url });
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  const { Soda } = await productTokens(app, storeId);
  const card = await givenPaymentMethod(app);
  const placed: string[] = [];
  const place = async () => {
    const body = orderBody(Soda, card, { items: [{ product_id: Soda, quantity: 4 }] });
    const reply = await app.post('/order/order/v2', body);
    assert.equal(reply.status, 200, reply.text);
    placed.push(reply.body.order_id);
  };
  for (let n = 0; n < orders / 2; n += 1) await place();
  backrest('backup', '--type=full');
  for (let n = 0; n < orders / 2; n += 1) await place();
  const before = [...placed];
  await pause(1500);
  const [moment] = await ask<{ now: string }>(`select date_trunc('second', clock_timestamp())::text as now`);
  assert.ok(moment);
  await pause(1500);
  for (let n = 0; n < orders / 2; n += 1) await place();
  await ask('select pg_switch_wal()');
  // What is archived is kept: the check waits until the last segment is.
  backrest('check');
  await app.close();
  say(`${placed.length} orders; restoring to ${moment.now}, before the last ${placed.length - before.length} of them`);

  control('--mode=immediate', 'stop');
  rmSync(data, { recursive: true });
  mkdirSync(data, { mode: 0o700 });
  execFileSync('chown', ['postgres:postgres', data]);
  const lostAt = performance.now();
  backrest('restore', '--type=time', `--target=${moment.now}`, '--target-action=promote');
  control('--log', join(log, 'postgres.log'), 'start');
  while (await isRecovering()) await pause(100);
  const seconds = (performance.now() - lostAt) / 1000;
  const rows = await ask<{ orderId: string }>(`select order_id as "orderId" from doorstep.orders`);
  assert.deepEqual(rows.map(({ orderId }) => orderId).sort(), before.sort());
  say(`all ${before.length} orders of that second are there and no later one; it took ${seconds.toFixed(1)} s`);
} finally {
  if (existsSync(join(data, 'postmaster.pid')))
    spawnSync('runuser', ['-u', 'postgres', '--', `${BIN}/pg_ctl`, '--pgdata', data, '--mode=immediate', 'stop']);
  rmSync(folder, { recursive: true, force: true });
}
