import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { givenDatabase } from '../../../test/test-database.ts';
import { until } from '../../../test/until.ts';
import { createLog } from '../lib/log.ts';
import { JobQueue, type Worker } from './job-queue.ts';
import { createJobs, type JobKind } from './jobs.ts';

const TEA: JobKind<{ cup: string }> = { name: 'tea' };
const START = Temporal.Instant.from('2026-06-10T17:05:10Z');
let now = START;
const clock = { now: () => now };
const { db, close } = await givenDatabase();
after(close);
const jobs = createJobs(clock);
const serve = (cup: string, startAfter?: Temporal.Instant) =>
  jobs.enqueue(db, TEA, { cup }, startAfter ? { startAfter } : {});

type Row = { kind: string; dueAt: Temporal.Instant; attempts: number; failedAt: Temporal.Instant | null };
const rows = async () =>
  (await sql<Row>`select kind, due_at, attempts, failed_at from jobs order by job_id`.execute(db)).rows;
const waits = async () => (await rows()).map(({ dueAt }) => (dueAt.epochMilliseconds - now.epochMilliseconds) / 1000);

const queues: JobQueue[] = [];
beforeEach(async () => {
  now = START;
  // The queue of an earlier test may be looking for work and would take this test's.
  for (const { queue } of queues.splice(0)) await queue.idle();
  await sql`delete from jobs`.execute(db);
});

function givenQueue(worker: Partial<Worker<{ cup: string }>> = {}) {
  const served: string[] = [];
  const run = async ({ cup }: { cup: string }) => void served.push(cup);
  const workers = [{ kind: TEA, concurrency: 1, run, ...worker } as Worker<never>];
  const queue = new JobQueue({ db, clock, log: createLog('silent'), workers, stopMs: 10 });
  queues.push(queue);
  const work = async () => {
    await queue.queue.runOnce();
    await queue.queue.idle();
  };
  return { queue, served, work };
}

test('a job runs once its moment has come, and leaves no row', async () => {
  const { served, work } = givenQueue();
  await serve('now');
  await serve('past', now.subtract({ hours: 1 }));
  await serve('later', now.add({ minutes: 10 }));
  for (let turn = 0; turn < 3; turn += 1) await work();
  assert.deepEqual(served, ['past', 'now']);
  now = now.add({ minutes: 10 });
  await work();
  assert.deepEqual([served.at(-1), await rows()], ['later', []]);
});

test('a job exists exactly if its transaction commits', async () => {
  const broken = db.transaction().execute(async (tx) => {
    await jobs.enqueueMany(tx, TEA, [{ payload: { cup: 'a' } }, { payload: { cup: 'b' } }]);
    throw new Error('broken');
  });
  await assert.rejects(broken, /broken/);
  assert.deepEqual(await rows(), []);
});

test('jobs of one moment follow each other at once, up to their kind’s limit', async () => {
  let together = 0;
  let most = 0;
  const run = async () => {
    together += 1;
    most = Math.max(most, together);
    await db.executeQuery(sql`select 1`.compile(db));
    together -= 1;
  };
  const { queue } = givenQueue({ concurrency: 3, run });
  await jobs.enqueueMany(
    db,
    TEA,
    Array.from({ length: 40 }, (_, n) => ({ payload: { cup: `${n}` } })),
  );
  queue.queue.wake();
  await until('every cup is served', async () => (await rows()).length === 0);
  assert.equal(most, 3);
});

test('a job that fails is run 50 times again, after 2 s that double up to a minute, and then kept as failed', async () => {
  const { work } = givenQueue({ run: () => Promise.reject(new Error('cold')) });
  await serve('cold');
  for (let tries = 1; tries <= 50; tries += 1) {
    await work();
    const [wait = 0] = await waits();
    // Up to 100 % jitter, so that jobs that failed together do not retry together.
    const least = Math.min(2 ** tries, 60);
    assert.ok(wait >= least && wait <= 2 * least, `after try ${tries}: ${wait} s`);
    now = now.add({ milliseconds: Math.round(wait * 1000) - 1 });
    await work();
    assert.equal((await rows())[0]?.attempts, tries, 'not before its moment');
    now = now.add({ milliseconds: 1 });
  }
  await work();
  assert.deepEqual(await rows(), [{ kind: 'tea', dueAt: now, attempts: 51, failedAt: now }].map(keepDue(await rows())));
});

const keepDue = (found: readonly Row[]) => (row: Row, nth: number) => ({
  ...row,
  dueAt: found[nth]?.dueAt ?? row.dueAt,
});

test('a repeated job has one row for any number of nodes, runs on schedule, and continues after a failure', async () => {
  const hourly = { everyMinutes: 60, atMinute: 7 };
  let runs = 0;
  const run = async () => {
    runs += 1;
    throw new Error('cold');
  };
  const nodes = [givenQueue({ ...hourly, run }), givenQueue({ ...hourly, run })];
  for (const { queue } of nodes) await queue.schedule();
  assert.deepEqual(await waits(), [110], '17:07');
  now = now.add({ hours: 3 });
  for (const { work } of nodes) await work();
  assert.deepEqual([runs, await waits()], [1, [110]], 'missed runs are one');
  const { queue } = givenQueue({ ...hourly, atStart: true });
  await queue.schedule();
  assert.deepEqual(await waits(), [0]);
  now = now.add({ hours: 25 });
  await givenQueue({ kind: { name: 'coffee' }, everyMinutes: 10 }).queue.schedule();
  assert.deepEqual(
    (await rows()).map(({ kind }) => kind),
    ['coffee'],
    'a kind that no node runs anymore',
  );
});

test('jobs of kinds that a node does not know wait for other nodes', async () => {
  const { work, served } = givenQueue({ kind: { name: 'coffee' } });
  await serve('green');
  await work();
  assert.deepEqual([served, (await rows()).length], [[], 1]);
});

test('a job runs as long as it needs while its node renews it; another node takes over a silent one, which is aborted', async () => {
  const ends = Promise.withResolvers<void>();
  let signal: AbortSignal | undefined;
  const slow = givenQueue({
    run: async (_payload, given) => {
      signal = given;
      await ends.promise;
    },
  });
  const other = givenQueue();
  await serve('slow');
  await slow.queue.queue.runOnce();
  await until('it runs', () => signal !== undefined);
  for (let turn = 0; turn < 3; turn += 1) {
    now = now.add({ seconds: 15 });
    await slow.queue.renew();
    await other.work();
  }
  assert.deepEqual([other.served, signal?.aborted], [[], false]);
  now = now.add({ seconds: 21 });
  await other.work();
  assert.deepEqual(other.served, ['slow']);
  await slow.queue.renew();
  assert.equal(signal?.aborted, true);
  ends.resolve();
  await slow.queue.queue.idle();
});

test('a stop gives a job that does not end to another node at once', async () => {
  const ends = Promise.withResolvers<void>();
  let isRunning = false;
  const slow = givenQueue({
    run: async () => {
      isRunning = true;
      await ends.promise;
    },
  });
  await serve('slow');
  await slow.queue.queue.runOnce();
  await until('it runs', () => isRunning);
  await slow.queue.stop();
  const other = givenQueue();
  await other.work();
  assert.deepEqual(other.served, ['slow']);
  ends.resolve();
  await slow.queue.queue.idle();
});
