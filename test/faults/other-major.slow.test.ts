import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { appendFile, chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { openDb, openPool } from '../../src/platform/db/connect.ts';
import { ADMIN, DATABASE, dataDirArgument, INCLUDE_SETTINGS, ROLE } from '../../src/platform/db/embedded/cluster.ts';
import { withExclusiveUse } from '../../src/platform/db/embedded/embedded-postgres.ts';
import { findServerUser, runProgram } from '../../src/platform/db/embedded/programs.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { contentsOf } from '../fill-tables.ts';
import { DOORSTEP, type Finished, startProgram } from '../given/command.ts';
import { givenStore } from '../given/stores.ts';
import { until } from '../until.ts';
import { cleanUp, freshDataDir, open, quiet } from './embedded-postgres-harness.ts';
import { environmentOf, startServiceProcess } from './service-process.ts';

after(cleanUp);

/** Debian's PostgreSQL of an earlier major version, if installed. */
const OLD = ['15', '16', '17'].find((major) => existsSync(`/usr/lib/postgresql/${major}/bin/initdb`));
const BINDIR = `/usr/lib/postgresql/${OLD}/bin`;
const program = (name: string) => join(BINDIR, name);
const programs = {
  postgres: program('postgres'),
  initdb: program('initdb'),
  pgCtl: program('pg_ctl'),
  major: Number(OLD),
};

const start = (dataDir: string, ...args: string[]) =>
  startProgram(process.execPath, [DOORSTEP, ...args], environmentOf({ DATA_DIR: dataDir }));
const doorstep = (dataDir: string, ...args: string[]): Promise<Finished> => start(dataDir, ...args).finished;
const UPGRADE = ['database', 'upgrade', '--old-bindir', BINDIR, '--json'];

/** A DATA_DIR of an older Doorstep with programs of the older major version. */
async function givenOldDataDir(): Promise<string> {
  const dataDir = freshDataDir();
  const cluster = join(dataDir, 'postgres/data');
  await mkdir(cluster, { recursive: true, mode: 0o700 });
  const user = await findServerUser(cluster, quiet);
  // Programs before PostgreSQL 16 leave their working folder and must be able to return to it.
  for (const path of [join(dataDir, 'postgres'), dataDir, dirname(dataDir)]) await chmod(path, 0o711);
  if (user) await chown(cluster, user.uid, user.gid);
  const where = { cwd: cluster, user, timeoutMs: 120_000 };
  const here = dataDirArgument(cluster);
  const options = [
    '--encoding=UTF8',
    '--locale=C',
    '--auth=trust',
    '--no-instructions',
    `--username=${ADMIN}`,
    '-D',
    here,
  ];
  const made = await runProgram(programs.initdb, options, where);
  assert.equal(made.status, 0, made.output);
  const input = `CREATE ROLE ${ROLE} LOGIN CREATEDB\nCREATE DATABASE ${DATABASE} OWNER ${ROLE}\n`;
  const roles = await runProgram(programs.postgres, ['--single', '-D', here, 'postgres'], { ...where, input });
  assert.equal(roles.status, 0, roles.output);
  // As left by versions before the Unix socket.
  await writeFile(join(cluster, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n');
  await appendFile(join(cluster, 'postgresql.conf'), INCLUDE_SETTINGS);
  return dataDir;
}

type Contents = Record<string, string[]>;

/** Every row of the database, read with the old programs; `prepare` may write first. */
async function contentsOfOld(dataDir: string, prepare?: (pool: pg.Pool) => Promise<void>): Promise<Contents> {
  let contents: Contents = {};
  const read = async (connectionString: string) => {
    const pool = openPool({ connectionString, schema: 'doorstep', max: 2 });
    await prepare?.(pool);
    const client = await pool.connect();
    contents = await contentsOf(client, 'doorstep');
    client.release();
    await pool.end();
  };
  await withExclusiveUse({ dataDir, programs, log: quiet }, read, async () => {});
  return contents;
}

async function contentsOfNew(dataDir: string): Promise<Contents> {
  const database = await open(dataDir);
  const client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();
  const contents = await contentsOf(client, 'doorstep');
  await client.end();
  await database.close();
  return contents;
}

const skip = OLD ? false : 'no PostgreSQL 15, 16 or 17 of Debian is on this machine';

test('a DATA_DIR of another major version is refused until it is upgraded, and keeps every row', {
  skip,
}, async (t) => {
  const dataDir = await givenOldDataDir();
  const original = await contentsOfOld(dataDir, async (pool) => {
    await migrate(pool, 'doorstep');
    await givenStore(openDb(pool));
    await pool.query(`insert into settings values ('token_secret', 'the secret of before')`);
  });
  assert.ok((original.stores?.length ?? 0) === 1);

  await t.test('a start says what to do', async () => {
    const refused = await doorstep(dataDir, 'serve');
    assert.equal(refused.status, 1);
    assert.match(
      refused.stderr,
      /was made by PostgreSQL \d+ and this Doorstep carries PostgreSQL \d+: run `doorstep database upgrade --old-bindir DIR`/,
    );
  });
  await t.test('an upgrade with the programs of a wrong version is refused', async () => {
    const refused = await doorstep(dataDir, 'database', 'upgrade', '--old-bindir', '/nowhere');
    assert.deepEqual([refused.status, refused.stdout], [1, '']);
    assert.match(
      refused.stderr,
      /^DATA_DIR .* was made by PostgreSQL \d+, and \/nowhere has no PostgreSQL that runs: /,
    );
  });
  await t.test('an upgrade that is killed leaves the old database as it was', async () => {
    const { child, finished } = start(dataDir, ...UPGRADE);
    await until('the dump is written', () => existsSync(join(dataDir, 'upgrade/backup/manifest.json')));
    child.kill('SIGKILL');
    await finished;
    assert.deepEqual(await contentsOfOld(dataDir), original);
  });
  await t.test('the upgrade moves every row, and keeps the old files', async () => {
    const { status, stdout, stderr } = await doorstep(dataDir, ...UPGRADE);
    assert.equal(status, 0, stderr);
    const { from, kept } = JSON.parse(stdout);
    assert.deepEqual([from, kept], [OLD, join(dataDir, `postgres-${OLD}`)]);
    assert.deepEqual(readdirSync(dataDir).sort(), ['postgres', `postgres-${OLD}`]);
    assert.deepEqual(await contentsOfNew(dataDir), original);
    const service = await startServiceProcess(dataDir);
    await until('ready', async () => (await fetch(`${service.url}/readyz`)).status === 200);
    await service.stop();
  });
  await t.test(
    'an upgrade that ended between its two renames is refused by a start, and finished by the next',
    async () => {
      mkdirSync(join(dataDir, 'upgrade'));
      renameSync(join(dataDir, 'postgres'), join(dataDir, 'upgrade/postgres'));
      const marker = { from: OLD, kept: join(dataDir, `postgres-${OLD}`), rows: 1 };
      writeFileSync(join(dataDir, 'upgrade/complete'), JSON.stringify(marker));
      const refused = await doorstep(dataDir, 'serve');
      assert.match(
        refused.stderr,
        /An upgrade of DATA_DIR .* was interrupted at its end: run `doorstep database upgrade` again\./,
      );
      assert.equal((await doorstep(dataDir, ...UPGRADE)).status, 0);
      const service = await startServiceProcess(dataDir);
      assert.deepEqual(await contentsOfNew(dataDir), original);
      await service.stop();
    },
  );
});
