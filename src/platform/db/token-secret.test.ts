import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { givenApp } from '../../../test/harness.ts';
import { givenDatabase } from '../../../test/test-database.ts';
import { until } from '../../../test/until.ts';
import type { Sql } from './connect.ts';
import { readTokenSecrets, replaceFingerprints, rotateTokenSecret } from './token-secret.db.ts';

const NONE = { tokenSecret: undefined, tokenSecretPrevious: undefined };

const app = await givenApp();
after(() => app.close());

test('of two rotations at once one is made, and the secret before it is kept', async () => {
  const { db } = app.service.deps;
  const { current } = await readTokenSecrets(db, NONE);
  const rotate = () => db.transaction().execute((tx) => rotateTokenSecret(tx, { keepsPrevious: true }));
  const rotations = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('settings').select('value').where('name', '=', 'token_secret').forUpdate().execute();
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    const holder = rows[0]?.pid ?? 0;
    const both = [rotate(), rotate()];
    await until('both wait for the lock', async () => (await countWaiting(db, holder)) === 2);
    return both;
  });
  assert.deepEqual((await Promise.all(rotations)).toSorted(), [false, true]);
  assert.deepEqual((await readTokenSecrets(db, NONE)).previous, [current]);
});

/** Statements that wait for a transaction's lock, directly or behind another waiting statement. */
async function countWaiting(db: Sql, holder: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with recursive waiting (pid) as (
      select ${holder}::int union
      select a.pid from pg_stat_activity as a join waiting as w on w.pid = any(pg_blocking_pids(a.pid))
    ) select (count(*) - 1)::int as count from waiting`.execute(db);
  return rows[0]?.count ?? 0;
}

const [OLD, NEW, FOREIGN] = ['the old secret of all', 'the new secret of all', 'a secret of nobody else'];
const start = (db: Sql, tokenSecret?: string, tokenSecretPrevious?: string) =>
  readTokenSecrets(db, { tokenSecret, tokenSecretPrevious });

test('a node whose secrets are of no other node is refused, with the steps of a rotation', async (t) => {
  const { db, close } = await givenDatabase();
  t.after(close);
  await start(db, OLD);
  await start(db, OLD);
  const refused = { name: 'ConfigError', message: /TOKEN_SECRET_PREVIOUS.*swap the two/ };
  await assert.rejects(start(db, FOREIGN), refused);
  await assert.rejects(start(db, FOREIGN, 'another secret of nobody'), refused);
  await assert.rejects(start(db), { name: 'ConfigError', message: /^TOKEN_SECRET is not set/ });
  const { rows } = await sql<{ value: string }>`select value from settings`.execute(db);
  for (const { value } of rows) assert.ok(!value.includes(OLD), 'the database has no secret');
});

test('every step of a rotation is accepted, on one node and on several', async (t) => {
  const { db, close } = await givenDatabase();
  t.after(close);
  await start(db, OLD);
  await start(db, NEW, OLD);
  await start(db, NEW);
  await assert.rejects(start(db, OLD));
  const steps = [[NEW], [NEW, OLD], [OLD, NEW], [OLD]] as const;
  // Two nodes take each step in turn, and either may crash and start again as it is.
  for (const [nth, step] of steps.entries()) {
    const before = steps[nth - 1] ?? step;
    await start(db, ...step);
    await start(db, ...before);
    await start(db, ...step);
    await start(db, ...step);
  }
});

test('the first TOKEN_SECRET takes the place of the stored secret, and a leaked or lost one is replaced', async (t) => {
  const { db, close } = await givenDatabase();
  t.after(close);
  const { current: stored } = await start(db);
  await start(db);
  await start(db, OLD, stored);
  await start(db, OLD);
  await assert.rejects(start(db));
  await replaceFingerprints(db, NEW);
  await start(db, NEW);
  await assert.rejects(start(db, OLD));
  await replaceFingerprints(db, undefined);
  assert.equal((await start(db)).current, stored);
});
