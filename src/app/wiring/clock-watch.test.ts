import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, SCHEMA } from '../../../test/test-database.ts';
import { until } from '../../../test/until.ts';
import { type Db, openDb, openPool } from '../../platform/db/connect.ts';
import { readEpochMs, saveClockDifference } from '../../platform/db/database-clock.db.ts';
import { DatabaseClock, type MachineClock, systemClock } from '../../platform/lib/clock.ts';
import { createLog } from '../../platform/lib/log.ts';
import { readHealthFacts } from '../../surfaces/operator/conditions.db.ts';
import { ClockWatch, DUE_TABLES } from './clock-watch.ts';
import { SINGLE_PROCESS } from './peers.ts';
import { readSettings } from './read-settings.ts';
import { startService } from './service.ts';

/** A worker node on a machine whose clock is so many seconds ahead. Its database has the right time. */
async function givenNode(t: TestContext, aheadS: number, otherAheadS?: number) {
  const { connectionString, drop } = await createTestDatabase();
  const machine: MachineClock = {
    now: () => Temporal.Instant.fromEpochMilliseconds(machine.epochMs()),
    epochMs: () => systemClock.epochMs() + aheadS * 1000,
    elapsedMs: () => systemClock.elapsedMs(),
  };
  const lines: string[] = [];
  if (otherAheadS !== undefined) await saveOther(connectionString, otherAheadS);
  const service = await startService({
    config: readSettings({ LOG_LEVEL: 'warn', METRICS_PORT: '0', PORT: '0' }),
    connectionString,
    schema: SCHEMA,
    log: createLog('warn', { write: (line: string) => void lines.push(line) }),
    clock: new DatabaseClock(machine),
    role: 'worker',
  });
  t.after(async () => {
    await service.close();
    await drop();
  });
  const { db, clock, metrics } = service.deps;
  return {
    lines: () => lines.filter((line) => line.includes('the clock of this machine')),
    proxied: () => service.deps.notReadyBecause({ database: false }),
    ready: () => service.deps.notReadyBecause({ database: true }),
    differences: async () => (await readHealthFacts(db, {})).clocks,
    async metric() {
      return Number(/^doorstep_clock_difference_seconds (\S+)$/m.exec(await metrics.text())?.[1]);
    },
    async wrongByMs() {
      const before = clock.now().epochMilliseconds;
      const databaseMs = await readEpochMs(db);
      return databaseMs < before ? before - databaseMs : Math.max(0, databaseMs - clock.now().epochMilliseconds);
    },
  };
}

const OTHER = 'another machine';

async function saveOther(connectionString: string, aheadS: number): Promise<void> {
  const pool = openPool({ connectionString, schema: SCHEMA, max: 1 });
  const db = openDb(pool);
  await saveClockDifference(db, OTHER, aheadS);
  await db.destroy();
}

/** Half of the first round trip hides a difference, also on a loaded machine; later ones come closer. */
const CLOSE_MS = 1000;

