import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { type GivenDatabase, givenDatabase } from '../../../test/test-database.ts';
import { until } from '../../../test/until.ts';
import { openDb, openPool } from '../db/connect.ts';
import { LeasedQueue, leaseDue, type QueueTable } from './leased-queue.ts';
import { OwnerLimiter } from './owner-limiter.ts';

const NOW = Temporal.Instant.from('2026-06-10T12:00:00Z');
const LIMITS = { max: 6, perOwner: 4, first: 2, slowMs: Number.POSITIVE_INFINITY, maxSlow: 6 };
const TABLE: QueueTable = {
  table: 'errands',
  key: ['id'],
  owner: ['city', 'street'],
  waits: `q.state = 'waiting'`,
  dueAt: 'due_at',
  leaseSeconds: 25,
  columns: 'q.id, q.city, q.street',
};
type Errand = { id: number; city: string; street: string };

let given: GivenDatabase;
let now = NOW;
before(async () => {
  given = await givenDatabase();
  await sql`create table errands (id serial primary key, city text not null, street text not null,
    state text not null default 'waiting', due_at timestamptz not null, leased_until timestamptz)`.execute(given.db);
  await sql`create index on errands (city, street, due_at) where state = 'waiting'`.execute(given.db);
});
after(async () => {
  await sql`drop table errands`.execute(given.db);
  await given.close();
});

async function givenErrands(owners: Readonly<Record<string, number>>): Promise<void> {
  await sql`delete from errands`.execute(given.db);
  now = NOW;
  for (const [owner, count] of Object.entries(owners)) {
    const [city, street] = owner.split(' ');
    await sql`insert into errands (city, street, due_at)
      select ${city}, ${street}, ${NOW.toString()}::timestamptz - make_interval(secs => ${count}::int - n)
      from generate_series(1, ${count}::int) as n`.execute(given.db);
  }
}

const errandOwner = ({ city, street }: Errand) => `${city} ${street}`;

function givenQueue(work: (errand: Errand) => Promise<void>, log = pino({ level: 'silent' }), db = given.db) {
  const parts = {
    name: 'errands',
    db,
    clock: { now: () => now },
    log,
    table: TABLE,
    limiter: new OwnerLimiter(LIMITS),
  };
  return new LeasedQueue<Errand>({ ...parts, ownerOf: errandOwner, work });
}

const markDone = async ({ id }: Errand) => {
  await sql`update errands set state = 'done' where id = ${id}`.execute(given.db);
};

test('each owner has its first row leased before any has its second, and none more than its allowance', async () => {
  await givenErrands({ 'Bern A': 50, 'Bern B': 1, 'Basel A': 50 });
  const limits = { free: 6, allowances: [{ owner: 'Basel A', calls: 1, running: 3 }], others: 4 };
  const leased = await leaseDue<Errand>(given.db, TABLE, limits, NOW);
  const counts = Map.groupBy(leased, errandOwner);
  assert.deepEqual(
    ['Bern A', 'Bern B', 'Basel A'].map((owner) => counts.get(owner)?.length),
    [4, 1, 1],
  );
});

test('a leased row isn’t taken by another worker until the lease expires', async () => {
  await givenErrands({ 'Bern A': 3, 'Bern B': 3 });
  const limits = { free: 100, allowances: [], others: 2 };
  const at = (seconds: number) => leaseDue<Errand>(given.db, TABLE, limits, NOW.add({ seconds }));
  const [first, second] = await Promise.all([at(0), at(0)]);
  const ids = [...first, ...second].map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  // Rows that a lease skips because another worker holds them are left for the next lease.
  ids.push(...(await at(0)).map(({ id }) => id), ...(await at(0)).map(({ id }) => id));
  assert.deepEqual([new Set(ids).size, ids.length], [6, 6]);
  assert.equal((await at(24)).length, 0);
  assert.equal((await at(25)).length, 4);
});

test('a queue drains by itself from one look, and idle ends it', async () => {
  await givenErrands({ 'Bern A': 40, 'Bern B': 10 });
  const done: number[] = [];
  const queue = givenQueue(async (errand) => {
    await markDone(errand);
    done.push(errand.id);
  });
  assert.equal(await queue.runOnce(), 4);
  await until('everything is done', () => done.length === 50);
  await queue.idle();
  assert.deepEqual([queue.runningCount, new Set(done).size], [0, 50]);
});

test('hanging work holds only its owner’s slots, and failing work is due again after its lease', async () => {
  await givenErrands({ 'Bern A': 10, 'Bern B': 5, 'Basel A': 1 });
  const release = Promise.withResolvers<void>();
  const begun: string[] = [];
  let hasFailed = false;
  const queue = givenQueue(async (errand) => {
    begun.push(errandOwner(errand));
    if (errandOwner(errand) === 'Bern A') await release.promise;
    if (errandOwner(errand) === 'Basel A' && !hasFailed) {
      hasFailed = true;
      throw new Error('no answer');
    }
    await markDone(errand);
  });
  await queue.runOnce();
  await until('the others are through', () => begun.filter((owner) => owner !== 'Bern A').length === 6);
  assert.equal(begun.filter((owner) => owner === 'Bern A').length, LIMITS.first);
  release.resolve();
  await until('the rest is begun', () => begun.length === 16);
  await queue.idle();
  now = NOW.add({ seconds: 25 });
  assert.equal(await queue.runOnce(), 1);
  await queue.idle();
  const { rows } = await sql<{ city: string }>`select city from errands where state = 'waiting'`.execute(given.db);
  assert.deepEqual(rows, []);
});

/** A database that does not exist. */
const AWAY = { connectionString: 'postgres://nobody@127.0.0.1:1/none' };

function givenLog() {
  const lines: { reason?: string; err?: { message: string } }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { lines, log };
}

test('work that cannot record its outcome because the database is away is logged each time, without a stack', async () => {
  await givenErrands({ 'Bern A': 2, 'Bern B': 1 });
  const { lines, log } = givenLog();
  const pool = openPool(AWAY);
  const queue = givenQueue(async (errand) => {
    if (errandOwner(errand) === 'Bern A') await pool.query('select 1');
    throw new Error('a bug');
  }, log);
  assert.equal(await queue.runOnce(), 3);
  await queue.idle();
  await pool.end();
  const causes = lines.map(({ reason, err }) => reason ?? err?.message);
  const reason = 'connect ECONNREFUSED 127.0.0.1:1';
  assert.deepEqual(causes.toSorted(), ['a bug', reason, reason]);
});

test('a queue that cannot lease because the database is away leaves that to the loop that runs the queue', async () => {
  const { lines, log } = givenLog();
  const db = openDb(openPool(AWAY));
  const queue = givenQueue(markDone, log, db);
  queue.wake();
  await queue.idle();
  await assert.rejects(queue.runOnce(), { code: 'ECONNREFUSED' });
  await db.destroy();
  assert.deepEqual(lines, []);
});
