import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { PgBoss, TestClock } from 'pg-boss';
import { openTestDatabase } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { openDb, openPool } from '../db/connect.ts';
import { createLog } from '../lib/log.ts';
import { randomId } from '../lib/random-id.ts';
import { type JobQueue, openJobQueue, type Worker, whenPrepared } from './job-queue.ts';
import type { JobKind } from './jobs.ts';

const TEA: JobKind<{ cup: string }> = { name: 'tea' };
const worker: Worker<never> = { kind: { name: TEA.name }, concurrency: 1, run: async () => {} };
const schema = randomId('t_', 6).toLowerCase().replaceAll('-', '_');
/** The process's clock; the database uses the real time. */
let now = Temporal.Instant.from('2026-06-10T17:00:00Z');
let db: ReturnType<typeof openDb>;
let queue: JobQueue;
let end: () => Promise<void>;

before(async () => {
  const { connectionString, close } = await openTestDatabase();
  db = openDb(openPool({ connectionString, schema: 'public' }));
  const log = createLog('silent');
  queue = await openJobQueue({ connectionString, schema, log, clock: { now: () => now }, works: false });
  await queue.work([worker]);
  end = async () => {
    await queue.stop();
    await sql`drop schema ${sql.id(schema)} cascade`.execute(db);
    await db.destroy();
    await close();
  };
});
after(() => end());

/** Remaining wait in seconds of each waiting job, by its cup and the database's clock. */
async function waits(): Promise<Record<string, number>> {
  const { rows } = await sql<{ cup: string; seconds: number }>`
    select data->>'cup' as cup, extract(epoch from start_after - created_on)::float8 as seconds
    from ${sql.id(schema, 'job')} where name = ${TEA.name}`.execute(db);
  return Object.fromEntries(rows.map(({ cup, seconds }) => [cup, seconds]));
}

test('a job waits as long as its moment is away by the clock that set it, whatever hour the database has', async () => {
  for (const hour of ['1999-12-31T23:59:59Z', '2040-02-29T12:00:00Z']) {
    now = Temporal.Instant.from(hour);
    await queue.enqueue(db, TEA, { cup: `${hour} one` }, { startAfter: now.add({ minutes: 10 }) });
    await queue.enqueueMany(db, TEA, [
      { payload: { cup: `${hour} soon` }, startAfter: now.add({ milliseconds: 200 }) },
      { payload: { cup: `${hour} past` }, startAfter: now.subtract({ hours: 1 }) },
      { payload: { cup: `${hour} now` } },
    ]);
    const seconds = await waits();
    assert.deepEqual(
      ['one', 'soon', 'past', 'now'].map((cup) => seconds[`${hour} ${cup}`]),
      [600, 0.2, 0, 0],
    );
  }
});

test('jobs of one moment follow each other at once', async (t) => {
  const { connectionString, close } = await openTestDatabase();
  const served: string[] = [];
  const kitchen = await openJobQueue({
    connectionString,
    schema: `${schema}_k`,
    log: createLog('silent'),
    clock: { now: () => now },
    works: true,
  });
  t.after(async () => {
    await kitchen.stop();
    await sql`drop schema ${sql.id(`${schema}_k`)} cascade`.execute(db);
    await close();
  });
  await kitchen.work([{ ...worker, run: async ({ cup }: { cup: string }) => void served.push(cup) } as Worker<never>]);
  const cups = Array.from({ length: 40 }, (_, n) => `${n}`);
  await kitchen.enqueueMany(
    db,
    TEA,
    cups.map((cup) => ({ payload: { cup } })),
  );
  await until('every cup is served', () => served.length === cups.length);
  assert.deepEqual(served.toSorted(), cups.toSorted());
});

test('a job that fails is tried 50 times again, after 2 s that double up to a minute, and a job of a cron expression never', async (t) => {
  const { connectionString, close } = await openTestDatabase();
  const clock = new TestClock(now.epochMilliseconds);
  const options = { connectionString, schema: `${schema}_f` };
  const log = createLog('silent');
  const kitchen = await openJobQueue({ ...options, log, clock: { now: () => now }, works: false });
  await kitchen.work([worker, { ...worker, kind: { name: 'yearly' }, everyMinutes: '0 0 1 1 *' }]);
  const connections: object = { verify: whenPrepared };
  // pg-boss directly: fetches and fails jobs when the test chooses.
  const library = new PgBoss({ ...options, ...connections, clock, supervise: false, schedule: false });
  await library.start();
  t.after(async () => {
    await library.stop();
    await kitchen.stop();
    await sql`drop schema ${sql.id(options.schema)} cascade`.execute(db);
    await close();
  });
  const runAndFail = async (name: string) => {
    const [job] = await library.fetch(name);
    assert.ok(job, `a ${name} is due`);
    await library.fail(name, job.id);
    const [after] = await library.findJobs(name, { id: job.id });
    assert.ok(after);
    return { state: after.state, waitMs: after.startAfter.getTime() - clock.now() };
  };
  await library.send('yearly', {});
  assert.equal((await runAndFail('yearly')).state, 'failed');
  await library.send(TEA.name, {});
  for (let tries = 1; tries <= 50; tries += 1) {
    const { state, waitMs } = await runAndFail(TEA.name);
    assert.equal(state, 'retry');
    // The library adds up to 100 % jitter, so that jobs that failed together do not retry together.
    assert.ok(waitMs >= 1000 * Math.min(2 ** tries, 60), `after try ${tries}: ${waitMs} ms`);
    assert.ok(waitMs <= 1000 * Math.min(2 ** (tries + 1), 60), `after try ${tries}: ${waitMs} ms`);
    await clock.tick(waitMs - 1);
    assert.deepEqual(await library.fetch(TEA.name), [], 'not before its moment');
    // The database has microsecond precision.
    await clock.tick(2);
  }
  assert.equal((await runAndFail(TEA.name)).state, 'failed');
});