for (const [aheadS, otherAheadS, isLogged, reason] of [
  [2, 0, false, undefined],
  [-30, 0, true, undefined],
  [90, 0, true, /^The clock of this machine is \d+\.\d s ahead of the database's\.$/],
  [-1200, 1200, true, /^The clock of this machine is \d+\.\d s behind the database's\.$/],
  [-1200, -1200, true, undefined],
  [1200, undefined, true, undefined],
] as const) {
  const others = otherAheadS === undefined ? 'alone' : `beside one ${otherAheadS} s ahead`;
  test(`a node ${others} on a machine ${aheadS} s ahead has the database's time, and is unready if it's wrong by over 60 s`, async (t) => {
    const node = await givenNode(t, aheadS, otherAheadS);
    await until('the node is close to the database', async () => (await node.wrongByMs()) < CLOSE_MS);
    assert.ok(Math.abs((await node.metric()) - aheadS) * 1000 < CLOSE_MS);
    assert.equal(node.lines().length, isLogged ? 1 : 0);
    const found = await node.differences();
    assert.deepEqual(
      found
        .filter(({ host }) => host !== OTHER)
        .map(({ host, aheadSeconds }) => [host, Math.abs(aheadSeconds - aheadS) * 1000 < CLOSE_MS]),
      isLogged ? [[hostname(), true]] : [],
    );
    assert.match((await node.ready()) ?? '', reason ?? /^$/);
    assert.equal(await node.proxied(), undefined);
  });
}

/** Watches of nodes on one database, whose clock a test sets against their monotonic time. */
async function givenWatches(t: TestContext) {
  const { connectionString, drop } = await createTestDatabase();
  const db = openDb(openPool({ connectionString, schema: SCHEMA, max: 4 }));
  t.after(async () => {
    await db.destroy();
    await drop();
  });
  let passedMs = 0;
  const startNode = async () => {
    const clock = new DatabaseClock({
      now: () => systemClock.now(),
      epochMs: () => systemClock.epochMs(),
      elapsedMs: () => systemClock.elapsedMs() + passedMs,
    });
    const watch = new ClockWatch({ db, clock, log: createLog('silent'), peers: SINGLE_PROCESS });
    await watch.look();
    return { clock, watch };
  };
  return {
    db,
    startNode,
    /** The database's clock stays in truth, and monotonic time moves the other way. */
    setDatabase(seconds: number) {
      passedMs -= seconds * 1000;
    },
    pass(seconds: number) {
      passedMs += seconds * 1000;
    },
  };
}

/** The seconds from the database's time to each due time and lease of jobs, by kind. */
async function dueIn(db: Db): Promise<Record<string, [number, number | null]>> {
  const { rows } = await sql<{ kind: string; due: number; lease: number | null }>`
    select kind, round(extract(epoch from due_at - clock_timestamp()) / 10)::int * 10 as due,
      round(extract(epoch from leased_until - clock_timestamp()) / 10)::int * 10 as lease from jobs`.execute(db);
  return Object.fromEntries(rows.map(({ kind, due, lease }) => [kind, [due, lease]]));
}

test('after a step of the database’s clock, timeouts wait for ten minutes on every node, also on one that starts', async (t) => {
  for (const stepS of [1200, -1200, 6, -6]) {
    const { db, startNode, setDatabase, pass } = await givenWatches(t);
    const nodes = [await startNode(), await startNode()];
    assert.ok(nodes.every(({ clock }) => clock.settlesAt() === undefined));
    setDatabase(stepS);
    await Promise.all(nodes.map(({ watch }) => watch.look()));
    nodes.push(await startNode());
    assert.deepEqual(nodes.map(({ watch }) => watch.notReadyBecause()).filter(Boolean), []);
    const left = nodes.map(({ clock }) => clock.settlesAt()?.since(clock.now()).total('seconds') ?? 0);
    assert.ok(
      left.every((seconds) => seconds > 500 && seconds <= 600),
      `${left}`,
    );
    const { clockStepSeconds } = await readHealthFacts(db, {});
    assert.ok(Math.abs((clockStepSeconds ?? 0) - stepS) < CLOSE_MS / 1000, `${clockStepSeconds}`);
    pass(601);
    assert.ok(nodes.every(({ clock }) => clock.settlesAt() === undefined));
  }
});

test('a step back moves what is due later and leased once, and what was due by the old clock is due', async (t) => {
  const { db, startNode, setDatabase } = await givenWatches(t);
  const nodes = [await startNode(), await startNode()];
  await sql`insert into jobs (kind, payload, due_at, leased_until) select 'in ' || s, '{}', clock_timestamp() + make_interval(secs => s),
    case when s = 1300 then clock_timestamp() + interval '1220 s' end from unnest('{-60,600,1300,90000}'::int[]) as s`.execute(
    db,
  );
  setDatabase(-1200);
  await Promise.all(nodes.map(({ watch }) => watch.look()));
  const moved = { 'in -60': [-60, null], 'in 600': [-600, null], 'in 1300': [100, 20], 'in 90000': [88800, null] };
  assert.deepEqual(await dueIn(db), moved);
  setDatabase(1200);
  await Promise.all(nodes.map(({ watch }) => watch.look()));
  assert.deepEqual(await dueIn(db), moved);
});

test('the queues whose due times a step back moves are all queues', async (t) => {
  const { db } = await givenWatches(t);
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.columns
    where table_schema = ${SCHEMA} and column_name = 'leased_until' order by 1`.execute(db);
  assert.deepEqual(
    rows.map(({ name }) => name),
    DUE_TABLES.map(({ table }) => table)
      .filter((table) => table !== 'orders')
      .toSorted(),
  );
});
