// covers: src/platform/db/connection-options.ts, docs/database.md
import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPool } from '../../src/platform/db/connect.ts';
import { freePort, givenDatabase, isInstalled, runCommand, startCommand, startProgram } from '../given/command.ts';
import { givenFolder } from '../given/folder.ts';
import { SCHEMA } from '../test-database.ts';
import { until } from '../until.ts';

const folder = givenFolder('doorstep-pgbouncer');

/** The lines of `pgbouncer.ini` that docs/database.md names. */
function documentedLines(): string {
  const page = readFileSync(join(import.meta.dirname, '../../docs/database.md'), 'utf8');
  return /^## PgBouncer$.*?^```\n(.*?)^```$/ms.exec(page)?.[1] ?? '';
}

/** The real PgBouncer in front of a database. */
async function givenPgBouncer(databaseUrl: string, stack: AsyncDisposableStack): Promise<string> {
  const { hostname, port: serverPort, username, password, pathname, searchParams } = new URL(databaseUrl);
  const target = `host=${searchParams.get('host') ?? hostname} port=${serverPort || 5432} dbname=${pathname.slice(1)}`;
  const role = `user=${decodeURIComponent(username)}${password && ` password=${decodeURIComponent(password)}`}`;
  const port = await freePort();
  writeFileSync(join(folder, 'users'), '"shop" "hunter2"\n');
  const own = [`listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_file = ${folder}/users\n`];
  // PgBouncer refuses to run as root.
  if (process.getuid?.() === 0) own.push('user = nobody\n');
  chmodSync(folder, 0o755);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, `[databases]\nshop = ${target} ${role}\n[pgbouncer]\n${own.join('')}${documentedLines()}`);
  const { child, finished } = startProgram('pgbouncer', [file], {}, { timeout: 0 });
  stack.defer(async () => {
    // Its gentler signals wait for clients, and differ between versions.
    child.kill('SIGKILL');
    await finished;
  });
  const url = `postgres://shop:hunter2@127.0.0.1:${port}/shop`;
  const pool = openPool({ connectionString: url, max: 1 });
  stack.defer(() => pool.end());
  const isUp = () => pool.query('select').then(Boolean, () => false);
  await until('PgBouncer answers', async () => child.exitCode !== null || isUp());
  assert.equal(child.exitCode, null, JSON.stringify(child.exitCode === null || (await finished)));
  return url;
}

test('behind PgBouncer in session mode as documented, migrate, backup, check and serve work and settings hold', async (t) => {
  if (!isInstalled('pgbouncer')) return t.skip('pgbouncer is not installed');
  await using stack = new AsyncDisposableStack();
  const database = await givenDatabase();
  stack.defer(() => database.drop());
  const connectionString = await givenPgBouncer(database.env.DATABASE_URL ?? '', stack);
  const env = { ...database.env, DATABASE_URL: connectionString };
  for (const command of [['migrate'], ['check'], ['backup', join(folder, 'backup')]]) {
    const { status, stdout, stderr } = await runCommand(command, env);
    assert.deepEqual([status, stderr], [0, ''], stdout);
  }
  const node = startCommand(['serve'], { ...env, PORT: '0', LOG_LEVEL: 'info' });
  stack.defer(async () => {
    node.child.kill('SIGTERM');
    await node.finished;
  });
  const [, url] = await node.printed(/Doorstep is ready at (\S+)/);
  await until('the node is ready', async () => (await fetch(`${url}/readyz`)).status === 200);

  // The second session gets the server connection of the first, which has been reset.
  for (const statementMs of [1234, 4321]) {
    const pool = openPool({ connectionString, schema: SCHEMA, statementMs, max: 1 });
    const { rows } = await pool.query(
      `select current_setting('search_path') as path, current_setting('statement_timeout') as ms`,
    );
    await pool.end();
    assert.deepEqual(rows, [{ path: SCHEMA, ms: `${statementMs}ms` }]);
  }
});
