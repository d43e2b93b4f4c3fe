import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type App, givenApp } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import type { Sql } from './connect.ts';
import { readTokenSecrets, rotateTokenSecret } from './token-secret.db.ts';

const NONE = { tokenSecret: undefined, tokenSecretPrevious: undefined };

let app: App;
before(async () => {
  app = await givenApp();
});
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
